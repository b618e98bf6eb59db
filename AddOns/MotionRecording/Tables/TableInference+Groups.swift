// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// Which columns belong together.
extension TableInference {
  mutating func findGroups() {
    if table.structure.names == nil { return findUnnamed() }
    var found: [Group] = []
    var axes: [[Int: Int]] = []
    for (column, name) in table.names.enumerated() where table.isNumeric(column) {
      if name.kind == .pressure {
        found.append(Group(kind: .pressure, columns: [column], place: name.place))
        axes.append([:])
        continue
      }
      guard let axis = name.axis, name.kind != .other, name.kind != .unknown, name.kind != .time else { continue }
      let place = name.place
      let index = found.lastIndex {
        $0.kind == name.kind && $0.place == place && $0.variant == name.variant
      }
      if let index, axes[index][axis] == nil {
        axes[index][axis] = column
      } else {
        found.append(Group(kind: name.kind, columns: [], place: place, variant: name.variant))
        axes.append([axis: column])
      }
    }
    for index in found.indices where found[index].kind != .pressure {
      let first = axes[index][0] == nil && axes[index].values.allSatisfy { table.names[$0].isNumbered } ? 1 : 0
      let columns = (first...first + 2).compactMap { axes[index][$0] }
      found[index].columns = columns.count == 3 ? columns : []
    }
    groups = found.filter { !$0.columns.isEmpty }
    if findRowsOfSensors() { return }
    nameBareAxes()
    useTotalAcceleration()
  }

  /// x, y, z alone: the sensor is in the name of the file, else an accelerometer is known by gravity.
  mutating func nameBareAxes() {
    guard !groups.contains(where: { $0.kind == .accelerometer || $0.kind == .gyroscope }) else { return }
    let bare = groups.indices.filter { groups[$0].kind == .axisOnly }
    guard bare.count == 1, let index = bare.first else { return }
    let word = ColumnName("\(member.plainName.split(separator: ".").first ?? "") x").kind
    if [.accelerometer, .gyroscope, .magnetometer].contains(word) {
      groups[index].kind = word
    } else if word == .axisOnly || word == .unknown, holdsGravity(groups[index].columns) {
      groups[index].kind = .accelerometer
      remarks.append("\(titles(groups[index])) are an accelerometer, as they hold gravity")
    }
  }

  /// ROS and others call an accelerometer "linear acceleration": gravity shows it.
  mutating func useTotalAcceleration() {
    guard !groups.contains(where: { $0.kind == .accelerometer || $0.kind == .gravity }) else { return }
    for index in groups.indices where groups[index].kind == .userAcceleration && holdsGravity(groups[index].columns) {
      groups[index].kind = .accelerometer
      remarks.append("\(titles(groups[index])) contain gravity")
    }
  }

  /// Without header: three columns that have the length of gravity, and the three behind or before them.
  mutating func findUnnamed() {
    let time: Int? = if case .time(let found) = TableTime.find(in: table) { found.columns.max() } else { nil }
    var columns = Array(((time.map { $0 + 1 } ?? 0)..<table.structure.columnCount).prefix { table.isNumeric($0) })
    if columns.count % 3 == 1, time != nil, isStatus(columns[0]) { columns.removeFirst() }
    // The file of one sensor may have its name.
    let kind = ColumnName("\(member.plainName.split(separator: ".").first ?? "") x").kind
    if columns.count == 3, kind == .gyroscope || kind == .magnetometer {
      groups = [Group(kind: kind, columns: columns)]
      return
    }
    // A few rows of numbers without names say too little.
    guard columns.count % 3 == 0, (3...9).contains(columns.count), table.rows.count >= 20 else { return }
    let triples = stride(from: 0, to: columns.count, by: 3).map { Array(columns[$0..<$0 + 3]) }
    var forces = triples.indices.filter { holdsGravity(triples[$0]) }
    // At rest another sensor may be as steady, but hardly as near to a unit.
    if forces.count > 1 { forces = forces.filter { holdsGravity(triples[$0], within: 0.05) } }
    guard forces.count == 1, let force = forces.first else { return }
    groups = [Group(kind: .accelerometer, columns: triples[force])]
    if triples.count > 1, let next = force == 0 ? 1 : force == 1 ? 0 : nil, !areCounters(triples[next]) {
      groups.append(Group(kind: .gyroscope, columns: triples[next]))
    }
    if triples.count == 3, force < 2, !areCounters(triples[2]) {
      groups.append(Group(kind: .magnetometer, columns: triples[2]))
    }
    let names = groups.map { "\(titles($0)) \($0.kind.rawValue)" }.joined(separator: ", ")
    remarks.append("without header: \(names), by the length of gravity and the usual order")
  }

