// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Any table that is understood from its content (``TableInference``), read as with the map that a person would write.
/// Tried when nothing else fits. Source: Documentation/Formats.md 4.12.
enum InferredFormat {
  static let reader = FormatReader(
    format: .table, title: "table", summary: "any other table of sensors, understood from its names and numbers",
    plan: plan)

  /// Whether a single file is a table of motion or of pressures.
  static func holds(_ files: RecordingFiles) -> Bool {
    guard files.kind == .file, let member = files.members.first,
      var inference = try? TableInference(files, member, RecordingOptions())
    else { return false }
    if case .none = inference.outcome() { return false }
    return true
  }

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    let member = try files.only()
    guard files.members.count == 1 else {
      throw files.error(.invalidRequest, "There are \(files.members.count) files: give one of them.")
    }
    guard var inference = try TableInference(files, member, options) else {
      throw member.error(.unsupported, "This is no table of numbers.")
    }
    switch inference.outcome() {
    case .none:
      throw member.error(
        .unsupported,
        "This table has no columns that look like an accelerometer, a gyroscope or a pressure: give a map (--map).")
    case .refused(let sentence):
      throw member.error(
        .unsupported, sentence + "\nEvery command that reads recordings takes --map, --sign and --rate.")
    case .reading(let reading):
      var stated = options
      stated.map = try ColumnMap(reading.map)
      (stated.sign, stated.rate) = (reading.sign, reading.rate)
      var plan = try MappedFormat.plan(files, stated)
      plan.inferred = reading
      plan.unread += reading.unread
      plan.assumptions = (["read as with \(reading.arguments)"] + reading.remarks).map { "\($0)." }
      return plan
    }
  }
}
