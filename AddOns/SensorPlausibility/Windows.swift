// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Windows of a recording of six seconds, each of 48 steps: the means of their readings.
struct Windows {
  static let steps = 48
  private static let length = 6.0
  /// m/s²: of a mean of seconds; and its share of the force's deviation within the window.
  private static let noise = 0.5
  private static let motionNoise = 0.2

  /// Mean angular velocity times duration, rad; s; m/s²; µT: a step after the other.
  private(set) var turn: [Vector3<Device>] = []
  private(set) var time: [Double] = []
  private(set) var force: [Vector3<Device>] = []
  private(set) var field: [Vector3<Device>] = []
  /// Expected, of a mode, (m/s²)².
  private(set) var variance: [Double] = []
  /// Some windows were left out, as the force stops at the end of a range.
  private(set) var isClipped = false
  var count: Int { variance.count }

  /// At most `most` windows over the first `count` rows; of each step at most `reads` rows. Nil if it is too short or
  /// has gaps everywhere.
  init?(
    _ rows: some SensorRows, _ count: Int, most: Int, reads: Int, zerosAreMissing: Bool,
    fieldScale: Double
  ) {
    guard count > Self.steps else { return nil }
    let span =
      Double(rows.time(count - 1).subtractingReportingOverflow(rows.time(0)).partialValue) * 1e-9
    guard span > 0 else { return nil }
    let wanted = (Self.length / span * Double(count) / Double(Self.steps)).rounded(.toNearestOrEven)
    let each = min(max(1, Int(min(wanted, 1e9))), (count - 1) / Self.steps)
    let size = each * Self.steps
    let number = min(most, max(1, count / size))
    var starts: [Int] = []
    for index in 0..<number {
      let start =
        number > 1 ? Int(Double(count - 1 - size) * Double(index) / Double(number - 1)) : 0
      starts.append(start)
    }
    let lengths = starts.map { seconds(rows, $0, $0 + size) }
    let usual = middle(lengths)
    var found: [(start: Int, deviation: Double, mean: Double, stopped: Int)] = []
    var top = 0.0
    for (start, length) in zip(starts, lengths) where length >= 0.5 && length <= 2 * usual {
      guard let window = append(rows, start, each, reads, length, zerosAreMissing, fieldScale)
      else { continue }
      found.append((start, window.deviation, window.mean, 0))
      top = max(top, window.top)
    }
    // Readings that stop at the end of a range have no mean; but all of one length are gravity in another unit.
    if top > 1.5 * standardGravity {
      var all = 0
      for index in found.indices {
        for step in 0..<Self.steps {
          for row in samples(found[index].start + step * each, each, reads) {
            let v = rows.force(row)
            if max(v.x.magnitude, v.y.magnitude, v.z.magnitude) >= 0.98 * top {
              found[index].stopped += 1
            }
          }
        }
        all += found[index].stopped
      }
      let read = Double(Self.steps * min(each, reads))
      let isClipped = found.map {
        all >= 20 && Double($0.stopped) / read > 0.02 && $0.deviation > 0.15 * $0.mean
      }
      keep { !isClipped[$0] }
      self.isClipped = isClipped.contains(true)
    }
    guard !variance.isEmpty || isClipped else { return nil }
  }

  /// Rows of a step that are read, evenly spaced.
  private func samples(_ first: Int, _ each: Int, _ reads: Int) -> some Sequence<Int> {
    let number = min(each, reads)
    return (0..<number).lazy.map { first + $0 * each / number }
  }

  private func seconds(_ rows: some SensorRows, _ first: Int, _ last: Int) -> Double {
    Double(rows.time(last).subtractingReportingOverflow(rows.time(first)).partialValue) * 1e-9
  }

