// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Understands a table that no format describes, from its names and its numbers, as the map that a person would write.
///
/// Names say which columns belong to which sensor and mostly their unit. Where they do not, physics does: an
/// accelerometer at rest has the length of gravity, a gyroscope turns gravity as the accelerometer sees it turn, a
/// magnetometer has the length of the earth's field, a sensor has a usual rate. The sign of gravity shows in nothing
/// that a table holds, because the opposite sign is the same motion upside down: it is assumed to be that of nearly all
/// logs, and said. Where two readings remain the table is refused with the map of each.
struct TableInference {
  /// What was understood.
  struct Reading {
    /// The value of `--map`.
    var map: String
    var sign: RecordingOptions.Sign?
    var rate: Double?
    /// Sentences on what no name says.
    var remarks: [String]
    var unread: [String]

    /// The options that read it so.
    var arguments: String {
      "--map \"\(map)\"" + (sign.map { " --sign \($0.rawValue)" } ?? "") + (rate.map { " --rate \($0)" } ?? "")
    }
  }

  enum Outcome {
    case reading(Reading)
    /// A table of motion, of which something is not known: a sentence and lines to choose from.
    case refused(String)
    /// No table of motion.
    case none
  }

  /// A sensor's three columns.
  struct Group {
    var kind: ColumnName.Kind
    var columns: [Int]
    var place = ""
    var variant: Set<String> = []
    /// The word that its rows have, where rows are of one sensor.
    var sensor: String?
  }

  let table: TableColumns
  private let fileName: String
  private let options: RecordingOptions
  private var groups: [Group] = []
  private var time: TableTime?
  private var sensorColumn: Int?
  private var rate: Double?
  private var remarks: [String] = []
  /// Units of the map by target prefix.
  private var units: [(group: Group, prefix: String, choices: [String])] = []

  init?(_ files: RecordingFiles, _ member: RecordingFiles.Member, _ options: RecordingOptions) throws(SensorError) {
    guard let structure = try TableStructure(files, member), structure.columnCount > 2 else { return nil }
    table = TableColumns(structure)
    fileName = member.plainName
    self.options = options
  }

  /// Decides everything.
  mutating func outcome() -> Outcome {
    findGroups()
    guard groups.contains(where: { $0.kind == .accelerometer || $0.kind == .gyroscope || $0.kind == .gravity }) else {
      return .none
    }
    let finding = options.rate == nil ? TableTime.find(in: table) : .none
    if case .time(let found) = finding {
      time = found
      if let remark = found.remark { remarks.append("the time \(table.title(found.columns[0])) is in \(remark)") }
    }
    rate = time == nil ? options.rate ?? statedRate : nil
    if let refusal = choosePlaces() { return .refused(refusal) }
    for group in groups {
      if let refusal = addUnits(group) { return refusal }
    }
    guard units.contains(where: { ["a", "g", "user"].contains($0.prefix) }) else { return .none }
    if time == nil, rate == nil { return .refused(withoutTime(finding)) }
    if rate != nil, options.rate == nil { remarks.append("the rate of the rows stands above them") }
    return decided()
  }

  private func decided() -> Outcome {
    if let open = units.first(where: { $0.choices.count > 1 }) {
      let lines = open.choices.map { "  \(line(choosing: $0, of: open.prefix))" }
      return .refused(
        "The unit of the \(Self.title(open.group.kind)) could be \(open.choices.joined(separator: " or ")): the names of its columns do not say it, and its numbers fit both. Choose one of:\n"
          + lines.joined(separator: "\n"))
    }
    var remarks = remarks
    let sign = sign
    if sign == .reaction, options.sign == nil {
      remarks.append(
        "the sign of the accelerations is assumed (reaction: z is positive face up at rest); --sign apple is the other")
    } else if sign == .apple, options.sign == nil {
      remarks.append("the sign is Core Motion's, as the names are")
    }
    let structure = table.structure
    if structure.firstRow > (structure.names == nil ? 0 : 1) {
      remarks.append("the first row is in line \(structure.firstRow + 1)")
    }
    if structure.endsAtBlankLine { remarks.append("blocks behind the first empty line are not read") }
    let used = Set(units.flatMap(\.group.columns) + (time?.columns ?? []) + [sensorColumn].compactMap(\.self))
    let unread = (0..<structure.columnCount).filter { !used.contains($0) && !(structure.names?[$0].isEmpty ?? false) }
    return .reading(
      Reading(
        map: mapText(choosing: nil, of: ""), sign: sign, rate: rate, remarks: remarks,
        unread: unread.prefix(40).map { "column \(table.title($0))" }
          + (unread.count > 40 ? ["\(unread.count - 40) more columns"] : [])))
  }

