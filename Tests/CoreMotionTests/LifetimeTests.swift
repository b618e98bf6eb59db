// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import SimulatedSources
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

/// Everything at once from many threads. Run it under the thread sanitizer:
/// `swift test --sanitize=thread --scratch-path .build-tsan --filter CoreMotionTests.*Stress`.
@Suite(.serialized) struct StressTests {
  /// Runs `body` on `count` threads of their own, so many rounds each.
  private func hammer(threads count: Int, rounds: Int, _ body: @escaping (_ thread: Int, _ round: Int) -> Void) async {
    await withCheckedContinuation { continuation in
      let left = Box(count)
      for thread in 0..<count {
        Thread.detachNewThread {
          for round in 0..<rounds {
            body(thread, round)
            // The other threads get their turn.
            sched_yield()
          }
          let isLast = left.with { left in
            left -= 1
            return left == 0
          }
          if isLast { continuation.resume() }
        }
      }
    }
  }

  private static func simulated() -> MotionHost {
    var configuration = SimulatedSource.Configuration()
    configuration.inertial = .together(.init(rate: 1000))
    configuration.pacing = .live
    let source = SimulatedSource(
      trajectory: Spin(axis: .init(x: 0, y: 0, z: 1), rate: 1), configuration: configuration, name: "stress")
    return MotionHost(
      device: source, location: GeographicLocation(latitudeDegrees: 48, longitudeDegrees: 11, year: 2026))
  }

  @Test func manyThreadsUseTwoManagers() async {
    let host = Self.simulated()
    let managers = [StartStopTests.manager(on: host), StartStopTests.manager(on: host)]
    let queues = [OperationQueue(), serialQueue()]
    let handled = Box(0)
    let frames: [CMAttitudeReferenceFrame] = [
      .xArbitraryZVertical, .xArbitraryCorrectedZVertical, .xMagneticNorthZVertical, .xTrueNorthZVertical,
    ]
    await hammer(threads: 6, rounds: 2000) { thread, round in
      let manager = managers[(thread + round) % 2]
      let queue = queues[round % 2]
      switch (thread &* 7 &+ round) % 12 {
      case 0:
        manager.startDeviceMotionUpdates(using: frames[round % 4], to: queue) { motion, _ in
          if let w = motion?.attitude.quaternion.w, w.isFinite { handled.with { $0 += 1 } }
        }
      case 1: manager.startAccelerometerUpdates(to: queue) { _, _ in handled.with { $0 += 1 } }
      case 2: manager.startGyroUpdates()
      case 3: manager.stopGyroUpdates()
      case 4: manager.deviceMotionUpdateInterval = [0, 0.001, 0.005, 0.01][round % 4]
      case 5: manager.accelerometerUpdateInterval = [0, 0.002, 0.1][round % 3]
      case 6: _ = manager.deviceMotion?.attitude.yaw
      case 7: _ = (manager.accelerometerData?.acceleration.z, manager.gyroData?.timestamp, manager.magnetometerData)
      case 8: manager.showsDeviceMovementDisplay.toggle()
      case 9: _ = (manager.isDeviceMotionActive, manager.isDeviceMotionAvailable, manager.attitudeReferenceFrame)
      case 10: if round % 5 == 0 { manager.stopDeviceMotionUpdates() }
      default: if round % 3 == 0 { manager.stopAccelerometerUpdates() } else { manager.startMagnetometerUpdates() }
      }
    }
    for manager in managers {
      manager.stopDeviceMotionUpdates()
      manager.stopAccelerometerUpdates()
      manager.stopGyroUpdates()
      manager.stopMagnetometerUpdates()
    }
    #expect(await eventually { host.device?.isRunning == false })
    #expect(await eventually { queues.allSatisfy { $0.operationCount == 0 } })
    // How many samples slip through between two restarts depends on the load of the machine; that they flow afterwards
    // does not.
    let before = handled.value
    managers[0].startAccelerometerUpdates(to: queues[0]) { _, _ in handled.with { $0 += 1 } }
    #expect(await eventually { handled.value > before })
    managers[0].stopAccelerometerUpdates()
    #expect(await eventually { host.device?.isRunning == false && queues[0].operationCount == 0 })
    for manager in managers {
      #expect(manager.deviceMotion == nil && manager.accelerometerData == nil && manager.gyroData == nil)
      #expect(!manager.isDeviceMotionActive && !manager.isMagnetometerActive)
    }
  }

  /// G13: each thread recentres what it reads, as a picture does; none changes another one's.
  @Test func readersThatChangeWhatTheyRead() async {
    let host = Self.simulated()
    let manager = StartStopTests.manager(on: host)
    manager.startDeviceMotionUpdates()
    #expect(await eventually { manager.deviceMotion != nil })
    let strange = Box(0)
    await hammer(threads: 6, rounds: 2000) { _, _ in
      guard let pose = manager.deviceMotion?.attitude, let own = pose.copy() as? CMAttitude else { return }
      pose.multiply(byInverseOf: own)
      if abs(abs(pose.quaternion.w) - 1) > 1e-9 { strange.with { $0 += 1 } }
    }
    #expect(strange.value == 0)
    manager.stopDeviceMotionUpdates()
    #expect(await eventually { host.device?.isRunning == false })
  }

  @Test func managersComeAndGoWhileThePolicyChanges() async {
    let host = Self.simulated()
    let queue = OperationQueue()
    await hammer(threads: 4, rounds: 1000) { thread, round in
      if thread == 0 {
        switch round % 4 {
        case 0: host.suspend()
        case 1: host.resume()
        case 2: host.policy.authorization = .denied
        default: host.policy.authorization = .authorized
        }
      } else {
        let manager = StartStopTests.manager(on: host)
        manager.startDeviceMotionUpdates(to: queue) { _, _ in }
        manager.startMagnetometerUpdates()
        if round % 2 == 0 { manager.stopDeviceMotionUpdates() }
      }
    }
    #expect(await eventually { host.device?.isRunning == false && queue.operationCount == 0 })
    host.resume()
    host.policy.authorization = .authorized
    let manager = StartStopTests.manager(on: host)
    manager.startDeviceMotionUpdates()
    #expect(await eventually { manager.deviceMotion != nil })
    manager.stopDeviceMotionUpdates()
    #expect(await eventually { host.device?.isRunning == false })
  }

  @Test func aReplayAtFullSpeedSurvivesRestarts() async {
    let host = MotionHost(device: ScriptedSource(), clock: FreeRunningClock())
    let managers = [StartStopTests.manager(on: host), StartStopTests.manager(on: host)]
    let queue = OperationQueue()
    await hammer(threads: 4, rounds: 1000) { thread, round in
      let manager = managers[thread % 2]
      switch round % 4 {
      case 0, 1: manager.startGyroUpdates(to: queue) { _, _ in }
      case 2: manager.startAccelerometerUpdates(to: queue) { _, _ in }
      default: if thread < 2 { manager.stopGyroUpdates() } else { manager.stopAccelerometerUpdates() }
      }
    }
    for manager in managers {
      manager.stopGyroUpdates()
      manager.stopAccelerometerUpdates()
    }
    #expect(await eventually { host.device?.isRunning == false && queue.operationCount == 0 })
  }
}
