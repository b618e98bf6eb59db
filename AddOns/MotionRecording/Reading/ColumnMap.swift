// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// The assignment of an unknown table's columns to sensors: the value of `map=` and `--map`.
///
/// ```
/// t=Time[ms] ax=AccX[g] ay=AccY az=AccZ gx=GyrX[deg/s] gy=GyrY gz=GyrZ mx=#8[uT] my=#9 mz=#10
/// ```
///
/// An entry is a target, the name of a column or its number (`#`, counted from 1), and the unit in brackets, which the
/// next targets of the same sensor inherit. Targets are `t`, `ax ay az` (accelerometer), `gx gy gz` (gyroscope), `mx my
/// mz` (magnetometer), `qw qx qy qz` (attitude, device → reference with z up), `gravx gravy gravz` and `userx usery
/// userz` (gravity and acceleration without it), `p` (air pressure) or `pw` (water pressure), and `temp`; of a device
/// that fuses itself also `ratex …` (rotation rate without bias), `fieldx …` (calibrated field), `fieldacc`, `heading`,
/// `headingacc`, `inclinationdev` and `headingdev` (degrees), `location` and `frame` (Core Motion's numbers). Units are
/// `s ms us ns min`, `g mg m/s^2 mm/s^2`, `rad/s deg/s mdeg/s mrad/s`, `T mT uT nT G mG`,
/// `Pa hPa mbar kPa bar psi`, `degC K degF`, other usual ways to write them (`m/s²`, `mps2`, `dps`, `µT`), and whole
/// parts of them for counts (`g/16384`), of either sign (`rad/s/-1`). Ticks are `100us`; a time as text is `date`
/// (`2024-05-01T10:00:00.5Z`, `1.5.2024 10:00:00`), `mdy` with the month in front, `clock` (a time of day, its day in
/// the column of the target `date`), `days` those of a spreadsheet. Where a row is of one sensor and says which,
/// `sensor=COLUMN` is the column of the names, and `ax=x{accelerometer}[g]` the rows of one. `calibrated=yes` after the
/// magnetometer means that the device's own field is removed. Source: Documentation/Formats.md 4.8.
public struct ColumnMap: Sendable, Hashable {
  /// One target.
  struct Entry: Sendable, Hashable {
    enum Column: Sendable, Hashable {
      case name(String)
      /// Counted from 0.
      case index(Int)
    }
    var target: String
    var column: Column
    var unit: Unit?
    /// The sensor whose rows it is in, in lower case; nil: all rows.
    var sensor: String?
  }

  /// A unit: SI = number · scale + offset.
  struct Unit: Sendable, Hashable {
    var name: String
    var scale: Double
    var offset = 0.0
  }

  /// As written.
  public let text: String
  let entries: [Entry]
  /// Whether the hard iron has been removed from the magnetometer's columns.
  let isCalibrated: Bool

  /// Fails with `.invalidRequest` and a message that shows the form.
  public init(_ text: String) throws(SensorError) {
    guard text.utf8.count <= InputLimits.lineBytes else {
      throw SensorError(.limitExceeded, "The map is longer than \(InputLimits.lineBytes >> 20) MiB.")
    }
    self.text = text
    var entries: [Entry] = []
    var isCalibrated: Bool?
    for (target, value) in try Self.assignments(text) {
      if target == Self.calibrated {
        guard isCalibrated == nil, let answer = ["yes": true, "no": false][value] else {
          throw SensorError(.invalidRequest, "The map takes calibrated=yes or calibrated=no, once.")
        }
        isCalibrated = answer
        continue
      }
      guard !entries.contains(where: { $0.target == target }) else {
        throw SensorError(.invalidRequest, "The map names the target \(target) twice.")
      }
      entries.append(try Self.entry(target, value, after: entries))
    }
    self.entries = entries
    self.isCalibrated = isCalibrated ?? false
    try checkWhole()
    if isCalibrated != nil, self["mx"] == nil {
      throw SensorError(.invalidRequest, "calibrated= is about the magnetometer: the map needs mx, my and mz too.")
    }
  }

  subscript(_ target: String) -> Entry? { entries.first { $0.target == target } }

  /// The targets of each sensor, in the order of its numbers.
  static let groups = [["t"]] + WideTable.Quantity.allCases.map(\.targets) + [["date"], ["sensor"]]

  /// No column, but a word about those of the magnetometer.
  private static let calibrated = "calibrated"

  static func group(of target: String) -> [String] { groups.first { $0.contains(target) } ?? [] }

