// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Finds steps in the length of the acceleration.
///
/// A candidate is a maximum in the band 0.8–3.2 Hz. It becomes a step when it is one of at least eight in a row and
/// when the windows of 5.12 s around it look like gait (``Gate``). So the first steps of a walk are counted some
/// seconds late, all at once.
///
/// The candidates are those of the reference algorithm in `steps-activity-evidence.md`; its gate is replaced.
struct StepDetector: Sendable {
  /// The constants.
  struct Parameters: Sendable, Hashable {
    /// g: a smaller maximum is no candidate.
    var leastHeight = 0.04
    /// The part of the envelope that a maximum must reach.
    var envelopePart = 0.4
    /// Seconds, and the part of a period, between two candidates.
    var refractory = 0.25
    var refractoryPart = 0.6
    /// Candidates in a row before the first counts.
    var confirmation = 8
    /// Nanoseconds: a longer pause ends the row.
    var longestGap: Int64 = 1_500_000_000
    /// False: every candidate of a long row counts; for measurements.
    var isGated = true
    var gate = Gate.Parameters()

    /// A phone on the body, or headphones.
    static let body = Parameters()
    /// A watch. An arm does much that is periodic, so the tree counts more; and arms that hang differ, so the
    /// autocorrelation less.
    static var wrist: Parameters {
      var parameters = Parameters()
      parameters.gate.pedalling = nil
      parameters.gate.treeWeight = 0.5
      parameters.gate.regularityWeight = 0.3
      parameters.gate.neutralIrregularity = 0.25
      parameters.gate.autocorrelationWeight = 0.6
      parameters.gate.opening = 4
      parameters.gate.continuation = -0.3
      return parameters
    }
  }

  struct Candidate: Sendable {
    /// Nanoseconds.
    var time: Int64
    /// Its row is long enough.
    var isConfirmed: Bool
    /// The gate was open.
    var isAccepted = false
  }

  let parameters: Parameters
  private(set) var gate: Gate
  /// Times of the steps that the last call of ``close(_:from:gait:)`` or ``finish()`` counted.
  private(set) var counted: [Int64] = []
  /// Hz, from the spectrum.
  private(set) var cadence = Self.firstCadence
  /// The height of the last candidate in g, and the candidates in the present row.
  private(set) var height = 0.0
  private(set) var row = 0
  /// Candidates that are not decided yet, oldest first.
  private var pending: [Candidate] = []
  private var filter = BandPass()
  private var envelope = 0.0
  /// The times of the latest candidates, also of those that were decided long ago; the oldest is overwritten.
  private var recent = [Int64](repeating: .min, count: 32)
  private var candidateCount = 0
  /// The end of the last window, and whether it was a hard run.
  private var closed = Int64.min
  private var isHard = false
  /// The last step that was counted.
  private var lastCounted = Int64.min

  private static let firstCadence = 1.8
  /// exp(−0.02 s / 2 s): the envelope decays in two seconds.
  private static let decay = 0.990_049_833_749_168

