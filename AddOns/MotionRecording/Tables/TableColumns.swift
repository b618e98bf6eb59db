// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The columns of a table's first rows as numbers, and what their names say.
struct TableColumns {
  let structure: TableStructure
  /// One for each column; of a table without header all are unknown.
  var names: [ColumnName]
  /// The rows that are looked at: all, or those of one sensor.
  var rows: [[Substring]]

  init(_ structure: TableStructure) {
    self.structure = structure
    rows = structure.rows
    names = (0..<structure.columnCount).map { index in
      ColumnName(
        structure.names?[index] ?? "", group: index < structure.groups.count ? structure.groups[index] : "",
        unit: index < structure.units.count ? structure.units[index] : "")
    }
  }

  /// The same with the rows that have `word` in a column.
  func ofSensor(_ word: String, in column: Int) -> TableColumns {
    var part = self
    part.rows = rows.filter { column < $0.count && $0[column].sensorName == word }
    return part
  }

  /// NaN where there is no number.
  func numbers(_ column: Int) -> [Double] {
    rows.map { $0.count > column ? TableCell.number($0[column]) ?? .nan : .nan }
  }

  /// Whether nine in ten of the filled fields are numbers, and one in ten is filled.
  func isNumeric(_ column: Int) -> Bool {
    let filled = rows.count { $0.count > column && TableCell.kind($0[column]) != .nothing }
    let numeric = rows.count { $0.count > column && TableCell.number($0[column]) != nil }
    return filled * 10 >= rows.count && filled > 0 && numeric * 10 >= filled * 9
  }

  /// The readings of three columns, with the number of their rows.
  func vectors(_ columns: [Int]) -> [(row: Int, vector: Vector3<Device>)] {
    let numbers = columns.map(self.numbers)
    guard numbers.count == 3 else { return [] }
    return rows.indices.compactMap { row in
      let vector = Vector3<Device>(x: numbers[0][row], y: numbers[1][row], z: numbers[2][row])
      // A length of 1e50 overflows nothing.
      return vector.isFinite && max(vector.x.magnitude, vector.y.magnitude, vector.z.magnitude) < 1e50
        ? (row, vector) : nil
    }
  }

  /// How a map names a column: by its name where that is unmistakable, else by its number.
  func reference(_ column: Int) -> String {
    guard let names = structure.names, names.count(where: { $0 == names[column] }) == 1 else {
      return "#\(column + 1)"
    }
    let name = names[column]
    let isPlain =
      !name.isEmpty && name.utf8.count <= 80 && name.first != "#" && name.first != " " && name.last != " "
      && !name.contains("  ")
      && name.allSatisfy { $0.isLetter || $0.isNumber || "_-./ ()^°%:+²".contains($0) }
    return isPlain ? name : "#\(column + 1)"
  }

  /// A column as a sentence names it.
  func title(_ column: Int) -> String {
    if let name = structure.names?[column], !name.isEmpty { return String(name.prefix(60)) }
    return "#\(column + 1)"
  }
}

/// What the numbers of a sensor say of themselves.
enum TableEvidence {
  /// The length of gravity in the columns of an accelerometer: of the mean of their quietest stretch of `stride` rows.
  static func gravityLength(_ readings: [(row: Int, vector: Vector3<Device>)], stride: Int) -> Double? {
    guard !readings.isEmpty else { return nil }
    let size = min(max(5, stride), readings.count)
    var best: (spread: Double, length: Double)?
    var start = 0
    while start + size <= readings.count {
      let part = readings[start..<start + size]
      let mean = part.reduce(Vector3.zero) { $0 + $1.vector } * (1 / Double(size))
      let spread = part.reduce(0.0) { $0 + ($1.vector - mean).dot($1.vector - mean) }
      if best.map({ spread < $0.spread }) ?? true { best = (spread, mean.length) }
      start += max(1, size / 4)
    }
    return best?.length
  }

  /// Whether the mean over `stride` rows keeps nearly this length: a gyroscope may have it for a while.
  static func isSteady(_ readings: [(row: Int, vector: Vector3<Device>)], length: Double, stride: Int) -> Bool {
    let size = min(max(5, stride), readings.count)
    guard size > 0, length > 0 else { return false }
    var (all, near) = (0, 0)
    for start in Swift.stride(from: 0, through: readings.count - size, by: size) {
      let mean = readings[start..<start + size].reduce(Vector3.zero) { $0 + $1.vector } * (1 / Double(size))
      all += 1
      if (0.75...1.33).contains(mean.length / length) { near += 1 }
    }
    return near * 10 >= all * 7
  }

