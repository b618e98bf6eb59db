// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
package import MotionRecording
package import MotionSensing

/// What `motionctl info` says of one recording; its members are those of the JSON.
package struct InfoReport: Encodable {
  /// A pause, or a step of the clock.
  struct Pause: Encodable {
    /// Seconds since the recording's start.
    var at: Double
    /// Seconds.
    var duration: Double
  }

  /// One sensor.
  package struct Stream: Encodable {
    package var kind: String
    package var samples: Int
    /// Hz, by the median interval.
    package var rate: Double?
    /// Seconds: 5 % of the intervals are shorter, the median, 5 % are longer.
    package var interval: [Double]?
    package var gaps: Int
    /// Seconds.
    var gapTime: Double
    var longestGap: Pause?
    var clockJumps: Int
    var firstClockJump: Pause?
    package var repeats: Int
    var outOfOrder: Int
    /// Samples that tell the temperature too; absent where none does.
    var temperatures: Int?
    /// 0…1 of the samples.
    var saturatedShare: Double
    /// SI unit of the kind.
    package var range: Double?
    /// Axes that read the end of their range; absent where none does.
    var clipping: [Stop]?
  }

  /// An axis whose readings stop at one value.
  package struct Stop: Encodable {
    package var axis: String
    /// SI unit of the kind.
    package var limit: Double
    package var samples: Int
    /// Seconds since the recording's start, of the first.
    package var at: Double
  }

  package struct Verdict: Encodable {
    var grade: String
    var reasons: [String]
  }

  package var file: String
  package var format: String
  /// Bytes on the disk.
  package var bytes: Int64?
  package var name: String
  package var origin: String
  /// Where the device was worn. Absent where the recording does not say it.
  package var placement: String?
  /// True: a reading of the gyroscope is the mean of the interval before its stamp. Else absent.
  var gyroscopeMean: Bool?
  /// True: the magnetometer reads without the device's own field. Else absent.
  var magnetometerCalibrated: Bool?
  package var source: String?
  var recordedBy: String?
  package var clock: String?
  /// ISO 8601, universal time.
  var began: String?
  /// Seconds.
  package var duration: Double
  package var samples: Int
  package var streams: [Stream]
  /// By topic.
  package var events: [String: Int]?
  /// Messages of topics that are no samples of ours.
  var otherTopics: [String: Int]?
  package var compression: String?
  /// False: it was never finished, and was read up to its last whole chunk. Nil where the format has no end to speak
  /// of.
  package var isFinished: Bool?
  package var calibrated: Bool?
  /// Entries left out, by reason.
  package var omitted: [String: Int]
  /// Where the first of each reason stands.
  var omittedFirst: [String: String] = [:]
  /// 0…1 of the seconds.
  var restShare: Double?
  /// m/s².
  var gravityAtRest: Double?
  /// Degrees by which gravity as computed from the first minutes differs from the recorded one: the median, and what
  /// nine in ten do not exceed. Absent where the recording has none.
  package var gravityDifference: [Double]?
  /// What is odd about the beginning: units, signs, columns that do not fit gravity. Absent where nothing is.
  package var warnings: [String]?
  /// What was assumed of a table that was read without a map. Absent where nothing was.
  package var assumed: [String]?
  /// What is there and is not read, in words. Absent where there is nothing.
  var leftAside: [String]?
  package var verdict: Verdict
}

extension InfoReport {
  /// The report of what a pass over a recording has shown; `qualities` by device, "" for the only one.
  package init(
    file: String, format: String, info: SensorInfo,
    qualities: [(device: String, quality: RecordingQuality)],
    statistics: RecordingStatistics, isOdd: Bool, description: RecordingDescription?
  ) {
    let measured = qualities.flatMap { device, quality in quality.streams.map { (device, $0) } }
    let first = measured.compactMap(\.1.first).min()
    let start = first ?? SensorInstant(nanoseconds: 0)
    let end = measured.compactMap(\.1.last).max() ?? start
    self.file = file
    self.format = format
    bytes = Self.size(of: file)
    (name, origin) = (info.name, info.origin.rawValue)
    if info.channel(.gyroscope)?.isMean ?? false { gyroscopeMean = true }
    if info.channel(.magnetometer)?.isCalibrated ?? false { magnetometerCalibrated = true }
    duration = (end - start).seconds
    samples = qualities.reduce(0) { $0 + $1.quality.samples }
    streams = measured.map { Stream($0.1, device: $0.0, start: start) }
    omitted = Dictionary(
      uniqueKeysWithValues: statistics.omissions.map { ($0.key.rawValue, $0.value.count) })
    omittedFirst = Dictionary(
      uniqueKeysWithValues: statistics.omissions.map {
        ($0.key.rawValue, $0.value.firstPlace.description)
      })
    let rested = qualities.first { $0.quality.restShare != nil }?.quality
    (restShare, gravityAtRest) = (rested?.restShare, rested?.gravityAtRest)
    verdict = Verdict(qualities, statistics, isOdd: isOdd)
    // What the recording says of itself.
    guard let description else { return }
    source = description.source.isEmpty ? nil : description.source
    let recorder = [description.application, description.operatingSystem].compactMap(\.self).joined(
      separator: " on ")
    recordedBy = recorder.isEmpty ? nil : recorder
    clock = description.clock.rawValue
    began = description.wallOffset.flatMap { offset in
      first.map { Self.instant($0, wallOffset: offset) }
    }
  }

