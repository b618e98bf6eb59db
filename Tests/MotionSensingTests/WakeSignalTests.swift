// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing
import MotionTesting
import Testing

@Suite struct WakeSignalTests {
  @Test func aSignalBeforeTheWaitIsNotLost() {
    let wake = WakeSignal()
    wake.signal()
    #expect(wake.wait(limit: nil))
  }

  @Test func severalSignalsCountAsOne() {
    let wake = WakeSignal()
    for _ in 0..<5 { wake.signal() }
    #expect(wake.wait(limit: .zero))
    #expect(!wake.wait(limit: .zero))
  }

  @Test func drainTakesAPendingSignalAwayAndDoesNotBlock() {
    let wake = WakeSignal()
    wake.drain()
    wake.signal()
    wake.drain()
    #expect(!wake.wait(limit: .milliseconds(1)))
  }

  @Test func aWaitWithoutASignalEndsAtItsLimit() {
    let clock = MonotonicClock()
    let start = clock.now
    #expect(!WakeSignal().wait(limit: .milliseconds(3)))
    #expect(clock.now - start >= .milliseconds(3))
    #expect(!WakeSignal().wait(limit: .milliseconds(-5)))
  }

  /// What a process gets that has used up its file descriptors: slower, and no trap.
  @Test func aSignalWithoutADescriptorStillEndsAWait() async {
    let wake = WakeSignal(descriptor: -1, failure: EMFILE)
    #expect(throws: SensorError(.system, Self.sentence, errno: EMFILE)) { try wake.check() }
    #expect(throws: Never.self) { try WakeSignal().check() }
    #expect(!wake.wait(limit: .milliseconds(3)))
    wake.signal()
    #expect(wake.wait(limit: nil) && !wake.wait(limit: .zero))
    wake.signal()
    wake.drain()
    #expect(!wake.wait(limit: .zero))
    Task.detached { wake.signal() }
    #expect(await Task.detached { wake.wait(limit: nil) }.value)
  }

  private static let sentence =
    "This program has no file descriptor left for a motion source: close files, or raise the limit (ulimit -n)."

  @Test func numbersAscend() {
    let numbers = (0..<10).map { _ in WakeSignal().number }
    #expect(numbers == numbers.sorted() && Set(numbers).count == 10)
  }

  /// A thread on a real clock, and a process signal whose handler interrupts its `ppoll` again and again.
  @Test func aProcessSignalDoesNotEndAWait() async {
    struct Sleeper: SensorSource {
      let thread: Lock<pthread_t?>
      let info = SensorInfo(name: "simulated sleeper", origin: .simulation, pacing: .onDemand, channels: [])
      func run(_ session: SensorSession) throws {
        let deadline = session.clock.now + .milliseconds(60)
        thread.withLock { $0 = pthread_self() }
        let isReached = session.clock.wait(until: deadline, wake: session.wake)
        thread.withLock { $0 = nil }
        if !isReached || session.clock.now < deadline { throw SensorError(.system, "The wait ended early.") }
      }
    }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    sigaction(SIGURG, &action, nil)
    let thread = Lock<pthread_t?>(nil)
    let collector = SampleCollector(Sleeper(thread: thread), clock: MonotonicClock())
    while !(await collector.ended(within: .milliseconds(5))) {
      thread.withLock { if let thread = $0 { pthread_kill(thread, SIGURG) } }
    }
    #expect(collector.failure == nil)
  }
}
