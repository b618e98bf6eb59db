// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CLinuxInput
import Glibc
import MotionMath
import MotionSensing
import Testing

@testable import LinuxSources
@testable import MotionTesting

/// Reading a controller over sockets that stand for the kernel. What only the real kernel shows is held in its guest.
@Suite(.serialized) struct EvdevSourceTests {
  private func collect(_ source: EvdevSource, _ kinds: SensorKinds = [], until count: Int) async -> SampleCollector {
    let collector = SampleCollector(source, clock: MonotonicClock(), kinds: kinds) { _, seen in seen >= count }
    _ = await collector.ended()
    return collector
  }

  /// A DualSense that turns about its Y, which is our z, with its own time.
  private func dualSense(rate: Double = 250) throws -> FakeControllers {
    let fake = try FakeControllers()
    try fake.addDualSense()
    fake.play(rate: rate) { count, time in
      [.absolute(ABS_RY, Int32(count), at: time), .stamp(UInt32(count * 4000), at: time), .report(at: time)]
    }
    return fake
  }

  @Test func aControllerKeepsItsPromises() async throws {
    let source = try dualSense().source()
    #expect(await SourceConformance(source: source, span: .milliseconds(250)).violations() == [])
    #expect(source.statistics.drops == 0 && source.statistics.runsWithoutStamps == 0)
  }

