// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// What times and lengths of readings say.
extension Plausibility {
  /// Whether the times can be those of sensors: 1 Hz to 9 kHz.
  static func interval(_ rows: some SensorRows, _ count: Int) -> Finding? {
    guard count > 2 else { return nil }
    var steps: [Double] = []
    for row in 1..<min(count, 400) {
      let step = rows.time(row).subtractingReportingOverflow(rows.time(row - 1)).partialValue
      if step > 0 { steps.append(Double(step)) }
    }
    guard !steps.isEmpty else { return nil }
    let step = middle(steps) * 1e-9
    return (1.1e-4..<1).contains(step) ? nil : Finding(kind: .interval, measured: step)
  }

  /// Units of an accelerometer per g: g, mg, cm/s², ft/s², counts.
  private static let unitsPerGravity =
    [1, 1000, 100 * standardGravity, 32.174, 64] + (0..<8).map { Double(256 << $0) }

  /// Whether the specific force has the length of gravity; `known` is the length of its mean over seconds. `isRough`:
  /// over less, in which an impact counts, or the force stops at the end of a range.
  static func gravity(_ some: Sample, _ known: Double?, isRough: Bool) -> Finding? {
    let lengths = some.forces.map { $0.length }
    guard !lengths.isEmpty else { return nil }
    let usual = middle(lengths)
    let mean = known ?? usual
    let usualRange = known != nil && !isRough ? 0.56...1.65 : 0.4...3.5
    guard !usualRange.contains(mean / standardGravity) else { return nil }
    if usual == 0 { return Finding(kind: .forceIsZero, measured: 0) }
    let speeds = some.rates.map { $0.length }
    let speed = middle(speeds)
    if !speeds.isEmpty, 9 < speed, speed < 10.6, deviation(speeds) < 0.35 * speed, usual < 5 {
      return Finding(kind: .forceIsRate, measured: mean)
    }
    if mean >= 0.5 * usual || known == nil {
      for size in unitsPerGravity where (0.88...1.12).contains(mean / size) {
        return Finding(kind: .forceUnit, measured: mean, factor: size)
      }
      if 15 < mean, mean < 100, known != nil, usual < 1.2 * mean {
        return Finding(kind: .forceIsField, measured: mean)
      }
    }
    return Finding(
      kind: mean < 0.56 * standardGravity ? .forceIsLinear : .forceLength, measured: mean)
  }

  private static func deviation(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
  }

  /// A length that hardly changes while the direction does is that of gravity or of a normalised field: no rate keeps
  /// it.
  static func direction(_ some: Sample) -> Finding? {
    let lengths = some.rates.map { $0.length }
    guard some.rates.count > 20, let least = lengths.min(), let most = lengths.max(), least > 0,
      let first = some.rates.first
    else { return nil }
    let turn = some.rates.map { first.angle(to: $0) }.max() ?? 0
    guard (most - least) / most < min(3e-4, 0.05 * turn) else { return nil }
    return Finding(kind: .rateIsDirection, measured: middle(lengths))
  }

  /// rad/s: the end of what sensors can read.
  package static let fastest = 35.0

  /// Whether something turns as fast as it says: in half of the rows, as one shock may be beyond the end.
  static func fast(_ some: Sample) -> Finding? {
    let speed = middle(some.rates.map { $0.length })
    return speed > fastest ? Finding(kind: .rateIsTooFast, measured: speed) : nil
  }

  /// A warning where the device lies on its face.
  static func posture(_ some: Sample) -> Finding? {
    let low = some.forces.count { $0.z < -0.7 * $0.length }
    let share = Double(low) / Double(max(1, some.forces.count))
    return share > 0.8 ? Finding(level: .warning, kind: .signByPosture, measured: share) : nil
  }
}

extension SensorRows {
  /// The length of the mean of stretches of 4 s, in which a device hardly turns; nil without a reading.
  func meanForce(_ count: Int) -> Double? {
    var step = 1e9
    if count > 1 {
      step = max(
        1,
        middle(
          (1..<min(count, 400)).map {
            Double(time($0).subtractingReportingOverflow(time($0 - 1)).partialValue)
          }))
    }
    let size = min(count, 40_000, 1 + Int(4e9 / step))
    var lengths: [Double] = []
    for stretch in 0..<100 {
      let first = Int(Double(count - size) * Double(stretch) / 99)
      var (sum, number) = (Vector3<Device>.zero, 0.0)
      for row in Swift.stride(from: first, to: first + size, by: max(1, size / 100)) {
        let reading = force(row)
        if reading.isFinite { (sum, number) = (sum + reading, number + 1) }
      }
      if number > 0 { lengths.append((sum / number).length) }
    }
    return lengths.isEmpty ? nil : middle(lengths)
  }
}
