// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

/// An axis of a sensor whose readings stop at one value, whatever the device does.
package struct Clipping: Sendable, Hashable {
  /// "x", "y" or "z".
  package var axis: String
  /// The magnitude at which the readings stop, SI unit of the kind.
  package var limit: Double
  /// Readings there.
  package var samples: Int
  /// The first of them.
  package var first: SensorInstant
}

/// Counts readings at the end of a sensor's range, axis by axis: at the stated one, or where the curve of the readings
/// has flat tops.
struct SaturationMeter: Sendable {
  /// Of a stated range; drivers round it.
  private static let margin = 0.999

  private let stated: Double?
  private var atStated: [Int: Clipping] = [:]
  private var samplesAtStated = 0
  private var tops: [FlatTopMeter]

  init(kind: SensorKinds, range: Double?) {
    stated = range.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    // The smallest ranges that sensors are made with are 2 g and 100 °/s, less what a calibration takes; magnetometers
    // and pressure sensors do not reach their ends outside a laboratory.
    let least =
      kind == .accelerometer ? 1.95 * standardGravity : kind == .gyroscope ? Angle(degrees: 97).radians : .infinity
    tops = Array(repeating: FlatTopMeter(least: least), count: 3)
  }

  mutating func update(_ time: SensorInstant, x: Double, y: Double, z: Double) {
    tops[0].update(time, x)
    tops[1].update(time, y)
    tops[2].update(time, z)
    guard let stated, max(abs(x), abs(y), abs(z)) >= stated * Self.margin else { return }
    samplesAtStated += 1
    for (axis, value) in [x, y, z].enumerated() where abs(value) >= stated * Self.margin {
      atStated[axis, default: Clipping(axis: Self.names[axis], limit: stated, samples: 0, first: time)].samples += 1
    }
  }

  private static let names = ["x", "y", "z"]

  /// The axes that clip, each once.
  var clippings: [Clipping] {
    (0..<3).compactMap { axis in
      if let clipping = atStated[axis] { return clipping }
      return tops[axis].found.map {
        Clipping(axis: Self.names[axis], limit: $0.top, samples: $0.count, first: $0.first)
      }
    }
  }

  /// The stated range, else the largest magnitude at which an axis stops; nil = not known.
  var limit: Double? { stated ?? clippings.map(\.limit).max() }

  /// Samples at the end of the range; with flat tops one at which two axes stop counts twice.
  var count: Int { max(samplesAtStated, tops.reduce(0) { $0 + ($1.found?.count ?? 0) }) }
}

/// Finds the flat tops in the readings of one axis: several in a row at the largest magnitude that it ever read.
///
/// The maximum of a smooth curve is flat too when it is sampled often. But it is a parabola: from the width in which it
/// stays within ``tolerance`` follows how little it has fallen two readings further on. A clipped curve arrives at its
/// top, and leaves it, with a slope. A steady turn that ends has such slopes as well; its readings have noise, those of
/// a converter at its stop are equal.
struct FlatTopMeter: Sendable {
  /// How flat, relative: a bias that drifts, and what a calibration mixes in of the other axes.
  private static let tolerance = 5e-4
  private static let leastRun = 3
  /// So many readings it takes altogether where they are not equal to the last bit: a jerk through the largest value
  /// stays there for three or four.
  private static let leastCount = 5
  /// A longer one whose readings are not equal is a steady turn, s.
  private static let longest = 0.5
  /// A fall beside the top counts as a slope when it is so many times that of the parabola.
  private static let steepness = 2.0
  /// Of the readings of a run that must be equal one after the other, for a converter at its stop: not those on the way
  /// there.
  private static let equalShare = 0.8

  private var top: Double
  private var accepted = Tops()
  /// The latest two readings, the later one first.
  private var latest = (0.0, 0.0)
  private var run: Run?

  private struct Tops {
    var count = 0
    var first: SensorInstant?
    /// One of them held equal readings.
    var hasEqual = false

    mutating func add(_ run: Run) {
      count += run.count
      first = first ?? run.first
      hasEqual = hasEqual || run.isEqual
    }
  }

  private struct Run {
    var sign: Double
    /// The reading two before the first.
    var before: Double
    var first: SensorInstant
    var last: SensorInstant
    /// The magnitude of the first.
    var base: Double
    var count = 1
    /// The latest readings in a row that were equal, and the most.
    var equal = 1, mostEqual = 1
    /// Whether the reading after the last has been seen.
    var isLeaving = false

    var isEqual: Bool { mostEqual >= leastRun && Double(mostEqual) >= equalShare * Double(count) }
  }

  init(least: Double) { top = least }

  /// The magnitude, how often it was read, and since when; nil where no flat top was found.
  var found: (top: Double, count: Int, first: SensorInstant)? {
    var sum = accepted
    // At the end of a recording the other slope is missing.
    if let run, !run.isLeaving, run.isEqual, isFlat(run, after: nil) { sum.add(run) }
    guard let first = sum.first, sum.hasEqual || sum.count >= Self.leastCount else { return nil }
    return (top, sum.count, first)
  }

  mutating func update(_ time: SensorInstant, _ reading: Double) {
    defer { latest = (reading, latest.0) }
    if var current = run {
      let magnitude = reading * current.sign
      if !current.isLeaving, magnitude >= top * (1 - Self.tolerance), magnitude <= current.base * (1 + Self.tolerance) {
        top = max(top, magnitude)
        current.count += 1
        current.last = time
        current.equal = reading == latest.0 ? current.equal + 1 : 1
        current.mostEqual = max(current.mostEqual, current.equal)
        run = current
        return
      }
      if !current.isLeaving, magnitude < top {
        current.isLeaving = true
        run = current
        return
      }
      if current.isLeaving, isFlat(current, after: magnitude) { accepted.add(current) }
      run = nil
    }
    guard abs(reading) >= top * (1 - Self.tolerance) else { return }
    if abs(reading) > top * (1 + Self.tolerance) { (top, accepted) = (abs(reading), Tops()) }
    let sign = reading < 0 ? -1.0 : 1
    run = Run(sign: sign, before: latest.1 * sign, first: time, last: time, base: abs(reading))
  }

  /// `after`: the second reading behind the run, nil where there is none.
  private func isFlat(_ run: Run, after: Double?) -> Bool {
    guard run.count >= Self.leastRun, run.isEqual || (run.last - run.first).seconds <= Self.longest else {
      return false
    }
    let width = Double(run.count + 4) / Double(run.count)
    // A run reaches from a tolerance below the top to the top, or from its first reading to a tolerance above.
    let fall = Self.steepness * 2 * Self.tolerance * width * width * top
    return top - run.before > fall && (after.map { top - $0 > fall } ?? true)
  }
}
