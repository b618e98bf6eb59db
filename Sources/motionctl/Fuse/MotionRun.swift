// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionRecording
import MotionSensing
import MotionServices

/// A source run from its beginning to its end as fast as it goes, every sample a row: the work behind `fuse` and `plot`.
///
/// The rows have the numbers of `CMMotionManager`, but come straight from the hub on the source's thread, or from a recording
/// without a hub (``RecordingFusion``).
struct MotionRun {
  /// What a run amounted to.
  struct Report {
    var rowCount = 0
    /// Seconds on the source's clock.
    var first = 0.0
    var last = 0.0
    /// Rest by the rule of `motionctl info`.
    var rest = RestMeter()
    /// Frame of the rows: one, unless a recording changes it.
    var frame: FusedMotionSample.Reference?
    /// Sentences of errors that a handler would have received.
    var notices: [String] = []
    var statistics = TimelineStatistics()
    /// What the reader dropped, as a sentence; nil = nothing, or the selection knows.
    var omissions: String?

    var duration: Double { last - first }

    /// Counts a row; false when it is beyond the limit.
    mutating func add(_ row: FusedMotionSample, limit: Seconds?) -> Bool {
      let time = row.time.seconds
      if rowCount == 0 { (first, frame) = (time, row.reference) }
      if let limit, limit.isOver(after: time - first) { return false }
      rowCount += 1
      last = time
      return true
    }
  }

  let selection: SourceSelection
  let frame: ReferenceFrame
  let limit: Seconds?
  let completion = Completion()
  let host: MotionHost
  let memory: (any SensorMemory)?
  let smooths: Bool

  /// From here on a signal ends the run, not the program.
  init(
    _ selection: SourceSelection, frame: ReferenceFrame, location: LocationArgument?, limit: Seconds?,
    memory: (any SensorMemory)? = nil, smooths: Bool = false
  ) throws {
    self.selection = selection
    self.smooths = smooths
    if smooths, RecordingFusion.recording(of: selection) == nil {
      throw CommandFailure(
        "--smooth needs a recording of raw sensors that is read to its end; \(selection.name) is none: record it first (motionctl record)."
      )
    }
    self.frame = frame
    self.limit = limit
    self.memory = memory
    Interruption.begin(completion)
    try selection.requireEnd(limit: limit)
    let clock: (any SensorClock)? = selection.info.pacing == .onDemand ? FreeRunningClock() : nil
    host = try selection.host(clock: clock, location: location, memory: memory)
    try MotionRequirements.check(frame, of: selection, on: host)
  }

  /// Runs; `write` receives every row on the source's thread and may throw to end the run.
  func callAsFunction(
    write: @escaping @Sendable (FusedMotionSample) throws -> Void
  ) throws -> (outcome: Completion.Outcome, report: Report) {
    if memory == nil, let recording = RecordingFusion.recording(of: selection) {
      return fuse(recording, write: write)
    }
    guard let hub = host.device else { throw CommandFailure("There is no source.") }
    let (completion, limit, isLive) = (completion, limit, selection.info.origin == .hardware)
    let framing = frame.framing(on: host)
    let state = Lock((framing: framing, report: Report()))
    let subscription = hub.subscribe(framing.stream, interval: .zero) { event, _ in
      guard !completion.isFinished else { return }
      switch event {
      case .ended: completion.finish(.done)
      case .failed(let error): completion.finish(.failed(error))
      default:
        do {
          let isWanted = try state.withLock { state in
            let (row, notice) = state.framing.update(event)
            if let notice { state.report.notices.append(isLive ? notice.sentence : notice.sentenceOfRecording) }
            guard let row else { return true }
            guard state.report.add(row, limit: limit) else { return false }
            if case .motion(let motion) = event {
              state.report.rest.update(force: motion.accelerometer.specificForce, at: motion.time)
              state.report.rest.update(rate: row.angularVelocity, at: motion.time)
            }
            try write(row)
            return true
          }
          if !isWanted { completion.finish(.done) }
        } catch {
          completion.finish(.stopped(error))
        }
      }
    }
    let outcome = wait { state.withLock { ($0.report.rowCount, $0.report.duration) } }
    subscription.cancel()
    var report = state.withLock { $0.report }
    report.statistics = hub.statistics
    return (outcome, report)
  }

  /// The same for a recording that needs no hub, read on a thread of this run.
  private func fuse(
    _ recording: Recording, write: @escaping @Sendable (FusedMotionSample) throws -> Void
  ) -> (outcome: Completion.Outcome, report: Report) {
    let latest = Lock(Report())
    let hasEnded = DispatchSemaphore(value: 0)
    let read: @Sendable () -> Void = { [self] in
      var report = Report()
      do {
        var fusion = try RecordingFusion(
          recording, selection.info, frame.framing(on: host), limit: limit, smooths: smooths)
        _ = try fusion.run(
          &report,
          goesOn: { report in
            latest.withLock { $0 = report }
            return !completion.isFinished
          }, write: write)
        completion.finish(.done)
      } catch let error as SensorError {
        completion.finish(.failed(error))
      } catch {
        completion.finish(.stopped(error))
      }
      latest.withLock { $0 = report }
      hasEnded.signal()
    }
    do { try SystemThread.start("motion fusion", read) } catch {
      completion.finish(.failed(error))
      hasEnded.signal()
    }
    let outcome = wait { latest.withLock { ($0.rowCount, $0.duration) } }
    hasEnded.wait()
    return (outcome, latest.withLock { $0 })
  }

  /// Waits for the end and shows meanwhile how far the run is: rows, and seconds of sample time.
  private func wait(_ position: () -> (rows: Int, covered: Double)) -> Completion.Outcome {
    let progress = ProgressLine(selection, limit: limit)
    defer { StandardError.shared.endStatus() }
    return completion.wait {
      let (count, covered) = position()
      progress.update(count, "row", covered: covered)
    }
  }
}

/// A recording fused from its beginning to its end on the thread that asks.
///
/// It needs no hub: there is one reader, and nothing waits for a clock. The numbers are those of a hub; without its locks and
/// its hand-over of every sample the run takes two thirds of the processor time.
struct RecordingFusion {
  /// Samples between two looks at whether the run goes on.
  private static let samplesPerLook = 512

  private let reader: RecordingReader
  private var fusion: OfflineFusion
  private let limit: Seconds?

  /// The recording that can be read so: to its end, on its own time line, with motion computed from raw samples; else nil.
  static func recording(of selection: SourceSelection) -> Recording? {
    let options = selection.entry.uri.options
    guard let source = selection.entry.source as? ReplaySource, options["loop"] != "yes", options["clock"] != "now",
      !selection.info.kinds.contains(.fusedMotion)
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
    write: (FusedMotionSample) throws -> Void
  ) throws -> Bool {
    defer {
      report.statistics = fusion.statistics
      report.omissions = SourceSelection.omissions(reader.statistics)
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
/// How long ago the file's numbers were learned counts as unknown, whatever its date: the same recording and the same file
/// give the same rows today and tomorrow.
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