  /// Nil where there are no accelerations.
  private var sign: RecordingOptions.Sign? {
    guard units.contains(where: { $0.prefix != "g" && $0.prefix != "m" && $0.prefix != "p" }) else { return nil }
    if let sign = options.sign { return sign }
    return table.names.contains(where: \.isCoreMotion) ? .apple : .reaction
  }
}

// Which columns belong together.
extension TableInference {
  private mutating func findGroups() {
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
      let columns = [0, 1, 2].compactMap { axes[index][$0] }
      found[index].columns = columns.count == 3 ? columns : []
    }
    groups = found.filter { !$0.columns.isEmpty }
    if findSensors() { return }
    nameBareAxes()
    useTotalAcceleration()
  }

  /// x, y, z alone: the sensor is in the name of the file, else an accelerometer is known by gravity.
  private mutating func nameBareAxes() {
    guard !groups.contains(where: { $0.kind == .accelerometer || $0.kind == .gyroscope }) else { return }
    let bare = groups.indices.filter { groups[$0].kind == .axisOnly }
    guard bare.count == 1, let index = bare.first else { return }
    let word = ColumnName("\(fileName.split(separator: ".").first ?? "") x").kind
    if word == .accelerometer || word == .gyroscope {
      groups[index].kind = word
    } else if word == .axisOnly || word == .unknown, holdsGravity(groups[index].columns) {
      groups[index].kind = .accelerometer
      remarks.append("\(titles(groups[index])) are an accelerometer, as they hold gravity")
    }
  }

  /// ROS and others call an accelerometer "linear acceleration": gravity shows it.
  private mutating func useTotalAcceleration() {
    guard !groups.contains(where: { $0.kind == .accelerometer || $0.kind == .gravity }) else { return }
    for index in groups.indices where groups[index].kind == .userAcceleration && holdsGravity(groups[index].columns) {
      groups[index].kind = .accelerometer
      remarks.append("\(titles(groups[index])) contain gravity")
    }
  }

  /// Without header: three columns that have the length of gravity, and the three behind or before them.
  private mutating func findUnnamed() {
    let time: Int? = if case .time(let found) = TableTime.find(in: table) { found.columns.max() } else { nil }
    let columns = Array((time.map { $0 + 1 } ?? 0)..<table.structure.columnCount).prefix { table.isNumeric($0) }
    guard columns.count % 3 == 0, (3...9).contains(columns.count) else { return }
    let triples = stride(from: 0, to: columns.count, by: 3).map { Array(columns[$0..<$0 + 3]) }
    let forces = triples.indices.filter { holdsGravity(triples[$0]) }
    guard forces.count == 1, let force = forces.first else { return }
    groups = [Group(kind: .accelerometer, columns: triples[force])]
    if triples.count > 1, let next = force == 0 ? 1 : force == 1 ? 0 : nil {
      groups.append(Group(kind: .gyroscope, columns: triples[next]))
    }
    if triples.count == 3, force < 2 { groups.append(Group(kind: .magnetometer, columns: triples[2])) }
    let names = groups.map { "\(titles($0)) \(Self.title($0.kind))" }.joined(separator: ", ")
    remarks.append("without header: \(names), by the length of gravity and the usual order")
  }

  /// Rows of one sensor each: a column of few words, of which some are sensors.
  private mutating func findSensors() -> Bool {
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

  func rows(of group: Group) -> TableColumns {
    guard let sensor = group.sensor, let sensorColumn else { return table }
    return table.ofSensor(sensor, in: sensorColumn)
  }

  private func holdsGravity(_ columns: [Int]) -> Bool {
    let readings = table.vectors(columns)
    guard !TableEvidence.isComputedGravity(readings),
      let length = TableEvidence.gravityLength(readings, stride: 50)
    else { return false }
    return !TableEvidence.accelerationUnits(length: length, areWhole: areWhole(readings)).isEmpty
  }

  private func areWhole(_ readings: [(row: Int, vector: Vector3<Device>)]) -> Bool {
    readings.allSatisfy { $0.vector.x.rounded() == $0.vector.x && $0.vector.y.rounded() == $0.vector.y }
  }

  private func titles(_ group: Group) -> String { group.columns.map(table.title).joined(separator: ", ") }

  static func title(_ kind: ColumnName.Kind) -> String {
    switch kind {
    case .accelerometer: "accelerometer"
    case .gyroscope: "gyroscope"
    case .magnetometer: "magnetometer"
    case .userAcceleration: "user acceleration"
    case .gravity: "gravity"
    default: "pressure"
    }
  }
}

