// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

enum AltitudeStatements {
  #if os(macOS)
  static let all: [Statement] = []
  #else
  static let all: [Statement] = [
    altitude("S60", "A second start replaces queue and handler; stops without start do nothing.") {
      let altimeter = CMAltimeter()
      altimeter.stopRelativeAltitudeUpdates()
      let first = Collector<Bool>()
      let second = Collector<Bool>()
      altimeter.startRelativeAltitudeUpdates(to: serialQueue()) { sample, _ in first.add(sample != nil) }
      altimeter.startRelativeAltitudeUpdates(to: serialQueue()) { sample, _ in second.add(sample != nil) }
      await pause(0.05)
      let early = first.count
      let heard = await second.wait(for: 3, seconds: 8)
      altimeter.stopRelativeAltitudeUpdates()
      altimeter.stopRelativeAltitudeUpdates()
      return [
        .inside("calls of the second", Double(heard.count), 3...1e6),
        .equal("later calls of the first", first.count - early, 0),
      ]
    },
    altitude("S61", "The first relative altitude is exactly 0, and the pressure is in kilopascal.") {
      AltitudeChecks.relative(try await relative(3))
    },
    altitude("S63", "There is about one event a second.") {
      AltitudeChecks.rate(try await relative(6).map(\.time), 0.5)
    },
    altitude("D9", "There is one event a second.") { AltitudeChecks.rate(try await relative(6).map(\.time), 0.1) },
    altitude("S64", "A handler gets a sample or an error.") {
      let altimeter = CMAltimeter()
      let both = Collector<[Bool]>()
      altimeter.startRelativeAltitudeUpdates(to: serialQueue()) { both.add([$0 != nil, $1 != nil]) }
      let heard = await both.wait(for: 2, seconds: 5)
      altimeter.stopRelativeAltitudeUpdates()
      return [.equal("calls with both or neither", heard.count { $0[0] == $0[1] }, 0)]
    },
    altitude("S62", "Absolute altitude is in metres, with accuracy and precision.") {
      try need(CMAltimeter.isAbsoluteAltitudeAvailable(), "This device tells no absolute altitude.")
      let altimeter = CMAltimeter()
      let heard = Collector<AbsoluteAltitude>()
      altimeter.startAbsoluteAltitudeUpdates(to: serialQueue()) { sample, _ in
        guard let sample else { return }
        heard.add(
          AbsoluteAltitude(altitude: sample.altitude, accuracy: sample.accuracy, precision: sample.precision))
      }
      guard let last = await heard.wait(for: 3, seconds: 15 * Settings.current.patience).last else {
        throw Obstacle("There was no absolute altitude within 15 s.")
      }
      altimeter.stopAbsoluteAltitudeUpdates()
      return AltitudeChecks.absolute(last)
    },
  ]

  private static func altitude(
    _ code: String, _ sentence: String, _ ask: @escaping @Sendable () async throws -> [Finding]
  ) -> Statement {
    Statement(code, .altitude, sentence) {
      try need(CMAltimeter.isRelativeAltitudeAvailable(), "This device has no barometer.")
      return try await ask()
    }
  }

  /// Relative altitudes (x), pressures (y).
  private static func relative(_ count: Int) async throws -> [Reading] {
    let altimeter = CMAltimeter()
    let heard = Collector<Reading>()
    altimeter.startRelativeAltitudeUpdates(to: serialQueue()) { sample, _ in
      guard let sample else { return }
      heard.add(
        Reading(
          time: sample.timestamp,
          value: Vector(x: sample.relativeAltitude.doubleValue, y: sample.pressure.doubleValue, z: 0)))
    }
    let all = await heard.wait(for: count, seconds: Double(count) * 2 + 2)
    altimeter.stopRelativeAltitudeUpdates()
    try need(all.count >= 2, "The altimeter brought too few events; motion may not be allowed.")
    return all
  }
  #endif
}

struct AbsoluteAltitude: Sendable {
  var altitude, accuracy, precision: Double
}

enum AltitudeChecks {
  static func relative(_ events: [Reading]) -> [Finding] {
    [
      .near("first relative altitude, m", events[0].value.x, 0, within: 0),
      .inside("pressure, kPa", median(events.map(\.value.y)), 30...110),
    ]
  }

  static func rate(_ times: [Double], _ tolerance: Double) -> [Finding] {
    [.near("median step of the time stamps, s", median(IntervalChecks.steps(times)), 1, within: tolerance)]
  }

  static func absolute(_ sample: AbsoluteAltitude) -> [Finding] {
    [
      .inside("altitude, m", sample.altitude, -500...9000), .inside("accuracy, m", sample.accuracy, 0.001...1000),
      .inside("precision, m", sample.precision, 0.001...100),
    ]
  }
}
