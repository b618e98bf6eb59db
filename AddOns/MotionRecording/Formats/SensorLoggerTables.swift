// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import PhoneFormats

/// Finds the columns of Sensor Logger's CSVs.
struct SensorLoggerTables {
  /// The number of rows that are examined if only the values show their unit and sign.
  private static let probedRows = 200

  let files: RecordingFiles
  let units: SensorLoggerUnits

  /// The best of the phone's own sensors, raw before corrected.
  func phone() throws(SensorError) -> [TableFile] {
    var found: [TableFile] = []
    for way in PhoneSensor.accelerometers where way.allSatisfy({ member($0) != nil }) {
      found = try all(way)
      break
    }
    for ways in [PhoneSensor.gyroscopes, PhoneSensor.magnetometers, [.barometer]] {
      if let sensor = ways.first(where: { member($0) != nil }) { found += try all([sensor]) }
    }
    return found
  }

  /// What the phone itself computed, in four files, as far as it is not there already; what is wrong with it matters
  /// where it `isWanted`.
  func phoneMotion(beside tables: [TableFile], isWanted: Bool) throws(SensorError) -> [TableFile] {
    let sensors = [PhoneSensor.attitude, .correctedGyroscope, .gravity, .linearAcceleration].filter { sensor in
      !tables.contains { $0.member == member(sensor) }
    }
    return isWanted ? try all(sensors) : (try? all(sensors)) ?? []
  }

  /// The tables of those that have a file.
  func all(_ sensors: [PhoneSensor]) throws(SensorError) -> [TableFile] {
    var tables: [TableFile] = []
    for sensor in sensors {
      guard let member = member(sensor) else { continue }
      tables.append(try table(sensor, member))
    }
    return tables
  }

  func member(_ sensor: PhoneSensor) -> RecordingFiles.Member? {
    files.member("\(SensorLogger.name(of: sensor)).csv")
  }

  private func table(_ sensor: PhoneSensor, _ member: RecordingFiles.Member) throws(SensorError) -> TableFile {
    let header = try files.header(of: member)
    var table = WideTable()
    table.isSparse = false
    table.add(try column("time", header, member, content: .instant(slot: 0, decimals: 0)))
    func named(_ quantity: WideTable.Quantity, _ names: [String], scale: Double = 1) throws(SensorError) {
      var found: [TableHeader.Found] = []
      for name in names {
        let column = try column(name, header, member)
        found.append((column.index, column.name))
      }
      table.add(quantity, found, scales: [scale])
    }
    switch sensor {
    case .barometer, .watchBarometer:
      let unit = SensorLogger.pressureUnit(of: sensor, isConverted: units.isWatchConverted)
      try named(.airPressure, ["pressure"], scale: unit)
    case .attitude:
      try named(.quaternion, ["qw", "qx", "qy", "qz"])
      table.motion.reference = units.platform == .android ? .xMagneticNorth : .xTrueNorth
      table.motion.isEastNorthUp = units.isEastNorthUp
    case .wrist, .headphones:
      func axes(_ name: String) -> [String] { ["X", "Y", "Z"].map { name + $0 } }
      try named(.quaternion, ["quaternionW"] + axes("quaternion"))
      try named(.rotationRate, axes("rotationRate"))
      try named(.gravity, axes("gravity"))
      try named(.userAcceleration, axes("acceleration"))
      if let index = try header.index(of: "devicelocation") {
        let content = TableLayout.Content.word(slot: FusedForm.Slot.location, .headphoneLocation)
        table.add(.init(index: index, name: "devicelocation", content: content, isOptional: true))
      }
      let isUpward =
        units.isWatchStandardised || units.isWatchAmbiguous && isUpward(TableFile(files, member, header.layout, table))
      table.motion.accelerationUnit = SensorLogger.accelerationUnit(of: sensor, isUpward: isUpward)
      table.motion.gravityScale = SensorLogger.gravityScale(of: sensor, isUpward: isUpward)
      table.motion.isEastNorthUp = isUpward && units.isWatchConverted
      table.isOfHeadphones = sensor == .headphones
    default: try addVector(sensor, header, member, to: &table)
    }
    return TableFile(files, member, header.layout, table)
  }

