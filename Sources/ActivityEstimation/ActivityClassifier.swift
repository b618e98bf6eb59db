// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Joins what the windows say to activities: a hidden Markov model of kinds and, within a gait, of paces.
///
/// The kinds of movement are its states; each lasts for a while, all equally long, and then any other may follow.
/// ``ActivityNetwork`` says how well each kind fits a window, and a gait is asked at the pace that its
/// ``PaceTracker`` remembers, also where another window would take its half or double. ``probabilities`` are those of
/// the present block of 0.64 s given everything up to the window around it (the forward algorithm);
/// ``lateProbabilities`` are those of the block two before, which also know the windows since (a fixed-lag smoother;
/// Rabiner 1989). Steps count where walking or running is more likely than all the rest together: one decision for
/// both, in which a single odd window means little and a long drive makes a walk in it unlikely.
///
/// A vehicle that moves fits as well as what people do in it, rest or anything else, and better where the window and the
/// last minute (``VehicleEvidence``) say so. It does not come to rest, it stands: a state S of its own after the kinds,
/// reported as the vehicle. Its windows are those of rest R, and it ends as rest does; besides, it goes on, at a rate g,
/// or becomes rest, at a rate e: the odds R ∕ S are e ∕ (g + e) · (exp((g + e) t) − 1), even after about four minutes.
/// A vehicle does not turn a device over: a turn against gravity that brakes and curves do not explain
/// (``Parameters/vehicleTilt``) counts against both of its states, so the drive of a device that is picked up ends.
package struct ActivityClassifier: Sendable {
  typealias Kind = ActivityNetwork.Kind
  typealias Values = ActivityNetwork.Values

  /// The constants.
  package struct Parameters: Sendable, Hashable {
    /// Seconds that a kind lasts, mean; any other may follow.
    package var lasting = 20.0
    /// Seconds on the way and at rest until a vehicle is boarded; those for which it moves, and from its moving until
    /// something else follows; those for which it stands until it goes on, and until it is a device at rest.
    package var boarding = 2000.0, boardingAtRest = 20_000.0
    package var driving = 25.0, leaving = 600.0
    package var standing = 240.0, parked = 600.0
    /// The probability of a vehicle at the start.
    package var vehicleAtStart: Float = 0.02
    /// How much the last minute counts, and the most that a window does for a vehicle.
    package var minuteWeight: Float = 0.2
    package var windowLimit: Float = 0.4
    /// How much a window in which nothing moves speaks against a vehicle that moves, at least.
    package var stillness: Float = 0.05
    /// Radians by which the specific force of a vehicle turns from one half of a window to the other, 1 σ.
    package var vehicleTilt: Float = 0.3
    /// The part of a window that is new: windows overlap by seven eighths, so what they say is not independent.
    package var weight: Float = 0.2
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
  private var walking = PaceTracker(.walking)
  private var running = PaceTracker(.running)
  private var vehicle: VehicleEvidence
  /// Hz: the step frequency, if these are steps.
  private(set) var pace: Float = 1.8
  private var paces = [Float](repeating: 0, count: StepFrequency.count)
  /// The rows of the probabilities of each kind after each, and the same by columns.
  private let rows: [Values]
  private let columns: [Values]
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

  init(_ network: ActivityNetwork, _ vehicle: VehicleEvidence, parameters: Parameters = Parameters()) {
    (self.network, self.vehicle, self.parameters) = (network, vehicle, parameters)
    let (car, still) = (Kind.automotive.rawValue, Kind.stationary.rawValue)
    let others = Kind.allCases.indices.filter { $0 != car }
    func part(_ seconds: Double) -> Float { Float(Self.hop / seconds) }
    var rows = [Values](repeating: .zero, count: Kind.allCases.count + 1)
    for from in others {
      for to in others where to != from { rows[from][to] = part(parameters.lasting * Double(others.count - 1)) }
      rows[from][car] = part(from == still ? parameters.boardingAtRest : parameters.boarding)
    }
    rows[Self.standing] = rows[still]
    rows[Self.standing][car] = part(parameters.standing)
    rows[Self.standing][still] = part(parameters.parked)
    for to in others where to != still { rows[car][to] = part(parameters.leaving * Double(others.count - 1)) }
    rows[car][Self.standing] = part(parameters.driving)
    for state in rows.indices { rows[state][state] = 1 - rows[state].sum() }
    self.rows = rows
    columns = rows.indices.map { to in rows.indices.reduce(into: Values.zero) { $0[$1] = rows[$1][to] } }
    let rest = (1 - parameters.vehicleAtStart) / Float(others.count)
    probabilities = others.reduce(into: Values.zero) { $0[$1] = rest }
    probabilities[car] = parameters.vehicleAtStart
    history.reserveCapacity(Self.lag + StepDetector.hindsight + 2)
  }

  /// The probability of walking or running now, and in the block two before.
  var gait: Float { Self.gait(probabilities) }
  var lateGait: Float { Self.gait(lateProbabilities) }

  static func gait(_ values: Values) -> Float { values[Kind.walking.rawValue] + values[Kind.running.rawValue] }

  /// When the present kind began.
  var start: Int64 { kind.map { starts[$0.rawValue] } ?? 0 }

  mutating func restart() {
    vehicle.restart()
    self = ActivityClassifier(network, vehicle, parameters: parameters)
  }

  /// Takes the features of the window around a time, and what they were computed from.
  mutating func update(_ features: ActivityFeatures, _ room: ActivityFeatures.Workspace, middle: Int64) {
    stillWindows = features.deviation < ActivityFeatures.stillDeviation ? stillWindows + 1 : 0
    if kind == nil { for index in starts.indices { starts[index] = middle } }
    var next = Values.zero
    for to in rows.indices { next[to] = (probabilities * columns[to]).sum() }
    let logarithms = weighted(features)
    var fit = exponential(logarithms)
    fitVehicle(features, logarithms, next, &fit)
    if features.deviation >= Self.leastPace { fitPaces(features, room, next, &fit) }
    next *= fit
    probabilities = next / next.sum()
    var reported = probabilities
    reported[Kind.automotive.rawValue] += reported[Self.standing]
    reported[Self.standing] = 0
    let highest = reported.max()
    for index in starts.indices where reported[index] < highest / 10 { starts[index] = middle }
    history.insert((probabilities, fit), at: 0)
    if history.count > Self.lag + StepDetector.hindsight + 1 { history.removeLast() }
    lateProbabilities = smoothed(min(Self.lag, history.count - 1))
    decide(reported, features.filled)
    followPace(room.scores)
  }

  /// g: a window that moves less has no pace.
  private static let leastPace: Float = 0.02

  /// The logarithms of how well each kind fits, of a window alone.
  private mutating func weighted(_ features: ActivityFeatures) -> Values {
    let logarithms = network.logarithms(features)
    return parameters.weight
      * logarithms.replacing(with: parameters.leastLogarithm, where: logarithms .< parameters.leastLogarithm)
  }

  private func exponential(_ logarithms: Values) -> Values {
    // Most kinds are as unlikely as can be.
    let least = parameters.weight * parameters.leastLogarithm
    var fit = Values(repeating: Float(Scalar.exp(Double(least))))
    for kind in Kind.allCases.indices where logarithms[kind] > least {
      fit[kind] = Float(Scalar.exp(Double(logarithms[kind])))
    }
    return fit
  }

  /// One window does not tell a road from housework: what looks like a vehicle is none of the gaits, and no more.
  /// Whether it is one, the window and the last minute decide *among* those who rest, do anything else or ride, not
  /// against a gait.
  private mutating func fitVehicle(
    _ features: ActivityFeatures, _ logarithms: Values, _ expected: Values, _ fit: inout Values
  ) {
    let (car, still, other) = (Kind.automotive.rawValue, Kind.stationary.rawValue, Kind.other.rawValue)
    if kind != .automotive || stillWindows == 0 {
      vehicle.update(features.values, isGait: kind == .walking || kind == .running)
    }
    let people = max(logarithms[still], logarithms[other])
    let window = min(parameters.windowLimit, logarithms[car] - people)
    let tilt = min(.pi, abs(features.tilt)) / parameters.vehicleTilt
    let steady = Float(Scalar.exp(Double(-parameters.weight * tilt * tilt / 2)))
    let raised = Float(Scalar.exp(Double(max(0, logarithms[car] - people))))
    let members = [still, other, car, Self.standing]
    for state in [still, other] { fit[state] *= raised }
    (fit[car], fit[Self.standing]) = (max(fit[still], fit[other]), fit[still])
    let before = members.reduce(0) { $0 + expected[$1] * fit[$1] }
    let evidence =
      stillWindows > 0 ? min(-parameters.stillness, window) : parameters.minuteWeight * vehicle.logOdds + window
    fit[car] *= Float(Scalar.exp(Double(evidence))) * steady
    fit[Self.standing] *= steady
    let after = members.reduce(0) { $0 + expected[$1] * fit[$1] }
    for state in members { fit[state] *= before / after }
  }

  /// How well the gaits fit, each at the paces that it remembers. Where a pace is about half or twice the window's own,
  /// the gait is asked at that one.
  private mutating func fitPaces(
    _ features: ActivityFeatures, _ room: ActivityFeatures.Workspace, _ expected: Values, _ fit: inout Values
  ) {
    let best = features.stepFrequency
    let double = features.octave(2, room).map { exponential(weighted($0)) } ?? fit
    let half = features.octave(0.5, room).map { exponential(weighted($0)) } ?? fit
    let highest = room.scores.reduce(room.scores[0], max)
    let factors = room.scores.map { Float(Scalar.exp(Double(PaceTracker.weight * ($0 - highest)))) }
    func update(_ tracker: inout PaceTracker, _ kind: Kind) {
      let state = kind.rawValue
      let staying = probabilities[state] * rows[state][state] / expected[state]
      let single = fit[state]
      fit[state] = tracker.update(beginning: 1 - staying, factors: factors) { pace in
        abs(pace / (2 * best) - 1) < 0.3 ? double[state] : abs(2 * pace / best - 1) < 0.3 ? half[state] : single
      }
    }
    update(&walking, .walking)
    update(&running, .running)
  }

  /// The likeliest pace of both gaits.
  private mutating func followPace(_ scores: [Float]) {
    for index in paces.indices { paces[index] = 0 }
    walking.add(to: &paces, probabilities[Kind.walking.rawValue])
    running.add(to: &paces, probabilities[Kind.running.rawValue])
    var likeliest = 0
    for index in paces.indices where paces[index] > paces[likeliest] { likeliest = index }
    pace = StepFrequency.refined(likeliest, scores)
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

  /// Of so many blocks before the block `age` before the last one, how many in a row are gait, as is known now.
  func gaitBefore(_ age: Int, _ count: Int) -> Int {
    (0..<count).first { before in
      let age = age + 1 + before
      return age >= history.count || Self.gait(smoothed(age)) <= 0.5
    } ?? count
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
