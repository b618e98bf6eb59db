// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// How strongly the body goes up and down between two steps: √2 times the root mean square of the length of the
/// acceleration in the band of steps, 0.8–3.2 Hz, in g. For a sine this is its amplitude.
///
/// The length of the acceleration is mostly the vertical part, however the device is turned. The mean over the whole
/// step, and not its highest value, is the same at the trunk and in a pocket, where impacts differ most.
struct StepAmplitude: Sendable {
  /// Cells of 20 ms that are remembered: steps are decided up to 12 s late.
  private static let capacity = 1024

  private var filter = BandPass()
  /// Sums of squares since the start, a ring.
  private var sums = [Double](repeating: 0, count: Self.capacity)
  private var count = 0
  /// The time of the last cell.
  private var last = Int64.min

  /// A new line of cells begins.
  mutating func restart() { (filter, count, last) = (BandPass(), 0, .min) }

  /// Takes the length of the acceleration of the next cell in g.
  mutating func update(_ norm: Double, at time: Int64) {
    let value = filter.pass(norm)
    let sum = count > 0 ? sums[(count - 1) % Self.capacity] : 0
    sums[count % Self.capacity] = sum + value * value
    count += 1
    last = time
  }

  /// g, between two times; 0 without cells between them.
  func callAsFunction(from start: Int64, to end: Int64) -> Double {
    let (first, second) = (index(start), index(end))
    guard second > first else { return 0 }
    let energy = sums[second % Self.capacity] - sums[first % Self.capacity]
    return max(0, 2 * energy / Double(second - first)).squareRoot()
  }

  /// The cell at a time, of those that are remembered.
  private func index(_ time: Int64) -> Int {
    guard count > 0, time < last else { return max(0, count - 1) }
    let (age, isFar) = last.subtractingReportingOverflow(time)
    let cells = isFar ? Self.capacity : Int(min(age / GaitResampler.period, Int64(Self.capacity)))
    return max(0, count - 1 - min(cells, Self.capacity - 1))
  }
}

extension StepAmplitude {
  /// The Butterworth band pass of second order from 0.8 Hz to 3.2 Hz at 50 Hz, as two sections. It begins at rest at
  /// the first value.
  private struct BandPass: Sendable {
    private var origin: Double?
    private var first = (0.0, 0.0)
    private var second = (0.0, 0.0)

    mutating func pass(_ value: Double) -> Double {
      let input = value - (origin ?? value)
      if origin == nil { origin = value }
      let middle = 0.0186504 * input + first.0
      first = (0.03730079 * input + 1.61739813 * middle + first.1, 0.0186504 * input - 0.72490176 * middle)
      let output = middle + second.0
      second = (-2 * middle + 1.88820364 * output + second.1, middle - 0.90058792 * output)
      return output
    }
  }
}
