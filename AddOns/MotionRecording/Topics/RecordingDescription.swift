// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// The description of a recording: the origin of its samples, their clock, and how they were processed.
///
/// Serial numbers and addresses are not part of a recording, because it may be shared: writers omit `info.identity`,
/// and ``publicSource`` is the source without addresses.
public struct RecordingDescription: Sendable, Hashable {
  /// Whose clock the time stamps belong to.
  public enum Clock: String, Sendable, Hashable {
    /// CLOCK_MONOTONIC: since boot, without the time of suspension.
    case monotonic
    /// CLOCK_BOOTTIME: since boot, including the time of suspension.
    case boottime
    /// Since 1970-01-01 00:00 UTC.
    case epoch
    /// The device's own.
    case device
    /// Unknown.
    case none
  }

  /// The sensors; a reader finds their ranges and the device class here.
  public var info: SensorInfo
  /// The name of this device among several, `[a-z0-9_]+`; it becomes the first part of each topic. Empty, the default:
  /// the only one.
  public var device = ""
  /// The URI of the source: "iio:imu0", "replay:walk.csv". Empty, the default: not known.
  public var source = ""
  /// Default: none.
  public var clock = Clock.none
  /// Unix time less the recording's time; nil, the default: not known.
  public var wallOffset: SensorDuration?
  /// The format that the samples were read from, by name; nil, the default: they came from the source itself.
  public var sourceFormat: String?
  /// The usual name of the device's model.
  public var deviceModel: String?
  /// The operating system that recorded, with its version.
  public var operatingSystem: String?
  /// The program that recorded, with its version.
  public var application: String?
  /// m/s² per g that the source divided by, if it is not 9.80665.
  public var gravityConstant: Double?
  /// The sign family of the source's accelerometer before conversion: "apple" (−1 g on z, face up at rest), "reaction"
  /// (+1 g), "sdl".
  public var sign: String?
  /// True: from a simulator. Default: as in ``info``.
  public var isSimulated: Bool
  /// The calibration in use during the recording, as JSON text; it is not applied to the samples.
  public var calibration: [UInt8]?

  /// A description of a source's recording; set what else is known.
  public init(info: SensorInfo) {
    self.info = info
    isSimulated = info.origin == .simulation
  }

  /// ``source`` with every Bluetooth or network address (six pairs of hexadecimal digits between colons, dashes or
  /// underscores) blanked out.
  public var publicSource: String {
    source.replacing(/(?:[0-9A-Fa-f]{2}[:_-]){5}[0-9A-Fa-f]{2}/) { match in
      String(match.output.map { $0.isHexDigit ? "x" : $0 })
    }
  }
}

/// The description as the pairs of texts that a recording carries, and back.
extension RecordingDescription {
  /// Keys and values in a fixed order; unknown values have no key. Identities and addresses are not included.
  public var metadata: [(String, String)] {
    var pairs = [("format", "1"), ("clock", clock.rawValue)]
    func add(_ key: String, _ value: String?) {
      if let value, !value.isEmpty { pairs.append((key, value)) }
    }
    add("wall_offset_ns", wallOffset.map { String($0.nanoseconds) })
    add("source", publicSource)
    add("source_format", sourceFormat)
    add("device_model", deviceModel)
    add("os_version", operatingSystem)
    add("app", application)
    add("gravity_constant", gravityConstant?.description)
    add("sign", sign)
    if isSimulated { add("simulated", "true") }
    if info.deviceClass != .unknown { add("device_class", info.deviceClass.rawValue) }
    if info.placement != info.deviceClass.placement { add("placement", info.placement.map { "\($0)" }) }
    if info.reordering > .zero { add("reordering_ns", String(info.reordering.nanoseconds)) }
    for (kind, name) in Self.kinds {
      guard let channel = info.channel(kind) else { continue }
      add("\(name)_range", channel.range?.description)
      if channel.isCalibrated { add("\(name)_calibrated", "true") }
      if channel.isMean { add("\(name)_mean", "true") }
    }
    add("surface_pressure", info.water?.surfacePressure?.description)
    add("water_density", info.water?.density?.description)
    add("thermometer_time_constant", info.water?.thermometerTimeConstant?.description)
    return pairs
  }

