// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import MotionSensing
import MotionServices

extension MotionBenchmarks {
  /// An 800 Hz source by the sample and by the second, side by side: processor time of the whole process, fusion
  /// included, less that of the same source with a subscriber who does nothing. Of each the least of five runs in turn:
  /// other programs on the machine can only add.
  static func batched() -> Bool {
    let (seconds, rate) = (50, 800)
    let count = seconds * rate
    var (bare, single) = (Double.infinity, Double.infinity)
    var batches = (cpu: Double.infinity, accelerations: count, states: count / 4)
    for _ in 0..<5 {
      bare = min(bare, bareCost(count: count, rate: rate))
      single = min(single, singleCost(count: count, rate: rate))
      let run = batchCost(count: count, rate: rate)
      batches = (
        min(batches.cpu, run.cpu), min(batches.accelerations, run.accelerations), min(batches.states, run.states)
      )
    }
    func report(_ name: String, _ cost: Double, _ note: String) {
      print("batched  \(pad(name, 34)) \(fixed(cost, 3)) µs CPU a sample\(note)")
    }
    let share = (batches.cpu * Double(rate)) / 1e4
    report("source and fusion alone", bare, "")
    report("accelerometer and motion, single", single, ", \(fixed(single - bare, 3)) of it delivery")
    report(
      "800 Hz + 200 Hz, batched", batches.cpu,
      ", \(fixed(batches.cpu - bare, 3)) of it delivery; in real time \(fixed(share, 2)) % of a core")
    let ratio = (single - bare) / max(batches.cpu - bare, 1e-3)
    print(
      "batched  \(pad("delivery, single : batched", 34)) \(fixed(ratio, 1)); \(batches.accelerations) of \(count) samples and \(batches.states) of \(count / 4) states delivered"
    )
    return batches.accelerations == count && batches.states == count / 4
  }

  /// µs a sample.
  private static func bareCost(count: Int, rate: Int) -> Double {
    let hub = MotionHub(source: CountedSource(count: count, rate: Int64(rate)), clock: FreeRunningClock())
    let done = DispatchSemaphore(value: 0)
    let begin = Meter.cpu()
    let motion = hub.subscribe(
      .deviceMotion(usesMagnetometer: false), interval: .zero,
      news: { news in if case .ended = news { done.signal() } })
    done.wait()
    motion.cancel()
    return Double(Meter.cpu() - begin) / Double(count) / 1000
  }

  /// Every sample of both services by an operation of its own. µs a sample of the source.
  private static func singleCost(count: Int, rate: Int) -> Double {
    let host = MotionHost(
      device: CountedSource(count: count, rate: Int64(rate)), clock: FreeRunningClock(), gate: .manual)
    let manager = host.run { CMMotionManager() }
    manager.accelerometerUpdateInterval = 0
    manager.deviceMotionUpdateInterval = 1 / 200.0
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.qualityOfService = .userInitiated
    let seen = Lock(0)
    let done = DispatchSemaphore(value: 0)
    func take() {
      if seen.withLock({
        $0 += 1; return $0
      }) == count + count / 4 {
        done.signal()
      }
    }
    manager.startAccelerometerUpdates(to: queue) { data, _ in if data != nil { take() } }
    manager.startDeviceMotionUpdates(to: queue) { motion, _ in if motion != nil { take() } }
    let begin = Meter.cpu()
    host.play()
    _ = done.wait(timeout: .now() + 120)
    let cost = Double(Meter.cpu() - begin) / Double(count) / 1000
    manager.stopAccelerometerUpdates()
    manager.stopDeviceMotionUpdates()
    return cost
  }

  private static func batchCost(
    count: Int, rate: Int
  ) -> (cpu: Double, accelerations: Int, states: Int) {
    let host = MotionHost(
      device: CountedSource(count: count, rate: Int64(rate)), clock: FreeRunningClock(), gate: .manual)
    let manager = host.run { CMBatchedSensorManager() }
    let seen = Lock((accelerations: 0, states: 0))
    let done = DispatchSemaphore(value: 0)
    func take(_ accelerations: Int, _ states: Int) {
      let isComplete = seen.withLock { seen in
        seen.accelerations += accelerations
        seen.states += states
        return seen == (count, count / 4)
      }
      if isComplete { done.signal() }
    }
    manager.startAccelerometerUpdates { batch, _ in take(batch?.count ?? 0, 0) }
    manager.startDeviceMotionUpdates { batch, _ in take(0, batch?.count ?? 0) }
    let begin = Meter.cpu()
    host.play()
    _ = done.wait(timeout: .now() + 120)
    let cost = Double(Meter.cpu() - begin) / Double(count) / 1000
    manager.stopAccelerometerUpdates()
    manager.stopDeviceMotionUpdates()
    return seen.withLock { (cost, $0.accelerations, $0.states) }
  }
}
