// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// A recording on disk, opened: what it holds, and a way to read it any number of times.
///
/// ```swift
/// let recording = try Recording.open(path: "walk.csv")
/// let reader = try recording.makeReader()
/// while let sample = try reader.next() { … }
/// ```
///
/// Opening looks at the beginning of each file, for the format and the rates, and never at all of a large one. Reading
/// streams: memory does not depend on the length. The same recording gives the same samples in the same order each time.
public struct Recording: Sendable {
  /// As given to ``open(path:options:)``.
  public let path: String
  /// As detected, or as the options said.
  public let format: RecordingFormat
  /// As given to ``open(path:options:)``.
  public let options: RecordingOptions
  /// The recording as a sensor source; the channels carry the measured rates.
  public let info: SensorInfo
  /// The time of the first sample, on the recording's own clock; where only a part is read, the beginning of that part.
  public let start: SensorInstant
  /// From the first sample to the last. Nil when only reading all of a large compressed file would tell.
  public let duration: SensorDuration?
  /// True when ``info`` names fused motion, which the phone computed.
  public let usesRecordedMotion: Bool

  /// What the recording says of itself; nil for formats that say nothing.
  public var recordedDescription: RecordingDescription? { plan.description }
  /// What is odd about the beginning of the recording: sentences about a unit, a sign or columns that do not fit gravity.
  /// Empty when nothing is. The samples are delivered all the same.
  public let warnings: [String]

  /// What the recording holds beside what is played: groups of columns, files, topics, in words. Its first entry is the motion that the
  /// device had computed, where ``RecordingOptions/Motion/recorded`` would play it.
  public var unread: [String] { plan.unread }

  let plan: RecordingPlan
  let span: RecordingSpan

  /// A reader at the beginning.
  public func makeReader() throws(SensorError) -> RecordingReader { try makeReader(hearsConnection: false) }

  /// A reader whose ``RecordingReader/takeConnections()`` gives the reports of the connection.
  func makeReader(hearsConnection: Bool) throws(SensorError) -> RecordingReader {
    let context = ReadingContext(skipsErrors: options.skipsErrors)
    if hearsConnection { context.connections = [] }
    var streams: [any SampleStream] = []
    for stream in plan.streams { streams.append(try stream.open(context)) }
    return RecordingReader(SampleMerger(streams), context, span, reordering: info.reordering)
  }
}

/// Reads a recording once, from its beginning, one sample after the other.
///
/// Not `Sendable`: one reader belongs to one thread.
public final class RecordingReader {
  private var merger: SampleMerger
  private let context: ReadingContext
  private let span: RecordingSpan
  private let reordering: SensorDuration
  private var failure: SensorError?
  private var isOver = false

  init(_ merger: SampleMerger, _ context: ReadingContext, _ span: RecordingSpan, reordering: SensorDuration) {
    self.merger = merger
    self.context = context
    self.span = span
    self.reordering = reordering
  }

  /// What has been delivered and left out so far.
  public var statistics: RecordingStatistics { context.statistics }

  /// The reports of the connection that stand before the sample that ``next()`` gave last, and were not taken before.
  func takeConnections() -> [RecordedConnection] {
    guard let found = context.connections, !found.isEmpty else { return [] }
    context.connections = []
    guard let end = span.end else { return found }
    return found.filter { $0.time < end }
  }

  /// The next sample of any sensor in the order of time, or nil at the end. Where a recording says when samples were received,
  /// as MCAP does, that order counts, and they may lag by ``SensorInfo/reordering``.
  ///
  /// Samples of the same time come accelerometer first, then gyroscope, magnetometer, pressure, fused motion. After an error
  /// every further call throws the same error.
  public func next() throws(SensorError) -> SensorSample? {
    if let failure { throw failure }
    do throws(SensorError) {
      while !isOver, let sample = try merger.next() {
        if sample.time < span.begin { continue }
        if let end = span.end, sample.time >= end {
          // One that was received late may still belong to the part.
          isOver = sample.time - end > reordering
          continue
        }
        context.statistics.samples += 1
        return sample
      }
      return nil
    } catch {
      failure = error
      throw error
    }
  }
}