  /// A description from a recording's pairs; `info` has the rest. Invalid values are treated as absent.
  public init(metadata: [(String, String)], info: SensorInfo) {
    self.init(info: info)
    let values = Dictionary(metadata.map { ($0.0, $0.1) }) { first, _ in first }
    func number(_ key: String) -> Double? { values[key].flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil } }
    func duration(_ key: String) -> SensorDuration? {
      guard let ns = values[key].flatMap(Int64.init), ns.magnitude <= UInt64(InputLimits.nanoseconds) else {
        return nil
      }
      return SensorDuration(nanoseconds: ns)
    }
    clock = values["clock"].flatMap(Clock.init) ?? .none
    wallOffset = duration("wall_offset_ns")
    source = values["source"] ?? ""
    sourceFormat = values["source_format"]
    deviceModel = values["device_model"]
    operatingSystem = values["os_version"]
    application = values["app"]
    gravityConstant = number("gravity_constant")
    sign = values["sign"]
    isSimulated = values["simulated"] == "true"
    self.info.deviceClass = values["device_class"].flatMap(SensorInfo.DeviceClass.init) ?? info.deviceClass
    if let placement = Placement(words: values["placement"] ?? deviceModel ?? "") { self.info.placement = placement }
    self.info.reordering = duration("reordering_ns").map { max(.zero, $0) } ?? info.reordering
    for (kind, name) in Self.kinds {
      for index in self.info.channels.indices where self.info.channels[index].kind.contains(kind) {
        if let range = number("\(name)_range"), range > 0 { self.info.channels[index].range = range }
        if values["\(name)_calibrated"] == "true" { self.info.channels[index].isCalibrated = true }
        if values["\(name)_mean"] == "true" { self.info.channels[index].isMean = true }
      }
    }
    let water = SensorInfo.Water(
      surfacePressure: number("surface_pressure"), density: number("water_density"),
      thermometerTimeConstant: number("thermometer_time_constant"))
    if water != SensorInfo.Water() { self.info.water = water }
  }

  private static let kinds: [(SensorKinds, String)] = [
    (.accelerometer, "accelerometer"), (.gyroscope, "gyroscope"), (.magnetometer, "magnetometer"),
  ]
}

/// What the recording of another program says about its clock and its accelerometer, for its description.
struct RecordedFacts: Sendable {
  var clock = RecordingDescription.Clock.none
  /// Unix time less the recording's time; nil = not known.
  var wallOffset: SensorDuration?
  /// The sign family of its accelerometer: "apple", "reaction"; nil where its numbers are of neither family as they
  /// stand.
  var sign: String?
  /// m/s² per g that it divided by, where that is not 9.80665.
  var gravityConstant: Double?

  /// Times that count from 1970 on.
  static func unixTime(sign: String? = nil, gravityConstant: Double? = nil) -> RecordedFacts {
    RecordedFacts(clock: .epoch, wallOffset: .zero, sign: sign, gravityConstant: gravityConstant)
  }

  /// As a description of these sensors.
  func description(_ info: SensorInfo) -> RecordingDescription {
    var description = RecordingDescription(info: info)
    (description.clock, description.wallOffset) = (clock, wallOffset)
    (description.sign, description.gravityConstant) = (sign, gravityConstant)
    return description
  }
}

extension SourceURI {
  /// The address without what belongs to a person or to this computer: folders, and the addresses of devices and of the
  /// network. For files that are given away.
  var withoutPrivateParts: SourceURI {
    var address = self
    address.path = Self.isAddress(path) ? "" : Self.shared(path)
    address.options = options.filter { !Self.isAddress($0.value) }.mapValues { Self.shared($0) }
    return address
  }

  /// The file's name of a path.
  private static func shared(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

  /// Whether a text is, or holds, the address of a Bluetooth device or of a computer; one of IPv6 must be the whole
  /// text.
  private static func isAddress(_ text: String) -> Bool {
    guard !text.contains("/") else { return false }
    return text.contains(/[0-9A-Fa-f]{2}([:_-][0-9A-Fa-f]{2}){5}/) || text.contains(/\d+\.\d+\.\d+\.\d+/)
      || isIPv6(text)
  }

  /// Eight groups of digits, or fewer with "::", which distinguishes them from a time of day; perhaps with a zone, in
  /// brackets, with a port.
  private static func isIPv6(_ text: String) -> Bool {
    let form = /\[?((?:[0-9A-Fa-f]{0,4}:){2,8}[0-9A-Fa-f]{0,4})(?:%[^\]]+)?(?:\](?::\d+)?)?/
    guard let groups = text.wholeMatch(of: form)?.1 else { return false }
    return groups.contains("::") || groups.count { $0 == ":" } == 7
  }
}
