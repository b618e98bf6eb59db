// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import HeadphoneSimulation
import MotionMath
import MotionSensing
import SimulatedSources
import Synchronization
import Testing

@testable import MotionServices

/// One source among many subscribers: requests, starting, stopping, gates, holds.
@Suite struct MotionHubTests {
  @Test func theSourceRunsFromTheFirstSubscriberToTheLast() async {
    let clock = VirtualClock()
    let source = RecipeSource()
    // The gate lets both hear the sample of the very first instant.
    let hub = MotionHub(source: source, clock: clock, gate: .manual)
    #expect(!hub.isRunning && hub.runCount == 0)
    let (first, firstEar) = hub.listen()
    let (second, secondEar) = hub.listen(.accelerometer, interval: .milliseconds(20))
    hub.play()
    await clock.advance(by: .milliseconds(100))
    #expect(hub.isRunning && hub.runCount == 1)
    #expect(firstEar.times == stride(from: 0, through: 100, by: 10).map(Int64.init))
    #expect(secondEar.times == stride(from: 0, through: 100, by: 20).map(Int64.init))
    first.cancel()
    first.cancel()
    #expect(hub.isRunning && first.isOver && !second.isOver)
    await clock.advance(by: .milliseconds(100))
    #expect(firstEar.times.count == 11 && secondEar.times.last == 200)
    second.cancel()
    #expect(await eventually { !hub.isRunning })
    #expect(source.record.withLock { $0.open } == 0)
  }

