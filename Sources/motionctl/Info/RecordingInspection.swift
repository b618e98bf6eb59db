// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing

/// One pass over a recording, for `motionctl info`.
struct RecordingInspection {
  private let argument: RecordingArgument

  init(_ name: String) throws { argument = try RecordingArgument(name, skipsErrors: true) }

  /// Samples between two looks at whether somebody wants it to end.
  static let stride = 4096

  /// The report; nil when `goesOn` said no.
  func report(while goesOn: () -> Bool) throws -> InfoReport? {
    let path = argument.path
    if argument.isWhole, try MCAPCut.canRead(path), let inspection = try MCAPInspection(path) {
      return try inspection.report(while: goesOn)
    }
    let recording = try Recording.open(path: path, options: argument.options)
    var quality = RecordingQuality(channels: recording.info.channels)
    let reader = try recording.makeReader()
    var count = 0
    while let sample = try reader.next() {
      quality.update(sample)
      count += 1
      if count % Self.stride == 0, !goesOn() { return nil }
    }
    let statistics = reader.statistics
    var findings = RecordingVerdict.Findings()
    findings.omitted = statistics.omitted
    findings.isOdd = !recording.warnings.isEmpty
    let omitted = statistics.omissions.map { ($0.key.rawValue, $0.value.count) }
    var report = InfoReport(
      file: path, format: recording.format.title, info: recording.info, qualities: [("", quality)],
      findings: findings, omitted: Dictionary(uniqueKeysWithValues: omitted))
    report.omittedFirst = Dictionary(
      uniqueKeysWithValues: statistics.omissions.map { ($0.key.rawValue, $0.value.firstPlace.description) })
    report.otherTopics = statistics.passedOver.isEmpty ? nil : statistics.passedOver
    report.leftAside = recording.unread.isEmpty ? nil : recording.unread
    report.warnings = recording.warnings.isEmpty ? nil : recording.warnings
    if let description = recording.recordedDescription { report.describe(description) }
    return report
  }
}
