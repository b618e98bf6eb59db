// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Whether a recording has the units, signs, axes and times that it says: judged by the readings themselves, for readers,
/// commands and the C library alike, so that all say the same of the same rows.
///
/// ## How
///
/// Windows of a few seconds are turned with the gyroscope into axes that do not turn. There the specific force is gravity
/// plus what seconds of motion leave of an acceleration, which is little, as velocities are bounded. What is left beside a
/// constant vector of one g is the error of an assumption: a wrong unit, sign, axis or interval turns the force wrongly.
/// Each usual mistake is taken back and has to explain the windows better by a factor of e^6 to e^26, with a bias of
/// the gyroscope fitted to each. The axes of the magnetometer are judged in the same way, once the device's own field is
/// subtracted, which is fitted, too.
///
/// ## What can be right all the same
///
/// An acceleration may last where something turns about a point: a rower's back, a crane's hook, a merry-go-round, a
/// centrifuge. There gravity seems to follow the device, as with a gyroscope that reads far too much. So the reading as
/// it was said may have such a point, which is fitted: only what contradicts that as well is an error, and the rest is a
/// warning.
///
/// ## What cannot be told
///
/// The sign of the specific force: mechanics is its own mirror image. Only a magnetometer (a field that points down in
/// the north) and the usual posture have an opinion.
package enum Plausibility {
  /// What is judged: the first three minutes (ns), and so many rows of them.
  package static let longest: Int64 = 180_000_000_000
  package static let mostRows = 36_000
  /// Windows, and rows that are read of each step: few at first, many where these are not explained well.
  static let few = (windows: 8, reads: 4)
  static let many = (windows: 32, reads: 6)

  // Natural logarithms of the likelihood ratio that is needed: for the opposite sign, a gyroscope that reads too little,
  // and twice the time; for each of 46 other axes; for a gyroscope that reads too much: what swings to and fro is steady
  // in its own axes, in all windows alike. `Benchmarks/checks.py` goes over the shared recordings, which are right.
  package static let signEvidence = 6.0
  package static let axesEvidence = 16.0
  package static let slowerEvidence = 26.0

  /// What a recording says beside its rows.
  package struct Statements: Sendable {
    /// Tesla per unit of the magnetometer; 0: not known.
    package var fieldUnit = 1.0
    /// The magnetometer's readings hold no field of the device.
    package var isCalibrated = false
    package var isSignSaid = false
    package var zerosAreMissing = false
    package init() {}
  }

  package static func judge(_ rows: some SensorRows, _ said: Statements) -> Verdict {
    var verdict = Verdict()
    let count = rows.judged
    verdict.finding = interval(rows, count)
    guard verdict.finding == nil, count > 0 else { return verdict }
    let some = Sample(rows, count, said)
    guard rows.hasRate else {
      verdict.finding = gravity(some, rows.meanForce(count), isRough: true)
      if verdict.finding == nil, !said.isSignSaid { verdict.finding = posture(some) }
      return verdict
    }
    let modes = Modes()
    var windows: Windows?
    var fit = Fit()
    var isRough = false
    for size in [few, many] {
      guard
        let tried = Windows(
          rows, count, most: size.windows, reads: size.reads, zerosAreMissing: said.zerosAreMissing,
          fieldScale: said.fieldUnit * 1e6)
      else { break }
      isRough = isRough || tried.isClipped
      guard tried.count > 0 else { break }
      (windows, fit) = (tried, tried.fit(.identity, modes, solving: false))
      isRough = isRough || tried.time[..<Windows.steps].reduce(0, +) < 2
      if fit.likelihood > -signEvidence { break }
    }
    // Whichever is longer: in the device's axes, should the gyroscope be wrong.
    let mean = windows.map { max(middle(fit.means.map { $0.length }), $0.meanForce(modes)) }
    verdict.finding = gravity(some, mean, isRough: isRough)
    if var finding = verdict.finding {
      if let windows, let lever = windows.lever(modes) {
        (finding.level, finding.lever) = (.warning, lever)
      }
      verdict.finding = finding
      return verdict
    }
    verdict.finding = direction(some)
    guard verdict.finding == nil else { return verdict }
    if let windows {
      verdict.finding = turning(windows, &fit, modes)
      verdict.turns = windows.turnsGravity(modes)
    }
    if let tooFast = fast(some) {
      // Gravity shows in which unit it would be possible.
      let isExplained = verdict.finding?.kind == .rateScale
      verdict.finding = isExplained ? verdict.finding : tooFast
      verdict.finding?.level = .error
    }
    guard verdict.finding == nil else { return verdict }
    guard rows.hasField, said.fieldUnit > 0 else {
      if !said.isSignSaid { verdict.finding = posture(some) }
      return verdict
    }
    let (finding, inclination) = field(windows, some, fit, modes, said)
    verdict.finding = finding
    guard finding == nil, !said.isSignSaid else { return verdict }
    if let inclination, abs(inclination) > 0.35 {
      verdict.confirmsSign = inclination > 0
      if inclination < 0 {
        verdict.finding = Finding(level: .warning, kind: .signByField, measured: -inclination)
      }
    } else {
      verdict.finding = posture(some)
    }
    return verdict
  }
}

/// At most some five hundred rows, evenly spaced.
struct Sample {
  var rates: [Vector3<Device>] = []
  var forces: [Vector3<Device>] = []
  /// µT.
  var fields: [Vector3<Device>] = []

  init(_ rows: some SensorRows, _ count: Int, _ said: Plausibility.Statements) {
    for row in stride(from: 0, to: count, by: max(1, count / 500)) {
      if rows.hasRate { add(rows.rate(row), to: &rates) }
      let force = rows.force(row)
      if force != .zero || !said.zerosAreMissing { add(force, to: &forces) }
      if rows.hasField { add(rows.field(row) * (said.fieldUnit * 1e6), to: &fields) }
    }
  }

  private func add(_ vector: Vector3<Device>, to list: inout [Vector3<Device>]) {
    // What is impossible is said by the filter.
    if max(vector.x.magnitude, vector.y.magnitude, vector.z.magnitude) <= 1e12 {
      list.append(vector)
    }
  }
}
