// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording
import MotionSensing
import MotionServices

/// How a recording goes, and how it went, in words.
enum RecordReport {
  /// "12.0 s: accelerometer and gyroscope 1,200 (100 Hz), magnetometer 600 (50 Hz); 1.2 MB, 100 kB/s, none lost".
  static func line(_ progress: Recorder.Progress, bytes: Int64, elapsed: Double) -> String {
    let covered = progress.streams.map { ($0.last - $0.first).seconds }.max() ?? 0
    let streams = progress.streams.map { stream in
      name(stream.kinds) + " \(Text.grouped(stream.samples))" + rate(stream)
    }
    let speed = elapsed > 0 ? ", \(Text.bytes(Int64(Double(bytes) / elapsed)))/s" : ""
    let what = streams.isEmpty ? "no sample yet" : streams.joined(separator: ", ")
    return "\(Text.duration(covered)): \(what); \(Text.bytes(bytes))\(speed), \(lost(progress))"
  }

  /// A line for each stream and one for each thing that was lost.
  static func summary(_ progress: Recorder.Progress, files: RecordFiles, statistics: TimelineStatistics) -> [String] {
    let paths = files.paths
    let place = paths.count == 1 ? paths[0] : "\(paths.count) files, \(paths.first ?? "") to \(paths.last ?? "")"
    let covered = progress.streams.map { ($0.last - $0.first).seconds }.max() ?? 0
    var lines = [
      "\(place): \(Text.count(progress.samples, "sample")) over \(Text.duration(covered)), \(Text.bytes(files.bytes)), \(lost(progress))"
    ]
    for stream in progress.streams {
      lines.append("  \(name(stream.kinds)): \(Text.count(stream.samples, "sample"))\(rate(stream))")
    }
    if progress.events > 0 { lines.append("  \(Text.count(progress.events, "event"))") }
    let gaps = statistics.gaps
    if gaps > 0 { lines.append("  the source paused: \(Text.count(gaps, "gap")) over all sensors") }
    return lines
  }

  private static func name(_ kinds: SensorKinds) -> String { Text.list(kinds.names) }

  private static func rate(_ stream: Recorder.Progress.Stream) -> String {
    stream.rate.map { " (\(Text.decimal($0, places: 1)) Hz)" } ?? ""
  }

  private static func lost(_ progress: Recorder.Progress) -> String {
    progress.lost == 0 ? "none lost" : "\(Text.grouped(progress.lost)) LOST: the disk was too slow"
  }
}
