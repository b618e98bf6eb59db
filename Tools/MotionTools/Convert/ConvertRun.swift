// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionRecording
import MotionSensing
import MotionServices

/// One recording on its way into another format: sample by sample, so that memory does not grow with it.
///
/// Motion comes right behind the sample that completes it. The numbers are those of `motionctl fuse`.
package final class ConvertRun {
  private let job: ConvertJob
  private let path: String
  private let selection: SourceSelection
  private let recording: Recording
  private let messages: ConvertMessages?
  private let output: ConvertOutput
  /// The frame of the motion that is computed; nil = none is.
  private let framing: MotionFraming?
  /// Recordings that keep the order of arrival are sorted for formats that want the order of time.
  private let sorts: Bool
  private let completion = Completion.endedBySignals()
  private let progress = ProgressLine()
  fileprivate var count = 0
  /// The message that is to be written next.
  private var waiting: TopicMessage?
  private var decoder = TopicDecoder()

  /// Fails when motion is to be computed and the sensors for it or for the frame are missing. From here on a signal ends
  /// the run, not the program.
  package init(_ job: ConvertJob, input path: String, output: String) throws {
    self.job = job
    self.path = output
    (selection, recording) = try job.open(path)
    messages = try ConvertMessages(recording, job)
    // Foxglove shows nothing but attitudes, from wherever they are.
    let lacksMotion = job.mcap.companions.contains(.foxglove) && messages?.holdsMotion != true
    if job.mcap.companions.contains(.motion) || lacksMotion, !recording.info.kinds.contains(.motion) {
      let (frame, place) = (job.frame ?? .arbitrary, try selection.place(job.location))
      try MotionRequirements.check(frame, of: selection, at: place)
      framing = frame.framing(at: place)
    } else {
      framing = nil
    }
    let keepsArrival = job.format == .mcap || job.format == .ndjson
    sorts = framing != nil || (recording.info.reordering > .zero && !keepsArrival)
    messages?.replacesMotion = framing != nil
    self.output = ConvertOutput(readingFrom: recording.path, force: job.force)
  }

  package func run() throws {
    let started = ContinuousClock.now
    defer { StandardError.shared.endStatus() }
    StandardError.shared.say(selection.headline)
    do {
      let writer = try makeWriter(calibration: messages?.calibration)
      let report = try copy(to: writer)
      try writer.finish()
      let rows = (writer as? NDJSONWriter)?.rows ?? (writer as? TidyWriter)?.rows ?? count
      guard rows > 0 else {
        throw CommandFailure("\(recording.info.name) holds nothing that \(job.format.title) could hold.")
      }
      try output.commit()
      say(rows, report, ContinuousClock.now - started)
    } catch {
      output.discard()
      throw output.cause(of: error)
    }
  }

  /// The messages as they are, with the motion that is computed between them, or else the samples.
  private func copy(to writer: any RecordingWriter) throws -> RunReport {
    var report = RunReport()
    var sink = ConvertSink(run: self, writer: writer, takesSamples: messages == nil)
    if messages == nil || framing != nil {
      let kinds = SensorKinds(rawValue: messages == nil ? .max : 0)
      let fusion = OfflineFusion(info: selection.info, framing: framing, kinds: kinds)
      var pass = try RecordingPass(recording, through: sorts ? fusion : nil)
      _ = try pass(into: &sink) { _, _, _ in true }
      report = pass.report
    }
    guard let messages else { return report }
    try copyMessages(upTo: nil, to: writer)
    // The pass was for the motion alone.
    (report.statistics, report.reading) = (nil, messages.statistics)
    report.reading?.coverage = messages.coverage
    return report
  }

  /// One more has been written.
  fileprivate func tick() throws {
    count += 1
    guard count % RecordingPass.stride == 0 else { return }
    try completion.check(interruption: path == "-" ? nil : "Interrupted: \(path) was not written.")
    progress.update(count, "sample")
  }

  /// Those up to a time, or all; a message that is late stands where it was received.
  fileprivate func copyMessages(upTo time: SensorInstant?, to writer: any RecordingWriter) throws {
    while true {
      if waiting == nil { waiting = try messages?.next() }
      guard let message = waiting, time.map({ message.time <= $0 }) ?? true else { return }
      waiting = nil
      switch writer {
      case let writer as MCAPWriter:
        try writer.write(message)
        if !job.mcap.companions.isEmpty, let item = item(message) { try writer.writeViews(of: item) }
      case let writer as NDJSONWriter: try writer.write(message)
      default: break
      }
      try tick()
    }
  }

  /// What views can be made of; a message that cannot be read stays what it is.
  private func item(_ message: TopicMessage) -> RecordedItem? {
    try? decoder.decode(
      message.topic.kind, message.body[...], time: message.time, receivedAt: message.receivedAt,
      at: .init(file: recording.path))
  }

  private func makeWriter(calibration: [UInt8]?) throws -> any RecordingWriter {
    var description = recording.recordedDescription ?? RecordingDescription(info: recording.info)
    description.info = recording.info
    if framing != nil { description.info.channels.append(.init(kind: .motion)) }
    // An MCAP file says itself where it came from.
    if recording.format != .mcap {
      description.source = "replay:\(URL(fileURLWithPath: recording.path).lastPathComponent)"
      description.sourceFormat = recording.format.rawValue
    }
    description.calibration = calibration
    switch job.format {
    case .mcap:
      return try job.mcap.writer(output.sink(path), description)
    case .ndjson: return NDJSONWriter(try output.sink(path), description: description)
    case .tidy:
      let stem = path.lowercased().hasSuffix(".csv") ? String(path.dropLast(4)) : path
      let output = output
      return TidyWriter(description: description) { (name) throws(SensorError) in
        do { return try output.sink("\(stem).\(name)") } catch {
          output.failure = error
          throw SensorError(.system, "\(error)")
        }
      }
    }
  }

  /// Nothing is left out without a line here.
  private func say(_ rows: Int, _ report: RunReport, _ elapsed: Duration) {
    let title = "\(recording.format.title) → \(job.format.title)"
    var lines = ["\(title): \(Text.count(rows, job.format.noun)) in \(Text.duration(elapsed.seconds))"]
    if output.names.count > 1 { lines.append("  files: " + Text.list(output.names)) }
    if framing != nil { lines += report.sentences() + ["  motion: computed from the raw sensors"] }
    lines += report.lines + [report.passedOver].compactMap(\.self)
    lines += ConvertMessages.Reason.allCases.compactMap { reason in
      messages?.unwritten[reason].map { "  not written: \(Text.count($0, "message")) \(reason.rawValue)" }
    }
    StandardError.shared.say(lines + recording.remarkLines)
  }
}

/// Samples and rows on their way into the writer of a conversion.
private struct ConvertSink: SampleSink {
  let run: ConvertRun
  let writer: any RecordingWriter
  /// Whether samples are written; else there are messages.
  let takesSamples: Bool

  mutating func take(_ sample: SensorSample) throws -> Bool {
    guard takesSamples else { return true }
    try writer.write(sample)
    try run.tick()
    return true
  }

  mutating func take(_ row: MotionRow) throws -> Bool {
    try run.copyMessages(upTo: row.time, to: writer)
    try writer.write(.motion(row))
    try run.tick()
    return true
  }
}

extension Recording {
  /// What it holds beside its samples, and what is odd about it.
  var remarkLines: [String] {
    let remarks = SourceSelection.remarkLines(assumptions, warnings)
    guard !unread.isEmpty else { return remarks }
    let canKeepMotion = unread[0].hasPrefix("motion ")
    return ["  not used: " + Text.list(unread) + (canKeepMotion ? "; --motion recorded keeps the motion" : "")]
      + remarks
  }
}