  /// The pairs of target and value: a value goes on to the next word that is a target with "=", so that names may hold
  /// blanks.
  private static func assignments(_ text: String) throws(SensorError) -> [(String, String)] {
    var pairs: [(String, [Substring])] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      let target = word.firstIndex(of: "=").map { String(word[..<$0]) }
      if let target, target == calibrated || !group(of: target).isEmpty {
        pairs.append((target, [word.dropFirst(target.count + 1)]))
      } else if pairs.isEmpty || word.contains("=") {
        let known = (groups.joined() + [calibrated]).joined(separator: " ")
        throw SensorError(
          .invalidRequest, "“\(word)” is not of the form target=column[unit]; the targets are \(known).")
      } else {
        pairs[pairs.count - 1].1.append(word)
      }
    }
    guard !pairs.isEmpty else {
      throw SensorError(
        .invalidRequest, "The map is empty; write target=column[unit], as in “t=Time[ms] ax=AccX[g] …”.")
    }
    return pairs.map { ($0.0, $0.1.joined(separator: " ")) }
  }

  private static func entry(
    _ target: String, _ value: String, after entries: [Entry]
  ) throws(SensorError) -> Entry {
    var name = value[...]
    let before = entries.last { group(of: target).contains($0.target) }
    var (unit, sensor) = (before?.unit, before?.sensor)
    if name.last == "]", let open = name.lastIndex(of: "[") {
      let text = String(name[name.index(after: open)...].dropLast())
      guard let known = Self.unit(text, of: target) else {
        throw SensorError(
          .invalidRequest,
          "The unit [\(text)] of \(target) is unknown; there are \(unitNames(of: target).joined(separator: ", ")).")
      }
      unit = known
      name = name[..<open]
    }
    if name.last == "}", let open = name.lastIndex(of: "{") {
      sensor = String(name[name.index(after: open)...].dropLast()).sensorName
      name = name[..<open]
    }
    while name.last == " " { name.removeLast() }
    guard !name.isEmpty, name.utf8.count <= InputLimits.nameBytes else {
      throw SensorError(.invalidRequest, "The map names no column for \(target); write \(target)=COLUMN[unit].")
    }
    if name.first == "#" {
      guard let number = Int(name.dropFirst()), (1...InputLimits.columns).contains(number) else {
        throw SensorError(
          .invalidRequest, "“\(name)” is not a column number; they range from #1 to #\(InputLimits.columns).")
      }
      return Entry(target: target, column: .index(number - 1), unit: unit, sensor: sensor)
    }
    return Entry(target: target, column: .name(String(name)), unit: unit, sensor: sensor)
  }

  /// Sensors have all of their axes, and a unit wherever one is possible: scale 1 is never assumed.
  private func checkWhole() throws(SensorError) {
    for group in Self.groups {
      let present = group.filter { self[$0] != nil }
      guard !present.isEmpty else { continue }
      guard present.count == group.count else {
        let missing = group.first { self[$0] == nil } ?? ""
        throw SensorError(.invalidRequest, "The map has \(present.joined(separator: ", ")) but not \(missing).")
      }
      let names = Self.unitNames(of: group[0])
      for target in group where self[target]?.unit == nil && !names.isEmpty {
        throw SensorError(
          .invalidRequest,
          "The map gives \(target) no unit; write \(target)=COLUMN[\(names[0])] (there are \(names.joined(separator: ", ")))."
        )
      }
      if let first = self[group[0]]?.unit,
        group.contains(where: { abs(self[$0]?.unit?.scale ?? 0) != abs(first.scale) })
      {
        throw SensorError(.invalidRequest, "The axes \(group.joined(separator: ", ")) have different units in the map.")
      }
    }
    if self["p"] != nil, self["pw"] != nil {
      throw SensorError(.invalidRequest, "The map has two pressures: p is one of air, pw one of water.")
    }
    if (self["date"] != nil) && self["t"]?.unit?.name != "clock" {
      throw SensorError(.invalidRequest, "A date of its own needs a time of day: the map needs t=COLUMN[clock].")
    }
    if let entry = entries.first(where: { $0.sensor != nil }), self["sensor"] == nil {
      throw SensorError(
        .invalidRequest,
        "The map takes \(entry.target) from the rows of one sensor: say which column has their names, sensor=COLUMN.")
    }
    if (self["gravx"] == nil) != (self["userx"] == nil) {
      throw SensorError(
        .invalidRequest, "Gravity and user acceleration are needed together: the map needs gravx … and userx …")
    }
  }
}

extension ColumnMap {
  /// The units that a target may have, the first as an example; empty for quaternions, which have none.
  static func unitNames(of target: String) -> [String] { units(of: target).map(\.name) }

