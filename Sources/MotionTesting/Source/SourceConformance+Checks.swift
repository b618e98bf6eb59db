// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

extension SourceConformance {
  /// What is wrong with the description of the source.
  func violationsOfInfo() -> [String] {
    let info = source.info
    var found: [String] = []
    if info.kinds.isEmpty { found.append("Promise 5: the info names no sensor.") }
    if info.reordering < .zero { found.append("Promise 1: info.reordering is negative.") }
    let words: [String] =
      switch info.origin {
      case .simulation: ["simulat"]
      case .recording: ["record", "replay"]
      case .hardware: [""]
      }
    let name = info.name.lowercased()
    if name.isEmpty || !words.contains(where: { $0.isEmpty || name.contains($0) }) {
      found.append("The name “\(info.name)” does not say that this is a \(info.origin.rawValue).")
    }
    for channel in info.channels {
      let label = channel.kind.names.joined(separator: " and ")
      let ascends = zip(channel.rates, channel.rates.dropFirst()).allSatisfy { $0 < $1 }
      if !ascends || !channel.rates.allSatisfy({ $0 > 0 && $0.isFinite }) {
        found.append("The rates of the \(label) are not positive and ascending: \(channel.rates).")
      }
      if let range = channel.range, !(range > 0) || !range.isFinite {
        found.append("The range of the \(label) is not a positive number: \(range).")
      }
    }
    return found
  }

  /// What is wrong with the samples of one run.
  func violations(of samples: [SensorSample]) -> [String] {
    violationsOfOrder(samples) + violationsOfValues(samples) + violationsOfKinds(samples)
  }

  private func violationsOfOrder(_ samples: [SensorSample]) -> [String] {
    var lastOfSensor: [SensorKinds: SensorInstant] = [:]
    var backwards: [SensorKinds: Finding] = [:]
    var disorder = Finding()
    var latest = samples.first?.time ?? SensorInstant(nanoseconds: 0)
    for sample in samples {
      for reading in sample.readings {
        if let last = lastOfSensor[reading.kind], reading.time <= last {
          backwards[reading.kind, default: Finding()].add(reading.time)
        } else {
          if reading.time < latest - source.info.reordering { disorder.add(reading.time) }
          lastOfSensor[reading.kind] = reading.time
        }
        latest = max(latest, reading.time)
      }
    }
    var found = backwards.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, finding in
      "Promise 1: \(finding.count) samples of the \(kind.names.joined()) are not later than their predecessor, the first at "
        + "\(finding.first.seconds) s."
    }
    if disorder.count > 0 {
      found.append(
        "Promise 1: \(disorder.count) samples are behind another sensor's later sample by more than info.reordering "
          + "(\(source.info.reordering.seconds) s), the first at \(disorder.first.seconds) s.")
    }
    return found
  }

  private func violationsOfValues(_ samples: [SensorSample]) -> [String] {
    var found: [String] = []
    var broken = Finding()
    var norms: [Double] = []
    for sample in samples {
      for reading in sample.readings {
        if !reading.isFinite { broken.add(reading.time) }
        if let force = reading.specificForce, force.isFinite { norms.append(force.length) }
      }
    }
    if broken.count > 0 {
      found.append(
        "Promise 2: \(broken.count) samples have a value that is not finite, the first at \(broken.first.seconds) s.")
    }
    norms.sort()
    if checksGravity, norms.count >= 10, !(5...15).contains(norms[norms.count / 2]) {
      found.append(
        "Promise 2: the median of the specific force is \(norms[norms.count / 2]) m/s², which no device near rest reads: "
          + "check the accelerometer's unit.")
    }
    return found
  }

  private func violationsOfKinds(_ samples: [SensorSample]) -> [String] {
    let foreign = samples.reduce(into: SensorKinds()) { $0.formUnion($1.kinds) }.subtracting(source.info.kinds)
    guard !foreign.isEmpty else { return [] }
    return ["Promise 5: it delivers \(foreign.names.joined(separator: ", ")), which its info does not name."]
  }

  /// How often something was found, and when first.
  private struct Finding {
    var count = 0
    var first = SensorInstant(nanoseconds: 0)

    mutating func add(_ time: SensorInstant) {
      if count == 0 { first = time }
      count += 1
    }
  }
}

/// What one sensor says in a sample; an inertial sample holds two of them.
struct SensorReading {
  var kind: SensorKinds
  var time: SensorInstant
  var isFinite: Bool
  /// m/s², of an accelerometer only.
  var specificForce: Vector3<Device>?
}

extension SensorSample {
  /// The sample, taken apart by sensor.
  var readings: [SensorReading] {
    switch self {
    case .accelerometer(let sample): [sample.conformanceReading]
    case .gyroscope(let sample): [sample.conformanceReading]
    case .inertial(let sample): [sample.accelerometer.conformanceReading, sample.gyroscope.conformanceReading]
    case .magnetometer(let sample):
      [SensorReading(kind: .magnetometer, time: sample.time, isFinite: sample.magneticField.isFinite)]
    case .pressure(let sample):
      [SensorReading(kind: kinds, time: sample.time, isFinite: (sample.pressure + (sample.temperature ?? 0)).isFinite)]
    case .temperature(let sample):
      [SensorReading(kind: .temperature, time: sample.time, isFinite: sample.temperature.isFinite)]
    case .motion(let sample):
      [SensorReading(kind: .motion, time: sample.time, isFinite: sample.isFinite)]
    }
  }
}

extension AccelerometerSample {
  fileprivate var conformanceReading: SensorReading {
    SensorReading(kind: .accelerometer, time: time, isFinite: specificForce.isFinite, specificForce: specificForce)
  }
}

extension GyroscopeSample {
  fileprivate var conformanceReading: SensorReading {
    SensorReading(kind: .gyroscope, time: time, isFinite: angularVelocity.isFinite)
  }
}

extension MotionRow {
  /// True when no number in the sample is NaN or infinite; a heading may be negative, which means none.
  fileprivate var isFinite: Bool {
    w.isFinite && vector.isFinite && angularVelocity.isFinite && gravity.isFinite && linearAcceleration.isFinite
      && (field?.reading.isFinite ?? true) && (heading?.reading ?? 0).isFinite
      && (headingAccuracy?.reading ?? 0).isFinite && (inclinationDeviation?.reading ?? 0).isFinite
      && (headingDeviation?.reading ?? 0).isFinite
  }
}

extension SourceConformance {
  /// What is wrong with what a run says of the connection.
  func violationsOfConnection(_ outcome: ConformanceOutcome) -> [String] {
    let reports = outcome.reports
    guard source.info.kinds.contains(.connection) else {
      return reports.isEmpty ? [] : ["Promise 7: the source reports a connection, which its info does not name."]
    }
    guard let first = reports.first, first.sampleCount == 0 else {
      return ["Promise 7: a run does not begin with a report of the connection."]
    }
    // Samples between a report of a disconnection and the next report, or the end.
    let ends = reports.dropFirst().map(\.sampleCount) + [outcome.samples.count]
    let stray = zip(reports, ends).filter { !$0.0.connection.isConnected }.reduce(0) { $0 + $1.1 - $1.0.sampleCount }
    guard stray > 0 else { return [] }
    return ["Promise 7: \(stray) samples arrive while the source reports that it is not connected."]
  }
}
