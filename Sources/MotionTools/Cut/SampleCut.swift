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
  package var compression: RecordingCompression?

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
  /// What was read and is not in the part for another reason than time and stream, as a line; nil = nothing.
  var omissions: String? { get }
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
  private(set) var omissions: String?
  private let recording: Recording
  private let writer: MCAPWriter
  private let span: Range<SensorInstant>
  private let kinds: SensorKinds

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
    span = from..<max(from, try time(part.to) ?? SensorInstant(nanoseconds: .max))
    kinds = try Self.kinds(part.streams, of: recording)
    writer = try MCAPWriter(sink, description, compression: part.compression?.value ?? .none)
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
    let lines =
      [SourceSelection.omissions(reader.statistics), ConvertSummary.passedOver(reader.statistics)].compactMap(\.self)
      + SourceSelection.pauses(reader.statistics.coverage) + ConvertSummary.lines(recording)
    omissions = lines.isEmpty ? nil : lines.joined(separator: "\n")
    return count
  }
}
