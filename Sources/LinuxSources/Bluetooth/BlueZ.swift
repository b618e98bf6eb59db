// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Where Bluetooth is found on a computer; a test gives places of its own.
public struct BluetoothRoots: Sendable, Hashable {
  /// The folder of the adapters' attributes. Default `/sys/class/bluetooth`.
  public var adapters: String
  /// The socket of the system's message bus. Default `/run/dbus/system_bus_socket`.
  public var bus: String

  /// The system's places, or the same ones below a folder that stands for the root of the file system.
  public init(root: String = "") {
    adapters = root + "/sys/class/bluetooth"
    bus = root + "/run/dbus/system_bus_socket"
  }
}

/// What BlueZ, the Bluetooth service of Linux, knows: the adapters of this computer and the devices that it has met.
///
/// ```swift
/// let bluetooth = BlueZ()
/// if bluetooth.isAdapterPresent {
///   let headphones = try bluetooth.inventory().devices.filter { $0.isConnected && $0.offersAccessoryProtocol }
/// }
/// ```
///
/// Read-only: nothing is connected, paired or switched on. Each ``inventory()`` is a connection of its own to the message bus, and takes
/// some milliseconds. Source: BlueZ's own documentation, org.bluez.Adapter(5), org.bluez.Device(5), org.bluez.Battery(5).
public struct BlueZ: Sendable {
  /// A Bluetooth radio of this computer.
  public struct Adapter: Hashable, Sendable {
    /// The object on the bus, "/org/bluez/hci0".
    public var path: String
    /// Its address, upper case with colons.
    public var address: String
    /// Its name.
    public var name: String
    /// Whether it is switched on.
    public var isPowered: Bool

    /// An adapter from its parts.
    public init(path: String, address: String, name: String, isPowered: Bool) {
      self.path = path
      self.address = address
      self.name = name
      self.isPowered = isPowered
    }
  }

  /// Everything at one moment.
  public struct Inventory: Hashable, Sendable {
    /// By the names of their objects.
    public var adapters: [Adapter] = []
    /// By the names of their objects.
    public var devices: [BluetoothDevice] = []

    /// What is known; empty by default.
    public init(adapters: [Adapter] = [], devices: [BluetoothDevice] = []) {
      self.adapters = adapters
      self.devices = devices
    }
  }

  /// Where it looks.
  public let roots: BluetoothRoots
  /// How long the bus may take for an answer.
  public let limit: SensorDuration
  private let files: SystemFiles

  /// The service of a computer; `limit` is what each of two answers may take, default 2 s.
  public init(roots: BluetoothRoots = BluetoothRoots(), limit: SensorDuration = .seconds(2)) {
    self.init(roots: roots, limit: limit, files: .system)
  }

  init(roots: BluetoothRoots, limit: SensorDuration, files: SystemFiles) {
    self.roots = roots
    self.limit = limit
    self.files = files
  }

  /// Whether this computer has a Bluetooth adapter, switched on or not. Looks into a folder of sysfs; asks nobody.
  public var isAdapterPresent: Bool {
    // Connections are "hci0:11" there.
    files.list(roots.adapters).contains { $0.hasPrefix("hci") && !$0.contains(":") }
  }

  /// Adapters and devices. Throws one sentence where there is no bus, no Bluetooth service or no permission.
  public func inventory() throws(SensorError) -> Inventory {
    let connection = try DBusConnection(path: roots.bus, limit: limit)
    return try Self.inventory(connection, place: roots.bus)
  }

  static func inventory(_ connection: DBusConnection, place: String) throws(SensorError) -> Inventory {
    let answer = try connection.call(
      "org.bluez", "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"
    ).get(at: place)
    return Inventory(objects: answer.first?.table ?? [:])
  }
}

extension BlueZ.Inventory {
  /// From the answer of `GetManagedObjects`: object → interface → property → value.
  init(objects: [String: DBusValue]) {
    self.init()
    for (path, object) in objects.sorted(by: { $0.key < $1.key }) {
      let interfaces = object.table
      if let properties = interfaces["org.bluez.Adapter1"]?.table, let address = properties["Address"]?.text {
        adapters.append(
          .init(
            path: path, address: address.uppercased(),
            name: properties["Alias"]?.text ?? properties["Name"]?.text ?? "",
            isPowered: properties["Powered"]?.boolean ?? false))
      }
      if let properties = interfaces["org.bluez.Device1"]?.table {
        let battery = interfaces["org.bluez.Battery1"]?.table["Percentage"]?.integer
        if let device = BluetoothDevice(path: path, properties: properties, battery: battery.map(Int.init)) {
          devices.append(device)
        }
      }
    }
  }
}
