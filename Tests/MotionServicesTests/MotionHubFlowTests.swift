// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Synchronization
import Testing

@testable import MotionServices

/// Ends, failures, retries, and consumers that are slower than a recording.
@Suite struct MotionHubFlowTests {
  /// D19: told once; who comes later is told too and gets nothing.
  @Test func theEndIsToldToAllAndToLateSubscribers() async {
    let clock = VirtualClock()
    let hub = MotionHub(source: RecipeSource(count: 5, reordering: .milliseconds(100)), clock: clock)
    let (first, firstEar) = hub.listen()
    await clock.advance(by: .seconds(1))
    // What was held for reordering came out at the end.
    #expect(firstEar.times == [0, 10, 20, 30, 40] && firstEar.endings == 1)
    #expect(hub.hasEnded && !hub.isRunning && hub.availableKinds == .inertial)
    let (second, secondEar) = hub.listen(.accelerometer)
    await clock.advance(by: .seconds(1))
    #expect(secondEar.endings == 1 && secondEar.times.isEmpty && firstEar.endings == 1 && hub.runCount == 1)
    first.cancel()
    second.cancel()
  }

  @Test func aFailureIsToldOncePerFailureAndRetriedUntilTheSourceReturns() async {
    let clock = VirtualClock()
    let source = RecipeSource()
    let hub = MotionHub(source: source, clock: clock)
    let (subscription, ear) = hub.listen()
    await clock.advance(by: .milliseconds(100))
    source.record.withLock { $0.failure = SensorError(.disconnected, "It has left.") }
    await clock.advance(by: .seconds(5))
    #expect(ear.failures.map(\.code) == [.disconnected])
    #expect(hub.availableKinds == [] && hub.failure?.code == .disconnected)
    // One try every half second.
    #expect((8...12).contains(hub.runCount))
    source.record.withLock { $0.failure = nil }
    await clock.advance(by: .seconds(1))
    #expect(hub.failure == nil && hub.availableKinds == .inertial && ear.times.last ?? 0 > 5000)
    #expect(ear.times == ear.times.sorted() && Set(ear.times).count == ear.times.count)
    source.record.withLock { $0.failure = SensorError(.disconnected, "It has left again.") }
    await clock.advance(by: .seconds(1))
    #expect(ear.failures.count == 2)
    subscription.cancel()
    #expect(await eventually { !hub.isRunning })
    #expect(hub.failure == nil)
  }

  /// A broken file cannot mend itself: no retries, and a late subscriber hears why.
  @Test func aFailureForGoodIsNotRetried() async {
    let clock = VirtualClock()
    let source = RecipeSource()
    source.record.withLock { $0.failure = SensorError(.malformed, "Line 3 is no sample.") }
    let hub = MotionHub(source: source, clock: clock)
    let (first, firstEar) = hub.listen()
    await clock.advance(by: .seconds(5))
    #expect(firstEar.failures.map(\.code) == [.malformed] && hub.runCount == 1)
    let (second, secondEar) = hub.listen(.accelerometer)
    #expect(secondEar.failures.map(\.code) == [.malformed] && hub.availableKinds == [])
    first.cancel()
    second.cancel()
  }

  /// On a clock on which no time passes, retries still leave the processor alone.
  @Test func retriesDoNotSpinOnAFreeRunningClock() async throws {
    let source = RecipeSource()
    source.record.withLock { $0.failure = SensorError(.notFound, "The file is gone.") }
    let hub = MotionHub(source: source, clock: FreeRunningClock())
    let start = ContinuousClock().now
    let (subscription, ear) = hub.listen()
    // The second run begins with half a second of patience, so a third cannot come before.
    #expect(await eventually { hub.runCount >= 3 })
    #expect(ContinuousClock().now - start > .milliseconds(450))
    #expect(ear.failures.count == 1)
    subscription.cancel()
    #expect(await eventually { !hub.isRunning })
  }

  /// A foreign error becomes a SensorError with a sentence.
  @Test func aForeignErrorIsToldAsASentence() async {
    struct Failing: SensorSource {
      struct Odd: Error {}
      let info = SensorInfo(name: "failing", origin: .simulation, pacing: .live, channels: [.init(kind: .inertial)])
      func run(_ session: SensorSession) throws { throw Odd() }
    }
    let hub = MotionHub(source: Failing(), clock: MonotonicClock())
    let (subscription, ear) = hub.listen()
    #expect(await eventually { ear.failures.count == 1 })
    #expect(ear.failures.first?.code == .system && ear.failures.first?.message.hasSuffix(".") == true)
    subscription.cancel()
  }