  /// The means of a window, unless it has a gap or too few readings.
  private mutating func append(
    _ rows: some SensorRows, _ start: Int, _ each: Int, _ reads: Int, _ length: Double,
    _ zerosAreMissing: Bool,
    _ fieldScale: Double
  ) -> (deviation: Double, mean: Double, top: Double)? {
    let before = variance.count * Self.steps
    var (sum, squares, number, top) = (0.0, 0.0, 0.0, 0.0)
    var known = (force: 0, field: 0)
    var isFine = true
    for step in 0..<Self.steps {
      let first = start + step * each
      let duration = seconds(rows, first, first + each)
      var (rate, force, field) = (Vector3<Device>.zero, Vector3<Device>.zero, Vector3<Device>.zero)
      var counts = (rate: 0.0, force: 0.0, field: 0.0)
      for row in samples(first, each, reads) {
        rate += rows.rate(row)
        counts.rate += 1
        let reading = rows.force(row)
        if reading.isFinite, !zerosAreMissing || reading != .zero {
          force += reading
          counts.force += 1
          let squared = reading.dot(reading)
          (sum, squares, number) = (sum + squared.squareRoot(), squares + squared, number + 1)
          top = max(top, reading.x.magnitude, reading.y.magnitude, reading.z.magnitude)
        }
        guard rows.hasField else { continue }
        let other = rows.field(row)
        if other.isFinite { (field, counts.field) = (field + other, counts.field + 1) }
      }
      isFine = isFine && duration > 0 && duration <= 0.2 * length
      turn.append(rate * (duration / counts.rate))
      time.append(duration)
      // Steps without a reading hold the one before.
      known.force += counts.force > 0 ? 1 : 0
      self.force.append(counts.force > 0 ? force / counts.force : self.force.last(behind: before))
      guard rows.hasField else { continue }
      known.field += counts.field > 0 ? 1 : 0
      self.field.append(
        counts.field > 0 ? field * (fieldScale / counts.field) : self.field.last(behind: before))
    }
    let mean = sum / max(1, number)
    let deviation = max(0, squares / max(1, number) - mean * mean).squareRoot()
    isFine = isFine && known.force * 2 >= Self.steps
    for step in before..<before + Self.steps where isFine {
      isFine =
        turn[step].isFinite && turn[step].length < 1e6 && force[step].isFinite
        && force[step].length < 1e12
    }
    guard isFine else {
      turn.removeSubrange(before...)
      time.removeSubrange(before...)
      force.removeSubrange(before...)
      if rows.hasField { field.removeSubrange(before...) }
      return nil
    }
    if rows.hasField, known.field * 2 < Self.steps {
      field[before] = Vector3(x: .nan, y: .nan, z: .nan)
    }
    let motion = Self.motionNoise * deviation
    variance.append(Self.noise * Self.noise + motion * motion)
    return (deviation, mean, top)
  }

  private mutating func keep(_ isKept: (Int) -> Bool) {
    let indices = (0..<count).filter(isKept)
    guard indices.count < count else { return }
    self = part(indices)
  }

  /// Some of them.
  func part(_ indices: [Int]) -> Windows {
    var part = self
    (part.turn, part.time, part.force, part.field, part.variance) = ([], [], [], [], [])
    for index in indices {
      let range = index * Self.steps..<(index + 1) * Self.steps
      part.turn += turn[range]
      part.time += time[range]
      part.force += force[range]
      if !field.isEmpty { part.field += field[range] }
      part.variance.append(variance[index])
    }
    return part
  }

  /// Those that turn most.
  func busiest(_ number: Int) -> Windows {
    let turns = (0..<count).map { window in
      turn[window * Self.steps..<(window + 1) * Self.steps].reduce(0) { $0 + $1.length }
    }
    return part((0..<count).sorted { turns[$0] > turns[$1] }.prefix(number).sorted())
  }
}

extension [Vector3<Device>] {
  /// The last one behind an index, else NaN.
  fileprivate func last(behind index: Int) -> Vector3<Device> {
    if count > index, let last { return last }
    return Vector3(x: .nan, y: .nan, z: .nan)
  }
}
