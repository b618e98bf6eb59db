// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionRecording
import MotionSensing

/// What of a recording is wanted, by time and by stream.
package struct RecordingPart {
  package var recording: RecordingArgument
  package var from: TimePlace?
  package var to: TimePlace?
  /// Topics or their last words; empty = all.
  package var streams: [String] = []
  /// Nil = as the input's.
  package var compression: MCAPCompression?

  package init(of recording: RecordingArgument) { self.recording = recording }

  /// The way that suits the recording: its messages byte by byte, or its samples.
  package func cut(to sink: any ByteSink) throws -> any CutJob {
    try recording.isWhole && MCAPCut.canRead(recording.path) ? MCAPCut(self, sink) : SampleCut(self, sink)
  }
}

/// One way of cutting.
package protocol CutJob: AnyObject {
  /// "message" or "sample".
  var noun: String { get }
  /// What was read and is not in the part for another reason than time and stream, line by line.
  var omissions: [String] { get }
  /// Seconds of the input that were seen.
  var length: Double { get }
  /// Writes and finishes the part; the number of messages or samples in it.
  /// `goesOn` gets the number of messages or samples seen so far.
  func run(while goesOn: (Int) -> Bool) throws -> Int
}

/// A part of a recording of any format, read as samples and written as our own topics.
final class SampleCut: CutJob {
  let noun = "sample"
  private(set) var length = 0.0
  private let recording: Recording
  private let sink: CutSink
  private var report = RunReport()

  init(_ part: RecordingPart, _ sink: any ByteSink) throws {
    let recording = try Recording.open(path: part.recording.path, options: part.recording.options)
    self.recording = recording
    var description = recording.recordedDescription ?? RecordingDescription(info: recording.info)
    // The name alone: its folder on this computer is private.
    description.source = "replay:\(URL(fileURLWithPath: part.recording.path).lastPathComponent)"
    description.sourceFormat = recording.format.rawValue
    description.application = "motionctl \(Tool.version)"
    func time(_ place: TimePlace?) throws -> SensorInstant? {
      guard let place else { return nil }
      guard let time = place.time(start: recording.start, wallOffset: description.wallOffset) else {
        throw CommandFailure("\(part.recording.name) does not know the wall clock: give seconds since its beginning.")
      }
      return time
    }
    let from = try time(part.from) ?? SensorInstant(nanoseconds: .min)
    let span = from..<max(from, try time(part.to) ?? SensorInstant(nanoseconds: .max))
    self.sink = CutSink(
      writer: try MCAPWriter(sink, description, compression: part.compression ?? .none), span: span,
      kinds: try Self.kinds(part.streams, of: recording), start: recording.start, reordering: recording.info.reordering)
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
    var pass = try RecordingPass(recording)
    var sink = self.sink
    guard try pass(into: &sink, goesOn: { goesOn($1) }) else { return sink.count }
    (length, report) = (sink.length, pass.report)
    try sink.writer.finish()
    return sink.count
  }

  var omissions: [String] { report.lines + [report.passedOver].compactMap(\.self) + recording.remarkLines }
}

/// The samples of a part on their way into its file.
private struct CutSink: SampleSink {
  let writer: MCAPWriter
  let span: Range<SensorInstant>
  let kinds: SensorKinds
  let start: SensorInstant
  let reordering: SensorDuration
  var length = 0.0
  var count = 0

  mutating func take(_ sample: SensorSample) throws -> Bool {
    length = max(length, (sample.time - start).seconds)
    // One that was received late may still belong to the part.
    guard sample.time < span.upperBound else { return sample.time - span.upperBound <= reordering }
    guard sample.time >= span.lowerBound, !kinds.isDisjoint(with: sample.kinds) else { return true }
    try writer.write(sample)
    count += 1
    return true
  }
}
