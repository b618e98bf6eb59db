// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import MotionServices
import Testing

/// Recordings wait for slow handlers, live sources never do.
@Suite struct BackpressureTests {
  @Test func aReplayAtFullSpeedLosesNothingAndQueuesLittle() async {
    let count = 20_000
    let host = MotionHost(device: ScriptedSource(count: Int64(count)), clock: FreeRunningClock())
    let manager = StartStopTests.manager(on: host)
    let queue = serialQueue()
    let times = Box<[Double]>([])
    let most = Box(0)
    manager.startGyroUpdates(to: queue) { data, _ in
      times.with { $0.append(data?.timestamp ?? -1) }
      most.with { $0 = max($0, queue.operationCount) }
    }
    #expect(await eventually(within: 30) { times.value.count == count })
    #expect(times.value == (0..<count).map { Double($0) / 100 })
    #expect(most.value <= 65)
    manager.stopGyroUpdates()
  }

  @Test func cancelledOperationsGiveTheirCreditBack() async {
    let host = MotionHost(device: ScriptedSource(count: 1000), clock: FreeRunningClock())
    let manager = StartStopTests.manager(on: host)
    let queue = serialQueue()
    queue.isSuspended = true
    let calls = Box(0)
    manager.startGyroUpdates(to: queue) { _, _ in calls.with { $0 += 1 } }
    #expect(await eventually { queue.operationCount == 64 })
    queue.cancelAllOperations()
    queue.isSuspended = false
    #expect(await eventually { calls.value == 1000 - 64 })
    manager.stopGyroUpdates()
  }

  @Test func stopWakesASourceThatWaitsForCredit() async {
    let host = MotionHost(device: ScriptedSource(count: 1000), clock: FreeRunningClock())
    let manager = StartStopTests.manager(on: host)
    let queue = serialQueue()
    queue.isSuspended = true
    manager.startGyroUpdates(to: queue) { _, _ in }
    #expect(await eventually { queue.operationCount == 64 })
    manager.stopGyroUpdates()
    #expect(await eventually { host.device?.isRunning == false })
    queue.cancelAllOperations()
    queue.isSuspended = false
  }

  /// One service that does not read must end without holding up the other for ever.
  @Test func stoppingTheSlowServiceFreesTheOther() async {
    let host = MotionHost(device: ScriptedSource(count: 1000), clock: FreeRunningClock())
    let manager = StartStopTests.manager(on: host)
    let queue = serialQueue()
    queue.isSuspended = true
    let calls = Box(0)
    manager.startAccelerometerUpdates(to: serialQueue()) { _, _ in calls.with { $0 += 1 } }
    manager.startGyroUpdates(to: queue) { _, _ in }
    #expect(await eventually { queue.operationCount == 64 || calls.value == 1000 })
    manager.stopGyroUpdates()
    #expect(await eventually { calls.value == 1000 })
    manager.stopAccelerometerUpdates()
    queue.cancelAllOperations()
    queue.isSuspended = false
  }

  @Test func aLiveSourceNeverWaitsForAHandler() async {
    let source = ScriptedSource(rate: 100_000, count: 3000, pacing: .live)
    let host = MotionHost(device: source, clock: FreeRunningClock())
    let manager = StartStopTests.manager(on: host)
    manager.gyroUpdateInterval = 0
    let queue = serialQueue()
    queue.isSuspended = true
    let times = Box<[Double]>([])
    manager.startGyroUpdates(to: queue) { data, _ in times.with { $0.append(data?.timestamp ?? -1) } }
    #expect(await eventually { queue.operationCount == 3000 })
    queue.isSuspended = false
    #expect(await eventually { times.value.count == 3000 })
    #expect(times.value == times.value.sorted() && host.device?.stalls == 0)
    manager.stopGyroUpdates()
  }
}
