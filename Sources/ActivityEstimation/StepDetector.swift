// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Finds steps in the length of the acceleration.
///
/// The step frequency of a window is known (``StepFrequency``), so a wavelet of this frequency and 0.7 periods wide
/// (Morlet's) turns whatever a step looks like there, a heel and a toe, a long swing and a short one, into one smooth
/// wave a step. Its maxima are the candidates. They count in blocks that are gait (``ActivityClassifier``), and when at
/// least four follow each other.
///
/// Two latencies: whether a walk begins is known ``ActivityClassifier/lag`` blocks after the window around it has closed,
/// 3.5 s after a block has ended. While it goes on, the steps are those of the latest block for which the wavelet has room,
/// which ends 1 s before the newest sample. At its end at most four blocks have been taken for gait too early; the heights
/// of the candidates keep them empty.
package struct StepDetector: Sendable {
  /// The constants.
  package struct Parameters: Sendable, Hashable {
    /// Periods: standard deviation of the wavelet's envelope.
    package var width: Float = 0.7
    /// g: a lower maximum is none.
    package var leastHeight: Float = 0.02
    /// The part of its neighbour's height that the first and the last of a row have at least, and the second highest of
    /// those that wait of the highest: beside a shock, and over the ends of a walk, the wavelet rings with 0.36 of it, and
    /// with 0.43 near the end of a window.
    package var leastPart: Float = 0.45
    /// Candidates in a row before the first counts.
    package var confirmation = 4
    /// Nanoseconds: a longer pause ends the row.
    package var longestGap: Int64 = 1_600_000_000
  }

  /// Cells of 40 ms in a block, and nanoseconds of a cell.
  static let block = 16
  static let cell: Int64 = 40_000_000
  /// Blocks after the middle of the window in which the steps of a walk that goes on are found.
  static let ahead = 2
  /// Blocks that are judged once more when a walk begins.
  static let hindsight = 6

  let parameters: Parameters
  /// Times of the steps that the last call of ``judge(isGait:)`` counted.
  private(set) var counted: [Int64] = []
  /// Steps per second in the latest window that moved.
  private(set) var cadence = 1.8
  /// Blocks whose windows have closed, and those whose steps are known.
  private(set) var closed = 0
  private var known = 0
  /// A maximum: its time, its height in g, and the time within which another one is the same.
  private struct Candidate: Sendable {
    var time: Int64
    var height: Float
    var nearest: Int64
  }

  /// Those of the latest blocks that are not gait; a walk may have begun in them.
  private var held: [[Candidate]] = []
  /// Candidates in gait that wait for their row to be long enough, the length of the row, and the last one.
  private var waiting: [Candidate] = []
  private var row = 0
  private var last = Candidate(time: .min, height: 0, nearest: 0)
  private var wave = [Float](repeating: 0, count: Self.block * (ActivityClassifier.lag + Self.ahead + 1) + 2)

  init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// A new line of cells begins: nothing leads from what was before to what comes.
  mutating func restart() { self = Self(parameters: parameters) }

  /// Nanoseconds from the middle of the latest window to the end of the latest block whose steps are known.
  var knownAfterMiddle: Int64 { (Int64(known - closed) * 2 + 1) * Int64(Self.block) * Self.cell / 2 }

  /// A window has closed around one more block.
  mutating func close() { closed += 1 }

  /// The block `age` before the middle of the window is gait, or is not; ``counted`` has the steps that became certain.
  /// `hindsight`: of a walk that begins, how many of so many blocks before have been gait, too, as is known now.
  mutating func judge(
    _ window: GaitWindow, deviation: Float, isGait: Bool, age: Int, pace: Float, middle: Int64,
    hindsight: (Int) -> Int
  ) {
    counted.removeAll(keepingCapacity: true)
    let block = closed - 1 - age
    let last = isGait ? closed + Self.ahead : block + 1
    let from = max(known, block)
    known = max(known, last)
    let found =
      from < known && deviation >= parameters.leastHeight
      ? find(window, (from - closed + 1)..<(known - closed + 1), pace, middle) : []
    guard isGait else {
      held.append(found)
      if held.count > Self.hindsight + 1 { held.removeFirst() }
      return
    }
    cadence = Double(pace)
    if !held.isEmpty {
      // A walk begins within a block: the first step may be in the one before those that are gait.
      for candidate in held.suffix(hindsight(held.count) + 1).joined() { take(candidate) }
      held.removeAll(keepingCapacity: true)
    }
    for candidate in found { take(candidate) }
  }

  /// The maxima in blocks, counted from the one in the middle of the window; `middle` is the time between its halves.
  private mutating func find(_ window: GaitWindow, _ blocks: Range<Int>, _ pace: Float, _ middle: Int64) -> [Candidate]
  {
    let first = GaitWindow.length / 2 - Self.block / 2 + blocks.lowerBound * Self.block
    let count = blocks.count * Self.block
    transform(window, pace, from: first - 1, count: count + 2)
    var found: [Candidate] = []
    for index in 1...count {
      let (before, height, after) = (wave[index - 1], wave[index], wave[index + 1])
      let position = first + index - 1
      guard height > before, height >= after, height > parameters.leastHeight, window.valid.contains(position) else {
        continue
      }
      let curvature = before - 2 * height + after
      let shift = curvature < 0 ? (before - after) / (2 * curvature) : 0
      // fits: a place in the window, of seconds; the shift is −0.5…0.5, as the middle one is the highest
      let offset = Double(position - GaitWindow.length / 2) + 0.5 + Double(shift)
      found.append(
        Candidate(
          time: middle + Int64(offset * Double(Self.cell)), height: height, nearest: Int64(0.5e9 / Double(pace))))
    }
    return found
  }

  /// The wavelet at positions of the window: an amplitude in g.
  private mutating func transform(_ window: GaitWindow, _ frequency: Float, from first: Int, count: Int) {
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
    for cell in 0..<count {
      let position = first + cell
      var value = kernel[0].x * window.norm(near: position)
      for index in 1...reach {
        value += kernel[index].x * (window.norm(near: position - index) + window.norm(near: position + index))
      }
      wave[cell] = value / scale
    }
  }

  private mutating func take(_ candidate: Candidate) {
    // Two windows may see the same wave on both sides of their border.
    guard last.time == .min || candidate.time - last.time > candidate.nearest else { return }
    let isNext = last.time != .min && candidate.time - last.time < parameters.longestGap
    if !isNext || row == 1 && last.height < parameters.leastPart * candidate.height {
      row = 0
      waiting.removeAll(keepingCapacity: true)
    }
    // One that is much weaker than the one before is a step only when another follows.
    let isLast = row > 0 && candidate.height < parameters.leastPart * last.height
    (row, last) = (row + 1, candidate)
    waiting.append(candidate)
    guard row >= parameters.confirmation, !isLast, !isOneShock else { return }
    for step in waiting { counted.append(step.time) }
    waiting.removeAll(keepingCapacity: true)
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
}
