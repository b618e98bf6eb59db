// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import HeadphoneSimulation
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import MotionTesting
import SimulatedSources

/// A host on virtual time with simulated headphones, 50 Hz.
struct HeadphoneBench {
  let clock = VirtualClock()
  let source: SimulatedHeadphones
  let host: MotionHost

  init(
    policy: HostPolicy = HostPolicy(), trajectory: any Trajectory = HeadNod(),
    _ change: (inout SimulatedHeadphones.Configuration) -> Void = { _ in }
  ) {
    var configuration = SimulatedHeadphones.Configuration()
    change(&configuration)
    source = SimulatedHeadphones(trajectory: trajectory, configuration: configuration)
    host = MotionHost(headphones: source, clock: clock, policy: policy)
  }

  func manager() -> CMHeadphoneMotionManager { host.run { CMHeadphoneMotionManager() } }
}

/// Notes what it is told, and on which queue.
final class ConnectionLog: NSObject, CMHeadphoneMotionManagerDelegate, @unchecked Sendable {
  let words = Box<[String]>([])
  let queues = Box<[OperationQueue?]>([])
  let managers = Box<Set<ObjectIdentifier>>([])

  func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) { note("connect", manager) }
  func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) { note("disconnect", manager) }

  private func note(_ word: String, _ manager: CMHeadphoneMotionManager) {
    words.with { $0.append(word) }
    queues.with { $0.append(OperationQueue.current) }
    managers.with { _ = $0.insert(ObjectIdentifier(manager)) }
  }
}
