// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Our own topics as text: a JSON object a line, with its topic in front (formats.md 6.4).
///
/// It is what `motionctl stream --format ndjson` prints and what people cut with grep; the numbers are those of an MCAP
/// recording.
enum NDJSONFormat {
  static let reader = FormatReader(
    format: .ndjson, title: "NDJSON",
    summary: "text whose lines are JSON objects with a \"topic\" of OpenCoreMotion", hasDevices: true, plan: plan)
  /// Lines at the beginning that show which topics there are.
  private static let probedLines = 20_000

  /// Whether the first line of a file is of this form.
  static func isLine(_ line: String) -> Bool {
    guard line.first == "{" else { return false }
    var reader = NDJSONLineReader()
    let bytes = Array(line.utf8)
    return bytes.withUnsafeBytes { (try? reader.topic($0)) != nil }
  }

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    let member = try files.only()
    let lines = LineReader(try files.open(member), name: member.place)
    var reader = NDJSONLineReader()
    var topics: [Topic] = []
    while lines.number < Self.probedLines, let line = try lines.next() {
      let bytes = UnsafeRawBufferPointer(start: line.start, count: line.end - line.start)
      guard let topic = (try? reader.topic(bytes)) ?? nil, !topics.contains(topic) else { continue }
      guard topics.count < InputLimits.channels else {
        throw SensorError(
          .limitExceeded, "The file has more than \(InputLimits.channels) topics, the most that are read.",
          at: .init(file: member.place, line: lines.number))
      }
      topics.append(topic)
    }
    let selection = try TopicSelection(topics, options, files)
    var plan = RecordingPlan(streams: [
      NDJSONStreamPlan(files: files, member: member, topics: selection.topics, connection: selection.connection)
    ])
    plan.usesRecordedMotion = selection.usesRecordedMotion
    plan.notes = selection.notes
    plan.deviceClass = selection.topics.contains { $0.kind == .headphoneMotion } ? .headphones : .unknown
    plan.reordering = .zero
    return plan
  }
}
