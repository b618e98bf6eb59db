// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// The queues on which handlers run.
enum QueueStatements {
  #if os(macOS)
  static let all: [Statement] = []
  #else
  static let all: [Statement] = [
    ManagerStatements.manager("S42", "The main queue is legal.") { manager in
      let onMain = Collector<Bool>()
      manager.startDeviceMotionUpdates(to: .main) { _, _ in onMain.add(isOnMainQueue) }
      let heard = await onMain.wait(for: 10, seconds: 3)
      manager.stopDeviceMotionUpdates()
      return [.inside("calls", Double(heard.count), 10...1e6), .equal("calls elsewhere", heard.count { !$0 }, 0)]
    },
    ManagerStatements.manager("D29", "On a concurrent queue samples come in order, one at a time.") { manager in
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 4
      let times = Collector<Double>()
      let calls = Overlap()
      manager.deviceMotionUpdateInterval = 0.01
      manager.startDeviceMotionUpdates(to: queue) { sample, _ in
        guard let sample else { return }
        calls.enter()
        times.add(sample.timestamp)
        Thread.sleep(forTimeInterval: 0.015)
        calls.leave()
      }
      let heard = await times.wait(for: 40, seconds: 4)
      manager.stopDeviceMotionUpdates()
      await pause(0.1)
      let backward = IntervalChecks.steps(heard).count { $0 <= 0 }
      return [
        .inside("samples", Double(heard.count), 10...1e6), .equal("out of order", backward, 0),
        .equal("most calls at a time", calls.most, 1),
      ]
    },
    ManagerStatements.manager(
      "G13", "The attitude of one sample is the same object each time; a copy and each other read are independent."
    ) {
      manager in
      manager.startDeviceMotionUpdates()
      defer { manager.stopDeviceMotionUpdates() }
      for _ in 0..<100 where manager.deviceMotion == nil { await pause(0.02) }
      guard let motion = manager.deviceMotion, let copy = motion.attitude.copy() as? CMAttitude else {
        throw Obstacle("There was no device motion.")
      }
      return [
        .holds("the same object", motion.attitude === motion.attitude),
        .holds("the copy is another one", copy !== motion.attitude),
        .holds("another read is another one", manager.deviceMotion?.attitude !== motion.attitude),
      ]
    },
    ManagerStatements.manager("G16", "A sample prints its values; how is for the record, because nothing relies on it.")
    { manager in
      manager.startDeviceMotionUpdates()
      manager.startAccelerometerUpdates()
      defer { manager.stopDeviceMotionUpdates() }
      defer { manager.stopAccelerometerUpdates() }
      for _ in 0..<100 where manager.deviceMotion == nil || manager.accelerometerData == nil { await pause(0.02) }
      guard let motion = manager.deviceMotion, let acceleration = manager.accelerometerData else {
        throw Obstacle("There was no sample.")
      }
      return [
        PushChecks.prints("device motion", "\(motion)", 9), PushChecks.prints("attitude", "\(motion.attitude)", 3),
        PushChecks.prints("acceleration", "\(acceleration)", 3),
        .note("device motion", "\(motion)"), .note("attitude", "\(motion.attitude)"),
        .note("acceleration", "\(acceleration)"), .note("quaternion", "\(motion.attitude.quaternion)"),
      ]
    },
  ]
  #endif
}

/// How many calls run at a time.
///
/// `@unchecked Sendable`: everything that changes is behind the lock.
final class Overlap: @unchecked Sendable {
  private let lock = NSLock()
  private var now = 0
  private var highest = 0

  func enter() {
    lock.withLock {
      now += 1
      highest = max(highest, now)
    }
  }
  func leave() { lock.withLock { now -= 1 } }
  var most: Int { lock.withLock { highest } }
}
