// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// Steps of the past.
enum StepQueryStatements {
  #if os(macOS)
  static let all: [Statement] = []
  #else
  static let all: [Statement] = [
    Statement("S66", .steps, "A query answers once, not on the main thread.") {
      let heard = Collector<Bool>()
      let pedometer = try counter()
      pedometer.queryPedometerData(from: Date().addingTimeInterval(-3600), to: Date()) { _, _ in
        heard.add(isOnMainQueue)
      }
      _ = await heard.wait(for: 1, seconds: 5)
      await pause(0.5)
      withExtendedLifetime(pedometer) {}
      return [.equal("calls, and whether on the main thread", heard.all, [false])]
    },
    Statement("S67", .steps, "Pace and cadence are nil in the past.") {
      guard let steps = try await query(from: -3600, to: 0).value else { throw Obstacle("There are no steps.") }
      return [.holds("pace is nil", steps.pace == nil), .holds("cadence is nil", steps.cadence == nil)]
    },
    Statement("S53", .steps, "A query without authorisation answers with 105.") {
      try need(
        CMPedometer.authorizationStatus() == .denied,
        "Motion is allowed. To ask this one: deny it in the settings and run with CONFORMANCE_STATEMENTS=S53.")
      let heard = Collector<Delivery<Steps>>()
      let pedometer = try counter()
      pedometer.queryPedometerData(from: Date().addingTimeInterval(-60), to: Date()) {
        heard.add($0.map(Steps.init), $1)
      }
      let answers = await heard.wait(for: 1, seconds: 5)
      withExtendedLifetime(pedometer) {}
      return [.equal("code of the error", answers.first?.error?.code, 105)]
    },
    Statement("D34", .steps, "A range that ends before it begins is an invalid parameter.") {
      [.equal("code of the error", try await query(from: 0, to: -3600).error?.code, 107)]
    },
    Statement("D41", .steps, "Ranges that adjoin add up.") {
      let now = Date()
      guard let whole = try await query(from: -3600, to: 0, now).value,
        let early = try await query(from: -3600, to: -7, now).value,
        let late = try await query(from: -7, to: 0, now).value
      else { throw Obstacle("There are no steps.") }
      try need(whole.count > 0, "There are no steps.")
      return [.equal("steps of two parts and of the whole", early.count + late.count, whole.count)]
    },
  ]

  private static func counter() throws -> CMPedometer {
    try need(CMPedometer.isStepCountingAvailable(), "This device counts no steps.")
    return CMPedometer()
  }

  /// Seconds from `now`.
  private static func query(
    from start: Double, to end: Double, _ now: Date = Date()
  ) async throws -> Delivery<Steps> {
    let heard = Collector<Delivery<Steps>>()
    let pedometer = try counter()
    pedometer.queryPedometerData(from: now.addingTimeInterval(start), to: now.addingTimeInterval(end)) {
      heard.add($0.map(Steps.init), $1)
    }
    let answers = await heard.wait(for: 1, seconds: 5)
    withExtendedLifetime(pedometer) {}
    guard let answer = answers.first else { throw Obstacle("The query was not answered within 5 s.") }
    try need(answer.error?.code != 105, "Motion is not allowed.")
    return answer
  }
  #endif
}
