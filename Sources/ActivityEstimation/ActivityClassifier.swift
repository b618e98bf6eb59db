// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Joins what the windows say to activities: a hidden Markov model.
///
/// The kinds of movement are its states. Each lasts for a while (the mean durations) and is followed by some kinds more
/// often than by others; ``ActivityNetwork`` says how well each fits a window. ``probabilities`` are those of the
/// present block of 0.64 s given everything up to the window around it (the forward algorithm);
/// ``lateProbabilities`` are those of the block two before, which also know the windows since (a fixed-lag smoother;
/// Rabiner 1989). Steps count where walking or running is more likely than all the rest together: one decision for
/// both, in which a single odd window means little and a long drive makes a walk in it unlikely.
///
/// A vehicle does not come to rest, it stands: a state S of its own after the kinds, reported as the vehicle. Its
/// windows are those of rest R, and it ends at the rates x at which rest ends; besides, it becomes rest, at a rate
/// e = ln 2 ∕ ``Parameters/parked``. As S′ = −(x + e) S and R′ = −x R + e S, the odds R ∕ S are exp(e t) − 1. A vehicle
/// does not turn a device over: a turn against gravity that brakes and curves do not explain
/// (``Parameters/vehicleTilt``) counts against both of its states, so the drive of a device that is picked up ends.
package struct ActivityClassifier: Sendable {
  typealias Kind = ActivityNetwork.Kind
  typealias Values = ActivityNetwork.Values

  /// The constants.
  package struct Parameters: Sendable, Hashable {
    /// Seconds that each kind lasts, mean; in the order of ``ActivityNetwork/Kind``.
    package var durations: [Double] = [60, 20, 30, 15, 300, 180]
    /// How often each kind follows another.
    package var followers: [Float] = [0.42, 0.38, 0.05, 0.12, 0.02, 0.01]
    /// Seconds after which a vehicle that stands is as likely to be a device at rest.
    package var parked = 258.0
    /// Radians by which the specific force of a vehicle turns from one half of a window to the other, 1 σ.
    package var vehicleTilt: Float = 0.3
    /// The part of a window that is new: windows overlap by seven eighths, so what they say is not independent.
    package var weight: Float = 0.35
    /// No window is more certain than this: the lowest logarithm of a probability.
    package var leastLogarithm: Float = -4
  }

  /// Blocks by which ``lateProbabilities`` are late.
  static let lag = 2
  /// Seconds from one window to the next.
  static let hop = 0.64
  /// The state of a vehicle that stands.
  private static let standing = Kind.allCases.count

  let parameters: Parameters
  private var network: ActivityNetwork
  /// The rows of the probabilities of each kind after each, and the same by columns.
  private let rows: [Values]
  private let columns: [Values]
  /// How well a kind fits at least.
  private let leastFit: Float
  private(set) var kind: Kind?
  /// Of the kinds and, last, of ``standing``.
  private(set) var probabilities: Values
  private(set) var lateProbabilities = Values.zero
  /// The mean probability of the present kind over the latest windows.
  private(set) var certainty: Float = 0
  /// Windows without movement in a row.
  private(set) var stillWindows = 0
  /// When each kind began: since then it has been a tenth as likely as the likeliest, or more.
  private var starts = [Int64](repeating: 0, count: Kind.allCases.count)
  /// The latest probabilities and how well each kind fitted, latest first.
  private var history: [(probabilities: Values, fit: Values)] = []

  init(_ network: ActivityNetwork, parameters: Parameters = Parameters()) {
    (self.network, self.parameters) = (network, parameters)
    let kinds = Kind.allCases.indices
    var rows = [Values](repeating: .zero, count: kinds.count + 1)
    for from in kinds {
      let leaves = Float(Self.hop / parameters.durations[from])
      let others = kinds.reduce(0) { $1 == from ? $0 : $0 + parameters.followers[$1] }
      for to in kinds { rows[from][to] = to == from ? 1 - leaves : leaves * parameters.followers[to] / others }
    }
    let (car, still) = (Kind.automotive.rawValue, Kind.stationary.rawValue)
    rows[car][Self.standing] = rows[car][still]
    rows[car][still] = 0
    rows[Self.standing] = rows[still]
    rows[Self.standing][still] = Float(Self.hop * Scalar.log(2) / parameters.parked)
    rows[Self.standing][Self.standing] = rows[still][still] - rows[Self.standing][still]
    self.rows = rows
    columns = rows.indices.map { to in rows.indices.reduce(into: Values.zero) { $0[$1] = rows[$1][to] } }
    leastFit = Float(Scalar.exp(Double(parameters.weight * parameters.leastLogarithm)))
    probabilities = kinds.reduce(into: Values.zero) { $0[$1] = parameters.followers[$1] }
    history.reserveCapacity(Self.lag + 2)
  }

  /// The probability of walking or running now, and in the block two before.
  var gait: Float { Self.gait(probabilities) }
  var lateGait: Float { Self.gait(lateProbabilities) }

  static func gait(_ values: Values) -> Float { values[Kind.walking.rawValue] + values[Kind.running.rawValue] }

  /// When the present kind began.
  var start: Int64 { kind.map { starts[$0.rawValue] } ?? 0 }

  mutating func restart() {
    self = ActivityClassifier(network, parameters: parameters)
  }

  /// Takes the features of the window around a time.
  mutating func update(_ features: ActivityFeatures, middle: Int64) {
    stillWindows = features.deviation < ActivityFeatures.stillDeviation ? stillWindows + 1 : 0
    if kind == nil { for index in starts.indices { starts[index] = middle } }
    var logarithms = network.logarithms(features)
    logarithms[Self.standing] = logarithms[Kind.stationary.rawValue]
    let tilt = min(.pi, abs(features.tilt)) / parameters.vehicleTilt
    let steady = Float(Scalar.exp(Double(-parameters.weight * tilt * tilt / 2)))
    var fit = Values.zero
    var next = Values.zero
    for to in rows.indices {
      // Most kinds are as unlikely as can be.
      fit[to] =
        logarithms[to] > parameters.leastLogarithm
        ? Float(Scalar.exp(Double(parameters.weight * logarithms[to]))) : leastFit
      if to == Self.standing || to == Kind.automotive.rawValue { fit[to] *= steady }
      let sum = (probabilities * columns[to]).sum()
      next[to] = sum * fit[to]
    }
    probabilities = next / next.sum()
    var reported = probabilities
    reported[Kind.automotive.rawValue] += reported[Self.standing]
    reported[Self.standing] = 0
    let highest = reported.max()
    for index in starts.indices where reported[index] < highest / 10 { starts[index] = middle }
    history.insert((probabilities, fit), at: 0)
    if history.count > Self.lag + 1 { history.removeLast() }
    lateProbabilities = smoothed(history.count - 1)
    decide(reported, features.filled)
  }

  /// The windows are over: the probabilities of the block `age` before the last one.
  func smoothed(_ age: Int) -> Values {
    var back = Values(repeating: 1)
    for later in 0..<age {
      let fitting = history[later].fit * back
      for from in rows.indices { back[from] = (rows[from] * fitting).sum() }
      back /= back.sum()
    }
    let result = history[age].probabilities * back
    return result / result.sum()
  }

  /// A window that is half empty is half as certain.
  private mutating func decide(_ reported: Values, _ filled: Float) {
    var decided = 0
    for index in Kind.allCases.indices where reported[index] > reported[decided] { decided = index }
    let part: Float = decided == kind?.rawValue ? 0.15 : 1
    certainty += (reported[decided] * filled - certainty) * part
    kind = Kind(rawValue: decided)
  }
}
