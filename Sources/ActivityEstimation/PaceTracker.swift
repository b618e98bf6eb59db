// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The step frequency of one kind of gait, remembered: how likely each frequency is, if the person walks (or runs).
///
/// A pace changes by some per cent a second and stays what it was, while a single window takes its half or its double
/// for it gladly. So the hidden state of a gait is its pace: between two windows it wanders (a normal distribution of its
/// logarithm), and a person who begins takes a usual one. A run has no pace below 2.1 Hz.
///
/// How clear the pace of a window is says nothing about whether it is gait: the factors of the paces are divided by their
/// mean over what was expected, so that they decide *within* the gait alone.
struct PaceTracker: Sendable {
  /// The frequencies of a kind, and how a person begins: a normal distribution of the logarithm.
  struct Parameters: Sendable, Hashable {
    /// Hz.
    var lowest, highest: Float
    var usual: Double
    /// Of the logarithm.
    var deviation: Double

    static let walking = Self(lowest: 0.9, highest: 3, usual: 1.8, deviation: 0.22)
    static let running = Self(lowest: 2.1, highest: 3.6, usual: 2.6, deviation: 0.13)
  }

  /// Of the logarithm of the pace, from one window to the next; and the part of the people who take any other pace.
  private static let wander = 0.032
  private static let anywhere: Float = 0.0005
  /// Of the logarithm of a pace's probability, as windows overlap.
  static let weight: Float = 0.5
  /// Frequencies on each side that a pace may reach.
  private static let reach = 7

  /// The first frequency on the grid of ``StepFrequency``.
  let first: Int
  private let entry: [Float]
  /// For each frequency the parts of those around it that come to it.
  private let rows: [SIMD16<Float>]
  /// The probability of each frequency, between margins of zeros.
  private var chances: [Float]
  /// Those of the next window, as they are computed.
  private var next: [Float]

  init(_ parameters: Parameters) {
    first = StepFrequency.place(parameters.lowest)
    let places = first...StepFrequency.place(parameters.highest)
    let logarithms = places.map { Scalar.log(Double(StepFrequency.frequency($0))) }
    func normal(_ x: Double, _ deviation: Double) -> Double { Scalar.exp(-0.5 * (x / deviation) * (x / deviation)) }
    let usual = logarithms.map { normal($0 - Scalar.log(parameters.usual), parameters.deviation) }
    entry = usual.map { Float($0 / usual.reduce(0, +)) }
    var rows = [SIMD16<Float>](repeating: .zero, count: entry.count)
    for from in entry.indices {
      let targets = max(0, from - Self.reach)...min(entry.count - 1, from + Self.reach)
      let parts = targets.map { normal(logarithms[$0] - logarithms[from], Self.wander) }
      let sum = parts.reduce(0, +)
      for (to, part) in zip(targets, parts) {
        rows[to][from - to + Self.reach] = Float(part / sum) * (1 - Self.anywhere)
      }
    }
    self.rows = rows
    chances = [Float](repeating: 0, count: entry.count + 16)
    next = entry
    restart()
  }

  /// Nothing is known of the person.
  mutating func restart() { for index in entry.indices { chances[Self.reach + index] = entry[index] } }

  /// Takes the next window: the part of the gait's probability that has just begun, the factor of each pace
  /// (``StepFrequency``'s, by its grid), and how well the gait fits at each; returns how well it fits.
  mutating func update(beginning: Float, factors: [Float], fit: (Float) -> Float) -> Float {
    let floor = (1 - beginning) * Self.anywhere / Float(entry.count)
    var (sum, fitting) = (Float(0), Float(0))
    for index in entry.indices {
      // unsafe: `chances` has 16 places behind each index.
      let near = chances.span.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 4 * index, as: SIMD16<Float>.self)
      let expected = (1 - beginning) * (rows[index] * near).sum() + beginning * entry[index] + floor
      let chance = expected * factors[first + index]
      sum += chance
      next[index] = chance * fit(StepFrequency.frequency(first + index))
      fitting += next[index]
    }
    for index in entry.indices { chances[Self.reach + index] = next[index] / fitting }
    return fitting / sum
  }

  /// Adds the probabilities to those of ``StepFrequency``'s grid, by the gait's own.
  func add(to paces: inout [Float], _ probability: Float) {
    for index in entry.indices { paces[first + index] += probability * chances[Self.reach + index] }
  }
}
