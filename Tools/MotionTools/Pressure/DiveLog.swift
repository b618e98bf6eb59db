// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
package import MotionSensing
package import MotionServices

/// What a dive amounts to so far, and its lines.
package struct DiveLog: PressureLog {
  private var estimator: SubmersionEstimator
  private let parameters: SubmersionEstimator.Parameters
  private var limit: Double? { parameters.maximumDepth }
  private var times: [Double] = []
  private var depths: [Double] = []
  private var temperatures: [Double] = []
  /// Seconds under water; of these beyond the limit, and with a depth; the integral of the depth over the last.
  private var wetSeconds = 0.0
  private var hiddenSeconds = 0.0
  private var knownSeconds = 0.0
  private var depthSeconds = 0.0
  private var lastWet: Double?
  /// The sensor has failed, so that there is no depth for that reason.
  private var isFailing = false
  private var deepest = 0.0
  private var dives = 0
  private var lastDepth: (time: Double, depth: Double)?
  private var lastPrinted = -Double.infinity
  private var lastState = SubmersionUpdate.DepthState.unknown
  private var isOffsetUnknown = false

  package init(_ parameters: SubmersionEstimator.Parameters) {
    estimator = SubmersionEstimator(parameters: parameters)
    self.parameters = parameters
  }

  package static let header = "  time (s)  depth (m)  deepest (m)  water (°C)        state\n"

  package mutating func append(_ sample: PressureSample, _ elapsed: Double) -> (lines: String, notices: [String]) {
    let update = estimator.update(sample)
    var notices: [String] = []
    if let problem = update.problem {
      isFailing = true
      notices.append("at \(Text.duration(elapsed)): \(problem.message)")
    }
    if let event = update.event {
      (lastDepth, lastWet) = (nil, nil)
      if event.state == .submerged { dives += 1 }
      notices.append("at \(Text.duration(elapsed)): \(Self.name(event.state))")
    }
    guard let measurement = update.measurement else { return ("", notices) }
    note(measurement, elapsed, &notices)
    times.append(elapsed)
    depths.append(-(measurement.depth ?? .nan))
    temperatures.append(update.temperature?.temperature ?? .nan)
    // A line a second; a change of state is always one.
    guard measurement.state != lastState || elapsed - lastPrinted >= 0.99 else { return ("", notices) }
    (lastState, lastPrinted) = (measurement.state, elapsed)
    return (line(measurement, update.temperature, elapsed), notices)
  }

  private mutating func note(
    _ measurement: SubmersionUpdate.Measurement, _ elapsed: Double, _ notices: inout [String]
  ) {
    if !measurement.isSurfacePressureKnown { isOffsetUnknown = true }
    if measurement.state != lastState, let limit {
      switch measurement.state {
      case .approachingMaximum where lastState != .pastMaximum:
        notices.append(
          "at \(Text.duration(elapsed)): approaching the maximum depth of \(Text.decimal(limit, places: 1)) m")
      case .pastMaximum: notices.append("at \(Text.duration(elapsed)): past the maximum depth: go up")
      case .sensorError where !isFailing:
        notices.append("at \(Text.duration(elapsed)): deeper than \(hiddenFrom(limit)), where no depth is shown")
      default: break
      }
    }
    let step = lastWet.map { elapsed - $0 } ?? 0
    lastWet = estimator.submersion == .submerged ? elapsed : nil
    wetSeconds += step
    guard let depth = measurement.depth else {
      if measurement.state == .sensorError, !isFailing { hiddenSeconds += step }
      lastDepth = nil
      return
    }
    isFailing = false
    deepest = max(deepest, depth)
    if let last = lastDepth {
      knownSeconds += elapsed - last.time
      depthSeconds += (depth + last.depth) / 2 * (elapsed - last.time)
    }
    lastDepth = (elapsed, depth)
  }

  private func hiddenFrom(_ limit: Double) -> String {
    "\(Text.decimal(limit * parameters.sensorLimit, places: 1)) m"
  }

  private func line(
    _ measurement: SubmersionUpdate.Measurement, _ temperature: SubmersionUpdate.Temperature?, _ elapsed: Double
  ) -> String {
    let depth = measurement.depth.map { String(format: "%9.2f", $0) } ?? "     None"
    let water =
      temperature.map { String(format: "%6.1f ± %4.1f", $0.temperature, $0.uncertainty) } ?? "              "
    let time = String(format: "%10.1f", elapsed)
    return "\(time)  \(depth)  \(String(format: "%11.2f", deepest))  \(water)    \(Self.name(measurement.state))\n"
  }

  /// The sum of the dive.
  package var summary: [String] {
    guard dives > 0 else { return ["never under water"] }
    var lines = [
      "\(Text.count(dives, "dive")), \(Text.duration(wetSeconds)) under water, \(hiddenSeconds > 0 ? "deeper than" : "deepest") "
        + "\(Text.decimal(deepest, places: 2)) m, on average "
        + "\(Text.decimal(knownSeconds > 0 ? depthSeconds / knownSeconds : deepest, places: 2)) m"
    ]
    if hiddenSeconds > 0, let limit {
      lines.append(
        "no depth for \(Text.duration(hiddenSeconds)) of it, from \(hiddenFrom(limit)) down until above "
          + "\(Text.decimal(limit, places: 1)) m again, nor in these numbers: --max-depth none shows all of it")
    }
    if isOffsetUnknown {
      lines.append(
        "depth offset unknown: the device was under water from the start and nothing says the air's pressure, so 1013.25 hPa "
          + "are assumed; give it with --surface-pressure")
    }
    if estimator.rejectedCount > 0 {
      lines.append("\(Text.count(estimator.rejectedCount, "sample")) left out that no pressure can be")
    }
    return lines
  }

  package func chart(title: String) -> Chart {
    Chart(
      title: title, subtitle: summary.joined(separator: " · "), times: times,
      panels: [
        Chart.Panel(
          title: "Depth, the surface at 0", unit: "m",
          series: [Chart.Series(name: "depth", color: .ink, values: depths)], leastSpan: 1, isDownward: true),
        Chart.Panel(
          title: "Water", unit: "°C",
          series: [Chart.Series(name: "temperature", color: .ink, values: temperatures)], leastSpan: 2),
      ])
  }

  private static func name(_ state: SubmersionUpdate.Submersion) -> String {
    switch state {
    case .unknown: "submersion unknown"
    case .notSubmerged: "out of the water"
    case .submerged: "under water"
    }
  }

  private static func name(_ state: SubmersionUpdate.DepthState) -> String {
    switch state {
    case .unknown: "unknown"
    case .notSubmerged: "not submerged"
    case .submergedShallow: "shallow"
    case .submergedDeep: "deep"
    case .approachingMaximum: "approaching the maximum"
    case .pastMaximum: "past the maximum"
    case .sensorError: "no depth"
    }
  }
}
