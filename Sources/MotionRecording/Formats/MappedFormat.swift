// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Any table whose columns the person names: ``RecordingOptions/map``, with the sign of its accelerations, its axes, and a rate where it
/// has no time. Source: formats.md 4.8.
enum MappedFormat {
  static let reader = FormatReader(
    format: .mapped, title: "mapped CSV", summary: "any other CSV, with --map", plan: plan)

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    guard let map = options.map else {
      throw SensorError(
        .invalidRequest, "A table is read with a map of its columns, as in “\(suggestion(for: files))”.",
        at: .init(file: files.path))
    }
    let member = try files.only()
    guard files.members.count == 1 else {
      throw SensorError(
        .invalidRequest, "A map is for one table, and here are \(files.members.count) files: give one of them.",
        at: .init(file: files.path))
    }
    let source = try MappedColumns(files, member)
    var table = WideTable()
    try addVectors(map, source, options, to: &table)
    for (target, quantity) in [("p", WideTable.Quantity.pressure), ("temp", .temperature)] {
      guard let entry = map[target], let unit = entry.unit else { continue }
      let column = try source.column(entry)
      if quantity == .pressure {
        table.pressure.unit = unit.scale
        table.add(.pressure, [column])
      } else {
        table.pressure.temperatureOffset = unit.offset
        table.add(.temperature, [column], scales: [unit.scale])
      }
    }
    var layout = source.layout
    if let entry = map["t"], let decimals = entry.unit.flatMap({ ColumnMap.timeDecimals[$0.name] }) {
      guard options.rate == nil else {
        throw SensorError(
          .invalidRequest, "The map has a time column; leave the rate out.", at: .init(file: files.path))
      }
      let column = try source.column(entry)
      table.add(.init(index: column.index, name: column.name, content: .instant(slot: 0, decimals: decimals)))
    } else if let rate = options.rate {
      layout.timeLine = .rowNumber(rate: rate)
    } else {
      throw SensorError(
        .invalidRequest, "The map has no time: add t=COLUMN[s], or the rate of the rows with --rate HZ (rate=HZ).",
        at: .init(file: files.path))
    }
    layout.columns = table.columns.sorted { $0.index < $1.index }
    if let pair = zip(layout.columns, layout.columns.dropFirst()).first(where: { $0.index == $1.index }) {
      throw SensorError(
        .invalidRequest, "The map uses this column twice.", at: .init(file: member.place, column: pair.0.name))
    }
    var plan = try RecordingPlan(
      [(TableFile(files: files, member: member, layout: layout), table)], in: files, options,
      needs: "qw … with gravx … and userx …, or with ax …, and gx … in the map")
    if map["t"] == nil { plan.notes.append("no time in the file: row number at the given rate") }
    return plan
  }

  private static func addVectors(
    _ map: ColumnMap, _ source: MappedColumns, _ options: RecordingOptions, to table: inout WideTable
  ) throws(SensorError) {
    let axes = options.axes ?? .identity
    let vectors: [(String, WideTable.Quantity)] = [
      ("a", .accelerometer), ("g", .gyroscope), ("m", .magnetometer), ("grav", .gravity), ("user", .userAcceleration),
    ]
    for (prefix, quantity) in vectors {
      guard let unit = map[prefix + "x"]?.unit else { continue }
      var columns: [TableHeader.Found] = []
      var scales: [Double] = []
      for part in axes.sources {
        guard let entry = map[prefix + ["x", "y", "z"][part.index]] else { continue }
        columns.append(try source.column(entry))
        scales.append(part.sign * (quantity == .gyroscope ? unit.scale : 1))
      }
      table.add(quantity, columns, scales: scales)
      switch quantity {
      case .accelerometer:
        table.accelerometerUnit = ColumnMap.accelerationUnit(unit, isReversed: try isReversed(options, source))
      case .gravity, .userAcceleration:
        let unit = ColumnMap.accelerationUnit(unit, isReversed: try isReversed(options, source))
        guard quantity == .gravity || table.motion.accelerationUnit == unit else {
          throw SensorError(.invalidRequest, "Gravity and user acceleration have different units in the map.")
        }
        table.motion.accelerationUnit = unit
      case .magnetometer: table.magnetometerUnit = ColumnMap.fieldUnit(unit)
      default: break
      }
    }
    guard map["qw"] != nil else { return }
    guard axes == .identity else {
      throw SensorError(.invalidRequest, "Axes are not turned under a recorded attitude: leave --axes or qw … out.")
    }
    var columns: [TableHeader.Found] = []
    for target in ["qw", "qx", "qy", "qz"] {
      if let entry = map[target] { columns.append(try source.column(entry)) }
    }
    table.add(.quaternion, columns)
  }

  /// Whether accelerations have Core Motion's sign. Never assumed: nothing in a table says which way they point.
  private static func isReversed(_ options: RecordingOptions, _ source: MappedColumns) throws(SensorError) -> Bool {
    guard let sign = options.sign else {
      throw SensorError(
        .invalidRequest,
        "Nothing says which way the accelerations point: add --sign reaction (face up at rest z is positive, as nearly everywhere) or --sign apple (z is negative).",
        at: .init(file: source.place))
    }
    return sign == .apple
  }

  /// A command line to start from, made of the names that look like sensors.
  static func suggestion(for files: RecordingFiles) -> String {
    guard files.kind == .file, let member = files.members.first, let line = try? files.firstLine(of: member),
      let header = try? TableHeader(line, file: member.place)
    else { return "motionctl fuse \(files.name) --map \"t=COLUMN[s] ax=COLUMN[g] …\" --sign reaction" }
    return MapSuggestion(header, NumericLine(String(decoding: line, as: UTF8.self)) == nil).text(file: files.name)
  }
}
