// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import PhoneFormats

/// Finds the columns of Sensor Logger's CSVs.
struct SensorLoggerTables {
  let files: RecordingFiles
  let units: SensorLoggerUnits

  /// Three axes of one sensor into slots from `slot` on, and the unit of accelerations; nil when the file is missing.
  ///
  /// Columns are `x`, `y`, `z`, or the unit variant `ACCELEROMETER X (m/s²)`; all axes must agree on the unit.
  func vectors(
    _ sensor: PhoneSensor, slot: Int = 0
  ) throws(SensorError) -> (table: TableFile, unit: AccelerationUnit)? {
    guard let member = member(sensor) else { return nil }
    let header = try files.header(of: member)
    var columns = [try timeColumn(header, member)]
    /// Nil before the first axis, then its unit, which may be nil too.
    var written: String??
    for (offset, axis) in ["x", "y", "z"].enumerated() {
      guard let (index, unit) = try find(axis, header) else { throw missing(axis, member) }
      guard written == nil || written == .some(unit) else {
        throw member.error(
          .unsupported, "The axes have different units.", line: 1, column: header.names[index])
      }
      written = unit
      columns.append(.init(index: index, name: header.names[index], content: .number(slot: slot + offset)))
    }
    let name = (written ?? nil) ?? ""
    guard let unit = try units.unit(sensor, written: written ?? nil, member) else {
      let expected =
        PhoneSensor.gyroscopes.contains(sensor)
        ? "rad/s" : PhoneSensor.magnetometers.contains(sensor) ? "µT" : "m/s² or g"
      throw member.error(
        .unsupported, "The unit \(name.debugDescription) is unknown here; expected \(expected).", line: 1,
        column: columns[1].name)
    }
    return (TableFile(files: files, member: member, layout: header.layout(columns)), unit)
  }

  /// Named columns into slots; nil when the file is missing.
  func numbers(_ sensor: PhoneSensor, _ wanted: [(String, Int)]) throws(SensorError) -> TableFile? {
    guard let member = member(sensor) else { return nil }
    let header = try files.header(of: member)
    var columns = [try timeColumn(header, member)]
    for (name, slot) in wanted {
      guard let index = try header.index(of: name) else { throw missing(name, member) }
      columns.append(.init(index: index, name: name, content: .number(slot: slot)))
    }
    if let index = try header.index(of: "devicelocation") {
      columns.append(
        .init(
          index: index, name: "devicelocation", content: .word(slot: FusedForm.Slot.location, .headphoneLocation),
          isOptional: true))
    }
    return TableFile(files: files, member: member, layout: header.layout(columns))
  }

  func member(_ sensor: PhoneSensor) -> RecordingFiles.Member? {
    files.member("\(SensorLogger.name(of: sensor)).csv")
  }

  private func timeColumn(
    _ header: TableHeader, _ member: RecordingFiles.Member
  ) throws(SensorError) -> TableLayout.Column {
    guard let index = try header.index(of: "time") else { throw missing("time", member) }
    return .init(index: index, name: "time", content: .instant(slot: 0, decimals: 0))
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
}

// What a watch and headphones send: a device motion a row.
extension SensorLoggerTables {
  /// The number of rows that are examined if only the values show their unit and sign.
  private static let probedRows = 200

  /// Of the wrist or the headphones; nil when the file is missing.
  func bodyMotion(_ sensor: PhoneSensor) throws(SensorError) -> (table: TableFile, form: FusedForm)? {
    typealias Slot = FusedForm.Slot
    let groups = [
      ("quaternion", Slot.attitude + 1), ("rotationRate", Slot.angularVelocity), ("gravity", Slot.gravity),
      ("acceleration", Slot.acceleration),
    ]
    var wanted = [("quaternionW", Slot.attitude)]
    for (name, slot) in groups { wanted += ["X", "Y", "Z"].enumerated().map { (name + $1, slot + $0) } }
    guard let table = try numbers(sensor, wanted) else { return nil }
    let isUpward = units.isWatchStandardised || (units.isWatchAmbiguous && isUpward(table))
    let form = FusedForm(
      reference: .xArbitrary, accelerationUnit: SensorLogger.accelerationUnit(of: sensor, isUpward: isUpward),
      gravityScale: SensorLogger.gravityScale(of: sensor, isUpward: isUpward),
      isEastNorthUp: isUpward && units.isWatchConverted)
    return (table, form)
  }

  /// Whether the gravity of most rows points where their attitude says up is: the sign of the standardised form.
  private func isUpward(_ table: TableFile) -> Bool {
    typealias Slot = FusedForm.Slot
    let values = RowValues(count: Slot.count)
    guard let reader = try? table.open(values, .probing) else { return false }
    var balance = 0
    for _ in 0..<Self.probedRows {
      guard (try? reader.next()) == true else { break }
      let numbers = values.numbers
      guard
        let isUpward = SensorLogger.isUpward(
          w: numbers[Slot.attitude], Vector3(numbers.span, at: Slot.attitude + 1),
          gravity: Vector3(numbers.span, at: Slot.gravity))
      else { continue }
      balance += isUpward ? 1 : -1
    }
    return balance > 0
  }
}

/// What `Metadata.csv` says of a Sensor Logger export, or the options where it is missing, and the units that follow.
///
/// The same column names mean different units and signs by platform and by the app's "standardisation" switch
/// (``SensorLogger``), so an accelerometer without that knowledge is an error and never a guess.
struct SensorLoggerUnits: Sendable {
  /// nil = unknown.
  var platform: RecordingOptions.Platform?
  var isStandardised = false
  /// The app's version; (0, 0) = unknown, treated as old.
  var version = (major: 0, minor: 0)
  /// The person says that the units are standardised, or that they are not; nil = only the file does, if at all.
  var askedStandardised: Bool?

  /// Reads the metadata beside `files`; the options win where they say something.
  init(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) {
    if let member = files.member("Metadata.csv") ?? files.neighbour("Metadata.csv") {
      let lines = try files.open(member).bytes(limit: 64 << 10)
        .split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: true)
      if lines.count > 1 {
        let names = try TableHeader(lines[0], file: member.place)
        let row = TableHeader.fields(of: lines[1], separator: names.separator)
        func value(_ name: String) -> String? {
          names.names.firstIndex(of: name).flatMap { $0 < row.count ? row[$0].lowercased() : nil }
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
        "Without Metadata.csv the unit (g or m/s²) and the sign of this acceleration are unknown; add "
          + "\"?platform=ios\" or \"?platform=android\", and \"standardised=yes\" if that was set in the app.")
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
