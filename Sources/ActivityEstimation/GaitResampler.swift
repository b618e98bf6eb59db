// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Brings an accelerometer of any rate to 50 Hz.
///
/// A cell of 20 ms gets the mean of the straight lines between the samples over its span. For a slower sensor this is
/// an interpolation; for a faster one the mean is a low pass with its first zero at 50 Hz. It needs nothing of the
/// future.
struct GaitResampler: Sendable {
  /// Nanoseconds of a cell.
  static let period: Int64 = 20_000_000
  /// Seconds of a cell.
  static let seconds = 0.02
  /// A longer pause between two samples begins a new line of cells: nanoseconds.
  static let longestGap: Int64 = 1_500_000_000

  private(set) var isRunning = false
  /// The end of the next cell.
  private var end: Int64 = 0
  private var from: (time: Int64, force: SIMD3<Double>) = (0, .zero)
  private var to: (time: Int64, force: SIMD3<Double>) = (0, .zero)
  /// The integral since the cell began.
  private var sum = SIMD3<Double>.zero

  /// Waits for ``restart(_:_:)``.
  init() {}

  /// Begins with a sample; the first cell ends 20 ms after it. The force may have any unit.
  mutating func restart(_ time: Int64, _ force: SIMD3<Double>) {
    (from, to) = ((time, force), (time, force))
    (sum, end, isRunning) = (.zero, time &+ Self.period, true)
  }

  /// The next sample; its time must be later than the one before. Then ``next()`` gives the cells that it completes.
  mutating func append(_ time: Int64, _ force: SIMD3<Double>) { to = (time, force) }

  /// The next complete cell: its end and its mean.
  mutating func next() -> (time: Int64, force: SIMD3<Double>)? {
    guard to.time > from.time else { return nil }
    guard to.time >= end else {
      add(to)
      return nil
    }
    let part = Double(end - from.time) / Double(to.time - from.time)
    add((end, from.force + (to.force - from.force) * part))
    defer {
      sum = .zero
      end &+= Self.period
    }
    return (end, sum / Self.seconds)
  }

  private mutating func add(_ point: (time: Int64, force: SIMD3<Double>)) {
    sum += (from.force + point.force) * (Double(point.time - from.time) * 0.5e-9)
    from = point
  }
}
