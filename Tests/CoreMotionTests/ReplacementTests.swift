// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import MotionTesting
import Testing

/// S37, D5: a second start replaces queue, handler, interval and frame of a service that runs.
@Suite struct ReplacementTests {
  @Test func secondStartReplacesHandlerAndIntervalWithoutLossOrRestart() async {
    let bench = Bench()
    let manager = bench.manager()
    let first = Box<[Double]>([])
    let second = Box<[Double]>([])
    manager.startDeviceMotionUpdates(to: serialQueue()) { motion, _ in first.with { $0.append(motion?.timestamp ?? -1) }
    }
    await bench.clock.advance(by: .milliseconds(500))
    manager.startDeviceMotionUpdates(to: serialQueue()) { motion, _ in
      second.with { $0.append(motion?.timestamp ?? -1) }
    }
    #expect(manager.isDeviceMotionActive && manager.deviceMotion?.timestamp == 0.5)
    await bench.clock.advance(by: .milliseconds(500))
    #expect(first.value == (0...50).map { Double($0) / 100 })
    #expect(second.value == (51...100).map { Double($0) / 100 })
    manager.deviceMotionUpdateInterval = 0.05
    manager.startDeviceMotionUpdates(to: serialQueue()) { motion, _ in first.with { $0.append(motion?.timestamp ?? -1) }
    }
    await bench.clock.advance(by: .milliseconds(500))
    #expect(first.value.dropFirst(51) == [1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.35, 1.4, 1.45, 1.5])
    #expect(bench.runs == 1)
    manager.stopDeviceMotionUpdates()
  }

  @Test func pushBecomesPullAndBack() async {
    let bench = Bench()
    let manager = bench.manager()
    let count = Box(0)
    manager.startGyroUpdates(to: serialQueue()) { _, _ in count.with { $0 += 1 } }
    await bench.clock.advance(by: .milliseconds(100))
    manager.startGyroUpdates()
    await bench.clock.advance(by: .milliseconds(100))
    #expect(count.value == 11 && manager.gyroData?.timestamp == 0.2)
    manager.startGyroUpdates(to: serialQueue()) { _, _ in count.with { $0 += 1 } }
    await bench.clock.advance(by: .milliseconds(100))
    #expect(count.value == 21 && bench.runs == 1)
    manager.stopGyroUpdates()
  }

  /// The first handler is released by the second start: nothing of the client stays behind.
  @Test func replacedAndStoppedHandlersAreReleased() async {
    final class Captured {}
    let bench = Bench()
    let manager = bench.manager()
    weak var first: Captured?
    weak var second: Captured?
    func start(_ captured: Captured) {
      manager.startDeviceMotionUpdates(to: serialQueue()) { _, _ in _ = captured }
    }
    do {
      let captured = Captured()
      first = captured
      start(captured)
    }
    await bench.clock.advance(by: .milliseconds(50))
    do {
      let captured = Captured()
      second = captured
      start(captured)
    }
    await bench.clock.advance(by: .milliseconds(50))
    #expect(await eventually { first == nil } && second != nil)
    manager.stopDeviceMotionUpdates()
    await bench.clock.settle()
    #expect(await eventually { second == nil })
  }

  /// A handler on a queue that never runs again must not hold the service up after it has been replaced.
  @Test func replacingAHandlerOnADeadQueueFreesTheSource() async {
    let source = ScriptedSource(count: 1000)
    let host = MotionHost(device: source, clock: FreeRunningClock())
    let manager = StartStopTests.manager(on: host)
    let dead = serialQueue()
    dead.isSuspended = true
    manager.startGyroUpdates(to: dead) { _, _ in }
    #expect(await eventually { dead.operationCount == 64 })
    let times = Box<[Double]>([])
    manager.startGyroUpdates(to: serialQueue()) { data, _ in times.with { $0.append(data?.timestamp ?? -1) } }
    #expect(await eventually { times.value.count == 1000 - 64 }, "\(times.value.count)")
    manager.stopGyroUpdates()
    dead.cancelAllOperations()
    dead.isSuspended = false
  }

  /// A manager that outlives one scope and is started in another is served by the sensors of the other.
  @Test func startInAnotherScopeMovesTheServiceToItsSensors() async {
    let first = Bench()
    let second = Bench()
    let manager = first.manager()
    manager.startGyroUpdates()
    await first.clock.advance(by: .milliseconds(50))
    #expect(manager.gyroData?.timestamp == 0.05)
    func startInSecond() { second.host.run { manager.startGyroUpdates() } }
    startInSecond()
    #expect(manager.isGyroActive)
    await second.clock.advance(by: .milliseconds(200))
    #expect(manager.gyroData?.timestamp == 0.2)
    #expect(await eventually { first.host.device?.isRunning == false })
    manager.stopGyroUpdates()
    #expect(await eventually { second.host.device?.isRunning == false })
  }
}
