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

  static let headers = ["Time (s),"]

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    if options.motion == .recorded {
      throw .noRecordedMotion(in: files, needs: "another kind of recording, as phyphox stores no device motion")
    }
    let meta = try PhyphoxMetadata(files)
    var tables: [TableFile] = []
    var folders: Set<String> = []
    for member in files.members where files.kind == .file || member.plainName.hasSuffix(".csv") {
      guard String(decoding: try files.firstLine(of: member), as: UTF8.self).isHeader(headers) else { continue }
      folders.insert(member.folder)
      guard folders.count == 1 else {
        throw files.error(
          .unsupported,
          "There are several experiments here (\(folders.sorted().joined(separator: ", "))); give one of them.")
      }
      tables.append(try table(files.header(of: member), files, member, meta))
    }
    var plan = try RecordingPlan(tables, in: files, options, needs: "", maximumAge: 20_000_000)
    guard !plan.streams.isEmpty else {
      throw files.error(
        .unsupported,
        "None of its data sets is a supported motion sensor (\(files.listing)): acceleration with gravity, gyroscope, magnetic field, pressure."
      )
    }
    if tables.contains(where: { $0.columns.has(.gyroscope) }), meta.isApple != false {
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
    plan.deviceClass = .phone
    plan.listUnread(of: files, metadata: ["device.csv", "time.csv"])
    if meta.pieces.isEmpty { plan.notes.append("times since the start of the experiment, without its pauses") }
    return plan
  }

  /// One set of an experiment.
  private static func table(
    _ header: TableHeader, _ files: RecordingFiles, _ member: RecordingFiles.Member, _ meta: PhyphoxMetadata
  ) throws(SensorError) -> TableFile {
    var table = WideTable()
    (table.accelerometerUnit, table.motion.accelerationUnit) = (meta.accelerationUnit, meta.accelerationUnit)
    for (quantity, name, units) in Self.sensors {
      let axes = quantity == .airPressure ? [""] : ["x ", "y ", "z "]
      if let found = try header.columns(axes.map { name + $0 }, units: units) {
        table.add(quantity, found, scales: quantity == .airPressure ? [100] : [])
      }
    }
    try Self.addComposed(header, member.plainName.lowercased(), to: &table)
    guard let time = try header.columns(["Time "], units: ["s"])?.first else {
      throw header.error(
        .malformed, "The header has no such column, and without it the rows have no time.", column: "Time ")
    }
    table.add(
      .init(index: time.index, name: time.name, content: .instant(slot: 0, decimals: 9), isOptional: true))
    var layout = header.layout
    layout.acceptsDecimalComma = header.separator != 0x2C
    // Columns are of unequal length: rows without a time are the others' rests.
    layout.timeLine = .pieces(meta.pieces)
    return TableFile(files, member, layout, table)
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
    guard let found = try header.columns(["X ", "Y ", "Z "], units: units) else { return }
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
    return try files.textRows(of: member, count: 4 * InputLimits.entries)
  }
}