  /// The union of the wanted sensors at the shortest interval; with a motion subscriber never slower than 10 ms.
  @Test func theSourceIsAskedForWhatIsWanted() async {
    let clock = VirtualClock()
    let source = RecipeSource([.accelerometer, .gyroscope, .magnetometer])
    let hub = MotionHub(source: source, clock: clock)
    let (gyroscope, _) = hub.listen(.gyroscope, interval: .milliseconds(100))
    await clock.advance(by: .milliseconds(50))
    #expect(source.requests.last == SensorRequest(kinds: .gyroscope, interval: .milliseconds(100)))
    let (magnetometer, _) = hub.listen(.magnetometer, interval: .milliseconds(50))
    await clock.advance(by: .milliseconds(50))
    #expect(
      source.requests.last == SensorRequest(kinds: [.gyroscope, .magnetometer], interval: .milliseconds(50)))
    let (motion, _) = hub.listen(.deviceMotion(usesMagnetometer: false), interval: .seconds(1))
    await clock.advance(by: .milliseconds(50))
    #expect(
      source.requests.last
        == SensorRequest(kinds: [.accelerometer, .gyroscope, .magnetometer], interval: .milliseconds(10)))
    motion.setInterval(.milliseconds(2))
    await clock.advance(by: .milliseconds(50))
    #expect(source.requests.last?.interval == .milliseconds(2))
    motion.cancel()
    magnetometer.cancel()
    await clock.advance(by: .milliseconds(50))
    #expect(source.requests.last == SensorRequest(kinds: .gyroscope, interval: .milliseconds(100)))
    gyroscope.replace(stream: .accelerometer, interval: .zero, sink: HubSink())
    await clock.advance(by: .milliseconds(50))
    #expect(source.requests.last == SensorRequest(kinds: .accelerometer, interval: .zero))
    #expect(hub.runCount == 1)
    gyroscope.cancel()
  }

  /// Listeners who take batches can wait a second; one who does not makes all samples come at once.
  @Test func batchesMayLieInTheSensorsMemory() async {
    let clock = VirtualClock()
    let source = RecipeSource([.accelerometer, .gyroscope])
    let hub = MotionHub(source: source, clock: clock)
    let batches = hub.subscribe(.accelerometer, interval: .zero, receivesTime: true) { _ in }
    await clock.advance(by: .milliseconds(50))
    #expect(source.requests.last == SensorRequest(kinds: .accelerometer, interval: .zero, latency: .seconds(1)))
    let (single, _) = hub.listen(.gyroscope, interval: .milliseconds(100))
    await clock.advance(by: .milliseconds(50))
    #expect(source.requests.last?.latency == .zero)
    single.cancel()
    await clock.advance(by: .milliseconds(50))
    #expect(source.requests.last?.latency == .seconds(1))
    batches.cancel()
  }

  /// Who listens to the water hears the time to notice a silence, not to take batches.
  @Test func pressuresOfTheWaterComeAtOnce() async {
    let clock = VirtualClock()
    let source = RecipeSource([.accelerometer, .waterPressure])
    let hub = MotionHub(source: source, clock: clock)
    let water = hub.subscribe(.waterPressure, interval: .zero, receivesTime: true) { _ in }
    await clock.advance(by: .milliseconds(50))
    #expect(source.requests.last == SensorRequest(kinds: .waterPressure, interval: .zero))
    water.cancel()
  }

  /// Of many changes at once the last word is the union of all: no wanted sensor stays off.
  @Test func concurrentSubscribersEndWithTheWholeRequest() async {
    let streams: [HubStream] = [.accelerometer, .gyroscope, .magnetometer, .temperature]
    for _ in 0..<2000 {
      let hub = MotionHub(
        source: RecipeSource([.accelerometer, .gyroscope, .magnetometer, .temperature]), clock: VirtualClock())
      let subscriptions = await withTaskGroup(of: Subscription.self) { group in
        for stream in streams { group.addTask { hub.listen(stream).0 } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      let request = hub.state.withLock { state -> SensorRequest? in
        if case .running(let session) = state.run { session.request } else { nil }
      }
      #expect(request?.kinds == [.accelerometer, .gyroscope, .magnetometer, .temperature])
      for subscription in subscriptions { subscription.cancel() }
    }
  }

  /// Replacing between two samples loses none, doubles none, and does not restart the source.
  @Test func replacingLosesNothing() async {
    let clock = VirtualClock()
    let hub = MotionHub(source: RecipeSource(), clock: clock)
    let (subscription, first) = hub.listen()
    await clock.advance(by: .milliseconds(100))
    let second = Ear()
    subscription.replace(stream: .gyroscope, interval: .zero, sink: second.sink)
    await clock.advance(by: .milliseconds(100))
    #expect(first.times + second.times == stride(from: 0, through: 200, by: 10).map(Int64.init))
    #expect(hub.runCount == 1)
    subscription.cancel()
  }

  @Test func aManualGateWaitsForPlay() async {
    let clock = VirtualClock()
    let hub = MotionHub(source: RecipeSource(), clock: clock, gate: .manual)
    let (first, firstEar) = hub.listen()
    await clock.advance(by: .milliseconds(100))
    let (second, secondEar) = hub.listen(.accelerometer)
    #expect(hub.runCount == 0 && firstEar.times.isEmpty)
    hub.play()
    hub.play()
    await clock.advance(by: .milliseconds(50))
    #expect(hub.runCount == 1 && firstEar.times == secondEar.times && !firstEar.times.isEmpty)
    first.cancel()
    second.cancel()
  }

  /// A replay starts when its first audience is complete: who joins within the settle time misses nothing.
  @Test func aSettleGateGathersItsAudience() async {
    let hub = MotionHub(
      source: RecipeSource(count: 50), clock: FreeRunningClock(), gate: .settle(.milliseconds(100)))
    let (first, firstEar) = hub.listen()
    let (second, secondEar) = hub.listen(.accelerometer)
    #expect(await eventually { firstEar.endings == 1 && secondEar.endings == 1 })
    #expect(firstEar.times.count == 50 && secondEar.times == firstEar.times)
    first.cancel()
    second.cancel()
  }

  /// A stop during the settle time ends it at once.
  @Test func stoppingWhileSettlingDoesNotWait() async {
    let hub = MotionHub(source: RecipeSource(), clock: FreeRunningClock(), gate: .settle(.seconds(60)))
    let (subscription, ear) = hub.listen()
    subscription.cancel()
    #expect(await eventually { !hub.isRunning })
    #expect(ear.times.isEmpty)
  }

  @Test func whileHeldNothingRuns() async {
    let clock = VirtualClock()
    let hub = MotionHub(source: RecipeSource(), clock: clock)
    hub.setHold(.all)
    let (subscription, ear) = hub.listen()
    await clock.advance(by: .milliseconds(100))
    #expect(!hub.isRunning && ear.times.isEmpty)
    hub.setHold(.none)
    await clock.advance(by: .milliseconds(100))
    #expect(ear.times.last == 200)
    hub.setHold(.all)
    await clock.settle()
    await clock.advance(by: .milliseconds(100))
    #expect(!hub.isRunning && ear.times.last == 200 && !subscription.isOver)
    // Hold and release in one breath: the run that closes is followed by a new one.
    hub.setHold(.none)
    hub.setHold(.all)
    hub.setHold(.none)
    await clock.advance(by: .milliseconds(100))
    #expect(ear.times.last == 400 && Set(ear.times).count == ear.times.count)
    subscription.cancel()
  }

  /// The hub's own lock is not held, nor needed, while a sink runs: a sink may ask the hub and its subscription.
  @Test func aSinkMayAskTheHub() async {
    let hub = MotionHub(source: RecipeSource(pacing: .live), clock: FreeRunningClock())
    let seen = Atomic<Int>(0)
    let held = Lock<Subscription?>(nil)
    let subscription = hub.subscribe(.gyroscope, interval: .zero) { _ in
      if hub.isRunning, held.withLock({ $0 })?.isOver == false, hub.failure == nil {
        seen.add(1, ordering: .relaxed)
      }
    }
    held.withLock { $0 = subscription }
    // Meanwhile the hub asks every subscription for its wishes, again and again.
    for _ in 0..<500 { hub.listen(.accelerometer).0.cancel() }
    #expect(await eventually { seen.load(ordering: .relaxed) > 1000 })
    subscription.cancel()
    #expect(await eventually { !hub.isRunning })
  }

  /// An asynchronous source is stopped by the cancellation of its task.
  @Test func anAsynchronousSourceIsStoppedByCancellation() async {
    struct Endless: SensorSource {
      let info = SensorInfo(
        name: "asynchronous", origin: .simulation, pacing: .live, channels: [.init(kind: .inertial)])
      func run(_ session: SensorSession) async throws {
        for index in Int64(0)... {
          try session.deliver(.inertial(index))
          if index == 20 { try await Task.sleep(for: .seconds(3600)) }
        }
      }
    }
    let hub = MotionHub(source: Endless(), clock: MonotonicClock())
    let (subscription, ear) = hub.listen()
    #expect(await eventually { ear.times.count == 21 })
    subscription.cancel()
    #expect(await eventually { !hub.isRunning })
  }
}

/// What the hub tells of devices that come and go.
@Suite struct HubConnectionTests {
  private static let left = ConnectionState(isConnected: true, location: .headphoneLeft)

  private static func headphones(
    _ change: (inout SimulatedHeadphones.Configuration) -> Void = { _ in }
  ) -> SimulatedHeadphones {
    var configuration = SimulatedHeadphones.Configuration()
    change(&configuration)
    return SimulatedHeadphones(configuration: configuration)
  }

  /// It is connected whenever it has not failed, and need not run for that to be known.
  @Test func aSourceThatSaysNothingIsConnectedWithoutRunning() async {
    let clock = VirtualClock()
    let source = RecipeSource()
    let hub = MotionHub(source: source, clock: clock)
    let (subscription, ear) = hub.listen(.connection)
    await clock.advance(by: .seconds(1))
    #expect(ear.connections == [ConnectionState(isConnected: true)] && hub.runCount == 0 && ear.times.isEmpty)
    let (motion, _) = hub.listen(.gyroscope)
    await clock.advance(by: .milliseconds(100))
    source.record.withLock { $0.failure = SensorError(.disconnected, "It has left.") }
    await clock.advance(by: .seconds(2))
    #expect(ear.connections.map(\.isConnected) == [true, false] && ear.failures.count == 1)
    source.record.withLock { $0.failure = nil }
    await clock.advance(by: .seconds(2))
    #expect(ear.connections.map(\.isConnected) == [true, false, true])
    // The last listener to samples ends the run; the other needs none.
    motion.cancel()
    #expect(await eventually { !hub.isRunning })
    subscription.cancel()
  }

  @Test func aListenerToTheConnectionAloneGetsNoSamples() async {
    let clock = VirtualClock()
    let hub = MotionHub(
      source: Self.headphones { $0.events = [.init(.takeOff, at: 1), .init(.putOn, at: 2)] }, clock: clock)
    #expect(hub.connection == nil)
    let (subscription, ear) = hub.listen(.connection)
    await clock.advance(by: .milliseconds(500))
    #expect(ear.connections == [Self.left] && hub.connection == Self.left)
    let (late, lateEar) = hub.listen(.connection)
    #expect(lateEar.connections == [Self.left])
    await clock.advance(by: .seconds(3))
    #expect(ear.connections.map(\.isConnected) == [true, false, true] && ear.times.isEmpty)
    #expect(hub.statistics.motion.delivered == 0)
    late.cancel()
    subscription.cancel()
    #expect(await eventually { !hub.isRunning })
    // Without a listener it is unknown what happens.
    #expect(hub.connection == nil)
  }

  @Test func motionListenersHearTheConnectionAndOthersDoNot() async {
    let clock = VirtualClock()
    let source = Self.headphones {
      $0.isFused = false
      $0.events = [.init(.switchSide, at: 1)]
    }
    let hub = MotionHub(source: source, clock: clock)
    let (motion, motionEar) = hub.listen(.deviceMotion(usesMagnetometer: false))
    let (gyroscope, gyroscopeEar) = hub.listen(.gyroscope)
    await clock.advance(by: .seconds(2))
    #expect(motionEar.connections.map(\.location) == [.headphoneLeft, .headphoneRight])
    #expect(gyroscopeEar.connections.isEmpty)
    motion.cancel()
    gyroscope.cancel()
  }

  /// Another sensor has a bias of its own: a new run of the filter. Each state says which sensor it is of.
  @Test func anotherSideBeginsFusionAnew() async {
    let clock = VirtualClock()
    let source = Self.headphones {
      $0.isFused = false
      $0.events = [.init(.switchSide, at: 1), .init(.takeOff, at: 2), .init(.putOn, at: 3)]
    }
    let hub = MotionHub(source: source, clock: clock)
    let states = Lock<[(run: Int, location: MotionRow.Location)]>([])
    let subscription = hub.subscribe(
      .deviceMotion(usesMagnetometer: false), interval: .zero,
      motion: { motion in states.withLock { $0.append((motion.run, motion.location)) } })
    await clock.advance(by: .seconds(4))
    subscription.cancel()
    let heard = states.withLock { $0 }
    var runs: [(run: Int, location: MotionRow.Location)] = []
    for state in heard where state.run != runs.last?.run { runs.append(state) }
    #expect(runs.map(\.location) == [.headphoneLeft, .headphoneRight, .headphoneRight])
    #expect(heard.allSatisfy { $0.location != .device })
  }

  /// A few times a second of the source's time, for those who asked; no other subscriber receives it.
  @Test func timeIsToldToThoseWhoAsked() async {
    let clock = VirtualClock()
    let hub = MotionHub(source: RecipeSource(), clock: clock)
    let (asked, other) = (Lock<[Int64]>([]), Lock(0))
    // Listens to a sensor that never speaks.
    let first = hub.subscribe(
      .magnetometer, interval: .zero, receivesTime: true,
      news: { news in if case .time(let time) = news { asked.withLock { $0.append(time.milliseconds) } } })
    let second = hub.subscribe(
      .gyroscope, interval: .zero, news: { news in if case .time = news { other.withLock { $0 += 1 } } })
    await clock.advance(by: .seconds(1))
    #expect(asked.withLock { $0 } == [0, 250, 500, 750, 1000] && other.withLock { $0 } == 0)
    first.cancel()
    second.cancel()
  }
}
