// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@Suite struct SensorSessionTests {
  private static func session(
    clock: any SensorClock = FreeRunningClock(), sink: @escaping SensorSession.Sink = { _, _ in }
  ) -> SensorSession {
    SensorSession(clock: clock, request: SensorRequest(kinds: .inertial, interval: .zero), sink: sink)
  }

  @Test func aStoppedSessionLetsNoWaitPass() {
    let session = Self.session()
    #expect(throws: Never.self) { try session.wait(until: SensorInstant(nanoseconds: 5)) }
    session.stop()
    #expect(session.isStopped)
    #expect(throws: SourceStopped.self) { try session.wait(until: SensorInstant(nanoseconds: 5)) }
    #expect(throws: SourceStopped.self) { try session.wait(until: SensorInstant(nanoseconds: -5)) }
  }

  @Test func aStopEndsAWaitOnARealClock() async {
    let source = ScriptedSource([
      .temperature(TemperatureSample(time: SensorInstant(nanoseconds: .max), temperature: 0))
    ])
    let collector = SampleCollector(source, clock: MonotonicClock())
    collector.stop()
    #expect(await collector.ended(within: .seconds(5)))
    #expect(collector.samples.isEmpty)
    #expect(collector.deliveriesAfterStop == 0)
  }

  @Test func aNewRequestDoesNotEndAWait() async {
    let clock = VirtualClock()
    let source = ScriptedSource([
      .temperature(TemperatureSample(time: SensorInstant(nanoseconds: 10_000_000), temperature: 0))
    ])
    let collector = SampleCollector(source, clock: clock)
    await clock.advance(by: .milliseconds(5))
    collector.session.update(SensorRequest(kinds: .magnetometer, interval: .milliseconds(20)))
    await clock.settle()
    #expect(collector.samples.isEmpty && collector.ending == nil)
    #expect(collector.session.request == SensorRequest(kinds: .magnetometer, interval: .milliseconds(20)))
    await clock.advance(by: .milliseconds(5))
    #expect(collector.samples.count == 1)
    #expect(await collector.ended())
  }

  @Test func whatHappensAtStopHappensOnce() {
    let count = Lock(0)
    let session = Self.session()
    session.whenStopped { count.withLock { $0 += 1 } }
    #expect(count.withLock { $0 } == 0)
    session.stop()
    session.stop()
    #expect(count.withLock { $0 } == 1)
  }

  @Test func whatIsSetAfterTheStopHappensAtOnce() {
    let count = Lock(0)
    let session = Self.session()
    session.stop()
    session.whenStopped { count.withLock { $0 += 1 } }
    #expect(count.withLock { $0 } == 1)
  }

  @Test func stopAndItsActionMeetAlsoWhenTheyRace() async {
    for _ in 0..<200 {
      let count = Lock(0)
      let session = Self.session()
      await withTaskGroup(of: Void.self) { group in
        group.addTask { session.stop() }
        group.addTask { session.whenStopped { count.withLock { $0 += 1 } } }
      }
      #expect(count.withLock { $0 } == 1)
    }
  }

  @Test func theSinkEndsARunByThrowing() {
    let session = Self.session { _, session throws(SourceStopped) in
      session.stop()
      throw SourceStopped()
    }
    #expect(throws: SourceStopped.self) {
      try session.deliver(.temperature(TemperatureSample(time: SensorInstant(nanoseconds: 0), temperature: 1)))
    }
    #expect(session.isStopped)
  }

  @Test func aSampleReachesTheSinkUnchanged() throws {
    let received = Lock<[SensorSample]>([])
    let session = Self.session { sample, _ in received.withLock { $0.append(sample) } }
    let sample = SensorSample.pressure(PressureSample(time: SensorInstant(nanoseconds: 3), pressure: 101_325))
    try session.deliver(sample)
    #expect(received.withLock { $0 } == [sample])
  }
}

@Suite struct LockTests {
  @Test func incrementsFromManyTasksAreNotLost() async {
    let lock = Lock(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<5_000 { lock.withLock { $0 += 1 } } }
      }
    }
    #expect(lock.withLock { $0 } == 40_000)
  }

  @Test func anErrorLeavesTheLockFree() {
    struct Failure: Error {}
    let lock = Lock(1)
    #expect(throws: Failure.self) {
      try lock.withLock { value throws(Failure) in
        value = 2
        throw Failure()
      }
    }
    #expect(lock.withLock { $0 } == 2)
  }
}
