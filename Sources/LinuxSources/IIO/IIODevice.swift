// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// One device of the kernel's industrial I/O: a chip, or one sensor of a hub, with what it measures.
///
/// An attribute may stand at the channel (`in_accel_x_scale`), at the type (`in_accel_scale`), at the direction
/// (`in_mount_matrix`) or at the device (`sampling_frequency`), and drivers differ: it is looked for in this order (spec IIO-3).
struct IIODevice: Sendable {
  /// The device's folder in sysfs.
  let folder: String
  /// Its node, "/dev/iio:device0"; it exists only where there is a buffer.
  let node: String
  /// The kernel's name for it, "iio:device0". Numbers are given anew after a replug.
  let kernelName: String
  /// The driver's name for the chip, "bmi160".
  let name: String
  /// The label of the device tree or the firmware, such as "accel-display"; empty without one.
  let label: String
  /// Where it sits in the tree of devices, links followed.
  let location: String
  /// What it measures that we can read, in a fixed order.
  private(set) var quantities: [IIOQuantity]
  let files: SystemFiles
  /// True: it was there and is not any more.
  private(set) var isGone = false

  /// Reads a device's folder; nil when it has no name or measures nothing that we read.
  init?(kernelName: String, root: SystemRoot, files: SystemFiles) {
    folder = "\(root.iioDevices)/\(kernelName)"
    node = "\(root.nodes)/\(kernelName)"
    self.kernelName = kernelName
    self.files = files
    guard let name = try? files.read("\(folder)/name"), !name.isEmpty else { return nil }
    self.name = name
    label = (try? files.read("\(folder)/label")) ?? ""
    location = SystemFiles.resolved(folder)
    let names = Set(files.list(folder))
    quantities = IIOQuantity.allCases.filter { quantity in
      quantity.channels.allSatisfy { names.contains("\($0)_raw") || names.contains("\($0)_input") }
    }
    if quantities.isEmpty { return nil }
  }

  /// The same device, some of its quantities left to another one.
  func measuring(_ quantities: [IIOQuantity]) -> IIODevice {
    var device = self
    device.quantities = quantities
    return device
  }

  /// The same device after it was unplugged.
  var gone: IIODevice {
    var device = self
    device.isGone = true
    return device
  }

  /// All devices, by their numbers.
  static func all(root: SystemRoot, files: SystemFiles) -> [IIODevice] {
    let prefix = "iio:device"
    let names = files.list(root.iioDevices).filter { $0.hasPrefix(prefix) }
    return names.sorted { (Int($0.dropFirst(prefix.count)) ?? 0) < (Int($1.dropFirst(prefix.count)) ?? 0) }
      .compactMap { IIODevice(kernelName: $0, root: root, files: files) }
  }

  /// A sensor of a HID sensor hub, whose firmware follows Windows (spec section 7).
  var isHubSensor: Bool {
    location.contains("/HID-SENSOR-")
      || ["accel_3d", "gravity", "gyro_3d", "magn_3d", "press", "temperature"].contains(name)
  }

  /// What tells this device's housing from others: the chip itself, or the hub that the sensor belongs to.
  var housing: String {
    guard isHubSensor else { return location }
    let parts = location.split(separator: "/")
    guard let hub = parts.firstIndex(where: { $0.hasPrefix("HID-SENSOR-") }) else { return "sensor hub" }
    return parts[..<hub].joined(separator: "/")
  }

  /// Serial number of the bus device where there is one, else the path of buses, and the chip's name. What the kernel counts up at
  /// each plug-in is left out.
  var identity: String {
    var path = location
    while let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      if let serial = try? files.read("\(path)/serial"), !serial.isEmpty { return "iio \(name) serial \(serial)" }
      path = String(path[..<slash])
    }
    let parts = location.split(separator: "/").dropLast().map { part in
      let isHub = part.hasPrefix("HID-SENSOR-") || part.split(separator: ":").count == 3
      return isHub ? part.prefix { $0 != "." } : part
    }
    return "iio \(name) at \(parts.joined(separator: "/"))"
  }

  /// The path of an attribute of a channel, at the first of the four places where it exists.
  func attribute(_ suffix: String, of channel: String) -> String? {
    var stem = channel[...]
    while true {
      let path = stem.isEmpty ? "\(folder)/\(suffix)" : "\(folder)/\(stem)_\(suffix)"
      if (try? files.read(path)) != nil { return path }
      if stem.isEmpty { return nil }
      stem = stem.lastIndex(of: "_").map { stem[..<$0] } ?? ""
    }
  }

  /// How a channel's raw number becomes SI. A channel without a scale has an unknown unit and is refused.
  func scale(of quantity: IIOQuantity, channel: String) throws(SensorError) -> LinearScale {
    guard let path = attribute("scale", of: channel), let scale = files.number(path), scale != 0 else {
      throw SensorError(
        .unsupported,
        "The driver “\(name)” gives no scale for \(channel), so its unit is unknown; set the measuring range, then try again.",
        at: .init(file: "\(folder)/\(channel)_scale"))
    }
    let offset = attribute("offset", of: channel).flatMap { files.number($0) } ?? 0
    return LinearScale(offset: offset, factor: scale * quantity.unit)
  }

  /// Chip axes → device axes of one sensor.
  func axisMap(of quantity: IIOQuantity) -> AxisMap {
    let channel = quantity.channels[0]
    let mounted = attribute("mount_matrix", of: channel).flatMap { path -> AxisMap? in
      guard let text = try? files.read(path) else { return nil }
      return AxisMap(mountMatrix: text, origin: String(path.dropFirst(folder.count + 1)))
    }
    guard quantity == .accelerometer, isHubSensor else { return mounted ?? .identity }
    guard let mounted else { return .hubAccelerometer }
    return AxisMap(matrix: mounted.matrix * -1, origin: "\(mounted.origin), sensor hub, sign reversed")
  }
}
