// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import HeadphoneSources
import HeadphoneTesting
import MotionHost
import MotionSensing
import MotionTesting

extension MotionBenchmarks {
  /// A packet of simulated AirPods given to a socket pair → driver → hub → façade → operation queue → handler.
  ///
  /// The time runs from just before the packet's `send` to the first line of the handler; 50 Hz, as the buds send.
  static func headphones() -> Bool {
    let seconds = 20.0
    let peer = AirPodsPeer(transport: .socketPair)
    guard let source = try? AirPodsSource(device: "", mounts: peer.mounts, connector: peer) else { return false }
    let host = MotionHost(headphones: source)
    let arrivals = Lock<[Int64]>([])
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.qualityOfService = .userInteractive
    let manager = host.run { CMHeadphoneMotionManager() }
    manager.startDeviceMotionUpdates(to: queue) { motion, _ in
      let now = Meter.now()
      if motion != nil { arrivals.withLock { $0.append(now) } }
    }
    Thread.sleep(forTimeInterval: seconds)
    manager.stopDeviceMotionUpdates()
    queue.waitUntilAllOperationsAreFinished()
    let received = arrivals.withLock { $0 }
    let sent = peer.log.sendingTimes.map(\.nanoseconds)
    let latencies = zip(received, sent).map { Double($0 - $1) / 1000 }.sorted()
    guard latencies.count > 100, received.count <= sent.count, sent.count - received.count <= 2 else {
      print("headphones FAILED: \(sent.count) packets were sent and \(received.count) handled")
      return false
    }
    func at(_ part: Double) -> Double { latencies[min(latencies.count - 1, Int(part * Double(latencies.count)))] }
    print(
      "headphones \(pad("50 Hz, socket pair to handler", 32)) p50 \(fixed(at(0.5), 1)) µs, p99 \(fixed(at(0.99), 1)) µs, max \(fixed(at(1), 1)) µs; \(latencies.count) packets"
    )
    guard at(0.99) < 1000 else {
      print("headphones FAILED: 1 ms is asked for at the 99th percentile")
      return false
    }
    return true
  }
}
