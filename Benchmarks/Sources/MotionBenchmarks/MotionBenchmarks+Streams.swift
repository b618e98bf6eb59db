// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import MotionSensing
import MotionStreams

extension MotionBenchmarks {
  /// Device motion at 1 kHz in real time, read by a plain handler and by a stream: processor time of the whole process,
  /// fusion and the reader's task included. They take turns, and the median of the differences counts, because other
  /// programs on the machine come and go. The plain handler looks at the time stamp only, so copying the numbers counts
  /// against the stream.
  static func streams() -> Bool {
    let (count, rounds) = (1500, 15)
    var runs: [(handler: Double, stream: Double)] = []
    var isComplete = true
    for _ in 0..<rounds {
      let (handler, stream) = (handlerCost(count: count), streamCost(count: count))
      isComplete = isComplete && handler.seen == count && stream.seen == count
      runs.append((handler.cost, stream.cost))
    }
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    let more = median(runs.map { $0.stream - $0.handler })
    print("streams  \(pad("1 kHz, plain handler", 34)) \(fixed(median(runs.map(\.handler)), 1)) µs CPU a sample")
    print(
      "streams  \(pad("1 kHz, MotionUpdates.device", 34)) \(fixed(median(runs.map(\.stream)), 1)) µs CPU a sample, \(fixed(more, 1)) more; \(isComplete ? "every sample was delivered" : "SAMPLES ARE MISSING")"
    )
    guard more < 5 else {
      print("streams  FAILED: less than 5 µs more than the handler is asked for")
      return false
    }
    return isComplete
  }

  /// µs a sample, and how many came.
  private static func handlerCost(count: Int) -> (cost: Double, seen: Int) {
    let writer = PipeWriter()
    let host = MotionHost(device: PipeSource(descriptor: writer.readEnd))
    let queue = OperationQueue()
    queue.qualityOfService = .userInitiated
    queue.maxConcurrentOperationCount = 1
    let manager = host.run { CMMotionManager() }
    manager.deviceMotionUpdateInterval = 0
    let times = Lock<[Double]>([])
    manager.startDeviceMotionUpdates(to: queue) { motion, _ in
      if let motion { times.withLock { $0.append(motion.timestamp) } }
    }
    let cost = measured(writer, count) { times.withLock { $0.count } }
    manager.stopDeviceMotionUpdates()
    return (cost, times.withLock { $0.count })
  }

  private static func streamCost(count: Int) -> (cost: Double, seen: Int) {
    let writer = PipeWriter()
    let host = MotionHost(device: PipeSource(descriptor: writer.readEnd))
    let times = Lock<[Double]>([])
    let reader = host.run {
      Task {
        for try await motion in MotionUpdates.device(every: .zero) {
          times.withLock { $0.append(motion.timestamp) }
        }
      }
    }
    let cost = measured(writer, count) { times.withLock { $0.count } }
    reader.cancel()
    return (cost, times.withLock { $0.count })
  }

  /// What the process needs for `count` records, less what writing them costs.
  private static func measured(_ writer: PipeWriter, _ count: Int, seen: () -> Int) -> Double {
    Thread.sleep(forTimeInterval: 0.05)
    let begin = Meter.cpu()
    let writing = writer.write(count: count, rate: 1000)
    for _ in 0..<100 where seen() < count { Thread.sleep(forTimeInterval: 0.02) }
    return Double(Meter.cpu() - begin - writing) / Double(count) / 1000
  }
}
