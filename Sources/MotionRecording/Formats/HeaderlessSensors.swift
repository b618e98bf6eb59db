// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Finds the files of loggers that write a comma-separated file for each sensor, without a header: time, then the values.
struct HeaderlessSensors {
  let files: RecordingFiles

  /// The first file of these names, with its values in the given slots (−1 = not used); nil when there is none.
  ///
  /// A file whose first line has fewer values is refused by name; more are left alone.
  func table(_ names: [String], _ columns: [String], slots: [Int]) throws(SensorError) -> TableFile? {
    guard let member = names.lazy.compactMap({ files.member($0) }).first else { return nil }
    // An empty file: the sensor is absent.
    guard let first = try files.firstLines(of: member, count: 1).first else { return nil }
    guard let line = NumericLine(first), line.count > columns.count, case .byte = line.separator else {
      throw SensorError(
        .malformed,
        "Expected lines of a time and \(columns.joined(separator: ", ")), found \(String(first.prefix(60)).debugDescription).",
        at: .init(file: member.place, line: 1))
    }
    var layout = TableLayout.headerless(line.separator, time: 9, names: columns, slots: slots)
    layout.columnCount = line.count
    return TableFile(files: files, member: member, layout: layout)
  }

  /// Three axes from a slot on.
  func vector(_ names: [String], slot: Int = 0) throws(SensorError) -> TableFile? {
    try table(names, ["x", "y", "z"], slots: [slot, slot + 1, slot + 2])
  }
}
