// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import SimulatedSources
import Testing

@testable import MotionServices

/// S34, S47, D29: a handler gets its samples in order, one call at a time, on every kind of queue.
@Suite struct QueueOrderTests {
  private struct Record {
    var times: [Double] = []
    var running = 0
    var mostRunning = 0
  }

  /// A handler whose calls take different times, so that calls side by side would end in another order.
  private static func handler(_ record: Box<Record>) -> CMGyroHandler {
    return { data, _ in
      let number = record.with { record in
        record.running += 1
        record.mostRunning = max(record.mostRunning, record.running)
        return record.times.count
      }
      // The others of the machine get their turn.
      if number % 7 == 0 { for _ in 0..<20 { sched_yield() } }
      record.with { record in
        record.times.append(data?.timestamp ?? -1)
        record.running -= 1
      }
    }
  }

  private static func queue(_ width: Int) -> OperationQueue {
    let queue = OperationQueue()
    if width > 0 { queue.maxConcurrentOperationCount = width }
    return queue
  }

  /// 0: as `OperationQueue()` makes it.
  @Test(arguments: [0, 1, 2, 16]) func aRecordingAtFullSpeedArrivesInOrder(_ width: Int) async {
    let count = 5000
    let host = MotionHost(device: ScriptedSource(count: Int64(count)), clock: FreeRunningClock())
    let manager = StartStopTests.manager(on: host)
    let record = Box(Record())
    manager.startGyroUpdates(to: Self.queue(width), withHandler: Self.handler(record))
    #expect(await eventually(within: 30) { record.value.times.count == count })
    #expect(record.value.times == (0..<count).map { Double($0) / 100 })
    #expect(record.value.mostRunning == 1)
    manager.stopGyroUpdates()
  }

  /// A live source never waits, and what it says is not lost either.
  @Test func aLiveSourceArrivesInOrder() async {
    let source = ScriptedSource(rate: 10_000, count: 3000, pacing: .live)
    let host = MotionHost(device: source, clock: FreeRunningClock())
    let manager = StartStopTests.manager(on: host)
    manager.gyroUpdateInterval = 0
    let record = Box(Record())
    manager.startGyroUpdates(to: OperationQueue(), withHandler: Self.handler(record))
    #expect(await eventually(within: 30) { record.value.times.count == 3000 })
    #expect(record.value.times == record.value.times.sorted() && record.value.mostRunning == 1)
    #expect(host.device?.stalls == 0)
    manager.stopGyroUpdates()
  }

  /// Two handlers on one queue do not wait for each other.
  @Test func aBlockedHandlerDoesNotHoldUpAnother() async {
    let count = 1000
    let host = MotionHost(device: ScriptedSource(count: Int64(count)), clock: FreeRunningClock())
    let manager = StartStopTests.manager(on: host)
    let queue = OperationQueue()
    let gate = DispatchSemaphore(value: 0)
    let calls = Box(0)
    // The source waits for its consumer when 64 samples are pending: so both have started before much of it is over.
    queue.isSuspended = true
    manager.startGyroUpdates(to: queue) { _, _ in calls.with { $0 += 1 } }
    #expect(await eventually { host.device?.outstanding == [64] })
    manager.startAccelerometerUpdates(to: queue) { _, _ in gate.wait() }
    queue.isSuspended = false
    #expect(await eventually { calls.value > 100 })
    for _ in 0..<count { gate.signal() }
    #expect(await eventually { calls.value == count && queue.operationCount == 0 })
    manager.stopGyroUpdates()
    manager.stopAccelerometerUpdates()
  }

  /// `cancelAllOperations` drops what is pending, as if all of it were in the queue already; samples go on afterwards.
  @Test func cancellingDropsWhatIsPending() async {
    let host = MotionHost(device: ScriptedSource(count: 1000), clock: FreeRunningClock())
    let manager = StartStopTests.manager(on: host)
    let queue = OperationQueue()
    queue.isSuspended = true
    let record = Box(Record())
    manager.startGyroUpdates(to: queue, withHandler: Self.handler(record))
    // The source waits for its consumer when 64 samples are pending.
    #expect(await eventually { host.device?.outstanding == [64] })
    #expect(queue.operationCount == 1)
    queue.cancelAllOperations()
    queue.isSuspended = false
    #expect(await eventually { record.value.times.count == 1000 - 64 })
    #expect(record.value.times == (64..<1000).map { Double($0) / 100 })
    manager.stopGyroUpdates()
  }

  /// G7: a program whose main thread is busy for ever is told why nothing comes.
  @Test func aMainQueueThatNobodyServesIsTold() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { @MainActor in
      // Its own standard error, so that it is busy until the sentence is there.
      var ends: [Int32] = [0, 0]
      let errors = dup(2)
      guard pipe(&ends) == 0, dup2(ends[1], 2) == 2 else { return }
      let manager = Bench(ScriptedSource(count: 5)).manager()
      manager.startGyroUpdates(to: .main) { _, _ in }
      var text: [UInt8] = []
      while !String(decoding: text, as: UTF8.self).contains("The main queue has not called a handler") {
        var byte: UInt8 = 0
        guard read(ends[0], &byte, 1) == 1 else { return }
        text.append(byte)
      }
      write(errors, text, text.count)
      withExtendedLifetime(manager) {}
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("The main queue has not called a handler"), "\(text)")
  }
}

/// A queue that test kits use: it runs an operation where it is added, on the source's own thread.
private final class ImmediateQueue: OperationQueue, @unchecked Sendable {
  override func addOperation(_ operation: Operation) { operation.start() }
}

@Suite struct ImmediateQueueTests {
  private static func manager() -> (CMMotionManager, MotionHost) {
    let source = SimulatedSource(trajectory: Rest(), name: "rest")
    let host = MotionHost(device: source, clock: FreeRunningClock())
    return (host.run { CMMotionManager() }, host)
  }

  @Test func aHandlerMayStopItsServiceOnIt() async {
    let (manager, host) = Self.manager()
    let count = Box(0)
    nonisolated(unsafe) let stopping = manager
    manager.startAccelerometerUpdates(to: ImmediateQueue()) { _, _ in
      if count.with({
        $0 += 1; return $0
      }) == 5 {
        stopping.stopAccelerometerUpdates()
      }
    }
    #expect(await eventually { host.device?.isRunning == false })
    #expect(count.value == 5 && !manager.isAccelerometerActive)
  }

  @Test func aHandlerMayReplaceItselfOnIt() async {
    let (manager, host) = Self.manager()
    let (first, second) = (Box(0), Box(0))
    nonisolated(unsafe) let starting = manager
    manager.startAccelerometerUpdates(to: ImmediateQueue()) { _, _ in
      first.with { $0 += 1 }
      starting.startAccelerometerUpdates(to: ImmediateQueue()) { _, _ in
        if second.with({
          $0 += 1; return $0
        }) == 5 {
          starting.stopAccelerometerUpdates()
        }
      }
    }
    #expect(await eventually { host.device?.isRunning == false })
    #expect(first.value == 1 && second.value == 5)
  }
}

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
