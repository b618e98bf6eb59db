// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import MotionServices
import Testing

/// S39–S41, D2, D3, D18, D21, D28: the rate that each client gets.
@Suite struct IntervalTests {
  /// The time stamps, in milliseconds, of one second of device motion at the given interval.
  private func milliseconds(_ interval: TimeInterval?, of bench: Bench = Bench()) async -> [Int] {
    let manager = bench.manager()
    if let interval { manager.deviceMotionUpdateInterval = interval }
    let times = Box<[Int]>([])
    manager.startDeviceMotionUpdates(to: serialQueue()) { motion, _ in
      times.with { $0.append(Int(((motion?.timestamp ?? -1) * 1000).rounded())) }
    }
    await bench.clock.advance(by: .seconds(1))
    manager.stopDeviceMotionUpdates()
    return times.value
  }

  private static let all = Array(stride(from: 0, through: 1000, by: 10))

  /// D2: 0.01 s when nothing was set.
  @Test func defaultIsAHundredHertz() async {
    #expect(await milliseconds(nil) == Self.all)
    #expect(await milliseconds(nil, of: Bench(ScriptedSource(rate: 200))) == Self.all)
  }

  /// D18: 0, negative, NaN, or below the hardware period: every sample.
  @Test(arguments: [0, -1, -TimeInterval.infinity, .nan, 1e-9, 1e-300, 0.001])
  func tooFastGivesEverySample(_ interval: TimeInterval) async {
    #expect(await milliseconds(interval) == Self.all)
  }

  /// D21: no cap at 100 Hz.
  @Test func theSourcesHighestRateIsTheLimit() async {
    let times = await milliseconds(0, of: Bench(ScriptedSource(rate: 500)))
    #expect(times == Array(stride(from: 0, through: 1000, by: 2)))
  }

  /// D18: 60 Hz from 100 Hz is the first sample at or after each multiple of 1/60 s, in steps of one and two.
  @Test func sixtyFromAHundredHertzFollowsAFixedSchedule() async {
    let times = await milliseconds(1.0 / 60)
    // The n-th due time is n · 1/60 s; in units of the 10 ms period that is n · 5/3, rounded up.
    let expected = (0...60).map { (due: Int) -> Int in (due * 5 + 2) / 3 * 10 }
    #expect(times == expected)
  }

  @Test(arguments: [(0.02, 20), (0.05, 50), (0.1, 100), (0.5, 500)])
  func wholeMultiplesGiveEqualSteps(_ interval: TimeInterval, _ step: Int) async {
    #expect(await milliseconds(interval) == Array(stride(from: 0, through: 1000, by: step)))
  }

  /// An interval beyond every time scale gives the first sample and then silence.
  @Test(arguments: [TimeInterval.infinity, .greatestFiniteMagnitude, 1e9])
  func endlessIntervalGivesOneSample(_ interval: TimeInterval) async {
    #expect(await milliseconds(interval) == [0])
    // … also on a time line that counts from 1970.
    let source = ScriptedSource(count: 300) { index, _ in
      [.inertial(.faceUp(at: SensorInstant(nanoseconds: 1_700_000_000_000_000_000 + index * 10_000_000)))]
    }
    #expect(await milliseconds(interval, of: Bench(source)).count == 1)
  }

  /// D28: at once, without a restart.
  @Test func changingTheIntervalAppliesWithoutARestart() async {
    let bench = Bench()
    let manager = bench.manager()
    let times = Box<[Double]>([])
    manager.accelerometerUpdateInterval = 0.5
    manager.startAccelerometerUpdates(to: serialQueue()) { data, _ in times.with { $0.append(data?.timestamp ?? -1) } }
    await bench.clock.advance(by: .milliseconds(1100))
    #expect(times.value == [0, 0.5, 1])
    manager.accelerometerUpdateInterval = 0.02
    await bench.clock.advance(by: .milliseconds(100))
    let added = times.value.dropFirst(3)
    #expect(added.first ?? 9 <= 1.12 && (4...6).contains(added.count), "\(added)")
    manager.accelerometerUpdateInterval = 10
    let before = times.value.count
    await bench.clock.advance(by: .seconds(5))
    #expect(times.value.count == before)
    #expect(bench.runs == 1)
    manager.stopAccelerometerUpdates()
  }

  /// The interval set while stopped applies at the next start.
  @Test func intervalSetBetweenStartsApplies() async {
    let bench = Bench()
    #expect(await milliseconds(0.1, of: bench).count == 11)
    #expect(await milliseconds(0.2, of: bench).count <= 6)
  }
}