  /// At most `window` pieces of work are outstanding, and everything arrives, in order.
  @Test func aRecordingWaitsForItsConsumer() async {
    let count: Int64 = 100_000
    let hub = MotionHub(source: RecipeSource(count: count), clock: FreeRunningClock())
    let (stream, continuation) = AsyncStream<Int64>.makeStream()
    let outstanding = Outstanding(window: 64)
    let sink = HubSink(outstanding: outstanding) { sample in
      outstanding.begin()
      continuation.yield(sample.time.milliseconds)
    } news: { _ in
      continuation.finish()
    }
    let subscription = hub.subscribe(.gyroscope, interval: .zero, sink: sink)
    var expected: Int64 = 0
    var most = 0
    var isInOrder = true
    for await time in stream {
      isInOrder = isInOrder && time == expected
      expected += 10
      most = max(most, outstanding.count)
      outstanding.end()
    }
    #expect(isInOrder && expected == count * 10 && most <= 64)
    #expect(hub.stalls > 0 && outstanding.count == 0)
    subscription.cancel()
  }

  private static func recording(count: Int64 = 5, linger: SensorDuration = .zero) -> RecipeSource {
    let start = SensorInstant(nanoseconds: 1_000_000_000_000)
    return RecipeSource(count: count, timeLine: .recorded(start: start), origin: .recording, linger: linger) {
      .inertial(1_000_000 + $0 * 10)
    }
  }

  /// D31: from its beginning for who comes after its end or after all have left; who has heard it hears no more.
  @Test func aRecordingBeginsAgainForEachAudience() async {
    let clock = VirtualClock()
    let hub = MotionHub(source: Self.recording(), clock: clock)
    let whole: [Int64] = [1_000_000, 1_000_010, 1_000_020, 1_000_030, 1_000_040]
    let (first, firstEar) = hub.listen()
    await clock.advance(by: .seconds(1))
    #expect(firstEar.times == whole && firstEar.endings == 1 && first.isOver && hub.hasEnded)
    let (second, secondEar) = hub.listen()
    await clock.advance(by: .milliseconds(15))
    #expect(secondEar.times == Array(whole.prefix(2)) && !hub.hasEnded)
    // Who comes while it plays joins in.
    let (joined, joinedEar) = hub.listen(.accelerometer)
    await clock.advance(by: .milliseconds(10))
    second.cancel()
    joined.cancel()
    await clock.advance(by: .seconds(5))
    #expect(joinedEar.times == [1_000_020] && hub.runCount == 2)
    let (third, thirdEar) = hub.listen(.accelerometer)
    await clock.advance(by: .seconds(1))
    #expect(thirdEar.times == whole && firstEar.times == whole && firstEar.endings == 1 && hub.runCount == 3)
    #expect(hub.statistics.accelerometer.delivered == 5)
    first.cancel()
    third.cancel()
  }

  /// In the background and away it only pauses.
  @Test func aRecordingThatIsHeldGoesOn() async {
    let clock = VirtualClock()
    let hub = MotionHub(source: Self.recording(), clock: clock)
    let (subscription, ear) = hub.listen()
    await clock.advance(by: .milliseconds(15))
    hub.setHold(.all)
    await clock.advance(by: .seconds(1))
    hub.setHold(.none)
    await clock.advance(by: .seconds(1))
    #expect(ear.times == [1_000_000, 1_000_010, 1_000_020, 1_000_030, 1_000_040] && hub.runCount == 2)
    subscription.cancel()
  }

  /// The device goes on for those that belong to it; the app learns of the end when it is back, once.
  @Test func inTheBackgroundOnlyTheDeviceGoesOn() async {
    let clock = VirtualClock()
    let hub = MotionHub(source: Self.recording(), clock: clock, gate: .manual)
    let count = Lock(0)
    let device = hub.subscribe(
      .accelerometer, interval: .zero, runsInBackground: true, sample: { _ in count.withLock { $0 += 1 } })
    let (app, ear) = hub.listen()
    hub.play()
    await clock.advance(by: .milliseconds(15))
    hub.setHold(.app)
    await clock.advance(by: .seconds(1))
    #expect(ear.times == [1_000_000, 1_000_010] && ear.endings == 0 && count.withLock { $0 } == 5)
    hub.setHold(.none)
    await clock.advance(by: .seconds(1))
    #expect(ear.times == [1_000_000, 1_000_010] && ear.endings == 1 && hub.runCount == 1)
    app.cancel()
    device.cancel()
  }

