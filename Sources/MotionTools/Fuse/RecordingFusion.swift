// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionRecording
import MotionSensing
import MotionServices

/// A recording fused from its beginning to its end on the thread that asks.
///
/// It needs no hub: there is one reader, and nothing waits for a clock. The numbers are those of a hub; without its
/// locks and its hand-over of every sample the run takes two thirds of the processor time.
struct RecordingFusion {
  /// Samples between two looks at whether the run goes on.
  private static let samplesPerLook = 512

  private let reader: RecordingReader
  private var fusion: OfflineFusion
  private let limit: Seconds?

  /// The recording that can be read so: to its end, on its own time line, with motion computed from raw samples; else
  /// nil.
  static func recording(of selection: SourceSelection) -> Recording? {
    let options = selection.entry.uri.options
    guard let source = selection.entry.source as? ReplaySource, options["loop"] != "yes", options["clock"] != "now",
      !selection.info.kinds.contains(.motion)
    else { return nil }
    return source.recording
  }

  init(
    _ recording: Recording, _ info: SensorInfo, _ framing: MotionFraming, limit: Seconds?, smooths: Bool
  ) throws(SensorError) {
    reader = try recording.makeReader()
    fusion = OfflineFusion(info: info, framing: framing, smooths: smooths)
    self.limit = limit
  }

  /// Runs; false when `goesOn` has ended it. `report` is complete in any case.
  mutating func run(
    _ report: inout MotionRun.Report, goesOn: (MotionRun.Report) -> Bool,
    write: (MotionRow) throws -> Void
  ) throws -> Bool {
    defer {
      report.statistics = fusion.statistics
      // Of the sensors that the filter does not take; those that it takes have their lines anyway.
      let unused = SourceSelection.pauses(reader.statistics.coverage, besides: fusion.statistics)
      let lines = [SourceSelection.omissions(reader.statistics)].compactMap(\.self) + unused
      report.omissions = lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
    var untilLook = 0
    while let (row, notice) = try fusion.nextRow(from: { () throws(SensorError) in
      let sample = try reader.next()
      if let sample { report.rest.update(sample) }
      return sample
    }) {
      untilLook -= 1
      if untilLook < 0 {
        untilLook = Self.samplesPerLook
        guard goesOn(report) else { return false }
      }
      if let notice { report.notices.append(notice.sentenceOfRecording) }
      guard let row else { continue }
      guard report.add(row, limit: limit) else { break }
      try write(row)
    }
    return true
  }
}

/// The memory of one run of a command: begins with a file if there is one, and keeps what the run leaves.
///
/// How long ago the file's numbers were learned counts as unknown, whatever its date: the same recording and the same
/// file give the same rows today and tomorrow.
struct RunMemory: SensorMemory {
  /// What the file held; nil when there was none.
  let start: LearnedDevice?
  private let latest = Lock<LearnedDevice?>(nil)

  /// `path` nil, or of a file that does not exist: nothing is known.
  init(startingWith path: String?) throws(SensorError) {
    guard let path, let file = try LearnedDeviceFile(path: path) else {
      start = nil
      return
    }
    start = file.learned.widened(elapsed: .infinity)
  }

  func recall() -> LearnedDevice? { start }

  func keep(_ learned: LearnedDevice) { latest.withLock { $0 = learned } }

  /// Writes what the run left; refuses to write over a file that is something else.
  func write(to path: String) throws {
    guard let learned = latest.withLock({ $0 }) else {
      throw CommandFailure(
        "--learn has nothing to write: nothing was computed from raw sensors.")
    }
    _ = try LearnedDeviceFile(path: path)
    try LearnedDeviceFile(device: "", learnedAt: nil, learned: learned).write(to: path)
  }
}
