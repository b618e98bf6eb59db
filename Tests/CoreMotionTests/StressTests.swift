// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

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
