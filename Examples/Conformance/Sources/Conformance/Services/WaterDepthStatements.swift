// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Water submersion: depths and their states.
enum WaterDepthStatements {
  #if os(Linux) || os(watchOS)
  static let all: [Statement] = [
    WaterStatements.dive("S83", "Above water: pressure of the surface only. Below: depth three times a second.") {
      try DiveChecks.measurements($0)
    },
    WaterStatements.dive("S84", "Shallow is below 1 m, deep from 1 m on.") { try DiveChecks.states($0) },
    WaterStatements.dive("D13", "Approaching from 1 m above the maximum, past it from the maximum.") {
      try DiveChecks.approach($0)
    },
  ]
  #else
  static let all: [Statement] = []
  #endif
}

enum DiveChecks {
  static func measurements(_ log: DiveLog) throws -> [Finding] {
    let dry = log.measurements.filter { $0.state == 100 }
    let wet = log.measurements.filter { $0.state >= 200 && $0.state < 600 }
    try need(wet.count >= 10, "The device was not in water.")
    let steps = IntervalChecks.steps(wet.map(\.date.timeIntervalSinceReferenceDate))
    return [
      .equal("above water with a depth or a pressure", dry.count { $0.depth != nil || $0.pressure != nil }, 0),
      .equal("below without", wet.count { $0.depth == nil || $0.pressure == nil }, 0),
      .near("median step below, s", median(steps), 1.0 / 3, within: 0.05),
      .inside("pressure of the surface, kPa", median(log.measurements.map(\.surfacePressure)), 50...110),
    ]
  }

  /// Boundaries have a hysteresis of 0.1 m.
  static func states(_ log: DiveLog) throws -> [Finding] {
    let shallow = log.measurements.filter { $0.state == 200 }.compactMap(\.depth)
    let deep = log.measurements.filter { $0.state == 300 }.compactMap(\.depth)
    try need(!shallow.isEmpty && !deep.isEmpty, "The device was not both above and below 1 m of depth.")
    return [
      .inside("deepest shallow, m", shallow.max() ?? .nan, 0...1.25),
      .inside("shallowest deep, m", deep.min() ?? .nan, 0.75...1.3),
    ]
  }

  static func approach(_ log: DiveLog) throws -> [Finding] {
    let approaching = log.measurements.filter { $0.state == 400 }.compactMap(\.depth)
    guard let maximum = log.maximum, let shallowest = approaching.min(), let deepest = approaching.max() else {
      throw Obstacle("The device did not come near its maximum depth.")
    }
    let past = log.measurements.filter { $0.state == 500 }.compactMap(\.depth)
    let wrong = log.measurements.filter { $0.state == 600 }
    return [
      past.min().map { Finding.inside("shallowest past − maximum, m", $0 - maximum, -0.25...0.25) },
      past.max().map { Finding.inside("deepest past, as a share of the maximum", $0 / maximum, 0.9...1.13) },
      wrong.isEmpty ? nil : Finding.equal("errors of depth with a depth", wrong.count { $0.depth != nil }, 0),
    ].compactMap(\.self) + [
      .inside("shallowest approaching − maximum, m", shallowest - maximum, -1.25...(-0.75)),
      .inside("deepest approaching − maximum, m", deepest - maximum, -1...0.25),
    ]
  }

  static func temperatures(_ log: DiveLog) throws -> [Finding] {
    let wet = log.measurements.filter { $0.state >= 200 }.map(\.date.timeIntervalSinceReferenceDate)
    guard let first = wet.min(), let last = wet.max() else { throw Obstacle("The device was not in water.") }
    let times = log.temperatures.map(\.time)
    return [
      .equal("temperatures before or after the dive", times.count { $0 < first - 2 || $0 > last + 2 }, 0),
      .inside("temperatures for each measurement below", Double(times.count) / Double(wet.count), 0.8...1.2),
    ]
  }
}
