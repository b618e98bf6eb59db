// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing

/// What `motionctl info` says of one recording; its members are those of the JSON.
struct InfoReport: Encodable {
  /// A pause, or a step of the clock.
  struct Pause: Encodable {
    /// Seconds since the recording's start.
    var at: Double
    /// Seconds.
    var duration: Double
  }

  /// One sensor.
  struct Stream: Encodable {
    var kind: String
    var samples: Int
    /// Hz, by the median interval.
    var rate: Double?
    /// Seconds: 5 % of the intervals are shorter, the median, 5 % are longer.
    var interval: [Double]?
    var gaps: Int
    /// Seconds.
    var gapTime: Double
    var longestGap: Pause?
    var clockJumps: Int
    var firstClockJump: Pause?
    var repeats: Int
    var outOfOrder: Int
    /// 0…1 of the samples.
    var saturatedShare: Double
    /// SI unit of the kind.
    var range: Double?
  }

  struct Verdict: Encodable {
    var grade: String
    var reasons: [String]
  }

  var file: String
  var format: String
  /// Bytes on the disk.
  var bytes: Int64?
  var name: String
  var origin: String
  var source: String?
  var recordedBy: String?
  var clock: String?
  /// ISO 8601, universal time.
  var began: String?
  /// Seconds.
  var duration: Double
  var samples: Int
  var streams: [Stream]
  /// By topic.
  var events: [String: Int]?
  /// Messages of topics that are no samples of ours.
  var otherTopics: [String: Int]?
  var compression: String?
  /// False: it was never finished, and was read up to its last whole chunk. Nil where the format has no end to speak of.
  var isFinished: Bool?
  var calibrated: Bool?
  /// Entries left out, by reason.
  var omitted: [String: Int]
  /// 0…1 of the seconds.
  var restShare: Double?
  /// m/s².
  var gravityAtRest: Double?
  var verdict: Verdict
}

extension InfoReport {
  /// The report of what a pass over a recording has shown.
  init(
    file: String, format: String, info: SensorInfo, quality: RecordingQuality, findings: RecordingVerdict.Findings,
    omitted: [String: Int]
  ) {
    let qualities = quality.streams
    let start = qualities.compactMap(\.first).min() ?? SensorInstant(nanoseconds: 0)
    let end = qualities.compactMap(\.last).max() ?? start
    self.file = file
    self.format = format
    bytes = Self.size(of: file)
    (name, origin) = (info.name, info.origin.rawValue)
    duration = (end - start).seconds
    samples = quality.samples
    streams = qualities.map { Stream($0, start: start) }
    self.omitted = omitted
    (restShare, gravityAtRest) = (quality.restShare, quality.gravityAtRest)
    let verdict = RecordingVerdict(quality, findings)
    self.verdict = Verdict(grade: verdict.grade.rawValue, reasons: verdict.reasons)
  }

  private static func size(of path: String) -> Int64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
    return (attributes?[.size] as? NSNumber)?.int64Value
  }

  /// "2026-11-21T10:00:00.123Z".
  static func instant(_ start: SensorInstant, wallOffset: SensorDuration) -> String {
    Date(timeIntervalSince1970: (start + wallOffset).seconds)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

extension InfoReport.Stream {
  init(_ quality: StreamQuality, start: SensorInstant) {
    func pause(_ pause: StreamQuality.Pause?) -> InfoReport.Pause? {
      pause.map { InfoReport.Pause(at: ($0.start - start).seconds, duration: $0.duration.seconds) }
    }
    kind = quality.kind.names.joined(separator: " and ")
    samples = quality.samples
    rate = quality.rate
    if let short = quality.shortInterval, let median = quality.interval, let long = quality.longInterval {
      interval = [short.seconds, median.seconds, long.seconds]
    }
    (gaps, gapTime, longestGap) = (quality.gaps, quality.gapTime.seconds, pause(quality.longestGap))
    (clockJumps, firstClockJump) = (quality.clockJumps, pause(quality.firstClockJump))
    (repeats, outOfOrder) = (quality.repeats, quality.outOfOrder)
    (saturatedShare, range) = (quality.saturatedShare, quality.range)
  }
}
