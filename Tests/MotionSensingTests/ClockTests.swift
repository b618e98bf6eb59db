// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@Suite struct ClockTests {
  private func instant(_ seconds: Double) -> SensorInstant {
    SensorInstant(nanoseconds: Int64((seconds * 1e9).rounded()))
  }

  @Test func monotonicTimeDoesNotGoBackAndWaitsUntilTheDeadline() {
    let clock = MonotonicClock()
    let deadline = clock.now + .milliseconds(2)
    #expect(clock.wait(until: deadline, wake: WakeSignal()))
    let after = clock.now
    #expect(after >= deadline)
    #expect(clock.wait(until: after, wake: WakeSignal()))
    #expect(clock.now >= after)
  }

  @Test func aSignalEndsAWaitBeforeItsDeadline() {
    let clock = MonotonicClock()
    let wake = WakeSignal()
    wake.signal()
    let start = clock.now
    #expect(!clock.wait(until: start + .seconds(100), wake: wake))
    #expect(clock.now - start < .seconds(50))
  }

  @Test func aFreeRunningClockMakesNobodyWait() {
    let clock = FreeRunningClock()
    #expect(clock.wait(until: SensorInstant(nanoseconds: .max), wake: WakeSignal()))
    #expect(clock.now == SensorInstant(nanoseconds: 0))
  }

  // MARK: The time line of a recording

  @Test(arguments: [0.25, 1, 2, 100])
  func aRecordingRunsFromItsOriginAtItsRate(rate: Double) async {
    let base = VirtualClock()
    await base.advance(by: .seconds(10))
    let clock = RecordingClock(base: base, anchor: base.now, origin: instant(500), rate: rate)
    #expect(clock.now == instant(500))
    await base.advance(by: .seconds(4))
    #expect(clock.now == instant(500 + 4 * rate))
  }

  @Test func aDeadlineOfARecordingIsWaitedForOnTheBaseClock() async {
    let base = RememberingClock()
    let clock = RecordingClock(base: base, anchor: instant(10), origin: instant(-5), rate: 4)
    #expect(clock.wait(until: instant(-1), wake: WakeSignal()))
    #expect(base.last == instant(11))
  }

  @Test func aDeadlineIsNeverMetEarly() {
    let base = RememberingClock()
    let clock = RecordingClock(
      base: base, anchor: SensorInstant(nanoseconds: 0), origin: SensorInstant(nanoseconds: 0), rate: 3)
    for nanoseconds in Int64(1)...100 {
      _ = clock.wait(until: SensorInstant(nanoseconds: nanoseconds), wake: WakeSignal())
      #expect(base.last.nanoseconds * 3 >= nanoseconds)
      #expect((base.last.nanoseconds - 1) * 3 < nanoseconds)
    }
  }

  /// A source that has nothing to say waits for the end of time; no recording clock may call that reached.
  @Test(arguments: [0.1, 1, 3], [-1_000_000_000, 0, 1_700_000_000_000_000_000] as [Int64])
  func aDeadlineThatNeverComesIsNotReached(rate: Double, origin: Int64) {
    let base = RememberingClock()
    let clock = RecordingClock(
      base: base, anchor: instant(1000), origin: SensorInstant(nanoseconds: origin), rate: rate)
    _ = clock.wait(until: SensorInstant(nanoseconds: .max), wake: WakeSignal())
    #expect(base.last > instant(1e9))
    _ = clock.wait(until: SensorInstant(nanoseconds: .min), wake: WakeSignal())
    #expect(base.last < instant(1000))
  }
}

/// A clock that says every deadline is reached and remembers it.
private final class RememberingClock: SensorClock {
  private let deadline = Lock(SensorInstant(nanoseconds: 0))
  var now: SensorInstant { SensorInstant(nanoseconds: 0) }
  var last: SensorInstant { deadline.withLock { $0 } }

  func wait(until deadline: SensorInstant, wake: WakeSignal) -> Bool {
    self.deadline.withLock { $0 = deadline }
    return true
  }
  func beginWork() {}
  func endWork() {}
}

@Suite struct VirtualClockTests {
  /// Delivers a temperature that names the source, every `period`, and notes what it does in a common diary.
  private struct Ticker: SensorSource {
    let name: Int
    let period: SensorDuration
    var diary = Lock<[(name: Int, time: SensorInstant)]>([])
    let info = SensorInfo(name: "simulated ticker", origin: .simulation, pacing: .onDemand, channels: [])

    func run(_ session: SensorSession) throws {
      var time = session.clock.now + period
      while true {
        try session.wait(until: time)
        diary.withLock { $0.append((name, session.clock.now)) }
        try session.deliver(.temperature(TemperatureSample(time: time, temperature: Double(name))))
        time = time + period
      }
    }
  }

