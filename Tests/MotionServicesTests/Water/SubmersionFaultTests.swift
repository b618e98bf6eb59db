// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionServices
import Testing

/// A sensor that returns garbage, freezes, or leaves: one clear problem, and recovery.
@Suite struct SubmersionFaultTests {
  private let dive: (Double) -> Double = { max(0, min(3, ($0 - 20) * 2)) }

  /// Half of it in range, but impossibly fast; the other half also where no whole number has room for it.
  @Test(arguments: [0, -1e19, 9.3e18, 1e300, .greatestFiniteMagnitude])
  func garbageIsOneProblemAndDepthComesBack(_ garbage: Double) {
    var samples = waterSamples(until: 120, depth: dive)
    for index in 600..<700 { samples[index].pressure = index % 2 == 0 ? garbage : Double(index % 7) * 150_000 }
    let log = WaterLog(samples)
    #expect(log.problems.map(\.code) == [.implausible])
    #expect(log.events.map(\.state) == [.notSubmerged, .submerged])
    let during = log.measurements.filter { $0.time.seconds > 62 && $0.time.seconds < 69.9 }
    #expect(!during.isEmpty)
    for measurement in during {
      #expect(measurement.state == .sensorError && measurement.depth == nil && measurement.pressure == nil)
    }
    let after = log.measurements.filter { $0.time.seconds > 72 }
    #expect(after.allSatisfy { abs(($0.depth ?? 0) - 3) < 0.01 } && !after.isEmpty)
    #expect(log.estimator.rejectedCount >= 90)
  }

  @Test(arguments: [0.0, 5e5, 1.2e6, -1e5]) func aLoneSpikeIsPassedOver(pressure: Double) {
    var samples = waterSamples(until: 60, depth: dive)
    samples[450].pressure = pressure
    let log = WaterLog(samples)
    #expect(log.problems.isEmpty && log.estimator.rejectedCount == 1)
    let depths = log.measurements.filter { $0.time.seconds > 30 }.compactMap(\.depth)
    #expect(depths.allSatisfy { abs($0 - 3) < 0.01 })
  }

  @Test func aFrozenSensorIsOneProblemAndDepthComesBack() {
    var samples = waterSamples(until: 180, depth: dive)
    for index in 600..<1200 { samples[index].pressure = samples[600].pressure }
    let log = WaterLog(samples)
    #expect(log.problems.map(\.code) == [.implausible])
    let during = log.measurements.filter { $0.time.seconds > 91 && $0.time.seconds < 119.9 }
    #expect(!during.isEmpty && during.allSatisfy { $0.state == .sensorError })
    #expect(log.measurements.filter { $0.time.seconds > 123 }.allSatisfy { $0.depth != nil })
  }

  /// Other sensors of the device go on for half a minute.
  @Test func aSilentSensorIsOneProblemAndDepthComesBack() {
    var log = WaterLog(waterSamples(until: 60, depth: dive))
    for quarter in 240..<360 { log.take(log.estimator.update(time: .milliseconds(Int64(quarter) * 250))) }
    #expect(log.problems.map(\.code) == [.disconnected])
    let during = log.measurements.filter { $0.time.seconds > 66 }
    #expect((60...75).contains(during.count))
    #expect(during.allSatisfy { $0.state == .sensorError && $0.depth == nil && $0.pressure == nil })
    log.feed(waterSamples(until: 120, from: 90, depth: dive))
    #expect(log.problems.count == 1 && log.events.map(\.state) == [.notSubmerged, .submerged])
    let after = log.measurements.filter { $0.time.seconds > 92 }
    #expect(!after.isEmpty && after.allSatisfy { abs(($0.depth ?? 0) - 3) < 0.01 })
    // A second silence is a second problem.
    for second in 120..<140 { log.take(log.estimator.update(time: .milliseconds(Int64(second) * 1000))) }
    #expect(log.problems.count == 2)
  }

  /// A log of one sample in ten seconds is slow, not silent; and one that never speaks is given half a minute.
  @Test func aSlowSensorIsNotSilent() {
    var log = WaterLog()
    for second in 0..<600 {
      log.take(log.estimator.update(time: .milliseconds(Int64(second) * 1000)))
      guard second.isMultiple(of: 10) else { continue }
      log.feed(waterSamples(until: Double(second + 1), from: Double(second), rate: 1, depth: dive))
    }
    #expect(log.problems.isEmpty && !log.measurements.isEmpty)
    var mute = WaterLog()
    for second in 0..<30 { mute.take(mute.estimator.update(time: .milliseconds(Int64(second) * 1000))) }
    #expect(mute.problems.isEmpty)
    for second in 30..<60 { mute.take(mute.estimator.update(time: .milliseconds(Int64(second) * 1000))) }
    #expect(mute.problems.count == 1 && mute.measurements.isEmpty)
  }

  @Test func aSensorInStillAirMayRepeatItself() {
    let log = WaterLog(waterSamples(until: 600, noise: 0) { _ in 0 })
    #expect(log.problems.isEmpty && log.events.map(\.state) == [.notSubmerged])
  }

  @Test func aSensorThatLeftComesBackUnderWaterWithTheRightDepth() {
    var log = WaterLog(waterSamples(until: 60, surface: 95_000, depth: dive))
    log.take(log.estimator.interrupt(at: .milliseconds(60_000)))
    #expect(log.estimator.submersion == .unknown)
    log.feed(waterSamples(until: 100, from: 90, surface: 95_000) { _ in 6.2 })
    #expect(log.events.map(\.state) == [.notSubmerged, .submerged, .unknown, .submerged])
    #expect(abs((log.measurements.last?.depth ?? 0) - 6.2) < 0.01)
    #expect(log.measurements.last?.isSurfacePressureKnown == true)
  }

  @Test func aGapUnderWaterChangesNothing() {
    let samples = waterSamples(until: 120, depth: dive).filter { !(60..<90).contains($0.time.seconds) }
    let log = WaterLog(samples)
    #expect(log.events.map(\.state) == [.notSubmerged, .submerged] && log.problems.isEmpty)
  }

  /// No limit of depth here: it is the mean that matters.
  @Test func whatLiesOnTwoSidesOfAGapIsNotAveraged() {
    var unlimited = SubmersionEstimator.Parameters()
    unlimited.maximumDepth = nil
    for cut in [60.0, 60.1, 60.2, 60.3] {
      let samples = waterSamples(until: 120) { $0 < 90 ? dive($0) : 10 }.filter {
        !(cut..<90).contains($0.time.seconds)
      }
      let depths = WaterLog(samples, parameters: unlimited).measurements.filter { $0.time.seconds > 40 }.compactMap(
        \.depth)
      #expect(depths.allSatisfy { abs($0 - 3) < 0.01 || abs($0 - 10) < 0.01 })
    }
  }
}