  private static func size(of path: String) -> Int64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
    return (attributes?[.size] as? NSNumber)?.int64Value
  }

  /// "2026-11-21T10:00:00.123Z".
  package static func instant(_ start: SensorInstant, wallOffset: SensorDuration) -> String {
    Date(timeIntervalSince1970: (start + wallOffset).seconds)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

extension InfoReport.Verdict {
  /// The worst of the devices' grades, with all reasons.
  package init(
    _ qualities: [(device: String, quality: RecordingQuality)], _ statistics: RecordingStatistics,
    isOdd: Bool
  ) {
    // What concerns the file is said once.
    let verdicts =
      qualities.isEmpty
      ? [("", RecordingVerdict(RecordingQuality(), statistics, isOdd: isOdd))]
      : qualities.enumerated().map { index, entry in
        (
          entry.device,
          index == 0
            ? RecordingVerdict(entry.quality, statistics, isOdd: isOdd)
            : RecordingVerdict(entry.quality)
        )
      }
    grade = (verdicts.map(\.1.grade).min() ?? .poor).rawValue
    reasons = verdicts.flatMap { device, verdict in
      verdict.reasons.map { device.isEmpty ? $0 : "\(device): \($0)" }
    }
  }
}

extension InfoReport.Stream {
  package init(_ quality: StreamQuality, device: String, start: SensorInstant) {
    func pause(_ pause: StreamQuality.Pause?) -> InfoReport.Pause? {
      pause.map { InfoReport.Pause(at: ($0.start - start).seconds, duration: $0.duration.seconds) }
    }
    kind = (device.isEmpty ? "" : device + " ") + quality.kind.names.joined(separator: " and ")
    samples = quality.samples
    temperatures = quality.temperatures > 0 ? quality.temperatures : nil
    rate = quality.rate
    if let short = quality.shortInterval, let median = quality.interval,
      let long = quality.longInterval
    {
      interval = [short.seconds, median.seconds, long.seconds]
    }
    (gaps, gapTime, longestGap) = (quality.gaps, quality.gapTime.seconds, pause(quality.longestGap))
    (clockJumps, firstClockJump) = (quality.clockJumps, pause(quality.firstClockJump))
    (repeats, outOfOrder) = (quality.repeats, quality.outOfOrder)
    (saturatedShare, range) = (quality.saturatedShare, quality.range)
    let stops = quality.clippings.map {
      InfoReport.Stop(
        axis: $0.axis, limit: $0.limit, samples: $0.samples, at: ($0.first - start).seconds)
    }
    clipping = stops.isEmpty ? nil : stops
  }
}

/// A report for people.
extension InfoReport {
  package var lines: [String] {
    var lines = ["\(file): \(format)" + (bytes.map { ", \(Text.bytes($0))" } ?? "")]
    lines.append(
      "  device       \(name)"
        + (origin == "simulation" ? " (a simulation, no sensor was read)" : ""))
    if let source { lines.append("  source       \(source)") }
    if let recordedBy { lines.append("  recorded by  \(recordedBy)") }
    if let clock { lines.append("  clock        \(clock)" + (began.map { ", began \($0)" } ?? "")) }
    lines.append(
      "  length       \(Text.duration(duration)), \(Text.count(samples, "sample"))" + state)
    lines += streams.flatMap { ["  " + $0.line] + $0.clippingLines.map { "    " + $0 } }
    for (topic, count) in (events ?? [:]).merging(otherTopics ?? [:], uniquingKeysWith: +).sorted(
      by: {
        $0.key < $1.key
      })
    {
      lines.append("  \(topic.isEmpty ? "other topics" : topic): \(Text.count(count, "message"))")
    }
    for (reason, count) in omitted.sorted(by: { $0.key < $1.key }) {
      lines.append(
        "  left out: \(Text.grouped(count)) \(reason)"
          + (omittedFirst[reason].map { ", the first in \($0)" } ?? ""))
    }
    if let leftAside { lines.append("  not used: " + Text.list(leftAside)) }
    if let restShare {
      let gravity =
        gravityAtRest.map { ", where gravity reads \(Text.decimal($0, places: 3)) m/s²" } ?? ""
      lines.append(
        "  at rest      \(Text.decimal(restShare * 100, places: 1)) % of the time\(gravity)")
    }
    if let gravityDifference, gravityDifference.count == 2 {
      let words = gravityDifference.map { Text.decimal($0, places: 1) }
      lines.append(
        "  recorded     gravity as computed is \(words[0])° from it in the median, \(words[1])° in nine of ten"
      )
    }
    lines += SourceSelection.remarkLines(assumed ?? [], warnings ?? [])
    lines.append("  quality      \(verdict.line)")
    return lines
  }

  private var state: String {
    var words: [String] = []
    if let compression {
      words.append(compression == "none" ? "not compressed" : "compressed with \(compression)")
    }
    if isFinished == false { words.append("UNFINISHED: read up to its last whole chunk") }
    if calibrated == true { words.append("with a calibration beside it") }
    return words.map { ", " + $0 }.joined()
  }
}

extension InfoReport.Verdict {
  package var line: String {
    reasons.isEmpty
      ? "\(grade): no gaps, no clock jumps, nothing left out"
      : "\(grade): \(reasons.joined(separator: "; "))"
  }
}

extension InfoReport.Stream {
  /// "CLIPS: its y axis stops at 249.99 °/s in 35 samples, the first after 12.3 s", a line per axis, and what to do.
  fileprivate var clippingLines: [String] {
    guard let clipping else { return [] }
    let isRate = kind.hasSuffix("gyroscope")
    let lines = clipping.map { stop in
      let limit =
        isRate
        ? "\(Text.decimal(Angle(radians: stop.limit).degrees, places: 2)) °/s"
        : "\(Text.decimal(stop.limit / standardGravity, places: 3)) g"
      return
        "CLIPS: its \(stop.axis) axis stops at \(limit) in \(Text.count(stop.samples, "sample")), the first after "
        + Text.duration(stop.at)
    }
    let advice =
      isRate
      ? "Faster turns were not measured: record with a larger range. “fuse” estimates what is missing, and is less certain for a while."
      : "Stronger accelerations were not measured: record with a larger range."
    return lines + [advice]
  }

  /// "gyroscope: 6,000 samples, 100 Hz, every 10 ms (9.9 to 10.1), no gaps".
  package var line: String {
    var parts = [Text.count(samples, "sample")]
    if let temperatures, temperatures < samples {
      parts.append("\(Text.grouped(temperatures)) with temperature")
    }
    if let rate { parts.append("\(Text.decimal(rate, places: 2)) Hz") }
    if let interval {
      let words = interval.map { Text.decimal($0 * 1000, places: 3) }
      parts.append(
        "every \(words[1]) ms" + (words[0] == words[2] ? "" : " (\(words[0]) to \(words[2]))"))
    }
    if gaps == 0 {
      parts.append("no gaps")
    } else {
      parts.append("\(Text.count(gaps, "gap")), \(Text.duration(gapTime)) together")
      if let longestGap {
        parts.append(
          "the longest \(Text.duration(longestGap.duration)) after \(Text.duration(longestGap.at))")
      }
    }
    if clockJumps > 0 {
      let place = firstClockJump.map {
        ", the first after \(Text.duration($0.at)) by \(Text.decimal($0.duration, places: 3)) s"
      }
      parts.append("\(Text.count(clockJumps, "clock jump"))\(place ?? "")")
    }
    if repeats > 0 { parts.append("\(Text.grouped(repeats)) repeat a time") }
    if outOfOrder > 0 { parts.append("\(Text.grouped(outOfOrder)) out of order") }
    if saturatedShare > 0 {
      parts.append("\(Text.decimal(saturatedShare * 100, places: 2)) % at the end of the range")
    }
    return
      "\(kind)\(temperatures == samples ? " and temperature" : ""): \(parts.joined(separator: ", "))"
  }
}
