// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// What the first rows of a SensorLog table tell beside its samples: how its clock stands to the wall clock, and which groups of columns
/// hold something that is not played.
struct SensorLogBeginning {
  private let header: TableHeader
  private let rows: [[String]]

  /// Groups that no sensor is in, by the beginning of their columns' names; the first that fits counts.
  private static let groups = [
    ("locationHeading", "heading"), ("locationTrueHeading", "heading"), ("locationMagneticHeading", "heading"),
    ("location", "location"), ("activity", "activity"), ("pedometer", "pedometer"),
    ("altimeterRelativeAltitude", "relative altitude"), ("deviceOrientation", "device orientation"),
    ("battery", "battery"), ("avAudioRecorder", "sound level"), ("IP_", "network addresses"), ("label(", "label"),
  ]

  init(_ header: TableHeader, _ files: RecordingFiles, _ member: RecordingFiles.Member) throws(SensorError) {
    self.header = header
    var lines = try files.firstLines(of: member, count: 2000).dropFirst()
    // The last may be cut off.
    if lines.count > 1 { lines = lines.dropLast() }
    rows = lines.map { TableHeader.fields(of: Array($0.utf8), separator: header.separator) }
  }

  /// Unix time less the time of a group, whose time stamp is named; nil where the table has no `loggingTime(txt)`.
  ///
  /// A row is written after its samples, some late, so the least difference is the nearest; texts are rounded down, to the millisecond
  /// or to the second. In whole milliseconds the offset that was used to write a table is found again to the nanosecond.
  func wallOffset(of timeStamp: String) throws(SensorError) -> (offset: SensorDuration, hasZone: Bool)? {
    guard let wall = try header.index(of: "loggingTime", units: ["txt"]),
      let own = try header.index(of: timeStamp, units: ["s"])
    else { return nil }
    var differences: [Int64] = []
    var hasZone = true
    var resolution: Int64 = 1_000_000
    var previous: Int64?
    for row in rows where row.count > max(wall, own) {
      guard let text = WallTime(row[wall]), let time = DecimalNumber.nanoseconds(row[own]), time != 0, time != previous
      else { continue }
      previous = time
      differences.append(text.nanoseconds - time)
      hasZone = hasZone && text.hasZone
      resolution = max(resolution, text.resolution)
    }
    guard let least = differences.min() else { return nil }
    // Texts in whole seconds: the latest within the second is the nearest.
    let nearest = resolution > 1_000_000 ? differences.filter { $0 < least + resolution }.max() ?? least : least
    let (whole, rest) = nearest.quotientAndRemainder(dividingBy: 1_000_000)
    return (SensorDuration(nanoseconds: (rest > 0 ? whole + 1 : whole) * 1_000_000), hasZone)
  }

  /// The groups that hold something.
  var unread: [String] {
    var names: [String] = []
    for (index, column) in header.names.enumerated() {
      guard let name = Self.groups.first(where: { column.hasPrefix($0.0) })?.1, !names.contains(name),
        rows.contains(where: { index < $0.count && Self.isValue($0[index]) })
      else { continue }
      names.append(name)
    }
    return names
  }

  /// Neither empty nor one of the numbers that stand for "none".
  private static func isValue(_ cell: String) -> Bool {
    guard !cell.isEmpty, cell.lowercased() != "null" else { return false }
    guard let number = Double(cell) else { return true }
    return number.isFinite && ![0, -1, -9999].contains(number)
  }
}
