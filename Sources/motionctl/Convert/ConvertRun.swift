// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionRecording
import MotionSensing
import MotionServices

/// One recording on its way into another format: sample by sample, so that memory does not grow with it.
final class ConvertRun {
  private let command: ConvertCommand
  private let path: String
  private let selection: SourceSelection
  private let recording: Recording
  private let input: ConvertInput
  private let output: ConvertOutput
  private let completion = Completion()
  private var count = 0

  init(_ command: ConvertCommand, input path: String, output: String) throws {
    self.command = command
    self.path = output
    (selection, recording) = try command.open(path)
    let computes = command.fuse || (command.format.needsMotion && !recording.info.kinds.contains(.fusedMotion))
    input = try ConvertInput(
      selection, recording, computesMotion: computes && !recording.info.kinds.contains(.fusedMotion), command: command)
    self.output = ConvertOutput(readingFrom: [recording.path], force: command.force)
  }

  func run() throws {
    Interruption.begin(completion)
    let started = ContinuousClock.now
    StandardError.shared.say(selection.headline)
    do {
      let messages = try ConvertMessages(recording, command)
      let writer = try makeWriter(calibration: messages?.calibration)
      while try copyOne(messages, writer) {
        count += 1
        if count % 4096 == 0, completion.isFinished { return try interrupted() }
      }
      try writer.finish()
      let rows = (writer as? any CountingWriter)?.counts.rows ?? count
      guard rows > 0 else {
        throw CommandFailure("\(recording.info.name) holds nothing that \(command.format.title) could hold.")
      }
      try output.commit()
      say(rows, (writer as? any CountingWriter)?.counts ?? WriterCounts(), messages, ContinuousClock.now - started)
    } catch {
      output.discard()
      throw output.firstFailure ?? error
    }
  }

  /// False at the end.
  private func copyOne(_ messages: ConvertMessages?, _ writer: any RecordingWriter) throws(SensorError) -> Bool {
    guard let messages else {
      guard let sample = try input.next() else { return false }
      try writer.write(sample)
      return true
    }
    guard let message = try messages.next() else { return false }
    switch writer {
    case let writer as MCAPWriter: try writer.write(message)
    case let writer as NDJSONWriter: try writer.write(message)
    default: break
    }
    return true
  }

  private func interrupted() throws {
    output.discard()
    guard case .interrupted(let number) = completion.wait(tick: {}) else { return }
    if path != "-" { StandardError.shared.say("Interrupted: \(path) was not written.") }
    throw ExitCode(Interruption.exitCode(number))
  }

  private func makeWriter(calibration: [UInt8]?) throws -> any RecordingWriter {
    var description = RecordingDescription(info: input.info)
    if let recorded = recording.recordedDescription {
      description = recorded
      description.info = input.info
    } else {
      description.source = "replay:\(URL(fileURLWithPath: recording.path).lastPathComponent)"
      description.sourceFormat = recording.format.rawValue
    }
    description.calibration = calibration
    switch command.format {
    case .mcap:
      return try MCAPWriter(
        output.sink(path), description, compression: command.compress?.value ?? .none)
    case .ndjson: return NDJSONWriter(try output.sink(path), description: description)
    case .tum: return try TUMWriter(output.sink(path), description: description)
    case .sensorlog:
      return try SensorLogWriter(
        output.sink(path), description: description, deviceName: command.deviceID ?? "opencoremotion")
    case .arrow:
      description.device = command.deviceID ?? ""
      return try ArrowWriter(output.sink(path), description: description)
    case .gcsv:
      guard input.info.kinds.isSuperset(of: .inertial) else {
        throw CommandFailure(
          "A Gyroflow log needs a gyroscope and an accelerometer, and \(input.info.name) has \(Text.list(input.info.kinds.names))."
        )
      }
      var options = GyroflowWriter.Options()
      if let orientation = command.orientation { options.orientation = orientation }
      options.videoStart = command.videoStart.flatMap { SensorDuration(seconds: $0) }.map { recording.start + $0 }
      return try GyroflowWriter(output.sink(path), description: description, options: options)
    case .tidy:
      let stem = path.lowercased().hasSuffix(".csv") ? String(path.dropLast(4)) : path
      let output = output
      return TidyWriter(description: description) { (name) throws(SensorError) in
        do { return try output.sink("\(stem).\(name)") } catch {
          output.failure = error
          throw SensorError(.system, "\(error)")
        }
      }
    case .sto: throw CommandFailure("An OpenSense table needs --segments.")
    }
  }

  private func say(_ rows: Int, _ counts: WriterCounts, _ messages: ConvertMessages?, _ elapsed: Duration) {
    let title = "\(recording.format.title) → \(command.format.title)"
    var lines = ["\(title): \(Text.count(rows, command.format.noun)) in \(Text.duration(elapsed.seconds))"]
    if output.names.count > 1 { lines.append("  files: " + Text.list(output.names)) }
    if let messages {
      lines += [SourceSelection.omissions(messages.statistics)].compactMap(\.self)
      if messages.ofOtherDevices > 0 {
        lines.append("  not written: \(Text.count(messages.ofOtherDevices, "message")) of other devices")
      }
      if messages.foreign > 0 {
        lines.append("  not written: \(Text.count(messages.foreign, "message")) on channels of other programs")
      }
    } else {
      lines += ConvertSummary.lines(input, needsMotion: command.format.needsMotion)
    }
    lines += ConvertSummary.lines(counts, command.format)
    for line in lines { StandardError.shared.say(line) }
  }
}

/// What is said at the end of a conversion. Nothing is left out without a line here.
enum ConvertSummary {
  static func lines(_ input: ConvertInput, needsMotion: Bool) -> [String] {
    var lines = input.notices
    if input.computesMotion {
      lines.append("  motion: computed from the raw sensors")
    } else if needsMotion {
      lines.append("  motion: the recording's own numbers, passed on unchanged")
    }
    lines += input.timelineStatistics.map(StatisticsReport.lines) ?? []
    return lines + [SourceSelection.omissions(input.statistics)].compactMap(\.self)
  }

  static func lines(_ counts: WriterCounts, _ format: ConvertFormat) -> [String] {
    var lines: [String] = []
    if counts.unsupported > 0, !format.needsMotion {
      lines.append("  not written: \(Text.count(counts.unsupported, "sample")) for which \(format.title) has no place")
    }
    if counts.superseded > 0 {
      lines.append(
        "  not written: \(Text.count(counts.superseded, "sample")) between the rows, or before every sensor had begun")
    }
    if counts.nonFinite > 0 {
      lines.append("  not written: \(Text.count(counts.nonFinite, "sample")) with numbers that are not finite")
    }
    return lines
  }
}
