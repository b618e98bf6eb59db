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
/// tried for each of six speeds and for virtual time (60).
@Suite struct RunClockTests {
  private static let starts = ProcessInfo.processInfo.environment["RUN_CLOCK_STARTS"].flatMap { Int($0) } ?? 60

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

  /// The first counts of starts at random moments of a run that lasts a few seconds of real time.
  private static func counts(at speed: Double, random: inout SplitMix) async throws -> [Count] {
    let source = try walk()
    let host = MotionHost(device: source, clock: MonotonicClock(), rate: speed)
    let heard = Box<[Int: Count]>([:])
    let first = host.run { CMPedometer() }
    first.startUpdates(from: Date()) { _, _ in }
    try await Task.sleep(for: .milliseconds(100))
    let origin = host.date(of: SensorInstant(nanoseconds: 0))
    var pedometers: [CMPedometer] = []
    for index in 0..<starts {
      try await Task.sleep(for: .microseconds(Int64(random.next() % 20_000)))
      let pedometer = host.run { CMPedometer() }
      pedometer.startUpdates(from: Date()) { [weak pedometer] data, _ in
        guard let data else { return }
        heard.with { if $0[index] == nil { $0[index] = count(data, source, origin) } }
        pedometer?.stopUpdates()
      }
      pedometers.append(pedometer)
    }
    _ = await eventually(within: 30) { heard.value.count == starts }
    first.stopUpdates()
    return Array(heard.value.values)
  }

  @Test(arguments: [2.0, 3, 5, 10, 20, 50]) func aStartNowCountsFromTheRunsNow(_ speed: Double) async throws {
    var random = SplitMix(state: UInt64(speed))
    let counts = try await Self.counts(at: speed, random: &random)
    #expect(counts.count == Self.starts)
    let worst = counts.map { abs($0.told - $0.taken) }.max() ?? .max
    #expect(worst <= 1, "\(counts.filter { abs($0.told - $0.taken) > 1 }.prefix(5))")
  }

  @Test func aStartNowCountsFromTheRunsNowInVirtualTime() async throws {
    var random = SplitMix(state: 7)
    let source = try Self.walk()
    let clock = VirtualClock()
    let host = MotionHost(device: source, clock: clock)
    let first = host.run { CMPedometer() }
    first.startUpdates(from: Date()) { _, _ in }
    await clock.advance(by: .milliseconds(100))
    let origin = host.date(of: SensorInstant(nanoseconds: 0))
    for _ in 0..<Self.starts {
      await clock.advance(by: .milliseconds(Int64(random.next() % 20_000)))
      let heard = Box<[Count]>([])
      let pedometer = host.run { CMPedometer() }
      pedometer.startUpdates(from: Date()) { data, _ in
        if let data { heard.with { $0.append(Self.count(data, source, origin)) } }
      }
      await clock.advance(by: .seconds(12))
      pedometer.stopUpdates()
      let count = try #require(heard.value.first)
      #expect(abs(count.told - count.taken) <= 1, "\(count)")
      await clock.settle()
    }
    first.stopUpdates()
  }
}

/// Vigna's SplitMix64: numbers that are the same in every run.
private struct SplitMix: Sendable {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
