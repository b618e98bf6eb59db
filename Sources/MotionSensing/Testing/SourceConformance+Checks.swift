// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

extension SourceConformance {
  /// What is wrong with the description of the source.
  func violationsOfInfo() -> [String] {
    let info = source.info
    var found: [String] = []
    if info.kinds.isEmpty { found.append("Promise 5: the info names no sensor.") }
    if info.reordering < .zero { found.append("Promise 1: info.reordering is negative.") }
    let words = [SensorInfo.Origin.simulation: ["simulat"], .recording: ["record", "replay"]][info.origin]
    let name = info.name.lowercased()
    if name.isEmpty || words?.contains(where: { name.contains($0) }) == false {
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

  /// What is wrong with the way a run went; `name` says which run it was.
  func violations(of run: SampleCollector, named name: String) -> [String] {
    var found: [String] = []
    // One is allowed: the call that was under way when the stop came from another thread.
    if run.deliveriesAfterStop > 1 {
      found.append("Promise 3: \(name) delivered \(run.deliveriesAfterStop) samples after it was stopped.")
    }
    switch run.ending {
    case .success: break
    case nil: found.append("Promise 4: \(name) did not end within \(patience.seconds) s after it was stopped.")
    case .failure where run.wasStopped: break
    case .failure(let error as SensorError): found.append("Promise 4: \(name) failed: \(error)")
    case .failure(is SourceStopped):
      found.append("Promise 4: \(name) threw SourceStopped although it was not stopped.")
    case .failure(let error):
      found.append("Promise 4: \(name) failed with \(type(of: error)) (\(error)), which is not a SensorError.")
    }
    return found
  }

  /// What is wrong with the samples of one run.
  func violations(of samples: [SensorSample]) -> [String] {
    var lastOfSensor: [SensorKinds: SensorInstant] = [:]
    var backwards: [SensorKinds: [SensorInstant]] = [:]
    var (disorder, broken): ([SensorInstant], [SensorInstant]) = ([], [])
    var norms: [Double] = []
    var latest = samples.first?.time ?? SensorInstant(nanoseconds: 0)
    for sample in samples {
      let time = sample.time
      for (kind, isFinite, force) in sample.parts {
        if let last = lastOfSensor[kind], time <= last {
          backwards[kind, default: []].append(time)
        } else {
          if time < latest - source.info.reordering { disorder.append(time) }
          lastOfSensor[kind] = time
        }
        latest = max(latest, time)
        if !isFinite { broken.append(time) }
        if let force, isFinite { norms.append(force.length) }
      }
    }
    var found = backwards.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, times in
      "Promise 1: \(times.count) samples of the \(kind.names.joined()) are not later than their predecessor, the first at "
        + "\(times[0].seconds) s."
    }
    if let first = disorder.first {
      found.append(
        "Promise 1: \(disorder.count) samples are behind another sensor's later sample by more than info.reordering "
          + "(\(source.info.reordering.seconds) s), the first at \(first.seconds) s.")
    }
    if let first = broken.first {
      found.append(
        "Promise 2: \(broken.count) samples have a value that is not finite, the first at \(first.seconds) s.")
    }
    norms.sort()
    if checksGravity, norms.count >= 10, !(5...15).contains(norms[norms.count / 2]) {
      found.append(
        "Promise 2: the median of the specific force is \(norms[norms.count / 2]) m/s², which no device near rest reads: "
          + "check the accelerometer's unit.")
    }
    return found + violationsOfKinds(samples)
  }

  /// What samples hold that the info does not name.
  func violationsOfKinds(_ samples: [SensorSample], _ when: String = "") -> [String] {
    let foreign = samples.kinds.subtracting(source.info.kinds).names.joined(separator: ", ")
    return foreign.isEmpty ? [] : ["Promise 5: \(when)it delivers \(foreign), which its info does not name."]
  }

  /// What is wrong with what a run says of the connection.
  func violationsOfConnection(_ run: SampleCollector) -> [String] {
    let reports = run.reports
    guard source.info.kinds.contains(.connection) else {
      return reports.isEmpty ? [] : ["Promise 7: the source reports a connection, which its info does not name."]
    }
    guard let first = reports.first, first.sampleCount == 0 else {
      return ["Promise 7: a run does not begin with a report of the connection."]
    }
    // Samples between a report of a disconnection and the next report, or the end.
    let ends = reports.dropFirst().map(\.sampleCount) + [run.samples.count]
    let stray = zip(reports, ends).filter { !$0.0.connection.isConnected }.reduce(0) { $0 + $1.1 - $1.0.sampleCount }
    guard stray > 0 else { return [] }
    return ["Promise 7: \(stray) samples arrive while the source reports that it is not connected."]
  }
}

extension [SensorSample] {
  var kinds: SensorKinds { reduce(into: []) { $0.formUnion($1.kinds) } }
}

extension SensorSample {
  /// The sample, taken apart by sensor; the force in m/s² is of an accelerometer only.
  fileprivate var parts: [(kind: SensorKinds, isFinite: Bool, force: Vector3<Device>?)] {
    switch self {
    case .accelerometer(let sample): [(kinds, sample.specificForce.isFinite, sample.specificForce)]
    case .gyroscope(let sample): [(kinds, sample.angularVelocity.isFinite, nil)]
    case .inertial(let sample): Self.accelerometer(sample.accelerometer).parts + Self.gyroscope(sample.gyroscope).parts
    case .magnetometer(let sample): [(kinds, sample.magneticField.isFinite, nil)]
    case .pressure(let sample): [(kinds, (sample.pressure + (sample.temperature ?? 0)).isFinite, nil)]
    case .temperature(let sample): [(kinds, sample.temperature.isFinite, nil)]
    case .motion(let sample): [(kinds, sample.isFinite, nil)]
    }
  }
}

extension MotionRow {
  /// True when no number in the sample is NaN or infinite; a heading may be negative, which means none.
  fileprivate var isFinite: Bool {
    let angles = [heading, headingAccuracy, inclinationDeviation, headingDeviation]
    return w.isFinite && vector.isFinite && angularVelocity.isFinite && gravity.isFinite && linearAcceleration.isFinite
      && (field?.reading.isFinite ?? true) && angles.allSatisfy { ($0?.reading ?? 0).isFinite }
  }
}