  @Test func everySampleAt250HzComesInOrderInSI() async throws {
    let source = try dualSense().source()
    let samples = await collect(source, until: 100).samples
    var rates: [Double] = []
    for case .inertial(let sample) in samples {
      #expect(sample.accelerometer.specificForce == Vector3(x: 0, y: 0, z: standardGravity))
      rates.append(sample.gyroscope.angularVelocity.z * 180 / .pi * 1024)
    }
    // One count more each time: none lost, none twice, none out of order.
    #expect(
      rates.count == 100 && rates.first == 1 && zip(rates, rates.dropFirst()).allSatisfy { abs($1 - $0 - 1) < 1e-6 })
    let times = samples.map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs(($1 - $0).nanoseconds - 4_000_000) <= 1000 })
  }

  /// EV-3: nothing changes, so only the time stamp is sent; the samples go on.
  @Test func aStillControllerGoesOnDelivering() async throws {
    let fake = try FakeControllers()
    try fake.addDualSense()
    fake.play(rate: 250) { count, time in [.stamp(UInt32(count * 4000), at: time), .report(at: time)] }
    let samples = await collect(try fake.source(), until: 20).samples
    #expect(samples.count == 20)
    for case .inertial(let sample) in samples {
      #expect(sample.accelerometer.specificForce.z == standardGravity && sample.gyroscope.angularVelocity == .zero)
    }
  }

  /// EV-4: for all readers, so it is put back.
  @Test func smoothingIsOffWhileItRunsAndRestoredAfterwards() async throws {
    let fake = try dualSense()
    let node = fake.node(5)
    let source = try fake.source()
    #expect(fake.state.withLock { $0.written.isEmpty })
    let collector = SampleCollector(source, clock: MonotonicClock())
    #expect(await collector.began(within: .seconds(60)))
    #expect(fake.state.withLock { $0.axes[node]?.map(\.fuzz) } == [0, 0, 0, 0, 0, 0])
    collector.stop()
    #expect(await collector.ended())
    #expect(fake.state.withLock { $0.axes[node]?.map(\.fuzz) } == [16, 16, 16, 16, 16, 16])
    let before = fake.state.withLock { $0.written.count }
    _ = await collect(try fake.source { $0.fuzz = .keep }, until: 3)
    #expect(fake.state.withLock { $0.written.count } == before)
  }

  /// EV-5: the torn frame is thrown away, and what the kernel holds counts from then on.
  @Test func aFullQueueIsCountedAndTheAxesAreReadAgain() async throws {
    let fake = try FakeControllers()
    try fake.addDualSense()
    let node = fake.node(5)
    let state = fake.state
    fake.play(rate: 250) { count, time in
      if count == 3 {
        state.withLock { $0.axes[node]?[0].value = 4096 }
        return [.dropped(at: time), .absolute(ABS_X, -999, at: time), .report(at: time)]
      }
      return [.stamp(UInt32(count * 4000), at: time), .report(at: time)]
    }
    let source = try fake.source()
    let samples = await collect(source, until: 5).samples
    let sideways = samples.map { sample -> Double in
      guard case .inertial(let sample) = sample else { return .nan }
      return sample.accelerometer.specificForce.x / standardGravity
    }
    #expect(sideways == [0, 0, 0.5, 0.5, 0.5] && source.statistics.drops == 1)
    #expect(source.statistics.frames == 5)
    // The gap of one frame is a gap in time, not a shift of what follows.
    #expect(abs((samples[2].time - samples[1].time).nanoseconds - 8_000_000) <= 1000)
  }

  @Test func onlyWhatIsWantedIsDelivered() async throws {
    let source = try dualSense().source()
    for kinds in [SensorKinds.gyroscope, .accelerometer, .inertial] {
      #expect(await collect(source, kinds, until: 3).samples.map(\.kinds) == [kinds, kinds, kinds])
    }
  }

  @Test func anUnpluggedControllerEndsTheRunAndComesBackUnderAnotherNumber() async throws {
    let fake = try dualSense()
    let source = try fake.source()
    let collector = SampleCollector(source, clock: MonotonicClock())
    #expect(await collector.began(within: .seconds(60)))
    try fake.unplug(5)
    #expect(await collector.ended())
    #expect(collector.failure?.code == .disconnected && collector.failure?.message.contains("plug it in") == true)
    // Still away.
    let absent = await collect(source, until: 1)
    #expect(absent.failure?.code == .disconnected && absent.samples.isEmpty)
    // Another controller of the same kind is not it.
    try fake.add(31, event: 31, name: "Wireless Controller Motion Sensors", unique: "09:09:09:09:09:09")
    #expect(await collect(source, until: 1).failure?.code == .disconnected)
    try fake.addDualSense(event: 40)
    let back = await collect(source, until: 3)
    #expect(back.samples.count == 3 && back.failure == nil)
  }

  @Test func withoutPermissionItTellsTheRule() async throws {
    let fake = try dualSense()
    let node = fake.node(5)
    fake.state.withLock { $0.refused[node] = EACCES }
    let source = try fake.source()
    let failure = await collect(source, until: 1).failure
    #expect(failure == source.limitation && failure?.code == .notPermitted && failure?.errno == EACCES)
    #expect(failure?.message.contains(#"ENV{ID_INPUT_ACCELEROMETER}=="1", TAG+="uaccess""#) == true)
    #expect(source.info.kinds == .inertial)
    // Given in the meantime, as udev does shortly after the plug.
    fake.state.withLock { $0.refused[node] = nil }
    #expect(await collect(source, until: 1).samples.count == 1)
  }

  /// EV-1: resolution 0 is no unit, and never a guess.
  @Test func aControllerWithoutAUnitIsRefused() async throws {
    let fake = try FakeControllers()
    let axes = Array(repeating: FakeControllers.axis(0, 0), count: 3)
    try fake.add(9, event: 9, name: "uDraw Motion Sensors", model: "20d6:cb17", abs: "7", axes: axes)
    let source = try fake.source()
    #expect(source.limitation?.code == .unsupported)
    #expect(await collect(source, until: 1).failure?.code == .unsupported)
  }

  @Test func withoutTheMonotonicClockTheTimesAreThoseOfReading() async throws {
    let fake = try FakeControllers()
    try fake.addDualSense()
    fake.state.withLock { $0.refusesClock = true }
    // The kernel stamps by the wall clock, half a century ahead.
    fake.play(rate: 250) { _, time in [.report(at: time + .seconds(1_700_000_000))] }
    let before = MonotonicClock().now
    let source = try fake.source()
    let samples = await collect(source, until: 5).samples
    let after = MonotonicClock().now
    #expect(samples.count == 5 && samples.allSatisfy { before < $0.time && $0.time < after })
    #expect(source.statistics.runsWithoutStamps == 1)
  }

  @Test func resumeAfterLeavesOutWhatWasThere() async throws {
    let limit = MonotonicClock().now + .milliseconds(80)
    let collector = SampleCollector(try dualSense().source(), clock: MonotonicClock(), resumeAfter: limit) { _, count in
      count >= 3
    }
    _ = await collector.ended()
    #expect(collector.samples.count == 3 && collector.samples.allSatisfy { $0.time > limit })
  }
}
