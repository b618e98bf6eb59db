// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import HeadphoneSimulation
import MotionHost
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

/// S59, D25: the status of headphones, and what their wearer does.
@Suite struct HeadphoneActivityTests {
  private typealias Status = CMHeadphoneActivityManager.Status

  private static func manager(_ bench: HeadphoneBench) -> CMHeadphoneActivityManager {
    bench.host.run { CMHeadphoneActivityManager() }
  }

  /// S59: `.connected` at once when they are there, then changes.
  @Test func statusIsToldAtOnceAndAtChanges() async {
    let bench = HeadphoneBench {
      $0.events = [.init(.takeOff, at: 1), .init(.switchSide, at: 1.5), .init(.putOn, at: 2)]
    }
    let manager = Self.manager(bench)
    #expect(manager.isStatusAvailable && !manager.isStatusActive)
    let heard = Box<[Status]>([])
    manager.startStatusUpdates(to: serialQueue()) { status, error in
      #expect(error == nil)
      heard.with { $0.append(status) }
    }
    #expect(manager.isStatusActive)
    await bench.clock.advance(by: .milliseconds(10))
    #expect(heard.value == [.connected])
    await bench.clock.advance(by: .seconds(3))
    #expect(heard.value == [.connected, .disconnected, .connected])
    // A second start replaces the handler, which is told at once too.
    let second = Box<[Status]>([])
    manager.startStatusUpdates(to: serialQueue()) { status, _ in second.with { $0.append(status) } }
    await bench.clock.settle()
    #expect(second.value == [.connected] && heard.value.count == 3)
    manager.stopStatusUpdates()
    #expect(!manager.isStatusActive)
    await bench.clock.advance(by: .seconds(1))
    #expect(bench.host.headphones?.isRunning == false)
  }

  /// Not connected is not told at the start: nothing has changed.
  @Test func whatIsNotThereIsNotTold() async {
    let bench = HeadphoneBench {
      $0.isConnected = false
      $0.events = [.init(.connect, at: 1)]
    }
    let manager = Self.manager(bench)
    let heard = Box<[Status]>([])
    manager.startStatusUpdates(to: serialQueue()) { status, _ in heard.with { $0.append(status) } }
    await bench.clock.advance(by: .milliseconds(900))
    #expect(heard.value == [])
    await bench.clock.advance(by: .milliseconds(200))
    #expect(heard.value == [.connected])
    manager.stopStatusUpdates()
  }

  /// D19: a failing source disconnects, with one error.
  @Test func aFailureIsADisconnectionWithAnError() async {
    let clock = VirtualClock()
    let source = ScriptedSource(rate: 50)
    let host = MotionHost(headphones: source, clock: clock)
    let (manager, motion) = host.run { (CMHeadphoneActivityManager(), CMHeadphoneMotionManager()) }
    let heard = Box<[(Status, UInt32?)]>([])
    manager.startStatusUpdates(to: serialQueue()) { status, error in
      heard.with { $0.append((status, NSError.motionCode(error))) }
    }
    motion.startDeviceMotionUpdates()
    await clock.advance(by: .seconds(1))
    source.record.withLock { $0.failure = SensorError(.disconnected, "The adapter was pulled out.") }
    await clock.advance(by: .seconds(1))
    source.record.withLock { $0.failure = nil }
    await clock.advance(by: .seconds(1))
    #expect(heard.value.map(\.0) == [.connected, .disconnected, .disconnected, .connected])
    #expect(heard.value.map(\.1) == [nil, nil, 109, nil])
    manager.stopStatusUpdates()
    motion.stopDeviceMotionUpdates()
  }

  /// S59, D25: a head that is still, then on a walk; never with more than medium confidence. It ends with a stop.
  @Test func theWearersActivityIsTold() async {
    let walker = Walker(walks: [20..<60])
    let clock = VirtualClock()
    let host = MotionHost(headphones: walker.bench.source, clock: clock)
    let manager = host.run { CMHeadphoneActivityManager() }
    let heard = Box<[CMMotionActivity]>([])
    #expect(manager.isActivityAvailable && !manager.isActivityActive)
    manager.startActivityUpdates(to: serialQueue()) { activity, error in
      #expect(error == nil)
      if let activity { heard.with { $0.append(activity) } }
    }
    #expect(manager.isActivityActive)
    await clock.advance(by: .seconds(19))
    #expect(heard.value.first?.unknown == true && heard.value.last?.stationary == true)
    await clock.advance(by: .seconds(30))
    #expect(heard.value.last?.walking == true)
    #expect(heard.value.allSatisfy { $0.confidence != .high && !$0.automotive && !$0.cycling })
    manager.stopActivityUpdates()
    #expect(!manager.isActivityActive)
    #expect(await eventually { host.headphones?.isRunning == false })
  }

  /// D32: no source, told once by each service.
  @Test func withoutHeadphonesNothingIsAvailable() async {
    let calls = Box(0)
    let none = MotionHost().run { CMHeadphoneActivityManager() }
    none.startActivityUpdates(to: serialQueue()) { (_: CMMotionActivity?, _: (any Error)?) in calls.with { $0 += 1 } }
    none.startStatusUpdates(to: serialQueue()) { _, _ in calls.with { $0 += 1 } }
    #expect(!none.isStatusAvailable && !none.isStatusActive && !none.isActivityAvailable && !none.isActivityActive)
    #expect(await eventually { calls.value == 2 })
  }

  /// D22, T59.
  @Test func authorisationAndRawValues() {
    var policy = HostPolicy()
    policy.authorization = .restricted
    let bench = HeadphoneBench(policy: policy)
    #expect(bench.host.run { CMHeadphoneActivityManager.authorizationStatus() } == .restricted)
    #expect(Status.disconnected.rawValue == 0 && Status.connected.rawValue == 1 && Status(rawValue: 2) == nil)
    let handlers: (CMHeadphoneActivityManager.ActivityHandler?, CMHeadphoneActivityManager.StatusHandler?) = (
      { (_: CMMotionActivity?, _: (any Error)?) in }, { (_: Status, _: (any Error)?) in }
    )
    #expect(handlers.0 != nil && handlers.1 != nil)
  }
}