  /// Columns are `x`, `y`, `z`, or the unit variant `ACCELEROMETER X (m/s²)`; all axes must agree on the unit.
  private func addVector(
    _ sensor: PhoneSensor, _ header: TableHeader, _ member: RecordingFiles.Member, to table: inout WideTable
  ) throws(SensorError) {
    var found: [TableHeader.Found] = []
    var written: [String?] = []
    for axis in ["x", "y", "z"] {
      guard let (index, unit) = try find(axis, header) else { throw missing(axis, member) }
      guard written.allSatisfy({ $0 == unit }) else {
        throw member.error(
          .unsupported, "The axes have different units.", line: 1, column: header.names[index])
      }
      written.append(unit)
      found.append((index, header.names[index]))
    }
    let isRate = PhoneSensor.gyroscopes.contains(sensor)
    let isField = PhoneSensor.magnetometers.contains(sensor)
    guard let unit = try units.unit(sensor, written: written[0], member) else {
      let expected = isRate ? "rad/s" : isField ? "µT" : "m/s² or g"
      throw member.error(
        .unsupported, "The unit \((written[0] ?? "").debugDescription) is unknown here; expected \(expected).",
        line: 1, column: found[0].name)
    }
    table.accelerometerUnit = unit
    table.motion.accelerationUnit = unit
    if isField {
      // Beside an accelerometer of SI's sign a magnetometer is in SI; Android's is in any case.
      let hasAccelerometer = PhoneSensor.accelerometers.contains { $0.allSatisfy { self.member($0) != nil } }
      let isUpward = units.platform == .android || units.isStandardised && hasAccelerometer
      table.accelerometerUnit = isUpward ? .metresPerSecondSquared : .reversedGravity
      table.isMagnetometerCalibrated = sensor == .correctedMagnetometer
    }
    let quantity: WideTable.Quantity =
      switch sensor {
      case .linearAcceleration: .userAcceleration
      case .gravity: .gravity
      case .correctedGyroscope: .rotationRate
      default: isRate ? .gyroscope : isField ? .magnetometer : .accelerometer
      }
    table.add(quantity, found)
  }

  private func column(
    _ name: String, _ header: TableHeader, _ member: RecordingFiles.Member,
    content: TableLayout.Content = .number(slot: 0)
  ) throws(SensorError) -> TableLayout.Column {
    guard let index = try header.index(of: name) else { throw missing(name, member) }
    return .init(index: index, name: name, content: content)
  }

  /// The column of an axis and the unit in its name.
  private func find(_ axis: String, _ header: TableHeader) throws(SensorError) -> (index: Int, unit: String?)? {
    if let index = try header.index(of: axis) { return (index, nil) }
    for (index, name) in header.names.enumerated() {
      guard name.hasSuffix(")"), let open = name.lastIndex(of: "(") else { continue }
      let title = name[..<open].lowercased()
      if title.hasSuffix(" \(axis) ") { return (index, String(name[name.index(after: open)...].dropLast())) }
    }
    return nil
  }

  private func missing(_ column: String, _ member: RecordingFiles.Member) -> SensorError {
    member.error(
      .malformed, "The header has no such column, which this sensor's file needs.", line: 1, column: column)
  }

  /// Whether the gravity of most rows points where their attitude says up is: the sign of the standardised form.
  private func isUpward(_ table: TableFile) -> Bool {
    var balance = 0
    do throws(SensorError) {
      let reader = try table.open(.probing)
      for _ in 0..<Self.probedRows {
        guard try reader.next() else { break }
        if let isUpward = isUpward(Array(reader.values.numbers)) { balance += isUpward ? 1 : -1 }
      }
    } catch {}
    return balance > 0
  }

  private func isUpward(_ row: [Double]) -> Bool? {
    typealias Slot = FusedForm.Slot
    return SensorLogger.isUpward(
      w: row[Slot.attitude], Vector3(row.span, at: Slot.attitude + 1), gravity: Vector3(row.span, at: Slot.gravity))
  }
}

