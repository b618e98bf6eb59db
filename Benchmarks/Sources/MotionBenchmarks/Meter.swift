// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing

/// What a benchmark reads off the system.
enum Meter {
  /// Allocations so far, or nil when the counter is not preloaded.
  static func allocations() -> Int? {
    guard let count = counter else { return nil }
    return count()
  }

  /// CLOCK_MONOTONIC, ns.
  static func now() -> Int64 { nanoseconds(CLOCK_MONOTONIC) }
  /// CPU time of the process, ns.
  static func cpu() -> Int64 { nanoseconds(CLOCK_PROCESS_CPUTIME_ID) }
  /// CPU time of the calling thread, ns.
  static func threadCPU() -> Int64 { nanoseconds(CLOCK_THREAD_CPUTIME_ID) }

  /// Resident memory, bytes.
  static func residentBytes() -> Int {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
  }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  private static let counter: (@convention(c) () -> Int)? = {
    guard let symbol = dlsym(nil, "motion_allocation_count") else { return nil }
    return unsafeBitCast(symbol, to: (@convention(c) () -> Int).self)
  }()
}

/// Latencies, from handlers on any queue; sorted at the end.
final class LatencyRecord: Sendable {
  private let values: Lock<[Int64]>

  init(capacity: Int) {
    var empty: [Int64] = []
    empty.reserveCapacity(capacity)
    values = Lock(empty)
  }

  func add(_ nanoseconds: Int64) { values.withLock { $0.append(nanoseconds) } }
  var count: Int { values.withLock { $0.count } }

  func microseconds(at fraction: Double) -> Double {
    let sorted = values.withLock { $0.sorted() }
    guard !sorted.isEmpty else { return .nan }
    return Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * fraction))]) / 1000
  }
}
