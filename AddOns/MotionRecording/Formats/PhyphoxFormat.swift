// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import PhoneFormats

/// An export of the app phyphox: a CSV for each set of the experiment, `meta/device.csv` and `meta/time.csv`, in a zip,
/// a folder, or a single CSV.
///
/// Fields are separated by comma, tab or semicolon, numbers are scientific and may have a decimal comma. Accelerations
/// point up at rest on both systems; on an iPhone they are g × 9.81, not 9.80665. The experiment's clock stops while it
/// is paused; with `time.csv` the times are those of the wall clock, so that a pause is a gap. Source:
/// Documentation/Formats.md 4.3; https://phyphox.org/wiki.
enum PhyphoxFormat {
  static let reader = FormatReader(
    format: .phyphox, title: "phyphox",
    summary: "its zip or folder of CSVs, or one CSV that begins Time (s)", plan: plan)

  static func isHeader(_ header: String) -> Bool {
    let plain = header.filter { $0 != "\"" && $0 != "\u{FEFF}" }
    return ["Time (s),", "Time (s);", "Time (s)\t"].contains { plain.hasPrefix($0) }
  }

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    if options.motion == .recorded {
      throw .noRecordedMotion(in: files, needs: "another kind of recording, as phyphox stores no device motion")
    }
    let meta = try PhyphoxMetadata(files)
    var sets: [PhyphoxSet] = []
    var folders: Set<String> = []
    for member in files.members where files.kind == .file || member.plainName.hasSuffix(".csv") {
      guard isHeader(String(decoding: try files.firstLine(of: member), as: UTF8.self)) else { continue }
      folders.insert(member.folder)
      guard folders.count == 1 else {
        throw files.error(
          .unsupported,
          "There are several experiments here (\(folders.sorted().joined(separator: ", "))); give one of them.")
      }
      sets.append(try PhyphoxSet(files.header(of: member), files, member, meta))
    }
    var plan = try RecordingPlan(
      sets.filter { !$0.columns.quantities.isEmpty && !$0.isPart }.map { ($0.file, $0.columns) }, in: files, options,
      needs: "")
    addSum(sets, meta, to: &plan)
    guard !plan.streams.isEmpty else {
      throw files.error(
        .unsupported,
        "None of its data sets is a supported motion sensor (\(files.listing)): acceleration with gravity, gyroscope, magnetic field, pressure."
      )
    }
    if sets.contains(where: { $0.columns.has(.gyroscope) }), meta.isApple != false {
      plan.notes.append(
        "the gyroscope's bias was already removed\(meta.isApple == nil ? " if this was an iPhone" : "")")
    }
    if meta.isApple == nil {
      plan.notes.append("without meta/device.csv: accelerations as written, 0.03 % too large on an iPhone")
    }
    let gravity = meta.isApple == true ? 9.81 : nil
    plan.facts =
      meta.pieces.isEmpty
      ? RecordedFacts(sign: "reaction", gravityConstant: gravity)
      : .unixTime(sign: "reaction", gravityConstant: gravity)
    plan.listUnread(of: files, metadata: ["device.csv", "time.csv"])
    if meta.pieces.isEmpty { plan.notes.append("times since the start of the experiment, without its pauses") }
    return plan
  }

  /// Linear acceleration and gravity in two sets are the raw accelerometer, where none was recorded.
  private static func addSum(_ sets: [PhyphoxSet], _ meta: PhyphoxMetadata, to plan: inout RecordingPlan) {
    guard !sets.contains(where: { $0.columns.has(.accelerometer) }),
      let linear = sets.first(where: { $0.columns.has(.userAcceleration) }),
      let gravity = sets.first(where: { $0.columns.has(.gravity) })
    else { return }
    typealias Slot = FusedForm.Slot
    plan.streams.insert(
      SampleStreamPlan(
        linear.file, joining: [Companion(table: gravity.file, maximumAge: 20_000_000)],
        .accelerometerSum(unit: meta.accelerationUnit, linear: Slot.acceleration, gravity: Slot.gravity)), at: 0)
    plan.notes.append("accelerometer rebuilt from gravity + user acceleration")
  }
}

/// One set of an experiment: a table.
struct PhyphoxSet {
  let file: TableFile
  let columns: WideTable
  /// Acceleration without gravity or gravity alone: of use only together.
  var isPart: Bool {
    !columns.quantities.isEmpty && columns.quantities.isSubset(of: [.userAcceleration, .gravity])
  }