  /// A unit by name, in the ways that it is written: `m/s²`, `m/s2` and `mps2`, `µT` and `uT`, `dps` and `°/s`, `Hpa`.
  static func unit(_ name: String, of target: String) -> Unit? {
    let (units, plain) = (units(of: target), plainUnit(name))
    let short = words.reduce(plain.lowercased()) { $0.replacing($1.word, with: $1.short) }
    let other = synonyms[short] ?? short
    return units.first { plainUnit($0.name) == plain }
      ?? units.first { [plain.lowercased(), plainUnit(other).lowercased()].contains(plainUnit($0.name).lowercased()) }
      ?? part(name, of: target)
  }

  /// `g/16384`: the unit of counts; `rad/s/-1`: one of the opposite sign.
  private static func part(_ name: String, of target: String) -> Unit? {
    guard target != "t", let slash = name.lastIndex(of: "/"),
      let count = Double(name[name.index(after: slash)...].filter { $0 != " " }), count != 0, count.isFinite,
      let whole = unit(String(name[..<slash]), of: target), whole.offset == 0
    else { return nil }
    return Unit(
      name: "\(whole.name)/\(name[name.index(after: slash)...].filter { $0 != " " })", scale: whole.scale / count)
  }

  /// Without what is written in several ways: blanks, the sign of a power, degree and micro signs.
  private static func plainUnit(_ name: String) -> String {
    name.reduce(into: "") { text, character in
      switch character {
      case "\u{B5}", "\u{3BC}": text += "u"
      case "²": text += "2"
      case "°": text += "deg"
      case "^", " ", "*", "·", "(", ")": break
      default: text.append(character)
      }
    }
  }

  /// The words of a unit that is written out, the longer first: "meters per second squared".
  private static let words = [
    ("squared", "2"), ("degrees", "deg"), ("degree", "deg"), ("radians", "rad"), ("radian", "rad"), ("meters", "m"),
    ("metres", "m"), ("meter", "m"), ("metre", "m"), ("seconds", "s"), ("second", "s"), ("sec", "s"), ("per", "/"),
  ].map { (word: $0.0, short: $0.1) }

  private static let synonyms = [
    "mmps2": "mm/s^2", "mps2": "m/s^2", "minutes": "min", "dmy": "date", "datetime": "date", "iso": "date",
    "excel": "days", "utesla": "uT", "microtesla": "uT", "hectopascal": "hPa", "degcelsius": "degC",
    "m/s/s": "m/s^2", "ms-2": "m/s^2", "dps": "deg/s", "d/s": "deg/s", "degps": "deg/s", "mdps": "mdeg/s",
    "radps": "rad/s", "rads-1": "rad/s", "gauss": "G", "gs": "G", "mgauss": "mG", "tesla": "T", "millis": "ms",
    "micros": "us", "nanos": "ns", "mb": "mbar", "millibar": "mbar", "c": "degC", "celsius": "degC", "f": "degF",
    "kelvin": "K",
  ]

  /// The unit of an acceleration, `isReversed` as Core Motion's; and what readings are multiplied with before.
  static func accelerationUnit(_ unit: Unit, isReversed: Bool) -> (unit: AccelerationUnit, factor: Double) {
    let known = accelerationUnits.first { $0.name == unit.name }?.unit
    let upward = known ?? .metresPerSecondSquared
    return (isReversed ? upward.reversed : upward, known == nil ? unit.scale : 1)
  }

  /// The unit of a magnetic field, and what readings are multiplied with before.
  static func fieldUnit(_ unit: Unit) -> (unit: MagneticFieldUnit, factor: Double) {
    let known = fieldUnits.first { $0.name == unit.name }?.unit
    return (known ?? .tesla, known == nil ? unit.scale : 1)
  }

  /// How a column of times is read, and what becomes of them, for each unit of time.
  static func times(_ unit: Unit) -> (content: TableLayout.Content, line: TableLayout.TimeLine?)? {
    let decimals = ["s": 9, "ms": 6, "100us": 5, "us": 3, "ns": 0]
    if let decimals = decimals[unit.name] {
      // Counters of loggers are full after days at the latest, seconds in 32 bits after a century.
      let unit: Int64? = ["ms": 1_000_000, "100us": 100_000, "us": 1000][unit.name]
      return (.instant(slot: 0, decimals: decimals), unit.map { .wrapping(unit: $0) })
    }
    let clocks: [String: ClockField] = [
      "min": .minutes, "days": .days, "date": .dateTime(.day), "mdy": .dateTime(.month), "clock": .timeOfDay,
    ]
    guard let clock = clocks[unit.name] else { return nil }
    return (.clock(slot: 0, clock), clock == .timeOfDay ? .wrapping(unit: 1_000_000_000) : nil)
  }

