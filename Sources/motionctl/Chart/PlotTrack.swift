// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import MotionServices

/// What `motionctl plot` can draw: quantities of device motion, and the sensors as they are.
enum PlotChannel: String, CaseIterable {
  case attitude
  case gravity
  case userAcceleration = "user-acceleration"
  case rotationRate = "rotation-rate"
  case heading
  case accelerometer
  case gyroscope
  case magnetometer
  case pressure
  case temperature

  /// Whether it is computed, or was recorded as motion.
  var isMotion: Bool { Self.allCases.prefix(5).contains(self) }

  /// The stream that carries it on a source that measures `kinds`; nil = none. `motion` is that of the wanted frame.
  func stream(of kinds: SensorKinds, motion: HubStream) -> HubStream? {
    let candidates: [HubStream] =
      switch self {
      case .attitude, .gravity, .userAcceleration, .rotationRate, .heading: [motion]
      case .accelerometer: [.accelerometer]
      case .gyroscope: [.gyroscope]
      case .magnetometer: [.magnetometer]
      case .pressure: [.airPressure, .waterPressure]
      // A pressure sensor tells its temperature with each sample.
      case .temperature: [.temperature, .waterPressure, .airPressure]
      }
    return candidates.first { $0.isServed(by: kinds) }
  }

  /// What is drawn where nothing is chosen: motion and what it does not show, else all sensors.
  static func usual(of kinds: SensorKinds, motion: HubStream) -> [PlotChannel] {
    let there = allCases.filter { $0.stream(of: kinds, motion: motion) != nil }
    guard motion.isServed(by: kinds) else { return there }
    return there.filter { [.attitude, .gravity, .userAcceleration, .heading, .pressure].contains($0) }
  }

  /// The numbers of an event, in the units of the panel; nil where the event is of something else.
  func values(of event: HubEvent, _ row: DeviceMotionRow?) -> [Double]? {
    func list(_ vector: Vector3<Device>) -> [Double] { [vector.x, vector.y, vector.z] }
    func degrees(_ radians: [Double]) -> [Double] { radians.map { Angle(radians: $0).degrees } }
    switch (self, event) {
    case (.accelerometer, .accelerometer(let sample)): return list(sample.specificForce * (-1 / standardGravity))
    case (.gyroscope, .gyroscope(let sample)): return degrees(list(sample.angularVelocity))
    case (.magnetometer, .magnetometer(let sample)): return list(sample.magneticField * 1e6)
    case (.pressure, .pressure(let sample)): return [sample.pressure / 1000]
    case (.temperature, .temperature(let sample)): return [sample.temperature]
    case (.temperature, .pressure(let sample)): return sample.temperature.map { [$0] }
    default: break
    }
    guard let row else { return nil }
    return switch self {
    case .attitude: degrees([row.roll, row.pitch, row.yaw])
    case .gravity: list(row.gravity)
    case .userAcceleration: list(row.userAcceleration)
    case .rotationRate: degrees(list(row.rotationRate))
    case .heading: [row.heading ?? .nan]
    default: nil
    }
  }

  /// A panel without values.
  func panel(isInWater: Bool) -> Chart.Panel {
    let colors: [Color] = [.blue, .vermilion, .green]
    func panel(
      _ title: String, _ unit: String, _ names: [String] = ["x", "y", "z"], range: ClosedRange<Double>? = nil,
      least: Double, isAngle: Bool = false
    ) -> Chart.Panel {
      Chart.Panel(
        title: title, unit: unit, series: zip(names, colors).map { Chart.Series(name: $0, color: $1, values: []) },
        range: range, leastSpan: least, isAngle: isAngle)
    }
    return switch self {
    case .attitude: panel("Attitude", "°", ["roll", "pitch", "yaw"], least: 10, isAngle: true)
    case .gravity: panel("Gravity", "g", range: -1.1...1.1, least: 2)
    case .userAcceleration: panel("User acceleration", "g", least: 0.1)
    case .rotationRate: panel("Rotation rate", "°/s", least: 10)
    case .heading: panel("Heading", "°", ["heading"], range: 0...360, least: 360, isAngle: true)
    case .accelerometer: panel("Accelerometer", "g", least: 0.1)
    case .gyroscope: panel("Gyroscope", "°/s", least: 10)
    case .magnetometer: panel("Magnetometer", "µT", least: 10)
    case .pressure: panel("\(isInWater ? "Water" : "Air") pressure", "kPa", ["pressure"], least: 0.1)
    case .temperature: panel("Temperature", "°C", ["temperature"], least: 2)
    }
  }
}

/// The samples of one channel, and where there are none.
struct PlotTrack {
  let channel: PlotChannel
  private(set) var panel: Chart.Panel
  private var period = SamplePeriod()
  private var last: SensorInstant?

  init(_ channel: PlotChannel, isInWater: Bool) {
    self.channel = channel
    panel = channel.panel(isInWater: isInWater)
    panel.times = []
  }

  var count: Int { panel.times?.count ?? 0 }
  var hasValues: Bool { panel.series.contains { $0.values.contains(where: \.isFinite) } }

  /// `elapsed`: seconds since the source's first sample.
  mutating func append(_ values: [Double], at time: SensorInstant, elapsed: Double) {
    if let last, time > last, period.update(time - last) {
      panel.gaps.append(elapsed - (time - last).seconds...elapsed)
    }
    last = time
    panel.times?.append(elapsed)
    for (index, value) in values.enumerated() { panel.series[index].values.append(value) }
  }
}