  init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    gate = Gate(parameters: parameters.gate)
    pending.reserveCapacity(64)
    counted.reserveCapacity(64)
  }

  /// A new line of cells begins: nothing leads from what was before to what comes.
  mutating func restart() {
    pending.removeAll(keepingCapacity: true)
    counted.removeAll(keepingCapacity: true)
    filter = BandPass()
    gate = Gate(parameters: parameters.gate)
    (envelope, row, candidateCount, cadence, lastCounted) = (0, 0, 0, Self.firstCadence, .min)
  }

  /// Takes the length of the acceleration of the next cell in g; true when a candidate was found, one cell ago.
  mutating func update(_ norm: Double, at time: Int64) -> Bool {
    let (before, previous) = (filter.before, filter.previous)
    let value = filter.pass(norm)
    envelope = max(abs(value), envelope * Self.decay)
    let least = max(parameters.leastHeight, parameters.envelopePart * envelope)
    guard previous > before, previous >= value, previous > least else { return false }
    let peak = time &- GaitResampler.period
    if candidateCount > 0 {
      let gap = peak - candidate(0)
      guard Double(gap) * 1e-9 >= max(parameters.refractory, parameters.refractoryPart / cadence) else { return false }
      row = gap < parameters.longestGap ? row + 1 : 1
    } else {
      row = 1
    }
    height = previous
    recent[candidateCount % recent.count] = peak
    candidateCount += 1
    pending.append(Candidate(time: peak, isConfirmed: row >= parameters.confirmation))
    if row == parameters.confirmation {
      for index in pending.indices.suffix(row) { pending[index].isConfirmed = true }
    }
    return true
  }

  /// The time of a candidate; 0 is the latest.
  func candidate(_ age: Int) -> Int64 { recent[(candidateCount - 1 - age) % recent.count] }

  /// How much the latest periodic windows looked like pedals, 0…1; takes the next window.
  mutating func followPedals(_ features: ActivityFeatures) -> Double { gate.followPedals(features) }

  /// Candidates since a time, the mean deviation of their intervals as a part of the mean interval (1 for fewer than
  /// 4), and the rate in hertz that the middle interval gives (0 for fewer than 4).
  func regularity(since start: Int64) -> (count: Int, irregularity: Double, rate: Double) {
    var count = 0
    while count < min(candidateCount, recent.count), candidate(count) >= start { count += 1 }
    guard count >= 4 else { return (count, 1, 0) }
    let mean = Double(candidate(0) - candidate(count - 1)) / Double(count - 1)
    var deviation = 0.0
    for index in 1..<count { deviation += abs(Double(candidate(index - 1) - candidate(index)) - mean) }
    // The interval that as many are below as above; of equal ones the later is the greater.
    var middle = 1
    for index in 1..<count {
      let interval = candidate(index - 1) - candidate(index)
      var smaller = 0
      for other in 1..<count {
        let compared = candidate(other - 1) - candidate(other)
        if compared < interval || compared == interval && other < index { smaller += 1 }
      }
      if smaller == (count - 1) / 2 { middle = index }
    }
    let rate = 1e9 / Double(candidate(middle - 1) - candidate(middle))
    return (count, deviation / Double(count - 1) / mean, rate)
  }

  /// Judges the window that began at `start` and ends at `end`; ``counted`` has the steps that became certain. `gait`
  /// is the probability of walking or running by the tree.
  mutating func close(_ features: ActivityFeatures, from start: Int64, to end: Int64, gait: Double, path: Double) {
    if features.deviation > 0.03, features.cadence > 0 { cadence = features.cadence }
    closed = end
    isHard = features.deviation > ActivityFeatures.hardDeviation && cadence > 2
    let since = gate.update(features, start: start, gait: gait, path: path)
    count(since: parameters.isGated ? since : .min)
    // A later window that opens the gate may reach back this far.
    let oldest = start - Gate.longestReach
    pending.removeAll { $0.time < oldest }
  }

  /// No more cells come: while the gate is open, what follows the last window counts too.
  mutating func finish() {
    count(since: parameters.isGated ? (gate.isOpen ? closed : nil) : .min)
  }

  private mutating func count(since: Int64?) {
    counted.removeAll(keepingCapacity: true)
    var kept = 0
    for var candidate in pending {
      if let since, candidate.time >= since { candidate.isAccepted = true }
      if candidate.isAccepted, candidate.isConfirmed {
        countMissed(before: candidate.time)
        counted.append(candidate.time)
        lastCounted = candidate.time
      } else {
        pending[kept] = candidate
        kept += 1
      }
    }
    pending.removeLast(pending.count - kept)
  }
}

extension StepDetector {
  /// At the ankle of a runner, or with a hard landing, every second step stays below the envelope; the spectrum still
  /// has the cadence. A gap of two periods then has a step in its middle.
  private mutating func countMissed(before time: Int64) {
    guard isHard, lastCounted != .min, time > lastCounted else { return }
    let gap = time - lastCounted
    let periods = Double(gap) * 1e-9 * cadence
    if periods > 1.6, periods < 2.4 { counted.append(lastCounted + gap / 2) }
  }

  /// The Butterworth band pass of second order from 0.8 Hz to 3.2 Hz at 50 Hz, as two sections. It begins at rest at
  /// the first value.
  struct BandPass: Sendable {
    /// The last two results.
    private(set) var previous = 0.0
    private(set) var before = 0.0
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
      (before, previous) = (previous, output)
      return output
    }
  }
}