  /// A few small whole numbers, as a driver's status or accuracy.
  func isStatus(_ column: Int) -> Bool {
    let values = Set(table.numbers(column))
    return values.count <= 8 && values.allSatisfy { $0.rounded() == $0 && (-1...15).contains($0) }
  }

  /// Whole numbers that never fall: counts of steps, and no sensor, which falls again.
  func areCounters(_ columns: [Int]) -> Bool {
    columns.allSatisfy { column in
      let values = table.numbers(column).filter(\.isFinite)
      return zip(values.dropFirst(), values).allSatisfy { $0 >= $1 } && values.allSatisfy { $0.rounded() == $0 }
    }
  }

  /// Rows of one sensor each: a column of few words, of which some are sensors.
  mutating func findRowsOfSensors() -> Bool {
    guard !groups.contains(where: { $0.kind == .accelerometer || $0.kind == .gyroscope }) else { return false }
    let values =
      groups.filter { $0.kind == .axisOnly }.first?.columns
      ?? Array(
        table.names.indices.filter { column in
          let name = table.structure.names?[column].lowercased() ?? ""
          return table.isNumeric(column) && ["v", "val", "value", "data"].contains { name.hasPrefix($0) }
        }.prefix(3))
    guard values.count == 3 else { return false }
    for column in 0..<table.structure.columnCount where !table.isNumeric(column) {
      var words: [String: Int] = [:]
      for row in table.rows where row.count > column { words[row[column].sensorName, default: 0] += 1 }
      guard (1...32).contains(words.count) else { continue }
      let spellings = Dictionary(
        table.rows.filter { $0.count > column }.map { ($0[column].sensorName, String($0[column])) },
        uniquingKeysWith: { first, _ in first })
      var sensors: [Group] = []
      for (word, text) in spellings.sorted(by: { $0.key < $1.key }) {
        let name = ColumnName(text + " x")
        guard [.accelerometer, .gyroscope, .magnetometer].contains(name.kind), word.utf8.count <= 60,
          word.allSatisfy({ $0.isLetter || $0.isNumber || "_-.".contains($0) })
        else { continue }
        sensors.append(
          Group(kind: name.kind, columns: values, place: name.place, variant: name.variant, sensor: word))
      }
      guard sensors.contains(where: { $0.kind == .accelerometer || $0.kind == .gyroscope }) else { continue }
      sensorColumn = column
      groups = sensors
      return true
    }
    return false
  }

  /// The readings of the accelerometer with their times, s, for a gyroscope in another table.
  var force: [(time: Double, vector: Vector3<Device>)]? {
    groups.first { $0.kind == .accelerometer }.map(readings)
  }

  private func readings(of group: Group) -> [(time: Double, vector: Vector3<Device>)] {
    table.vectors(group.columns).compactMap { row, vector in
      guard let seconds = time?.seconds, row < seconds.count, seconds[row].isFinite else { return nil }
      return (seconds[row], vector)
    }
  }

  /// The unit of a gyroscope whose names say none, by the turning of gravity in another table.
  mutating func nameRateUnit(turning force: [(time: Double, vector: Vector3<Device>)]) {
    guard let group = groups.first(where: { $0.kind == .gyroscope }),
      !groups.contains(where: { $0.kind == .accelerometer }),
      group.columns.allSatisfy({ table.names[$0].unit == nil }),
      let turning = TableEvidence.turning(force, readings(of: group)), turning.fit.magnitude > 0.6
    else { return }
    let units = ["rad/s", "deg/s", "mdeg/s"].filter { name in
      (0.5...2).contains(turning.factor.magnitude / (ColumnMap.unit(name, of: "gx")?.scale ?? .infinity))
    }
    guard let unit = units.first else { return }
    table.names[group.columns[0]].unit = unit
    remarks.append("the unit of the gyroscope is \(unit) by the turning of gravity")
  }

