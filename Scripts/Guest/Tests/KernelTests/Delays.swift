// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// How long after its own time a sample reached the handler. With a device clock that is the kernel's clock, as the
/// virtual hub's is, it is the whole way: hub, kernel, source, filter, queue.
struct Delays: CustomStringConvertible {
  private let sorted: [Double]

  init(_ rows: [MotionLogger.Row]) { sorted = rows.map { $0.arrival - $0.timestamp }.sorted() }

  /// The delay, s, that this part of the samples stays below.
  func quantile(_ part: Double) -> Double { sorted.isEmpty ? 0 : sorted[Int(Double(sorted.count - 1) * part)] }

  var description: String {
    "delay median \((quantile(0.5) * 1e3).rounded(2)) ms, 99 % \((quantile(0.99) * 1e3).rounded(2)) ms"
  }
}
