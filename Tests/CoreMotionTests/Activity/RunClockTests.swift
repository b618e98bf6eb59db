// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import MotionServices
import MotionTesting
import SimulatedSources
import Testing

/// D44: dates, questions and starts of a run are on one clock, at any speed. `RUN_CLOCK_STARTS` is how many starts are
/// tried for each speed (10).
@Suite struct RunClockTests {
  private static let starts = ProcessInfo.processInfo.environment["RUN_CLOCK_STARTS"].flatMap { Int($0) } ?? 10

  /// A walk without an end at 120 steps a minute, from its first second on.
  private static func walk() throws -> SimulatedSource {
    try SimulatedSource(scenario: "walk", options: ["duration": "100000"])
  }

  /// Seconds: the steps of a sample's time are certain so much later, half a window and two more windows less half of
  /// one step between windows.
  private static let lateness = 3.52

  /// The first count that a start "now" is told, and the steps that were taken and are certain between its dates.
  private struct Count: Sendable {
    var told: Int
    var taken: Int
    var seconds: Double
  }

  private static func count(_ data: CMPedometerData, _ source: SimulatedSource, _ origin: Date) -> Count {
    func steps(_ date: Date) -> Int {
      SensorInstant(seconds: date.timeIntervalSince(origin)).flatMap { source.stepCount(at: $0) } ?? 0
    }
    return Count(
      told: data.numberOfSteps.intValue, taken: steps(data.endDate - lateness) - steps(data.startDate),
      seconds: data.endDate.timeIntervalSince(data.startDate))
  }

  @Test(arguments: [1.0, 2, 3, 5, 10, 20, 50]) func aStartNowCountsFromTheRunsNow(_ speed: Double) async throws {
    var random = SeededRandom(seed: UInt64(speed))
    let source = try Self.walk()
    let clock = VirtualClock()
    let host = MotionHost(device: source, clock: clock, rate: speed)
    let first = host.run { CMPedometer() }
    first.startUpdates(from: Date()) { _, _ in }
    func advance(_ milliseconds: Int) async {
      await clock.advance(by: SensorDuration(nanoseconds: Int64(Double(milliseconds) / speed * 1e6)))
    }
    await advance(100)
    let origin = host.date(of: SensorInstant(nanoseconds: 0))
    for _ in 0..<Self.starts {
      await advance(random.below(20_000))
      let heard = Box<[Count]>([])
      let pedometer = host.run { CMPedometer() }
      pedometer.startUpdates(from: Date()) { data, _ in
        if let data { heard.with { $0.append(Self.count(data, source, origin)) } }
      }
      await advance(12_000)
      pedometer.stopUpdates()
      let count = try #require(heard.value.first)
      #expect(abs(count.told - count.taken) <= 1, "\(count)")
      await clock.settle()
    }
    first.stopUpdates()
  }
}
