// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import MotionTesting
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