// Which of several sensors.
extension TableInference {
  /// Leaves one group of each kind; a sentence where several places have one.
  private mutating func choosePlaces() -> String? {
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
  private mutating func takeOneOfEach() {
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
      if some.count > 1 { remarks.append("of \(some.count) of the kind the \(Self.title(kind)) is \(titles(best))") }
    }
    groups = chosen
  }
}

// Units.
extension TableInference {
  private mutating func addUnits(_ group: Group) -> Outcome? {
    let name = group.columns.compactMap { table.names[$0].unit }.first
    let part = rows(of: group)
    let strange = group.columns.contains { table.names[$0].hasStrangeUnit }
    switch group.kind {
    case .accelerometer, .gravity:
      let readings = part.vectors(group.columns)
      let perSecond = rate ?? time?.interval.map { 1 / $0 } ?? 50
      let stride = perSecond.isFinite ? Int(min(1000, max(5, perSecond))) : 50
      let length = TableEvidence.gravityLength(readings, stride: stride) ?? 0
      let fitting = TableEvidence.accelerationUnits(length: length, areWhole: areWhole(readings))
      let prefix = group.kind == .gravity ? "grav" : "a"
      if let name {
        let isPossible = fitting.contains(name) || fitting.isEmpty
        units.append((group, prefix, isPossible ? [name] : [name, fitting[0]]))
      } else if let first = fitting.first {
        units.append((group, prefix, [first]))
        if !isTargetName(group) || first != "m/s^2" {
          remarks.append(
            "the unit of the \(Self.title(group.kind)) is \(first) by the length of gravity, \(Self.text(length))")
        }
      } else {
        return .refused(
          "The unit of the \(Self.title(group.kind)) is not known: its columns (\(titles(group))) name none that is known, and in their quietest second their length is \(Self.text(length)), in no usual unit that of gravity. Give it in the map, as in\n  \(line(adding: group, prefix, "g"))"
        )
      }
    case .userAcceleration:
      let unit = units.first { $0.prefix == "grav" }?.choices.first
      units.append((group, "user", [name ?? unit ?? "g"]))
    case .gyroscope: addGyroscope(group, name, part)
    case .magnetometer: addMagnetometer(group, strange ? nil : name, part, isStrange: strange)
    case .pressure: addPressure(group, name, part)
    default: break
    }
    return nil
  }

  /// The names are those of a map's targets, which are in SI where nothing says otherwise.
  private func isTargetName(_ group: Group) -> Bool {
    let names = group.columns.map { table.structure.names?[$0] ?? "" }
    return names == ["ax", "ay", "az"] || names == ["gx", "gy", "gz"]
  }

  private mutating func addGyroscope(_ group: Group, _ name: String?, _ part: TableColumns) {
    let known = [("rad/s", 1.0), ("deg/s", Angle(degrees: 1).radians), ("mdeg/s", Angle(degrees: 1e-3).radians)]
    var turned: String?
    if let force = groups.first(where: { $0.kind == .accelerometer }), force.sensor == nil {
      let times = time?.seconds ?? table.rows.indices.map { Double($0) / (rate ?? .nan) }
      let readings = part.vectors(group.columns)
      if let turning = TableEvidence.turning(table.vectors(force.columns), readings, times: times),
        turning.fit.magnitude > 0.6
      {
        // Units differ by 57 and 1000: half and twice are near enough.
        turned = known.first { (0.5...2).contains(turning.factor.magnitude / $0.1) }?.0
        if turning.fit < 0 {
          remarks.append(
            "gravity turns against the gyroscope: one of the two has other axes or the wrong sign (--axes, --map)")
        }
      }
    }
    if let name {
      units.append((group, "g", turned == nil || turned == name || name.contains("/s/") ? [name] : [name, turned ?? name]))
      return
    }
    let most = part.vectors(group.columns).map(\.vector.length).max() ?? 0
    if let turned {
      units.append((group, "g", [turned]))
      remarks.append("the unit of the gyroscope is \(turned) by the turning of gravity")
    } else if most > 35, most < 4500 {
      units.append((group, "g", ["deg/s"]))
      remarks.append("the unit of the gyroscope is deg/s: \(Self.text(most)) rad/s is beyond what they measure")
    } else if isTargetName(group) {
      units.append((group, "g", ["rad/s"]))
      remarks.append("the unit of the gyroscope is assumed (rad/s, as the names are those of a map)")
    } else {
      units.append((group, "g", ["rad/s", "deg/s"]))
    }
  }

