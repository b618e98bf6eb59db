// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import MotionServices
import MotionTesting
import Testing

/// S46, S47, G9: owning, dropping and stopping a manager, also from inside its handlers.
@Suite struct LifetimeTests {
  private static func liveHost() -> MotionHost {
    MotionHost(device: ScriptedSource(rate: 1000, pacing: .live))
  }

  @Test func droppingTheManagerStopsItsUpdates() async {
    let host = Self.liveHost()
    let count = Box(0)
    weak var observed: CMMotionManager?
    do {
      let manager = StartStopTests.manager(on: host)
      observed = manager
      manager.startDeviceMotionUpdates(to: serialQueue()) { _, _ in count.with { $0 += 1 } }
      manager.startAccelerometerUpdates()
      #expect(await eventually { count.value > 20 })
    }
    #expect(observed == nil)
    #expect(await eventually { host.device?.isRunning == false })
  }

  @Test func lastReferenceMayDieInsideAHandler() async {
    let host = Self.liveHost()
    let held = Box<CMMotionManager?>(StartStopTests.manager(on: host))
    let count = Box(0)
    held.value?.startDeviceMotionUpdates(to: serialQueue()) { _, _ in
      let number = count.with { count in
        count += 1
        return count
      }
      if number == 5 { held.with { $0 = nil } }
    }
    #expect(await eventually { host.device?.isRunning == false })
    #expect(count.value == 5)
  }

  /// The closure is the only owner of the manager: stop inside it lets both go.
  @Test func aHandlerMayOwnItsManager() async {
    let host = Self.liveHost()
    weak var observed: CMMotionManager?
    let count = Box(0)
    do {
      let manager = StartStopTests.manager(on: host)
      observed = manager
      manager.startDeviceMotionUpdates(to: serialQueue()) { _, _ in
        let number = count.with { count in
          count += 1
          return count
        }
        if number == 5 { manager.stopDeviceMotionUpdates() }
      }
    }
    #expect(await eventually { observed == nil && host.device?.isRunning == false })
    #expect(count.value == 5)
  }

  @Test func aHandlerMayRestartItsOwnService() async {
    let bench = Bench()
    let manager = bench.manager()
    let order = Box<[String]>([])
    manager.startGyroUpdates(to: serialQueue()) { _, _ in
      order.with { $0.append("first") }
      manager.gyroUpdateInterval = 0.02
      manager.startGyroUpdates(to: serialQueue()) { _, _ in
        order.with { $0.append("second") }
        manager.stopGyroUpdates()
      }
    }
    await bench.clock.advance(by: .seconds(1))
    #expect(order.value == ["first", "second"])
    #expect(!manager.isGyroActive)
  }

  /// S47: a plain queue is concurrent; handlers then see samples of both services.
  @Test func twoServicesShareAQueue() async {
    let bench = Bench()
    let manager = bench.manager()
    let queue = serialQueue()
    let kinds = Box<Set<String>>([])
    manager.startGyroUpdates(to: queue) { _, _ in kinds.with { _ = $0.insert("gyroscope") } }
    manager.startAccelerometerUpdates(to: queue) { _, _ in kinds.with { _ = $0.insert("accelerometer") } }
    await bench.clock.advance(by: .milliseconds(50))
    #expect(kinds.value == ["gyroscope", "accelerometer"])
    manager.stopGyroUpdates()
    manager.stopAccelerometerUpdates()
  }

  /// A manager works on without its host: it holds what it needs.
  @Test func theManagerKeepsItsHost() async {
    let clock = VirtualClock()
    func make() -> CMMotionManager {
      StartStopTests.manager(on: MotionHost(device: ScriptedSource(), clock: clock))
    }
    let manager = make()
    manager.startGyroUpdates()
    await clock.advance(by: .milliseconds(100))
    #expect(manager.gyroData?.timestamp == 0.1)
    manager.stopGyroUpdates()
  }

  /// Managers and hosts form no cycle, whether stopped or not.
  @Test func hostAndSourceAreReleased() async {
    weak var host: MotionHost?
    weak var source: ScriptedSource?
    do {
      let device = ScriptedSource()
      let clock = VirtualClock()
      let made = MotionHost(device: device, clock: clock)
      host = made
      source = device
      let manager = StartStopTests.manager(on: made)
      manager.startDeviceMotionUpdates(using: .xArbitraryZVertical, to: serialQueue()) { _, _ in }
      await clock.advance(by: .milliseconds(50))
    }
    #expect(await eventually { host == nil && source == nil })
  }
}
