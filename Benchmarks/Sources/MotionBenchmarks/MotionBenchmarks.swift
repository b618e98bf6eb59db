// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import MotionSensing
import MotionServices
import Synchronization

/// Measures what the README quotes and exits with 1 when a limit is passed.
///
/// `make bench` builds it in release and preloads the allocation counter.
@main
struct MotionBenchmarks {
  static func main() {
    let wanted = CommandLine.arguments.dropFirst()
    var isGood = true
    func run(_ name: String, _ body: () -> Bool) {
      guard wanted.isEmpty || wanted.contains(name) else { return }
      if !body() { isGood = false }
    }
    if Meter.allocations() == nil { print("(allocations are not counted: preload libAllocationCounter.so)") }
    run("filter", filter)
    run("activity", activity)
    run("hub", hub)
    run("latency", latency)
    run("replay", replay)
    run("batched", batched)
    run("iio", iio)
    exit(isGood ? 0 : 1)
  }

  /// Source → time line → filter → hub → sink, without a queue: time and allocations a sample.
  static func hub() -> Bool {
    var isGood = true
    for (name, stream) in [
      ("raw accelerometer", HubStream.accelerometer),
      ("device motion, 6D", .deviceMotion(usesMagnetometer: false)),
      ("device motion, 9D", .deviceMotion(usesMagnetometer: true)),
    ] {
      let count = 400_000
      let warm = 20_000
      let hub = MotionHub(source: CountedSource(count: count), clock: FreeRunningClock())
      let marks = Lock((time: Int64(0), cpu: Int64(0), allocations: 0, seen: 0))
      let done = DispatchSemaphore(value: 0)
      @Sendable func note() {
        let seen = marks.withLock { marks in
          marks.seen += 1
          return marks.seen
        }
        guard seen == warm else { return }
        let (time, cpu, allocations) = (Meter.now(), Meter.threadCPU(), Meter.allocations() ?? 0)
        marks.withLock { ($0.time, $0.cpu, $0.allocations) = (time, cpu, allocations) }
      }
      let subscription = hub.subscribe(stream, interval: .zero) { _ in
        note()
      } motion: { _ in
        note()
      } news: { news in
        if case .ended = news { done.signal() }
      }
      done.wait()
      let allocations = (Meter.allocations() ?? 0) - marks.withLock { $0.allocations }
      let wall = Meter.now() - marks.withLock { $0.time }
      subscription.cancel()
      let perSample = Double(wall) / Double(count - warm)
      let allocationsPerSample = Double(allocations) / Double(count - warm)
      print(
        "hub      \(pad(name, 34)) \(fixed(perSample / 1000, 3)) µs a sample, \(fixed(allocationsPerSample, 4)) allocations a sample"
      )
      // A few allocations end the run (its thread, its task); one per sample would be 380 000.
      if allocationsPerSample > 0.001 {
        print("hub      FAILED: the way up to the façade must not allocate")
        isGood = false
      }
    }
    return isGood
  }

  /// A record written to a pipe → driver → hub → façade → operation queue → handler.
  static func latency() -> Bool {
    for (name, isConcurrent) in [("serial OperationQueue", false), ("concurrent OperationQueue", true)] {
      let count = 5000
      let writer = PipeWriter()
      let host = MotionHost(device: PipeSource(descriptor: writer.readEnd))
      let record = LatencyRecord(capacity: count)
      let queue = OperationQueue()
      queue.qualityOfService = .userInitiated
      if !isConcurrent { queue.maxConcurrentOperationCount = 1 }
      let manager = host.run { CMMotionManager() }
      manager.deviceMotionUpdateInterval = 0
      manager.startDeviceMotionUpdates(to: queue) { motion, _ in
        guard let motion else { return }
        let latency = Meter.now() - Int64((motion.timestamp * 1e9).rounded())
        record.add(latency)
      }
      Thread.sleep(forTimeInterval: 0.05)
      let (cpu, allocations) = (Meter.cpu(), Meter.allocations() ?? 0)
      let writing = writer.write(count: count, rate: 1000)
      Thread.sleep(forTimeInterval: 0.05)
      let used = Meter.cpu() - cpu - writing
      let allocated = (Meter.allocations() ?? 0) - allocations
      manager.stopDeviceMotionUpdates()
      queue.waitUntilAllOperationsAreFinished()
      print(
        "latency  \(pad("1 kHz, " + name, 34)) p50 \(fixed(record.microseconds(at: 0.5), 1)) µs, p99 \(fixed(record.microseconds(at: 0.99), 1)) µs, max \(fixed(record.microseconds(at: 1), 1)) µs; \(fixed(Double(used) / Double(count) / 1000, 1)) µs CPU and \(fixed(Double(allocated) / Double(count), 1)) allocations a sample; \(record.count) of \(count) delivered"
      )
    }
    return true
  }

  /// A recording at full speed into a handler: time, order, and how much is queued at most.
  static func replay() -> Bool {
    let count = 100_000
    let host = MotionHost(device: CountedSource(count: count), clock: FreeRunningClock())
    let manager = host.run { CMMotionManager() }
    manager.deviceMotionUpdateInterval = 0
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.qualityOfService = .userInitiated
    let seen = Lock((count: 0, last: -1.0, most: 0, isOrdered: true))
    let done = DispatchSemaphore(value: 0)
    let memory = Meter.residentBytes()
    let begin = Meter.now()
    manager.startDeviceMotionUpdates(to: queue) { [unowned queue] motion, _ in
      guard let motion else { return }
      let waiting = queue.operationCount
      let isLast = seen.withLock { seen in
        seen.count += 1
        seen.isOrdered = seen.isOrdered && motion.timestamp > seen.last
        seen.last = motion.timestamp
        seen.most = max(seen.most, waiting)
        return seen.count == count
      }
      if isLast { done.signal() }
    }
    let isComplete = done.wait(timeout: .now() + 120) == .success
    let seconds = Double(Meter.now() - begin) / 1e9
    manager.stopDeviceMotionUpdates()
    let result = seen.withLock { $0 }
    print(
      "replay   \(pad("\(count) samples, full speed", 34)) \(fixed(seconds, 2)) s, at most \(result.most) queued, memory \(fixed(Double(Meter.residentBytes() - memory) / 1e6, 1)) MB more, \(result.isOrdered ? "in order" : "OUT OF ORDER"), \(result.count) delivered"
    )
    return isComplete && result.isOrdered && result.most <= 65
  }

  static func fixed(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
  static func pad(_ text: String, _ width: Int) -> String {
    text.padding(toLength: width, withPad: " ", startingAt: 0)
  }
}
