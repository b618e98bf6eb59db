// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// Whether the gyroscope turns as gravity does.
extension Plausibility {
  /// A usual mistake, taken back.
  struct Hypothesis {
    var kind: Finding.Kind
    var factor = 1.0
    var axes = AxisOrder()
    var needed: Double
    var matrix: Matrix3 { axes.matrix * factor }
  }

  static var hypotheses: [Hypothesis] {
    let degree = Angle(degrees: 1).radians
    var all = [
      Hypothesis(kind: .rateScale, factor: degree, needed: slowerEvidence),
      Hypothesis(kind: .rateScale, factor: -degree, needed: slowerEvidence),
      Hypothesis(kind: .rateScale, factor: 1e-3, needed: slowerEvidence),
      Hypothesis(kind: .rateScale, factor: 1 / degree, needed: signEvidence),
      Hypothesis(kind: .intervalScale, factor: 0.5, needed: slowerEvidence),
      Hypothesis(kind: .intervalScale, factor: 2, needed: signEvidence),
    ]
    for axes in AxisOrder.all.dropFirst() {
      all.append(
        Hypothesis(
          kind: .rateAxes, axes: axes, needed: axes.isReversal ? signEvidence : axesEvidence))
    }
    return all
  }

  /// `fit` is that of the reading as it was said, without a bias.
  static func turning(_ windows: Windows, _ fit: inout Fit, _ modes: Modes) -> Finding? {
    // No hypothesis has a likelihood above 0: one that is near cannot be beaten.
    guard fit.likelihood <= -signEvidence else { return nil }
    fit = windows.fit(.identity, modes)
    guard fit.likelihood <= -signEvidence else { return nil }
    if windows.hasConstantRate { return Finding(kind: .rateIsConstant, measured: fit.likelihood) }
    // All on the windows that turn most, then the best of them on all.
    let all = hypotheses
    let part = windows.busiest(6)
    let screened = all.map { part.fit($0.matrix, modes).likelihood }
    var best = all.indices.sorted { screened[$0] > screened[$1] }.prefix(4).map { $0 }
    best += (0..<6).filter { !best.contains($0) }
    let full = best.map { (all[$0], windows.fit(all[$0].matrix, modes).likelihood) }
      .sorted { $0.1 > $1.1 }
    for (hypothesis, likelihood) in full {
      let evidence = likelihood - fit.likelihood
      guard evidence > hypothesis.needed else { continue }
      var finding = Finding(
        kind: hypothesis.kind, measured: windows.speed, evidence: evidence,
        factor: hypothesis.factor,
        axes: hypothesis.axes)
      let turning = windows.fit(.identity, modes, hasLever: true)
      if likelihood - turning.likelihood <= hypothesis.needed {
        (finding.level, finding.lever) = (.warning, turning.lever.length)
      }
      return finding
    }
    return nil
  }

  /// How well each factor, by which a gyroscope's numbers are multiplied, explains the rows, with their own axes or with
  /// others that do it so much better; whether the opposite sign does; and the difference that is needed between two of
  /// them. Nil where gravity hardly turns.
  package static func likelihoods(
    of factors: [Double], _ rows: some SensorRows
  ) -> (likelihoods: [Double], areReversed: [Bool], needed: Double)? {
    let modes = Modes()
    guard
      let windows = Windows(
        rows, rows.judged, most: many.windows, reads: many.reads, zerosAreMissing: false,
        fieldScale: 1),
      windows.count > 0
    else { return nil }
    // One window that turns says little, and no more than this of a gyroscope that does not.
    let evidence = windows.turningEvidence(modes)
    guard evidence > 4 else { return nil }
    let part = windows.busiest(6)
    var areReversed: [Bool] = []
    let likelihoods = factors.map { factor in
      var own = windows.fit(.identity * factor, modes).likelihood
      // One sensor in twenty has another sign, and far fewer have other axes.
      let opposite = windows.fit(.identity * -factor, modes).likelihood - 3
      areReversed.append(opposite > own)
      own = max(own, opposite)
      guard own < -axesEvidence else { return own }
      own = max(own, windows.fit(.identity * factor, modes, hasLever: true).likelihood)
      let others = AxisOrder.all.dropFirst().map { axes in
        (axes, part.fit(axes.matrix * factor, modes).likelihood)
      }
      guard let best = others.max(by: { $0.1 < $1.1 }) else { return own }
      return max(own, windows.fit(best.0.matrix * factor, modes).likelihood - axesEvidence)
    }
    return (likelihoods, areReversed, min(8, evidence / 2))
  }
}

extension Windows {
  /// Readings that never change.
  var hasConstantRate: Bool {
    guard let first = turn.first, let duration = time.first else { return false }
    let rate = first / duration
    return zip(turn, time).allSatisfy { turn, time in
      let change = turn / time - rate
      return max(change.x.magnitude, change.y.magnitude, change.z.magnitude) <= 1e-6
    }
  }

  /// rad/s, root of the mean square.
  var speed: Double {
    let squares = zip(turn, time).reduce(0.0) { sum, step in
      let rate = step.0 / step.1
      return sum + rate.dot(rate)
    }
    return (squares / Double(turn.count)).squareRoot()
  }

  /// In the device's axes.
  private func sums(_ window: Int, _ modes: Modes) -> Modes.Sums {
    var sums = Modes.zero
    for step in 0..<Self.steps {
      modes.add(force[window * Self.steps + step].relabeled(to: Still.self), step, to: &sums)
    }
    return sums
  }

  /// The usual length of the force's mean in the device's axes.
  func meanForce(_ modes: Modes) -> Double { middle((0..<count).map { sums($0, modes)[0].length }) }

  /// Whether gravity turns in the device's axes.
  func turnsGravity(_ modes: Modes) -> Bool { turningEvidence(modes) > Plausibility.axesEvidence }

  /// Of its turning, against a force that is constant in the device's axes.
  func turningEvidence(_ modes: Modes) -> Double {
    (0..<count).reduce(0.0) { sum, window in
      sum + 2.5 * Scalar.log(1 + energy(sums(window, modes)) / 5 / variance[window])
    }
  }

  /// How far away the point is, m, about which the device turns, if that explains the length of the force; else nil.
  func lever(_ modes: Modes) -> Double? {
    let fit = fit(.identity, modes, hasLever: true)
    let length = middle(fit.means.map { $0.length }) / standardGravity
    guard fit.likelihood > -Double(count), (0.8...1.25).contains(length), fit.lever.length > 0.05
    else { return nil }
    return fit.lever.length
  }
}
