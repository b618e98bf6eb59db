// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

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
  /// Everything at one moment.
  package struct Inventory: Hashable, Sendable {
    /// Whether an adapter of this computer is switched on.
    package var isPowered = false
    /// By the names of their objects.
    package var devices: [BluetoothDevice] = []
  }

  private let root: String
  private let limit: SensorDuration
  private let bus: any ObjectManager

  /// The service of a computer.
  ///
  /// - Parameters:
  ///   - root: the folder that stands for the root of the file system. Empty, the default: the system's, with the message
  ///     bus of `DBUS_SYSTEM_BUS_ADDRESS` where that is set.
  ///   - limit: how long an inventory may take. Default 2 s.
  ///   - bus: default nil: the system's message bus.
  package init(root: String = "", limit: SensorDuration = .seconds(2), bus: (any ObjectManager)? = nil) {
    (self.root, self.limit) = (root, limit)
    self.bus = bus ?? SystemBus(address: root.isEmpty ? nil : "unix:path=\(root)/run/dbus/system_bus_socket")
  }

  /// Whether this computer has a Bluetooth adapter, switched on or not. Reads a folder of sysfs only.
  package var isAdapterPresent: Bool {
    // Connections are "hci0:11" there.
    SystemFiles.system.list(root + "/sys/class/bluetooth").contains { $0.hasPrefix("hci") && !$0.contains(":") }
  }

  /// Adapters and devices. Throws one sentence where there is no bus, no Bluetooth service or no permission.
  package func inventory() throws(SensorError) -> Inventory {
    Inventory(objects: try bus.managedObjects(of: "org.bluez", limit: limit))
  }
}

extension BlueZ.Inventory {
  init(objects: [String: BusObject]) {
    self.init()
    for (_, interfaces) in objects.sorted(by: { $0.key < $1.key }) {
      if let properties = interfaces["org.bluez.Adapter1"], properties["Address"]?.text != nil {
        isPowered = isPowered || properties["Powered"]?.boolean == true
      }
      if let properties = interfaces["org.bluez.Device1"] {
        let battery = interfaces["org.bluez.Battery1"]?["Percentage"]?.byte
        if let device = BluetoothDevice(properties: properties, battery: battery.map(Int.init)) {
          devices.append(device)
        }
      }
    }
  }
}