  private static let accelerationUnits: [(name: String, unit: AccelerationUnit)] = [
    ("m/s^2", .metresPerSecondSquared), ("g", .gravity), ("mg", .milligravity),
  ]
  private static let fieldUnits: [(name: String, unit: MagneticFieldUnit)] = [
    ("uT", .microtesla), ("T", .tesla), ("mT", .millitesla), ("nT", .nanotesla), ("G", .gauss), ("mG", .milligauss),
  ]

  private static func units(of target: String) -> [Unit] {
    switch target.dropLast(["x", "y", "z"].contains(target.suffix(1)) ? 1 : 0) {
    case "t":
      ["s", "ms", "us", "ns", "min", "100us", "days", "date", "mdy", "clock"].map { Unit(name: $0, scale: 1) }
    case "date": ["date", "mdy"].map { Unit(name: $0, scale: 1) }
    case "a", "grav", "user":
      accelerationUnits.map { Unit(name: $0.name, scale: $0.unit.scale) } + [Unit(name: "mm/s^2", scale: 1e-3)]
    case "g", "rate":
      [
        Unit(name: "rad/s", scale: 1), Unit(name: "deg/s", scale: Angle(degrees: 1).radians),
        Unit(name: "mdeg/s", scale: Angle(degrees: 1e-3).radians), Unit(name: "mrad/s", scale: 1e-3),
      ]
    case "m", "field":
      fieldUnits.map { Unit(name: $0.name, scale: $0.unit.scale) }
    case "p", "pw":
      [
        Unit(name: "Pa", scale: 1), Unit(name: "hPa", scale: 100), Unit(name: "mbar", scale: 100),
        Unit(name: "kPa", scale: 1000), Unit(name: "bar", scale: 100_000),
        // International pound of 0.45359237 kg, inch of 0.0254 m.
        Unit(name: "psi", scale: 0.453_592_37 * standardGravity / (0.0254 * 0.0254)),
      ]
    case "temp":
      [
        Unit(name: "degC", scale: 1), Unit(name: "K", scale: 1, offset: -273.15),
        Unit(name: "degF", scale: 5 / 9.0, offset: -160 / 9.0),
      ]
    default: []
    }
  }
}

/// The columns for a device's x, y and z in a table: the value of `axes=` and `--axes`.
///
/// `x,-z,y` means that the device's x is the table's x, its y the table's −z, its z the table's y. Device axes are
/// right-handed: x to the right, y up along the display, z out of it. Source: Documentation/Formats.md 4.8.
public struct ColumnAxes: Sendable, Hashable {
  /// For device x, y, z: which of the table's three, and its sign.
  let sources: [Source]

  struct Source: Sendable, Hashable {
    /// 0 x, 1 y, 2 z.
    var index: Int
    /// 1 or −1.
    var sign: Double
  }

  /// The table's axes are the device's.
  public static let identity = ColumnAxes(sources: (0..<3).map { Source(index: $0, sign: 1) })

  private init(sources: [Source]) { self.sources = sources }

  /// Fails with `.invalidRequest` when the text names no three axes, or a mirror image.
  public init(_ text: String) throws(SensorError) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    var sources: [Source] = []
    for part in parts {
      let isNegative = part.first == "-"
      let letter = isNegative || part.first == "+" ? part.dropFirst() : part
      guard let index = ["x", "y", "z"].firstIndex(of: String(letter)) else { break }
      sources.append(Source(index: index, sign: isNegative ? -1 : 1))
    }
    guard sources.count == 3, parts.count == 3, Set(sources.map(\.index)).count == 3 else {
      throw SensorError(
        .invalidRequest,
        "“\(text)” is not a list of axes; give the columns for the device's x, y and z, as in x,-z,y.")
    }
    // The order is even when it is a rotation of 0, 1, 2.
    let isEven = (sources[0].index + 1) % 3 == sources[1].index
    guard sources.reduce(isEven ? 1.0 : -1.0, { $0 * $1.sign }) > 0 else {
      throw SensorError(
        .invalidRequest,
        "The axes “\(text)” are a mirror image, not a rotation; change one sign.")
    }
    self.init(sources: sources)
  }
}

extension StringProtocol {
  /// The name of a sensor as rows are compared with it.
  var sensorName: String { lowercased().filter { $0 != " " && $0 != "\"" } }
}
