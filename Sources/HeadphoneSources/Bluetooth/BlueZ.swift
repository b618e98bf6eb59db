// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// The places of Bluetooth on a computer; a test sets its own.
package struct BluetoothRoots: Sendable, Hashable {
  /// The folder of the adapters' attributes. Default `/sys/class/bluetooth`.
  package var adapters: String
  /// The address of the system's message bus as D-Bus writes it, `unix:path=/run/dbus/system_bus_socket`. Default nil:
  /// the environment's `DBUS_SYSTEM_BUS_ADDRESS`, else the standard one.
  package var bus: String?

  /// The system's places, or the same ones below a folder that stands for the root of the file system.
  package init(root: String = "") {
    adapters = root + "/sys/class/bluetooth"
    bus = root.isEmpty ? nil : "unix:path=\(root)/run/dbus/system_bus_socket"
  }
}

/// The data of BlueZ, the Bluetooth service of Linux: the adapters of this computer and the known devices.
///
/// ```swift
/// let bluetooth = BlueZ()
/// if bluetooth.isAdapterPresent {
///   let headphones = try bluetooth.inventory().devices.filter { $0.isConnected && $0.offersAccessoryProtocol }
/// }
/// ```
///
/// Read-only: nothing is connected, paired or switched on. Each ``inventory()`` opens its own connection to the message
/// bus and takes some milliseconds; it needs the library libsystemd, which is loaded then. Source: BlueZ's own
/// documentation, org.bluez.Adapter(5), org.bluez.Device(5), org.bluez.Battery(5).
package struct BlueZ: Sendable {
  /// A Bluetooth radio of this computer.
  package struct Adapter: Hashable, Sendable {
    /// The object on the bus, "/org/bluez/hci0".
    package var path: String
    /// Its address, upper case with colons.
    package var address: String
    /// Its name.
    package var name: String
    /// Whether it is switched on.
    package var isPowered: Bool
  }

  /// Everything at one moment.
  package struct Inventory: Hashable, Sendable {
    /// By the names of their objects.
    package var adapters: [Adapter] = []
    /// By the names of their objects.
    package var devices: [BluetoothDevice] = []
  }

  /// Where it looks.
  package let roots: BluetoothRoots
  /// How long an inventory may take.
  package let limit: SensorDuration
  private let bus: any ObjectManager

  /// The service of a computer; `limit` is how long an inventory may take, default 2 s.
  package init(roots: BluetoothRoots = BluetoothRoots(), limit: SensorDuration = .seconds(2)) {
    self.init(roots: roots, limit: limit, bus: SystemBus(address: roots.bus))
  }

  package init(
    roots: BluetoothRoots = BluetoothRoots(), limit: SensorDuration = .seconds(2), bus: any ObjectManager
  ) {
    (self.roots, self.limit, self.bus) = (roots, limit, bus)
  }

  /// Whether this computer has a Bluetooth adapter, switched on or not. Reads a folder of sysfs only.
  package var isAdapterPresent: Bool {
    // Connections are "hci0:11" there.
    SystemFiles.system.list(roots.adapters).contains { $0.hasPrefix("hci") && !$0.contains(":") }
  }

  /// Adapters and devices. Throws one sentence where there is no bus, no Bluetooth service or no permission.
  package func inventory() throws(SensorError) -> Inventory {
    Inventory(objects: try bus.managedObjects(of: "org.bluez", limit: limit))
  }
}

extension BlueZ.Inventory {
  init(objects: [String: BusObject]) {
    self.init()
    for (path, interfaces) in objects.sorted(by: { $0.key < $1.key }) {
      if let properties = interfaces["org.bluez.Adapter1"], let address = properties["Address"]?.text {
        adapters.append(
          .init(
            path: path, address: address.uppercased(),
            name: properties["Alias"]?.text ?? properties["Name"]?.text ?? "",
            isPowered: properties["Powered"]?.boolean ?? false))
      }
      if let properties = interfaces["org.bluez.Device1"] {
        let battery = interfaces["org.bluez.Battery1"]?["Percentage"]?.byte
        if let device = BluetoothDevice(path: path, properties: properties, battery: battery.map(Int.init)) {
          devices.append(device)
        }
      }
    }
  }
}
