// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Finds steps in the length of the acceleration.
///
/// The step frequency of a window is known (``StepFrequency``), so a wavelet of this frequency and 0.7 periods wide
/// (Morlet's) turns whatever a step looks like there, a heel and a toe, a long swing and a short one, into one smooth
/// wave a step. Its maxima in the middle of the window are the candidates. They count in blocks that are gait
/// (``ActivityClassifier``), and when at least four follow each other.
package struct StepDetector: Sendable {
  /// The constants.
  package struct Parameters: Sendable, Hashable {
    /// Periods: standard deviation of the wavelet's envelope.
    package var width: Float = 0.7
    /// g: a lower maximum is none.
    package var leastHeight: Float = 0.02
    /// The part of its neighbour's height that the first and the last of a row have at least, and the second highest of
    /// those that wait of the highest: beside a shock, and over the ends of a walk, the wavelet rings with 0.36 of it.
    package var leastPart: Float = 0.4
    /// Candidates in a row before the first counts.
    package var confirmation = 4
    /// Nanoseconds: a longer pause ends the row.
    package var longestGap: Int64 = 1_600_000_000
  }

  /// Cells of 40 ms in a block, and nanoseconds of a cell.
  static let block = 16
  static let cell: Int64 = 40_000_000

  let parameters: Parameters
  /// Times of the steps that the last call of ``judge(isGait:)`` counted.
  private(set) var counted: [Int64] = []
  /// Steps per second in the latest window that moved.
  private(set) var cadence = 1.8
  /// The candidates of the blocks that are not judged yet, oldest first; and how many each block has.
  private var pending: [(time: Int64, height: Float)] = []
  private var blocks: [Int] = []
  /// Candidates in gait that wait for their row to be long enough, the length of the row, and the last one's time.
  private var waiting: [(time: Int64, height: Float)] = []
  private var row = 0
  private var last: (time: Int64, height: Float) = (.min, 0)
  private var previous = Int64.min
  private var wave = [Float](repeating: 0, count: Self.block + 2)

  init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// A new line of cells begins: nothing leads from what was before to what comes.
  mutating func restart() {
    pending.removeAll(keepingCapacity: true)
    blocks.removeAll(keepingCapacity: true)
    waiting.removeAll(keepingCapacity: true)
    counted.removeAll(keepingCapacity: true)
    (row, last, previous, cadence) = (0, (.min, 0), .min, 1.8)
  }

  /// Finds the candidates of the block in the middle of the window; `middle` is the time between its halves.
  mutating func find(_ window: GaitWindow, _ features: ActivityFeatures, middle: Int64) {
    let known = pending.count
    defer { blocks.append(pending.count - known) }
    guard features.deviation >= parameters.leastHeight else { return }
    let frequency = Double(features.stepFrequency)
    if features.deviation > 0.03 { cadence = frequency }
    transform(window, features.stepFrequency)
    let half = GaitWindow.length / 2
    for index in 1...Self.block {
      let (before, height, after) = (wave[index - 1], wave[index], wave[index + 1])
      // The block begins half its length before the middle.
      let offset = index - 1 - Self.block / 2
      guard height > before, height >= after, height > parameters.leastHeight,
        window.valid.contains(half + offset)
      else { continue }
      let curvature = before - 2 * height + after
      let shift = curvature < 0 ? (before - after) / (2 * curvature) : 0
      // fits: a place in the window, of seconds; the shift is −0.5…0.5, as the middle one is the highest
      let time = middle + Int64((Double(offset) + 0.5 + Double(shift)) * Double(Self.cell))
      // Two windows may see the same wave on both sides of their border.
      guard previous == .min || time - previous > Self.cell else { continue }
      previous = time
      pending.append((time, height))
    }
  }

  /// The wavelet at the cells of the block and one beside it on each side: an amplitude in g.
  private mutating func transform(_ window: GaitWindow, _ frequency: Float) {
    let turns = frequency / Float(GaitWindow.rate)
    let deviation = parameters.width / turns
    let reach = min(48, Int(2.5 * deviation))  // fits: a frequency of 0.9…3.6 Hz
    var kernel = InlineArray<49, SIMD2<Float>>(repeating: .zero)
    var (sum, weights, scale) = (Float(0), Float(0), Float(0))
    for index in 0...reach {
      let x = Double(index)
      let weight = Float(Scalar.exp(-0.5 * x * x / Double(deviation * deviation)))
      let cosine = Float(Scalar.cos(2 * .pi * x * Double(turns)))
      kernel[index] = SIMD2(weight * cosine, weight)
      // Both sides but for the middle.
      let sides: Float = index == 0 ? 1 : 2
      sum += sides * weight * cosine
      weights += sides * weight
      scale += sides * weight * cosine * cosine
    }
    // A constant gives 0, a cosine of the frequency its amplitude.
    let mean = sum / weights
    scale -= mean * sum
    for index in 0...reach { kernel[index].x -= mean * kernel[index].y }
    for cell in wave.indices {
      let position = GaitWindow.length / 2 - Self.block / 2 + cell - 1
      var value = kernel[0].x * window.norm(near: position)
      for index in 1...reach {
        value += kernel[index].x * (window.norm(near: position - index) + window.norm(near: position + index))
      }
      wave[cell] = value / scale
    }
  }

  /// The oldest block that is not judged yet is gait, or is not; ``counted`` has the steps that became certain.
  mutating func judge(isGait: Bool) {
    counted.removeAll(keepingCapacity: true)
    guard !blocks.isEmpty else { return }
    let count = blocks.removeFirst()
    for candidate in pending.prefix(count) where isGait {
      let isNext = last.time != .min && candidate.time - last.time < parameters.longestGap
      if !isNext || row == 1 && last.height < parameters.leastPart * candidate.height {
        row = 0
        waiting.removeAll(keepingCapacity: true)
      }
      // One that is much weaker than the one before is a step only when another follows.
      let isLast = row > 0 && candidate.height < parameters.leastPart * last.height
      (row, last) = (row + 1, candidate)
      waiting.append(candidate)
      guard row >= parameters.confirmation, !isLast, !isOneShock else { continue }
      for step in waiting { counted.append(step.time) }
      waiting.removeAll(keepingCapacity: true)
    }
    pending.removeFirst(count)
  }

  /// Of several candidates that wait one is far higher than all the rest.
  private var isOneShock: Bool {
    guard waiting.count > 1 else { return false }
    var (first, second) = (Float(0), Float(0))
    for candidate in waiting {
      if candidate.height > first {
        (first, second) = (candidate.height, first)
      } else {
        second = max(second, candidate.height)
      }
    }
    return second < parameters.leastPart * first
  }

  /// Blocks that are not judged yet.
  var unjudged: Int { blocks.count }
}