  /// Rows whose times follow one another: those of one sensor.
  var timedRows: TableColumns { groups.first.map(rows) ?? table }

  func rows(of group: Group) -> TableColumns {
    guard let sensor = group.sensor, let sensorColumn else { return table }
    return table.ofSensor(sensor, in: sensorColumn)
  }

  func holdsGravity(_ columns: [Int], within tolerance: Double = 0.4) -> Bool {
    let readings = table.vectors(columns)
    guard !TableEvidence.isComputedGravity(readings),
      let length = TableEvidence.gravityLength(readings, stride: 50),
      TableEvidence.isSteady(readings, length: length, stride: 50)
    else { return false }
    let unit = TableEvidence.accelerationUnits(length: length, areWhole: areWhole(readings)).first
    guard let scale = unit.flatMap({ ColumnMap.unit($0, of: "ax") })?.scale else { return false }
    return abs(length * scale / standardGravity - 1) < tolerance
  }

  func areWhole(_ readings: [(row: Int, vector: Vector3<Device>)]) -> Bool {
    readings.allSatisfy { $0.vector.x.rounded() == $0.vector.x && $0.vector.y.rounded() == $0.vector.y }
  }

  func titles(_ group: Group) -> String { group.columns.map(table.title).joined(separator: ", ") }
}

// Which of several sensors.
extension TableInference {
  /// Leaves one group of each kind; a sentence where several places have one.
  mutating func choosePlaces() -> String? {
    let raw = groups.contains { $0.kind == .accelerometer }
    groups.removeAll { group in
      switch group.kind {
      case .accelerometer, .gyroscope, .magnetometer, .pressure: false
      case .gravity, .userAcceleration: raw
      default: true
      }
    }
    if !raw, !(groups.contains { $0.kind == .gravity } && groups.contains { $0.kind == .userAcceleration }) {
      groups.removeAll { $0.kind == .gravity || $0.kind == .userAcceleration }
    }
    var places: [String] = []
    for group in groups where group.kind == .accelerometer || group.kind == .gyroscope {
      if !places.contains(group.place) { places.append(group.place) }
    }
    let main: ColumnName.Kind = groups.contains { $0.kind == .accelerometer } ? .accelerometer : .gyroscope
    let holders = places.filter { place in groups.contains { $0.kind == main && $0.place == place } }
    if holders.count > 1 {
      let all = groups
      let lines = holders.prefix(12).map { place -> String in
        var part = self
        part.groups = all.filter { $0.place == place }
        part.takeOneOfEach()
        part.units = []
        for group in part.groups { _ = part.addUnits(group) }
        return "  " + part.line(choosing: nil, of: "")
      }
      return
        "There are \(holders.count) devices here (\(holders.prefix(12).map { $0.isEmpty ? "one without name" : $0 }.joined(separator: ", "))). Choose one of:\n"
        + lines.joined(separator: "\n")
    }
    takeOneOfEach()
    return nil
  }

  /// Calibrated before raw, low noise before wide range, else the first.
  mutating func takeOneOfEach() {
    var chosen: [Group] = []
    for kind in [
      ColumnName.Kind.accelerometer, .gyroscope, .magnetometer, .gravity, .userAcceleration, .pressure,
    ] {
      func rank(_ group: Group) -> Int {
        (group.variant.contains("uncal") || group.variant.contains("uncalibrated") ? 4 : 0)
          + (group.variant.contains("raw") ? 2 : 0)
          + (group.variant.isDisjoint(with: ["wr", "wide", "high", "hg"]) ? 0 : 1)
      }
      let some = groups.filter { $0.kind == kind }
      guard let best = some.min(by: { rank($0) < rank($1) }) else { continue }
      chosen.append(best)
      if some.count > 1 { remarks.append("of \(some.count) of the kind the \(kind.rawValue) is \(titles(best))") }
    }
    groups = chosen
  }
}