/// What `Metadata.csv` says of a Sensor Logger export, or the options where it is missing, and the units that follow.
///
/// The same column names mean different units and signs by platform and by the app's "standardisation" switch
/// (``SensorLogger``), so an accelerometer without that knowledge is an error and never a guess.
struct SensorLoggerUnits: Sendable {
  /// Of the recording, and what a person wants of it: for commands.
  private let path: String
  private let command: String
  /// nil = unknown.
  var platform: RecordingOptions.Platform?
  var isStandardised = false
  /// The app's version; (0, 0) = unknown, treated as old.
  var version = (major: 0, minor: 0)
  /// The person says that the units are standardised, or that they are not; nil = only the file does, if at all.
  var askedStandardised: Bool?

  /// Reads the metadata beside `files`; the options win where they say something.
  init(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) {
    path = files.path
    command = files.members.contains { $0.plainName.contains("Gyroscope") } ? "fuse" : "steps"
    if let member = files.member("Metadata.csv") ?? files.neighbour("Metadata.csv") {
      let rows = try files.textRows(of: member, count: 2)
      if rows.count > 1 {
        func value(_ name: String) -> String? {
          rows[0].firstIndex(of: name).flatMap { $0 < rows[1].count ? rows[1][$0].lowercased() : nil }
        }
        platform = value("platform").flatMap { RecordingOptions.Platform(rawValue: $0) }
        isStandardised = value("standardisation") == "true"
        let numbers = (value("appVersion") ?? "").split(separator: ".").map { Int($0) ?? 0 }
        version = (numbers.first ?? 0, numbers.count > 1 ? numbers[1] : 0)
      }
    }
    platform = options.platform ?? platform
    askedStandardised = options.isStandardised
    isStandardised = askedStandardised ?? isStandardised
  }

  /// The unit of a column of accelerations, with its sign; `written` is the unit in the header, if any. Other
  /// quantities have one unit each, which is only checked: for them any result stands for that one.
  ///
  /// Nil when the unit is unknown; throws when the platform is needed and not known.
  func unit(
    _ sensor: PhoneSensor, written: String?, _ member: RecordingFiles.Member
  ) throws(SensorError) -> AccelerationUnit? {
    switch sensor {
    case .gyroscope, .correctedGyroscope: return written == nil || written == "rad/s" ? .metresPerSecondSquared : nil
    case .magnetometer, .correctedMagnetometer: return written == nil || written == "µT" ? .metresPerSecondSquared : nil
    default: break
    }
    let named: AccelerationUnit?
    switch written {
    case "m/s²", "m/s^2": named = .metresPerSecondSquared
    case "g", "G": named = .gravity
    case nil: named = nil
    default: return nil
    }
    let isWatch = sensor == .watchAccelerometer
    guard let platform = isWatch ? .iOS : platform else {
      throw member.error(
        .invalidRequest,
        "Without Metadata.csv the unit (g or m/s²) and the sign of this acceleration are unknown. Of an iPhone, or an Android phone (“&standardised=yes” behind it where that was set in the app):\n"
          + ["ios", "android"].map { "  motionctl \(command) 'replay:\(path)?platform=\($0)'" }.joined(separator: "\n"))
    }
    let isUpward = platform == .android || (isWatch ? isWatchStandardised : isStandardised)
    if let named { return isUpward ? named : named.reversed }
    return SensorLogger.accelerationUnit(of: sensor, isUpward: isUpward)
  }

  /// Watch and headphone streams follow the switch in full, pressures and attitudes too: since 1.63.
  var isWatchConverted: Bool {
    isStandardised && (isSince(1, 63) || (askedStandardised == true && version == (0, 0)))
  }

  /// Their accelerations are in m/s², upwards at rest: since 1.63, or because the person says so.
  var isWatchStandardised: Bool { isStandardised && (isSince(1, 63) || askedStandardised == true) }

  /// Before 1.63 the setting applied to some of their streams only, and only the values show to which.
  var isWatchAmbiguous: Bool { isStandardised && !isWatchStandardised }

  /// The phone's quaternion leads to east-north-up: on Android, and on iOS with the switch since 1.51.
  var isEastNorthUp: Bool { platform == .android || (isStandardised && isSince(1, 51)) }

  private func isSince(_ major: Int, _ minor: Int) -> Bool { version >= (major, minor) }
}
