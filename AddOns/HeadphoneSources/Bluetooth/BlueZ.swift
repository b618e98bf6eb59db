// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
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
/// Read-only: nothing is connected, paired or switched on. Each ``inventory()`` runs systemd's `busctl` for some
/// milliseconds. Source: BlueZ's own documentation, org.bluez.Adapter(5), org.bluez.Device(5), org.bluez.Battery(5).
package struct BlueZ: Sendable {
  /// Everything at one moment.
  package struct Inventory: Hashable, Sendable {
    /// Whether an adapter of this computer is switched on.
    package var isPowered = false
    /// By the names of their objects.
    package var devices: [BluetoothDevice] = []
  }

  private let root: String
  private let command: [String]
  private let limit: Double

  /// The service of this computer.
  ///
  /// - Parameters:
  ///   - root: the folder that stands for the root of the file system; empty, the default: the system's.
  ///   - command: what prints the objects of the service. Default: `busctl`, on the bus of `DBUS_SYSTEM_BUS_ADDRESS`
  ///     where that is set.
  ///   - limit: seconds that an inventory may take. Default 2.
  package init(
    root: String = "",
    command: [String] = [
      "busctl", "--system", "--json=short", "call", "org.bluez", "/", "org.freedesktop.DBus.ObjectManager",
      "GetManagedObjects",
    ], limit: Double = 2
  ) {
    (self.root, self.command, self.limit) = (root, command, limit)
  }

  /// Whether this computer has a Bluetooth adapter, switched on or not. Reads a folder of sysfs only.
  package var isAdapterPresent: Bool {
    // Connections are "hci0:11" there.
    SystemFiles.system.list(root + "/sys/class/bluetooth").contains { $0.hasPrefix("hci") && !$0.contains(":") }
  }

  /// Adapters and devices. Throws one sentence where there is no bus, no Bluetooth service or no permission.
  package func inventory() throws(SensorError) -> Inventory {
    let answer = try output()
    // One object of one member, "data": a list with the dictionary object → interface → property → value.
    guard let whole = (try? JSONSerialization.jsonObject(with: answer)) as? [String: Any],
      let objects = (whole["data"] as? [[String: [String: [String: [String: Any]]]]])?.first
    else { throw SensorError(.malformed, "The answer of the Bluetooth service cannot be read.") }
    var inventory = Inventory()
    for (_, interfaces) in objects.sorted(by: { $0.key < $1.key }) {
      if interfaces["org.bluez.Adapter1"]?.value("Powered") as? Bool == true { inventory.isPowered = true }
      let battery = interfaces["org.bluez.Battery1"]?.value("Percentage") as? Int
      if let device = interfaces["org.bluez.Device1"].flatMap({ BluetoothDevice(properties: $0, battery: battery) }) {
        inventory.devices.append(device)
      }
    }
    return inventory
  }

  /// What the command prints.
  private func output() throws(SensorError) -> Data {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    (process.standardOutput, process.standardError) = (pipe, pipe)
    do { try process.run() } catch {
      throw SensorError(.system, "The Bluetooth service cannot be asked: \(error.localizedDescription).")
    }
    // A bus that accepts the connection and never answers holds the command for 90 s.
    let watch = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: watch)
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    watch.cancel()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw Self.problem(process, String(decoding: output, as: UTF8.self))
    }
    return output
  }

  /// What the failure of the command means, in a sentence that says what to do.
  private static func problem(_ process: Process, _ text: String) -> SensorError {
    let words = text.split(separator: "\n").last.map(String.init) ?? "no reason is given"
    if process.terminationReason == .uncaughtSignal {
      return SensorError(.system, "The Bluetooth service does not answer in time; try again, or restart it.")
    }
    if process.terminationStatus == 127 {
      return SensorError(
        .notFound,
        "The program busctl, which asks the Bluetooth service, is not installed: sudo apt install systemd; or name the headphones' "
          + "address (airpods:AA:BB:CC:DD:EE:FF).")
    }
    // As sd-bus words D-Bus' AccessDenied, EACCES and EPERM.
    if ["Access denied", "Permission denied", "not permitted", "rejected"].contains(where: words.contains) {
      return SensorError(
        .notPermitted,
        "This user may not use the Bluetooth service (\(words)): join the group bluetooth (sudo usermod -aG bluetooth \"$USER\") and log "
          + "in again; in a container, allow the use of the system's message bus.")
    }
    return SensorError(
      .notFound,
      "The Bluetooth service does not answer (\(words)): install it (sudo apt install bluez) and start it (sudo systemctl start "
        + "bluetooth); in a container, mount the socket of the system's message bus.")
  }
}

extension [String: [String: Any]] {
  /// The value of a property; `busctl` writes `{"type":"s","data":"…"}`.
  fileprivate func value(_ name: String) -> Any? { self[name]?["data"] }
}

/// A device that the Bluetooth service knows.
package struct BluetoothDevice: Hashable, Sendable {
  /// Its address, upper case with colons. Personal: leave it out of what others may read.
  package var address: String
  /// The name that its owner gave it, else its own, else empty.
  package var name = ""
  /// What it is, if it is one that this version knows.
  package var model: HeadphoneModel?
  /// Whether it is paired, or its keys are kept.
  package var isPaired = false
  /// Whether it is connected now.
  package var isConnected = false
  /// Whether it offers the accessory protocol of AirPods.
  package var offersAccessoryProtocol = false
  /// Per cent; nil = not known.
  package var batteryPercent: Int?
  /// The same as the battery of a part.
  package var batteries: [HeadphoneStatus.Battery] { batteryPercent.map { [.init(part: .single, percent: $0)] } ?? [] }

  /// The service by which Apple's and Beats' headphones communicate with a host.
  static let accessoryProtocolService = "74ec2172-0bad-4d01-8f77-997b2be0722a"
}

extension BluetoothDevice {
  /// From the properties of `org.bluez.Device1`; nil when it has no address.
  fileprivate init?(properties: [String: [String: Any]], battery: Int?) {
    func text(_ name: String) -> String? { properties.value(name) as? String }
    func isTrue(_ name: String) -> Bool { properties.value(name) as? Bool == true }
    guard let address = text("Address"), !address.isEmpty else { return nil }
    self.init(address: address.uppercased(), name: text("Alias") ?? text("Name") ?? "")
    model = text("Modalias").flatMap(HeadphoneModel.model(modalias:)) ?? .model(name: name)
    (isPaired, isConnected) = (isTrue("Paired") || isTrue("Bonded"), isTrue("Connected"))
    let services = properties.value("UUIDs") as? [String] ?? []
    offersAccessoryProtocol = services.contains { $0.lowercased() == Self.accessoryProtocolService }
    batteryPercent = battery.flatMap { (0...100).contains($0) ? $0 : nil }
  }
}