  @Test func timeStandsStillUntilATestMovesIt() async {
    let clock = VirtualClock()
    #expect(clock.now == SensorInstant(nanoseconds: 0))
    await clock.advance(by: .milliseconds(1500))
    await clock.settle()
    #expect(clock.now.seconds == 1.5)
    #expect(clock.wait(until: clock.now, wake: WakeSignal()))
  }

  @Test func advanceReturnsWhenEverySampleUntilThenHasBeenHandled() async {
    let clock = VirtualClock()
    let collector = SampleCollector(Ticker(name: 1, period: .milliseconds(10)), clock: clock)
    for second in 1...20 {
      await clock.advance(by: .seconds(1))
      #expect(collector.samples.count == second * 100)
    }
    collector.stop()
    #expect(await collector.ended())
  }

  @Test func sourcesWakeOneAtATimeByDeadlineThenByTheNumberOfTheirSignal() async {
    var diaries: [[Int]] = []
    for _ in 0..<10 {
      let clock = VirtualClock()
      let diary = Lock<[(name: Int, time: SensorInstant)]>([])
      var collectors: [SampleCollector] = []
      for (name, period) in [(1, 30), (2, 20), (3, 15), (4, 20)] {
        collectors.append(
          SampleCollector(
            Ticker(name: name, period: .milliseconds(Int64(period)), diary: diary), clock: clock))
        await clock.settle()
      }
      await clock.advance(by: .milliseconds(60))
      let entries = diary.withLock { $0 }
      #expect(entries.map(\.time.nanoseconds) == entries.map(\.time.nanoseconds).sorted())
      diaries.append(entries.map(\.name))
      for collector in collectors { collector.stop() }
      for collector in collectors { #expect(await collector.ended()) }
    }
    // At 15, 20 (twice), 30 (twice), 40 (twice), 45 and 60 ms (all four).
    #expect(diaries[0] == [3, 2, 4, 1, 3, 2, 4, 3, 1, 2, 3, 4])
    #expect(Set(diaries).count == 1)
  }

  @Test func eachSourceSeesItsOwnDeadlineOnTheClock() async {
    let clock = VirtualClock()
    let ticker = Ticker(name: 1, period: .milliseconds(7))
    let collector = SampleCollector(ticker, clock: clock)
    await clock.advance(by: .milliseconds(100))
    #expect(ticker.diary.withLock { $0.map(\.time.nanoseconds) } == (1...14).map { Int64($0) * 7_000_000 })
    #expect(clock.now == SensorInstant(nanoseconds: 100_000_000))
    collector.stop()
    #expect(await collector.ended())
  }

  @Test func workThatIsUnderWayHoldsTimeBack() async {
    let clock = VirtualClock()
    let isOver = Lock(false)
    clock.beginWork()
    Task {
      await Task.yield()
      isOver.withLock { $0 = true }
      clock.endWork()
    }
    await clock.advance(by: .seconds(1))
    #expect(isOver.withLock { $0 })
  }

  @Test func aStopIsSeenBeforeTimeMoves() async {
    let clock = VirtualClock()
    for _ in 0..<50 {
      let collector = SampleCollector(Ticker(name: 1, period: .milliseconds(10)), clock: clock)
      await clock.advance(by: .milliseconds(25))
      collector.stop()
      await clock.settle()
      #expect(collector.ending != nil)
      #expect(collector.samples.count == 2)
    }
  }

  /// A source whose request changes wakes in the present, not at the end of the next advance.
  @Test func aNewRequestIsSeenBeforeTimeMoves() async {
    struct Listener: SensorSource {
      let seen: Lock<[SensorInstant]>
      let info = SensorInfo(name: "simulated listener", origin: .simulation, pacing: .onDemand, channels: [])
      func run(_ session: SensorSession) throws {
        while !session.isStopped {
          if !session.clock.wait(until: session.clock.now + .seconds(3600), wake: session.wake) {
            seen.withLock { $0.append(session.clock.now) }
          }
        }
      }
    }
    let clock = VirtualClock()
    let seen = Lock<[SensorInstant]>([])
    let collector = SampleCollector(Listener(seen: seen), clock: clock)
    for _ in 0..<100 {
      await clock.advance(by: .seconds(1))
      collector.session.update(SensorRequest(kinds: .inertial, interval: .zero))
    }
    await clock.settle()
    #expect(seen.withLock { $0.map(\.seconds) } == (1...100).map(Double.init))
    collector.stop()
    #expect(await collector.ended())
  }
}

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