  init(
    _ header: TableHeader, _ files: RecordingFiles, _ member: RecordingFiles.Member, _ meta: PhyphoxMetadata
  ) throws(SensorError) {
    var table = WideTable()
    table.accelerometerUnit = meta.accelerationUnit
    table.pressure.unit = 100
    for (quantity, name, units) in Self.sensors {
      let axes = quantity == .airPressure ? [""] : ["x ", "y ", "z "]
      if let found = try header.axes(name, axes, units: units) { table.add(quantity, found) }
    }
    try Self.addComposed(header, member.plainName.lowercased(), to: &table)
    var time = try header.time("Time ", units: ["s"], decimals: 9)
    time.isOptional = true
    table.add(time)
    var layout = header.layout(table.columns)
    layout.acceptsExponentTimes = true
    layout.acceptsDecimalComma = header.separator != 0x2C
    // Columns are of unequal length: rows without a time are the others' rests.
    layout.timeLine = .pieces(meta.pieces)
    file = TableFile(files: files, member: member, layout: layout)
    columns = table
  }

  /// The sensors with their columns, without axis and unit: "Acceleration " of "Acceleration x (m/s^2)"
  /// (Documentation/Formats.md 4.3).
  ///
  /// Accelerations point up at rest on both systems, the gyroscope of an iPhone is free of bias, and its magnetometer of
  /// its own field.
  private static let sensors: [(quantity: WideTable.Quantity, name: String, units: [String])] = [
    (.accelerometer, "Acceleration ", ["m/s^2", "m/s²"]),
    (.userAcceleration, "Linear Acceleration ", ["m/s^2", "m/s²"]),
    (.gyroscope, "Gyroscope ", ["rad/s"]), (.magnetometer, "Magnetic Field ", ["µT"]),
    (.airPressure, "Pressure ", ["hPa"]),
  ]

  /// Columns X, Y, Z of an experiment that a user composed: the unit, and the set's name between accelerations.
  private static func addComposed(
    _ header: TableHeader, _ name: String, to table: inout WideTable
  ) throws(SensorError) {
    let units = ["m/s^2", "m/s²", "rad/s", "µT"]
    guard let found = try header.axes("", ["X ", "Y ", "Z "], units: units) else { return }
    let column = found[0].name
    let quantity: WideTable.Quantity =
      if column.hasSuffix("(rad/s)") {
        .gyroscope
      } else if column.hasSuffix("(µT)") {
        .magnetometer
      } else if name.contains("linear") {
        .userAcceleration
      } else if name.contains("gravity") {
        .gravity
      } else if name.contains("accel") {
        .accelerometer
      } else {
        throw header.error(
          .unsupported,
          "The kind of acceleration is unknown: the data set's name should contain Accelerometer, Linear or Gravity.",
          column: column)
      }
    table.add(quantity, found)
  }
}

/// What `meta/device.csv` and `meta/time.csv` of a phyphox export say.
struct PhyphoxMetadata {
  /// Nil: unknown.
  private(set) var isApple: Bool?
  /// The experiment's clock on the Unix time line; empty: unknown.
  private(set) var pieces: [TableLayout.Piece] = []

  /// m/s² of specific force per unit: the app multiplies an iPhone's g by −9.81.
  var accelerationUnit: AccelerationUnit { isApple == true ? .roundedMetresPerSecondSquared : .metresPerSecondSquared }

  init(_ files: RecordingFiles) throws(SensorError) {
    for row in try Self.rows("device.csv", files) where row.count > 1 && row[0] == "deviceBrand" {
      isApple = row[1].lowercased() == "apple"
    }
    for row in try Self.rows("time.csv", files) where row.count > 2 && row[0] == "START" {
      // Unix time of a row = system time of the last START before it + (t − its experiment time).
      guard let start = DecimalNumber.nanoseconds(row[1]), let system = DecimalNumber.nanoseconds(row[2]) else {
        continue
      }
      pieces.append(.init(start: start, shift: system - start))
    }
    pieces.sort { $0.start < $1.start }
    guard pieces.count <= InputLimits.entries else {
      throw files.error(
        .limitExceeded, "The experiment was started more than \(InputLimits.entries) times, the limit.")
    }
  }

  private static func rows(_ name: String, _ files: RecordingFiles) throws(SensorError) -> [[String]] {
    guard let member = files.members.first(where: { $0.plainName == name && ("/" + $0.folder).hasSuffix("/meta") })
    else { return [] }
    return try files.firstLines(of: member, count: 4 * InputLimits.entries).map { line in
      let bytes = Array(line.utf8)
      let separator: UInt8 = [0x09, 0x3B].first { bytes.contains($0) } ?? 0x2C
      return TableHeader.fields(of: bytes, separator: separator)
    }
  }
}