  /// Between the last sample and the end of the run: who comes then would hear nothing, so the recording begins again
  /// for it alone.
  @Test func whoComesAfterTheLastSampleHearsItAll() async {
    let clock = VirtualClock()
    let hub = MotionHub(source: Self.recording(linger: .seconds(1)), clock: clock)
    let (first, firstEar) = hub.listen()
    await clock.advance(by: .milliseconds(500))
    let (late, lateEar) = hub.listen()
    await clock.advance(by: .seconds(5))
    #expect(firstEar.times.count == 5 && firstEar.endings == 1)
    #expect(lateEar.times == firstEar.times && lateEar.endings == 1 && hub.runCount == 2)
    first.cancel()
    late.cancel()
  }

  /// Without samples for a subscriber it is played once and not for ever.
  @Test func aRecordingWithoutSamplesEnds() async {
    let clock = VirtualClock()
    let hub = MotionHub(source: Self.recording(), clock: clock)
    let (first, firstEar) = hub.listen()
    await clock.advance(by: .milliseconds(15))
    let (deaf, deafEar) = hub.listen(.magnetometer)
    await clock.advance(by: .seconds(60))
    #expect(firstEar.endings == 1 && deafEar.endings == 1 && deafEar.times.isEmpty && hub.runCount == 2 && hub.hasEnded)
    first.cancel()
    deaf.cancel()
  }

  /// A watcher of the connection keeps no run from beginning again, and hears of each.
  @Test func aWatcherIsNoAudience() async {
    let clock = VirtualClock()
    let hub = MotionHub(source: Self.recording(), clock: clock)
    let (watcher, watcherEar) = hub.listen(.connection)
    for count in 1...3 {
      let (subscription, ear) = hub.listen()
      await clock.advance(by: .seconds(1))
      #expect(ear.times.count == 5 && watcherEar.endings == count)
      subscription.cancel()
    }
    watcher.cancel()
  }

  /// With `resumes` a recording that was stopped goes on after the last sample that was handed out.
  @Test func aRecordingGoesOnWhereItWas() async {
    let clock = VirtualClock()
    let start = SensorInstant(nanoseconds: 1_000_000_000_000)
    let source = RecipeSource(timeLine: .recorded(start: start)) { .inertial(1_000_000 + $0 * 10) }
    let hub = MotionHub(source: source, clock: clock, rate: 2)
    let (first, firstEar) = hub.listen()
    await clock.advance(by: .seconds(1))
    // Twice as fast: two seconds of recording in one.
    #expect(firstEar.times.count == 201 && firstEar.times.last == 1_002_000)
    first.cancel()
    await clock.advance(by: .seconds(100))
    let (second, secondEar) = hub.listen()
    await clock.advance(by: .milliseconds(50))
    #expect(secondEar.times.first == 1_002_010 && secondEar.times.last == 1_002_100)
    second.cancel()
  }

  /// Clients that start a live source hear nothing from before.
  @Test func aLiveSourceDeliversNoLeftovers() async {
    let clock = VirtualClock()
    let hub = MotionHub(source: RecipeSource(pacing: .live, reordering: .milliseconds(50)), clock: clock)
    let (first, firstEar) = hub.listen()
    // Within the first moments of a run everything waits: it is not known yet who speaks.
    await clock.advance(by: .milliseconds(50))
    #expect(firstEar.times.last == 0)
    first.cancel()
    await clock.settle()
    await clock.advance(by: .seconds(1))
    let (second, secondEar) = hub.listen()
    await clock.advance(by: .seconds(1))
    #expect(secondEar.times.first ?? 0 > 50)
    second.cancel()
  }

  /// The same events on every run of a virtual clock.
  @Test func virtualTimeIsDeterministic() async {
    func once() async -> [Int64] {
      let clock = VirtualClock()
      let hub = MotionHub(source: RecipeSource([.inertial, .magnetometer]), clock: clock, gate: .manual)
      let (first, firstEar) = hub.listen(.deviceMotion(usesMagnetometer: true), interval: .milliseconds(15))
      let (second, secondEar) = hub.listen(.accelerometer, interval: .milliseconds(30))
      hub.play()
      await clock.advance(by: .seconds(2))
      first.cancel()
      second.cancel()
      return firstEar.times + secondEar.times
    }
    let first = await once()
    let second = await once()
    #expect(first == second && first.count > 150)
  }
}
