// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// A measurement under or above water.
struct Measured: Sendable {
  var date: Date
  /// Metres and kilopascal.
  var depth, pressure: Double?
  var surfacePressure: Double
  var state: Int
}

/// A dive, as the delegate heard of it.
struct DiveLog: Sendable {
  var maximum: Double?
  var measurements: [Measured] = []
  /// Date, °C, uncertainty.
  var temperatures: [Reading] = []
  var states: [Int] = []
  var callsOnMain = 0
  var errors: [Failure] = []
}

/// Water submersion: the life of the manager.
enum WaterStatements {
  #if os(Linux) || os(watchOS)
  static let all: [Statement] = [
    Statement("S82", .water, "Availability can be read.") {
      [.note("waterSubmersionAvailable", "\(CMWaterSubmersionManager.waterSubmersionAvailable)")]
        + [.inside("authorizationStatus", Double(CMWaterSubmersionManager.authorizationStatus.rawValue), 0...3)]
    },
    dive("S81", "Setting the delegate starts delivery, on a background thread.") { log in
      [
        .inside("calls", Double(log.measurements.count + log.states.count), 1...1e6),
        .equal("calls on the main thread", log.callsOnMain, 0),
      ]
    },
    dive("S85", "The maximum depth is 6 or 40 m, or nil.") { log in
      [.holds("nil, 6 or 40: \(log.maximum.map { "\($0)" } ?? "nil")", [nil, 6, 40].contains(log.maximum))]
    },
    dive("S86", "A temperature comes with its uncertainty.") { log in
      try need(!log.temperatures.isEmpty, "There was no temperature.")
      return [
        .inside("smallest uncertainty, °C", log.temperatures.map(\.value.y).min() ?? .nan, 0.01...10),
        .inside("median temperature, °C", median(log.temperatures.map(\.value.x)), -3...45),
      ]
    },
    dive("D14", "Temperatures accompany measurements while submerged, never above water.") {
      try DiveChecks.temperatures($0)
    },
  ]

  static func dive(
    _ code: String, _ sentence: String, _ check: @escaping @Sendable (DiveLog) throws -> [Finding]
  ) -> Statement {
    Statement(code, .water, sentence, request: "Put the watch into water: below 1 m for ten seconds, then out again.") {
      try need(CMWaterSubmersionManager.waterSubmersionAvailable, "This device does not measure depth.")
      return try check(await Dives.shared.dive())
    }
  }
  #else
  static let all: [Statement] = []
  #endif
}

#if os(Linux) || os(watchOS)
/// The dive is made once.
actor Dives {
  static let shared = Dives()
  private var made: DiveLog?

  func dive() async -> DiveLog {
    if let made { return made }
    let diver = Diver()
    let manager = CMWaterSubmersionManager()
    manager.delegate = diver
    _ = await diver.calls.wait(seconds: 60 * Settings.current.patience) { calls in
      let states = calls.compactMap(\.event)
      return states.contains(2) && states.last == 1
    }
    await pause(0.2)
    manager.delegate = nil
    var log = DiveLog()
    log.maximum = manager.maximumDepth?.converted(to: .meters).value
    for call in diver.calls.all {
      if let measurement = call.measurement { log.measurements.append(measurement) }
      if let temperature = call.temperature { log.temperatures.append(temperature) }
      if let event = call.event { log.states.append(event) }
      if let error = call.error { log.errors.append(error) }
      if call.onMain { log.callsOnMain += 1 }
    }
    made = log
    return log
  }
}

/// A delegate that keeps what it hears.
///
/// `@unchecked Sendable`: its properties are constants, and the collector has a lock.
final class Diver: NSObject, CMWaterSubmersionManagerDelegate, @unchecked Sendable {
  struct Call: Sendable {
    var event: Int?
    var measurement: Measured?
    var temperature: Reading?
    var error: Failure?
    var onMain = isOnMainQueue
  }
  let calls = Collector<Call>()

  func manager(_ manager: CMWaterSubmersionManager, didUpdate event: CMWaterSubmersionEvent) {
    calls.add(Call(event: event.state.rawValue))
  }
  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterSubmersionMeasurement) {
    calls.add(
      Call(
        measurement: Measured(
          date: measurement.date, depth: measurement.depth?.converted(to: .meters).value,
          pressure: measurement.pressure?.converted(to: .kilopascals).value,
          surfacePressure: measurement.surfacePressure.converted(to: .kilopascals).value,
          state: measurement.submersionState.rawValue)))
  }
  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterTemperature) {
    let celsius = measurement.temperature.converted(to: .celsius).value
    // An uncertainty is a difference: its unit says nothing about the zero point.
    let uncertainty = measurement.temperatureUncertainty.value
    calls.add(
      Call(
        temperature: Reading(
          time: measurement.date.timeIntervalSinceReferenceDate, value: Vector(x: celsius, y: uncertainty, z: 0))))
  }
  func manager(_ manager: CMWaterSubmersionManager, errorOccurred error: any Error) {
    calls.add(Call(error: Failure(error)))
  }
}
#endif
