// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import MotionSensing

/// The motion sensor of a game controller: a separate input device in addition to the buttons and sticks.
///
/// The kernel marks it with the property `INPUT_PROP_ACCELEROMETER`. `ABS_X`, `ABS_Y`, `ABS_Z` are acceleration,
/// `ABS_RX`, `ABS_RY`, `ABS_RZ` angular velocity (EV-1). All of this is in sysfs: no node is opened to find it.
struct ControllerDevice: Hashable, Sendable {
  /// The kernel's name of the node, "event5". They change after a replug.
  let kernelName: String
  /// The node, "/dev/input/event5".
  let node: String
  /// The driver's name for the sensor: "… Motion Sensors", "… IMU".
  let name: String
  /// The controller's address or serial number, and where it is plugged in ("usb-0000:00:14.0-2/input3"); empty where
  /// the driver gives none.
  let unique, port: String
  /// Who made it, what it is, and how it is connected: `BUS_USB`, `BUS_BLUETOOTH`.
  let vendor, product, bus: UInt16
  /// Whether it has `ABS_RX`, `ABS_RY`, `ABS_RZ` as well.
  let hasGyroscope: Bool
  /// The name of the gamepad that the sensor is in; the sensor's own without its ending where there is none.
  private(set) var controllerName: String

  /// The device of a folder "inputN"; nil when it is no motion sensor.
  private init?(folder: String, root: SystemRoot, files: SystemFiles) {
    func text(_ attribute: String) -> String { (try? files.read("\(folder)/\(attribute)")) ?? "" }
    func number(_ attribute: String) -> UInt16 { UInt16(text(attribute), radix: 16) ?? 0 }
    let axes = Self.lowBits(text("capabilities/abs"))
    let properties = Self.lowBits(text("properties"))
    let isAccelerometer = properties >> UInt64(INPUT_PROP_ACCELEROMETER) & 1 == 1 && axes & 0b111 == 0b111
    guard isAccelerometer, let event = files.list(folder).first(where: { $0.hasPrefix("event") }) else { return nil }
    vendor = number("id/vendor")
    // The pads of graphics tablets have the same mark; their sensor reports only the tablet's orientation (EV-1).
    guard vendor != Self.wacom else { return nil }
    product = number("id/product")
    bus = number("id/bustype")
    kernelName = event
    node = "\(root.inputNodes)/\(event)"
    name = text("name")
    unique = text("uniq")
    port = text("phys")
    hasGyroscope = axes >> 3 & 0b111 == 0b111
    controllerName = Self.stem(of: name)
  }

  private static let wacom: UInt16 = 0x056A

  /// The last word of a bitmap: the kernel prints words in hexadecimal, the highest first, without leading zeros.
  private static func lowBits(_ bitmap: String) -> UInt64 {
    bitmap.split(separator: " ").last.flatMap { UInt64($0, radix: 16) } ?? 0
  }

  /// Drivers name the sensor after the controller, with an ending.
  private static func stem(of name: String) -> String {
    for ending in [" Motion Sensors", " IMU"] where name.hasSuffix(ending) {
      return String(name.dropLast(ending.count))
    }
    return name
  }

  /// All motion sensors, by the numbers of their nodes.
  static func all(root: SystemRoot, files: SystemFiles) -> [ControllerDevice] {
    let folders = files.list(root.inputDevices).filter { $0.hasPrefix("input") }.map { "\(root.inputDevices)/\($0)" }
    var found = folders.compactMap { ControllerDevice(folder: $0, root: root, files: files) }
    for index in found.indices { found[index].pair(with: folders, files: files) }
    return found.sorted { $0.number < $1.number }
  }

  private var number: Int { Int(kernelName.dropFirst("event".count)) ?? .max }

  /// Adopts the gamepad's name: the device with the same address, vendor and product (EV-2) and the shortest name,
  /// because sensor and touchpad have endings.
  private mutating func pair(with folders: [String], files: SystemFiles) {
    guard !unique.isEmpty else { return }
    let names = folders.compactMap { folder -> String? in
      func text(_ attribute: String) -> String { (try? files.read("\(folder)/\(attribute)")) ?? "" }
      let isSame =
        text("uniq") == unique && UInt16(text("id/vendor"), radix: 16) == vendor
        && UInt16(text("id/product"), radix: 16) == product
      return isSame ? text("name") : nil
    }
    let shortest = names.filter { !$0.isEmpty }.min { $0.count < $1.count }
    if let shortest, shortest != name { controllerName = shortest }
  }

  /// What it is, and how its axes lie.
  var model: ControllerModel { ControllerModel.model(vendor: vendor, product: product) }

  /// "054c:0ce6".
  var modelNumber: String { Self.hexadecimal(vendor) + ":" + Self.hexadecimal(product) }

  private static func hexadecimal(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// What identifies this controller: its address, else the port that it is plugged into; nil if there is neither.
  var identity: String? {
    if !unique.isEmpty { return "evdev \(modelNumber) \(unique)" }
    return port.isEmpty ? nil : "evdev \(modelNumber) at \(port)"
  }

  /// What to write behind `evdev:` to have this one, also tomorrow.
  var address: String { unique.isEmpty ? kernelName : unique }

  /// True for what may be the same controller, after a replug.
  func isSame(as other: ControllerDevice) -> Bool {
    guard vendor == other.vendor, product == other.product else { return false }
    guard let identity, let others = other.identity else { return kernelName == other.kernelName }
    return identity == others
  }
}
