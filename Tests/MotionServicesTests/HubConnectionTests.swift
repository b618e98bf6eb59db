// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import HeadphoneSimulation
import MotionMath
import MotionSensing
import MotionTesting
import SimulatedSources
import Testing

@testable import MotionServices

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