  private mutating func addMagnetometer(_ group: Group, _ name: String?, _ part: TableColumns, isStrange: Bool) {
    if let name {
      units.append((group, "m", [name]))
      return
    }
    let lengths = part.vectors(group.columns).map(\.vector.length).sorted()
    let middle = lengths.isEmpty ? 0 : lengths[lengths.count / 2]
    // The earth's field is 22 to 67 µT, indoors a little more or less.
    let earth = [("uT", 1.0), ("mG", 10), ("G", 0.01), ("nT", 1000), ("mT", 1e-3), ("T", 1e-6)]
    let fitting = isStrange ? nil : earth.first { (18.0...80).contains(middle / $0.1) }?.0
    if let fitting {
      units.append((group, "m", [fitting]))
      remarks.append("the unit of the magnetometer is \(fitting) by the length of the earth's field")
    } else {
      remarks.append(
        "the magnetometer is not read, as its unit is not known: a map may have mx=\(table.reference(group.columns[0]))[uT] my=\(table.reference(group.columns[1])) mz=\(table.reference(group.columns[2]))"
      )
    }
  }

  private mutating func addPressure(_ group: Group, _ name: String?, _ part: TableColumns) {
    let numbers = part.numbers(group.columns[0]).filter(\.isFinite).sorted()
    let middle = numbers.isEmpty ? 0 : numbers[numbers.count / 2]
    let fitting = [("Pa", 1.0), ("hPa", 100), ("kPa", 1000)].first { (50_000.0...110_000).contains(middle * $0.1) }?.0
    if let unit = name ?? fitting { units.append((group, "p", [unit])) }
  }

  static func text(_ number: Double) -> String {
    number.magnitude < 1e12 ? String((number * 1000).rounded() / 1000) : String(number)
  }
}

// The map, and lines to choose from.
extension TableInference {
  private func mapText(choosing unit: String?, of prefix: String) -> String {
    var parts: [String] = []
    if let sensorColumn { parts.append("sensor=\(table.reference(sensorColumn))") }
    if let time { parts.append(time.text) }
    for entry in units {
      let own = entry.prefix == prefix ? unit ?? entry.choices[0] : entry.choices[0]
      parts.append(entries(entry.group, entry.prefix, own))
    }
    return parts.joined(separator: " ")
  }

  private func entries(_ group: Group, _ prefix: String, _ unit: String) -> String {
    let targets = group.kind == .pressure ? ["p"] : ["x", "y", "z"].map { prefix + $0 }
    return zip(targets, group.columns).enumerated().map { index, pair in
      let sensor = index == 0 ? group.sensor.map { "{\($0)}" } ?? "" : ""
      return "\(pair.0)=\(table.reference(pair.1))\(sensor)\(index == 0 ? "[\(unit)]" : "")"
    }.joined(separator: " ")
  }

  private func line(_ map: String) -> String {
    "--map \"\(map)\"" + (sign.map { " --sign \($0.rawValue)" } ?? "")
      + (time == nil ? " --rate \(rate.map { "\($0)" } ?? "HZ")" : "")
  }

  private func line(choosing unit: String?, of prefix: String) -> String {
    line(mapText(choosing: unit, of: prefix))
  }

  private func line(adding group: Group, _ prefix: String, _ unit: String) -> String {
    line(mapText(choosing: nil, of: "") + " " + entries(group, prefix, unit)) + (sign == nil ? " --sign reaction" : "")
  }

  private func withoutTime(_ finding: TableTime.Finding) -> String {
    let reason =
      switch finding {
      case .coarse(let column, let rate):
        "most rows share their time with others (\(table.title(column))), about \(Self.text(rate)) in a second"
      case .counter(let column): "\(table.title(column)) counts rows, and nothing says how many come in a second"
      default: "no column is a time, and nothing says how many rows come in a second"
      }
    return "The rows of this table have no time: \(reason). Give their rate:\n  \(line(choosing: nil, of: ""))"
  }

  /// The rate that stands above the rows, Hz: a number behind a word for it.
  private var statedRate: Double? {
    let preamble = table.structure.preamble
    if table.structure.endsAtBlankLine, preamble.count > 1 {
      return Double(preamble[1].filter { !",;\t ".contains($0) }).flatMap { Self.rates.contains($0) ? $0 : nil }
    }
    for line in preamble.prefix(200) {
      let lower = line.lowercased()
      for word in ["rate", "frequency", "freq", "fs", "sampling"] {
        guard let found = lower.firstRange(of: word) else { continue }
        let behind = lower[found.upperBound...].drop { !$0.isNumber }
        let number = behind.prefix { $0.isNumber || $0 == "." }
        if let rate = Double(number), Self.rates.contains(rate) { return rate }
      }
    }
    return nil
  }

  /// Hz; those of the option.
  private static let rates = 0.1...100_000
}
