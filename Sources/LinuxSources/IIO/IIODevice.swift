// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// One device of the kernel's industrial I/O: a chip, or one sensor of a hub, with what it measures.
///
/// An attribute may stand at the channel (`in_accel_x_scale`), at the type (`in_accel_scale`), at the direction
/// (`in_mount_matrix`) or at the device (`sampling_frequency`), and drivers differ: it is searched in this order
/// (IIO-3).
struct IIODevice: Sendable {
  /// The device's folder in sysfs.
  let folder: String
  /// Its node, "/dev/iio:device0"; it exists only where there is a buffer.
  let node: String
  /// The kernel's name for it, "iio:device0", which may change after a replug, and the driver's name for the chip,
  /// "bmi160".
  let kernelName, name: String
  /// The label of the device tree or the firmware, such as "accel-display"; empty without one.
  let label: String
  /// Where it sits in the tree of devices, links followed.
  let location: String
  /// What it measures that we can read, in a fixed order.
  private(set) var quantities: [IIOQuantity]
  /// What the user multiplies the numbers of a channel by; 1 without an entry.
  private var scales: [IIOQuantity: Double] = [:]
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
  func measuring(_ quantities: [IIOQuantity], scales: [IIOQuantity: Double]) -> IIODevice {
    var device = self
    (device.quantities, device.scales) = (quantities, scales)
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

  /// A sensor of a HID sensor hub, whose firmware follows Windows (Documentation/Behaviour.md, HUB).
  var isHubSensor: Bool {
    location.contains("/HID-SENSOR-")
      || ["accel_3d", "gravity", "gyro_3d", "magn_3d", "press", "temperature"].contains(name)
  }

  /// What identifies this device's housing: the chip itself, or the hub of the sensor.
  var housing: String {
    guard isHubSensor else { return location }
    let parts = location.split(separator: "/")
    guard let hub = parts.firstIndex(where: { $0.hasPrefix("HID-SENSOR-") }) else { return "sensor hub" }
    return parts[..<hub].joined(separator: "/")
  }

  /// Serial number of the bus device where there is one, else the path of buses, and the chip's name. What the kernel
  /// counts up at each plug-in is not part of it.
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

  /// SI units per unit of the kernel, with what the user says of the channel.
  func unit(of quantity: IIOQuantity) -> Double { quantity.unit * scales[quantity, default: 1] }

  /// How a channel's raw number at a place becomes SI. A channel without a scale has an unknown unit and is refused.
  func channel<Place>(
    _ channel: String, of quantity: IIOQuantity, at place: Place
  ) throws(SensorError) -> IIOReading<Place>.Channel {
    guard let path = attribute("scale", of: channel), let scale = files.number(path), scale != 0 else {
      throw SensorError(
        .unsupported,
        "The driver “\(name)” gives no scale for \(channel), so its unit is unknown; set the measuring range, then try again.",
        at: .init(file: "\(folder)/\(channel)_scale"))
    }
    let offset = attribute("offset", of: channel).flatMap { files.number($0) } ?? 0
    return (place, offset, scale * unit(of: quantity))
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

/// The rates of one sensor: which can be chosen, and where.
///
/// A driver lists them, gives "[lowest step highest]", or nothing, as sensor hubs do (IIO-24).
struct SamplingRates: Sendable, Hashable {
  /// The attribute to write; nil = the rate cannot be chosen.
  var path: String?
  /// Hz, ascending; empty = not listed.
  var listed: [Double] = []
  /// Hz; nil = no range given.
  var span: ClosedRange<Double>?

  /// What is requested for "as fast as possible" where nothing is listed, Hz: every hub gives it.
  static let unlisted = 100.0
  /// The limit of "as fast as possible", Hz: faster samples cost more than they are worth. It does not limit a
  /// requested rate.
  static let fastest = 1000.0

  /// Hz, ascending: the rates to name to others; of a range its ends.
  var known: [Double] {
    guard let span else { return listed }
    return span.lowerBound < span.upperBound ? [span.lowerBound, span.upperBound] : [span.upperBound]
  }

  /// What to write for a wish in Hz; nil = as fast as it can. The next higher rate that there is, so that no subscriber
  /// gets less than it wants.
  func choice(for wanted: Double?) -> Double {
    if let span { return min(max(wanted ?? Self.fastest, span.lowerBound), span.upperBound) }
    guard let highest = listed.last else { return min(wanted ?? Self.unlisted, Self.fastest) }
    guard let wanted else { return listed.last { $0 <= Self.fastest } ?? highest }
    // A hair below counts as met: lists are rounded.
    return listed.first { $0 >= wanted * 0.999 } ?? highest
  }
}

extension SamplingRates {
  /// The rates of one quantity of a device.
  init(of quantity: IIOQuantity, device: IIODevice) {
    let channel = quantity.channels[0]
    path = device.attribute("sampling_frequency", of: channel)
    guard let available = device.attribute("sampling_frequency_available", of: channel),
      let text = try? device.files.read(available)
    else { return }
    let isRange = text.hasPrefix("[")
    let numbers = text.split { " []".contains($0) }.compactMap { Double($0) }.filter { $0 > 0 && $0.isFinite }
    if isRange, numbers.count == 3, numbers[0] <= numbers[2] {
      span = numbers[0]...numbers[2]
    } else if !isRange {
      listed = Set(numbers).sorted()
    }
  }

  /// A number as the kernel reads it: no exponent, at most six digits behind the point.
  static func text(_ number: Double) -> String {
    let millionths = Int64(clamping: (min(max(number, 0), 1e9) * 1e6).rounded())
    let (whole, fraction) = millionths.quotientAndRemainder(dividingBy: 1_000_000)
    guard fraction > 0 else { return "\(whole)" }
    var digits = String(1_000_000 + fraction).dropFirst()
    while digits.hasSuffix("0") { digits = digits.dropLast() }
    return "\(whole).\(digits)"
  }
}
