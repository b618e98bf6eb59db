// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionTesting
import Testing

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
