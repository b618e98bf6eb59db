// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionRecording
import MotionSensing

/// `motionctl cut`: a part of a recording, as an MCAP file.
struct CutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cut", abstract: "Take a part of a recording, by time or by stream.",
    discussion: """
      The part begins with --from and ends before --to: seconds since the recording's beginning (90, 1m30s), or instants \
      (2026-11-21T10:00:00Z) where the recording knows the wall clock. Out of an MCAP file the messages are copied as they are, byte by \
      byte, with everything that the file says of itself; an unfinished file becomes a finished one. Any other format is read and \
      written as MCAP.

      Examples:
        motionctl cut walk.mcap part.mcap --from 10s --to 1m30s
        motionctl cut killed.mcap whole.mcap
        motionctl cut walk.mcap gyro.mcap --stream gyroscope
        motionctl cut phone.csv phone.mcap --to 1m --compress zstd
      """)

  @Argument(help: "The recording: a file or folder, or its address with options.")
  var input: String

  @Argument(help: "The MCAP file to write; it appears when it is whole.")
  var output: String

  @Option(help: ArgumentHelp("Where the part begins (default: at the beginning).", valueName: "time"))
  var from: TimePlace?

  @Option(help: ArgumentHelp("Where the part ends (default: at the end).", valueName: "time"))
  var to: TimePlace?

  @Option(
    help: ArgumentHelp(
      "Only this stream: a topic or its last word, such as gyroscope. May be repeated.", valueName: "name"))
  var stream: [String] = []

  @Option(help: "zstd and lz4 need the system's library of that name (default: as the input, none for other formats).")
  var compress: RecordingCompression?

  @Flag(help: "Use the rest of a recording that has damaged places; they are counted.")
  var skipErrors = false

  @Flag(help: "Write over a file that is there.")
  var force = false

  func validate() throws {
    guard output.lowercased().hasSuffix(".mcap") else {
      throw ValidationError("The part is an MCAP file: end its name with .mcap.")
    }
  }

  func run() throws {
    let completion = Completion()
    Interruption.begin(completion)
    let recording = try RecordingArgument(input, skipsErrors: skipErrors)
    let output = try CutOutput(output, from: recording.path, overwrites: force)
    do {
      let cut: any CutJob =
        try recording.isWhole && MCAPCut.canRead(recording.path)
        ? MCAPCut(self, recording, output.sink) : SampleCut(self, recording, output.sink)
      let progress = ProgressLine(reading: recording.path)
      defer { StandardError.shared.endStatus() }
      let count = try cut.run { seen in
        progress.update(seen, cut.noun)
        return !completion.isFinished
      }
      if completion.isFinished, case .interrupted(let number) = completion.wait(tick: {}) {
        output.discard()
        StandardError.shared.say("Interrupted: \(self.output) was not written.")
        throw ExitCode(Interruption.exitCode(number))
      }
      guard count > 0 else {
        // Nothing of it was seen: the first message lies behind the end of the part.
        let what = cut.length > 0 ? "the recording lasts \(Text.duration(cut.length))" : "the recording begins later"
        throw CommandFailure("There is nothing between these times: \(what).")
      }
      try output.commit()
      StandardError.shared.say("\(self.output): \(Text.count(count, cut.noun)), \(Text.bytes(output.size))")
      if let omissions = cut.omissions { StandardError.shared.say(omissions) }
    } catch {
      output.discard()
      throw error
    }
  }
}

/// One way of cutting.
protocol CutJob: AnyObject {
  /// "message" or "sample".
  var noun: String { get }
  /// What was read and is not in the part for another reason than time and stream, as a line; nil = nothing.
  var omissions: String? { get }
  /// Seconds of the input that were seen.
  var length: Double { get }
  /// Writes and finishes the part; the number of messages or samples in it.
  /// `goesOn` gets the number of messages or samples seen so far.
  func run(while goesOn: (Int) -> Bool) throws -> Int
}

/// The file that a part is written to: under a temporary name until it is whole.
final class CutOutput {
  let sink: CountingByteSink
  private let path: String
  private let temporary: String

