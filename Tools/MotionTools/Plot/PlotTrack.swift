// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
package import MotionSensing
package import MotionServices

/// What `motionctl plot` can draw: quantities of device motion, and the sensors as they are.
package enum PlotChannel: String, CaseIterable {
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

  /// What it is of device motion, computed or recorded; nil: a sensor's own.
  private var motion: MotionQuantity? { MotionQuantity(rawValue: rawValue) }
  package var isMotion: Bool { motion != nil }

  /// The stream that carries it on a source that measures `kinds`; nil = none. `motion` is that of the wanted frame.
  package func stream(of kinds: SensorKinds, motion: HubStream) -> HubStream? {
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
  package static func usual(of kinds: SensorKinds, motion: HubStream) -> [PlotChannel] {
    let there = allCases.filter { $0.stream(of: kinds, motion: motion) != nil }
    guard motion.isServed(by: kinds) else { return there }
    return there.filter { [.attitude, .gravity, .userAcceleration, .heading, .pressure].contains($0) }
  }

  /// The numbers of a sample, in the units of the panel; nil where the sample is of something else.
  package func values(of sample: SensorSample) -> [Double]? {
    switch (self, sample) {
    // In Core Motion's units, as its samples.
    case (.accelerometer, .accelerometer(let sample)):
      return (sample.specificForce / AccelerationUnit.reversedGravity.scale).list
    case (.gyroscope, .gyroscope(let sample)):
      let rate = sample.angularVelocity
      return MotionQuantity.degrees(rate.x, rate.y, rate.z)
    case (.magnetometer, .magnetometer(let sample)):
      return (sample.magneticField / MagneticFieldUnit.microtesla.scale).list
    case (.pressure, .pressure(let sample)): return [sample.pressure / 1000]
    case (.temperature, .temperature(let sample)): return [sample.temperature]
    case (.temperature, .pressure(let sample)): return sample.temperature.map { [$0] }
    case (_, .motion(let row)): return motion?.values(of: row)
    default: return nil
    }
  }

  /// A panel without values.
  package func panel(isInWater: Bool) -> Chart.Panel {
    func panel(
      _ title: String, _ unit: String, _ lines: KeyValuePairs<String, Color> = ["x": .x, "y": .y, "z": .z],
      range: ClosedRange<Double>? = nil, least: Double, isAngle: Bool = false
    ) -> Chart.Panel {
      Chart.Panel(
        title: title, unit: unit, series: lines.map { Chart.Series(name: $0.key, color: $0.value, values: []) },
        range: range, leastSpan: least, isAngle: isAngle)
    }
    return switch self {
    case .attitude:
      panel("Attitude", "°", ["roll": .roll, "pitch": .pitch, "yaw": .yaw], least: 10, isAngle: true)
    case .gravity: panel("Gravity", "g", range: -1.1...1.1, least: 2)
    case .userAcceleration: panel("User acceleration", "g", least: 0.1)
    case .rotationRate: panel("Rotation rate", "°/s", least: 10)
    case .heading: panel("Heading", "°", ["heading": .yaw], range: 0...360, least: 360, isAngle: true)
    case .accelerometer: panel("Accelerometer", "g", least: 0.1)
    case .gyroscope: panel("Gyroscope", "°/s", least: 10)
    case .magnetometer: panel("Magnetometer", "µT", least: 10)
    case .pressure: panel("\(isInWater ? "Water" : "Air") pressure", "kPa", ["pressure": .ink], least: 0.1)
    case .temperature: panel("Temperature", "°C", ["temperature": .ink], least: 2)
    }
  }
}

/// The samples of one channel, and where there are none.
package struct PlotTrack {
  package let channel: PlotChannel
  package private(set) var panel: Chart.Panel
  private var period = SamplePeriod()
  private var last: SensorInstant?

  package init(_ channel: PlotChannel, isInWater: Bool) {
    self.channel = channel
    panel = channel.panel(isInWater: isInWater)
    panel.times = []
  }

  package var count: Int { panel.times?.count ?? 0 }
  package var hasValues: Bool { panel.series.contains { $0.values.contains(where: \.isFinite) } }

  /// `elapsed`: seconds since the source's first sample.
  package mutating func append(_ values: [Double], at time: SensorInstant, elapsed: Double) {
    if let last, time > last, period.update(time - last) {
      panel.gaps.append(elapsed - (time - last).seconds...elapsed)
    }
    last = time
    panel.times?.append(elapsed)
    for (index, value) in values.enumerated() { panel.series[index].values.append(value) }
  }
}

/// The stretches in which a device lay still, by the rule of `motionctl info`, in seconds from the first sample.
package struct RestSpans: Sendable {
  package private(set) var spans: [ClosedRange<Double>] = []
  private var meter = RestMeter()

  package init() {}

  /// Processes a sample; what lies before `earliest` is left out.
  package mutating func update(_ sample: SensorSample, since start: SensorInstant, earliest: Double = -.infinity) {
    switch sample {
    case .accelerometer(let sample): note(meter.update(force: sample.specificForce, at: sample.time), start, earliest)
    case .gyroscope(let sample): note(meter.update(rate: sample.angularVelocity, at: sample.time), start, earliest)
    case .inertial(let pair):
      note(meter.update(force: pair.specificForce, at: pair.time), start, earliest)
      note(meter.update(rate: pair.angularVelocity, at: pair.time), start, earliest)
    default: break
    }
  }

  private mutating func note(_ second: RestMeter.Second?, _ start: SensorInstant, _ earliest: Double) {
    guard let second, second.isAtRest else { return }
    let from = (second.start - start).seconds
    guard from + 1 > earliest else { return }
    if let last = spans.last, from - last.upperBound < 0.1 {
      spans[spans.count - 1] = last.lowerBound...from + 1
    } else {
      spans.append(max(from, earliest)...from + 1)
    }
  }
}
