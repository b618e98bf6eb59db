// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// The 800 Hz accelerometer of a watch as a client writes it down batch by batch: no header, seconds since boot, x, y, z in g with
/// Core Motion's signs, and an empty line before each batch, the first too. Source: formats.md 4.9.
///
/// The empty lines are what the file is known by: four numbers in a row could be anything else. They carry nothing that the
/// times do not say, so batches are cut anew by the samples' own time.
enum BatchedAccelerometerFormat: FormatReader {
  static let format = RecordingFormat.batchedAccelerometer
  static let title = "batched accelerometer"
  static let summary = "a CSV without a header: seconds, x, y, z in g, an empty line before each batch"

  /// Whether the beginning of a file is of this form: an empty line, then four numbers.
  static func isBeginning(_ head: [UInt8]) -> Bool {
    let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    let lines = text.prefix(400).split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    guard lines.count > 1, lines[0].isEmpty || lines[0].elementsEqual([0x0D]) else { return false }
    let row = lines[1].last == 0x0D ? lines[1].dropLast() : lines[1]
    let fields = String(decoding: row, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
    return fields.count == 4 && fields.allSatisfy { Double($0.filter { $0 != " " })?.isFinite == true }
  }

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    guard options.motion != .recorded else {
      throw .noRecordedMotion(in: files, needs: "another kind of recording, as this one holds an accelerometer only")
    }
    let layout = TableLayout.headerless(.byte(0x2C), time: 9, names: ["x", "y", "z"], slots: [0, 1, 2])
    let table = TableFile(files: files, member: try files.only(), layout: layout)
    return RecordingPlan(
      streams: [TableStreamPlan(table: table, form: .accelerometer(unit: .reversedGravity))],
      deviceClass: .watch)
  }
}
