// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing
import MotionServices

/// One recording on its way into another format: sample by sample, so that memory does not grow with it.
package final class ConvertRun {
  private let job: ConvertJob
  private let path: String
  private let selection: SourceSelection
  private let recording: Recording
  private let input: ConvertInput
  private let messages: ConvertMessages?
  private let output: ConvertOutput
  private var count = 0
  /// Motion that stands behind the message to come.
  private var waiting: MotionRow?
  private var decoder = TopicDecoder()

  package init(_ job: ConvertJob, input path: String, output: String) throws {
    self.job = job
    self.path = output
    (selection, recording) = try job.open(path)
    messages = try ConvertMessages(recording, job)
    let playsMotion = recording.info.kinds.contains(.motion)
    // Foxglove shows nothing but attitudes, from wherever they are.
    let lacksMotion = job.mcap.companions.contains(.foxglove) && messages?.holdsMotion != true
    let wantsMotion = job.wantsMotion || lacksMotion
    input = try ConvertInput(
      selection, recording, computesMotion: wantsMotion && !playsMotion, job: job)
    messages?.replacesMotion = input.computesMotion
    decoder = TopicDecoder(wallOffset: recording.recordedDescription?.wallOffset)
    self.output = ConvertOutput(readingFrom: [recording.path], force: job.force)
  }

  package func run() throws {
    let completion = Completion.endedBySignals()
    let started = ContinuousClock.now
    let progress = ProgressLine(reading: recording.path)
    defer { StandardError.shared.endStatus() }
    StandardError.shared.say(selection.headline)
    do {
      let writer = try makeWriter(calibration: messages?.calibration)
      while try copyOne(writer) {
        count += 1
        guard count % 4096 == 0 else { continue }
        try completion.check(interruption: path == "-" ? nil : "Interrupted: \(path) was not written.")
        progress.update(count, "sample")
      }
      try writer.finish()
      let rows = (writer as? NDJSONWriter)?.rows ?? (writer as? TidyWriter)?.rows ?? count
      guard rows > 0 else {
        throw CommandFailure("\(recording.info.name) holds nothing that \(job.format.title) could hold.")
      }
      try output.commit()
      say(rows, ContinuousClock.now - started)
    } catch {
      output.discard()
      throw output.firstFailure ?? error
    }
  }

  /// False at the end.
  private func copyOne(_ writer: any RecordingWriter) throws(SensorError) -> Bool {
    guard let messages else {
      guard let sample = try input.next() else { return false }
      try writer.write(sample)
      return true
    }
    let message = try messages.next()
    if input.computesMotion { try writeMotion(before: message?.time, writer) }
    guard let message else { return false }
    switch writer {
    case let writer as MCAPWriter:
      try writer.write(message)
      if !job.mcap.companions.isEmpty, let item = item(message) { try writer.writeViews(of: item) }
    case let writer as NDJSONWriter: try writer.write(message)
    default: break
    }
    return true
  }

  /// The motion that the messages so far have made: of an earlier time than the next one; all that is left where there
  /// is none.
  private func writeMotion(before time: SensorInstant?, _ writer: any RecordingWriter) throws(SensorError) {
    while true {
      if waiting == nil { waiting = try input.nextMotion() }
      guard let motion = waiting else { return }
      guard time.map({ motion.time < $0 }) ?? true else { return }
      waiting = nil
      try writer.write(.motion(motion))
      count += 1
    }
  }

  /// What views can be made of; a message that cannot be read stays what it is.
  private func item(_ message: TopicMessage) -> RecordedItem? {
    let item = try? decoder.decode(
      message.topic.kind, message.body[...], time: message.time, receivedAt: message.receivedAt,
      at: .init(file: recording.path))
    return item ?? nil
  }

  private func makeWriter(calibration: [UInt8]?) throws -> any RecordingWriter {
    var description = RecordingDescription(info: input.info)
    if let recorded = recording.recordedDescription {
      description = recorded
      description.info = input.info
    }
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

  private func say(_ rows: Int, _ elapsed: Duration) {
    let title = "\(recording.format.title) → \(job.format.title)"
    var lines = ["\(title): \(Text.count(rows, job.format.noun)) in \(Text.duration(elapsed.seconds))"]
    if output.names.count > 1 { lines.append("  files: " + Text.list(output.names)) }
    if let messages {
      if input.computesMotion { lines += input.notices + ["  motion: computed from the raw sensors"] }
      lines += [SourceSelection.omissions(messages.statistics), ConvertSummary.passedOver(messages.statistics)]
        .compactMap(\.self)
      lines += SourceSelection.pauses(messages.coverage)
      lines += ConvertMessages.Reason.allCases.compactMap { reason in
        messages.unwritten[reason].map { "  not written: \(Text.count($0, "message")) \(reason.rawValue)" }
      }
    } else {
      lines += ConvertSummary.lines(input)
    }
    lines += ConvertSummary.lines(recording)
    StandardError.shared.say(lines)
  }
}

/// What is said at the end of a conversion. Nothing is left out without a line here.
enum ConvertSummary {
  static func lines(_ input: ConvertInput) -> [String] {
    var lines = input.notices
    if input.computesMotion { lines.append("  motion: computed from the raw sensors") }
    lines +=
      input.timelineStatistics.map(StatisticsReport.lines) ?? SourceSelection.pauses(input.statistics.coverage)
    return lines + [SourceSelection.omissions(input.statistics), passedOver(input.statistics)].compactMap(\.self)
  }

  /// Messages that hold no sample of what was read, such as events; nil when there are none.
  static func passedOver(_ statistics: RecordingStatistics) -> String? {
    let topics = statistics.passedOver.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
    guard let first = topics.first else { return nil }
    func words(_ topic: String) -> String { topic.isEmpty ? "other topics" : topic }
    var parts = ["\(Text.count(first.value, "message")) of \(words(first.key))"]
    parts += topics.dropFirst().prefix(7).map { "\(Text.grouped($0.value)) of \(words($0.key))" }
    let rest = topics.dropFirst(8)
    if !rest.isEmpty {
      parts.append("\(Text.grouped(rest.reduce(0) { $0 + $1.value })) of \(Text.count(rest.count, "further topic"))")
    }
    return "  not written: " + Text.list(parts)
  }

  /// What the recording holds beside its samples, and what is odd about it.
  static func lines(_ recording: Recording) -> [String] {
    let warnings = SourceSelection.remarkLines(recording.assumptions, recording.warnings)
    guard !recording.unread.isEmpty else { return warnings }
    let canKeepMotion = recording.unread[0].hasPrefix("motion ")
    return [
      "  not used: " + Text.list(recording.unread) + (canKeepMotion ? "; --motion recorded keeps the motion" : "")
    ] + warnings
  }
}