  /// Whether gravity has been removed: the mean over `stride` rows is far shorter than the readings.
  static func isWithoutGravity(_ readings: [Vector3<Device>], stride: Int) -> Bool {
    let size = min(max(5, stride), readings.count)
    guard size >= 5 else { return false }
    let shares = Swift.stride(from: 0, through: readings.count - size, by: size).map { start in
      let part = readings[start..<start + size]
      return part.reduce(.zero, +).length / part.reduce(0) { $0 + $1.length }
    }
    return TableTime.median(shares.filter(\.isFinite)) ?? 1 < 0.3
  }

  /// Whether the length hardly changes while the direction does: gravity as a device computed it, not a reading.
  static func isComputedGravity(_ readings: [(row: Int, vector: Vector3<Device>)]) -> Bool {
    let lengths = readings.map(\.vector.length)
    guard readings.count > 20, let least = lengths.min(), let most = lengths.max(), least > 0,
      let first = readings.first?.vector
    else { return false }
    let turn = readings.map { first.angle(to: $0.vector) }.max() ?? 0
    return (most - least) / most < min(3e-4, 0.05 * turn)
  }

  /// The units in which a length is that of gravity, the likeliest first.
  static func accelerationUnits(length: Double, areWhole: Bool) -> [String] {
    var units: [(name: String, ratio: Double)] = []
    for (name, gravity) in [("g", 1), ("m/s^2", standardGravity), ("mg", 1000), ("mm/s^2", 1000 * standardGravity)] {
      if (0.7...1.4).contains(length / gravity) { units.append((name, length / gravity)) }
    }
    // Counts: a power of two to the g.
    for power in areWhole ? 6...14 : 0...0 where (0.9...1.1).contains(length / Double(1 << power)) && power > 0 {
      units.append(("g/\(1 << power)", length / Double(1 << power)))
    }
    return units.sorted { max($0.ratio, 1 / $0.ratio) < max($1.ratio, 1 / $1.ratio) }.map(\.name)
  }

  /// Counts of InvenSense, ST and Bosch for ranges of 250 to 2000 °/s, and parts.
  static let rateCounts =
    ["131", "65.5", "32.8", "16.4", "16", "114.2857", "57.14286", "28.57143", "14.28571", "14.375", "10", "100"]
    .map { "deg/s/\($0)" } + ["rad/s/900"]

  /// What a gyroscope's numbers must be multiplied with to be rad/s, so that they turn gravity as the accelerometer
  /// sees it turn; nil where the device hardly turns, or moves too much.
  ///
  /// du/dt = −ω × u for the direction u of an axis at rest. The factor is a regression over steps of a quarter of a
  /// second; `fit` is the correlation, negative where one of the two has the wrong sign or other axes.
  static func turning(
    _ force: [(time: Double, vector: Vector3<Device>)], _ rates: [(time: Double, vector: Vector3<Device>)]
  ) -> (factor: Double, fit: Double)? {
    struct Step {
      var force = Vector3<Device>.zero
      var rate = Vector3<Device>.zero
      var forces = 0.0
      var rates = 0.0
    }
    guard let start = force.first?.time else { return nil }
    let length = 0.25
    var steps: [Int: Step] = [:]
    func index(_ time: Double) -> Int? { Int(exactly: ((time - start) / length).rounded(.down)) }
    for (readings, sum, count) in [(force, \Step.force, \Step.forces), (rates, \Step.rate, \Step.rates)] {
      for (time, vector) in readings {
        guard let step = index(time) else { continue }
        steps[step, default: Step()][keyPath: sum] += vector
        steps[step, default: Step()][keyPath: count] += 1
      }
    }
    let lengths = steps.values.filter { $0.forces > 0 }.map { ($0.force * (1 / $0.forces)).length }.sorted()
    guard lengths.count > 3 else { return nil }
    let gravity = lengths[lengths.count / 2]
    var (cross, seen, predicted) = (0.0, 0.0, 0.0)
    for (number, step) in steps {
      guard let next = steps[number &+ 1], step.forces > 1, next.forces > 1, step.rates > 1, next.rates > 1 else {
        continue
      }
      let (a, b) = (step.force * (1 / step.forces), next.force * (1 / next.forces))
      guard abs(a.length / gravity - 1) < 0.2, abs(b.length / gravity - 1) < 0.2, let u = a.normalized,
        let v = b.normalized, let middle = (u + v).normalized
      else { continue }
      let rate = (step.rate * (1 / step.rates) + next.rate * (1 / next.rates)) * 0.5
      let expected = rate.cross(middle) * -length
      let change = v - u
      cross += change.dot(expected)
      seen += change.dot(change)
      predicted += expected.dot(expected)
    }
    // Less than 6° in all is within what moving the device does to the accelerometer.
    guard seen > 0.01, predicted > 0, cross.isFinite, predicted.isFinite else { return nil }
    return (cross / predicted, cross / (seen * predicted).squareRoot())
  }
}
