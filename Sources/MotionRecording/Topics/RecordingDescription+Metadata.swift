// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// The description as the pairs of texts that a recording carries, and back.
extension RecordingDescription {
  /// Keys and values in a fixed order; what is not known has no key. Neither identities nor addresses are among them.
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
    if info.reordering > .zero { add("reordering_ns", String(info.reordering.nanoseconds)) }
    for (kind, name) in Self.kinds {
      guard let channel = info.channel(kind) else { continue }
      add("\(name)_range", channel.range?.description)
      if channel.isCalibrated { add("\(name)_calibrated", "true") }
    }
    add("surface_pressure", info.water?.surfacePressure?.description)
    add("water_density", info.water?.density?.description)
    add("thermometer_time_constant", info.water?.thermometerTimeConstant?.description)
    return pairs
  }

  /// A description from a recording's pairs; `info` says the rest. Values that make no sense are as if they were absent.
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
    self.info.reordering = duration("reordering_ns").map { max(.zero, $0) } ?? info.reordering
    for (kind, name) in Self.kinds {
      for index in self.info.channels.indices where self.info.channels[index].kind.contains(kind) {
        if let range = number("\(name)_range"), range > 0 { self.info.channels[index].range = range }
        if values["\(name)_calibrated"] == "true" { self.info.channels[index].isCalibrated = true }
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