  init(_ path: String, from input: String, overwrites: Bool) throws {
    self.path = path
    var (status, other) = (stat(), stat())
    if stat(path, &status) == 0 {
      guard stat(input, &other) != 0 || status.st_ino != other.st_ino || status.st_dev != other.st_dev else {
        throw CommandFailure(
          "“\(path)” is what is being read: give the part another name, so that the recording stays.")
      }
      guard overwrites else { throw CommandFailure("“\(path)” exists already: give another name, or --force.") }
      guard !FileLock.isLocked(path) else { throw CommandFailure("“\(path)” is being recorded: give another name.") }
    }
    do throws(SystemFailure) {
      let descriptor: Descriptor
      (temporary, descriptor) = try TemporaryFiles.create(beside: path)
      // The person knows the file by its own name.
      sink = CountingByteSink(FileByteSink(descriptor: descriptor.number, name: path, closes: true))
    } catch {
      throw CommandFailure("“\(path)” cannot be written: \(error.reason).")
    }
  }

  var size: Int64 { sink.count }

  func commit() throws {
    do throws(SystemFailure) {
      try TemporaryFiles.move(temporary, to: path)
    } catch {
      throw CommandFailure("“\(path)” cannot be written: \(error.reason).")
    }
  }

  func discard() { TemporaryFiles.remove(temporary) }
}

/// A part of a recording of any format, read as samples and written as our own topics.
final class SampleCut: CutJob {
  let noun = "sample"
  private(set) var length = 0.0
  private(set) var omissions: String?
  private let recording: Recording
  private let writer: MCAPWriter
  private let span: Range<SensorInstant>
  private let kinds: SensorKinds

  init(_ command: CutCommand, _ input: RecordingArgument, _ sink: any ByteSink) throws {
    let recording = try Recording.open(path: input.path, options: input.options)
    self.recording = recording
    var description = recording.recordedDescription ?? RecordingDescription(info: recording.info)
    // The name alone: its folder on this computer is private.
    description.source = "replay:\(URL(fileURLWithPath: input.path).lastPathComponent)"
    description.sourceFormat = recording.format.rawValue
    description.application = "motionctl \(Motionctl.version)"
    func time(_ place: TimePlace?) throws -> SensorInstant? {
      guard let place else { return nil }
      guard let time = place.time(start: recording.start, wallOffset: description.wallOffset) else {
        throw CommandFailure("\(command.input) does not know the wall clock: give seconds since its beginning.")
      }
      return time
    }
    let from = try time(command.from) ?? SensorInstant(nanoseconds: .min)
    span = from..<max(from, try time(command.to) ?? SensorInstant(nanoseconds: .max))
    kinds = try Self.kinds(command.stream, of: recording)
    writer = try MCAPWriter(sink, description, compression: command.compress?.value ?? .none)
  }

  private static func kinds(_ names: [String], of recording: Recording) throws -> SensorKinds {
    let there = recording.info.kinds
    guard !names.isEmpty else { return there }
    var wanted: SensorKinds = []
    for name in names {
      let known = (0..<SensorKinds.RawValue.bitWidth).map { SensorKinds(rawValue: 1 << SensorKinds.RawValue($0)) }
      let found = known.first {
        there.contains($0) && $0.names.first.map { $0 == name || $0.hasSuffix(" \(name)") } == true
      }
      guard let found else {
        throw CommandFailure("There is no stream “\(name)”; there are \(Text.list(there.names)).")
      }
      wanted.formUnion(found)
    }
    return wanted
  }

  func run(while goesOn: (Int) -> Bool) throws -> Int {
    let reader = try recording.makeReader()
    var (count, seen) = (0, 0)
    while let sample = try reader.next() {
      seen += 1
      if seen % 4096 == 0, !goesOn(seen) { return count }
      length = max(length, (sample.time - recording.start).seconds)
      if sample.time >= span.upperBound {
        // One that was received late may still belong to the part.
        if sample.time - span.upperBound > recording.info.reordering { break }
        continue
      }
      guard sample.time >= span.lowerBound, !kinds.isDisjoint(with: sample.kinds) else { continue }
      try writer.write(sample)
      count += 1
    }
    try writer.finish()
    let lines = [SourceSelection.omissions(reader.statistics), ConvertSummary.passedOver(reader.statistics)]
    omissions = lines.contains { $0 != nil } ? lines.compactMap(\.self).joined(separator: "\n") : nil
    return count
  }
}
