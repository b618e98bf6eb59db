// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

/// Reads the accelerometer of a recording once, from its start, many samples at a time.
///
/// ```swift
/// let reader = try recording.makeAccelerationReader()
/// var block = SampleBlock()
/// while try reader.next(&block) {
///   for index in 0..<block.count { use(block.times[index], block.accelerations[index] * block.unit.scale) }
/// }
/// print(reader.statistics)
/// ```
///
/// It gives the accelerometer's samples of ``RecordingReader``, to the bit, in the same order, and leaves out all other
/// sensors. From files that store whole blocks (Axivity, ActiGraph, GENEActiv) it decodes them at once, a few
/// nanoseconds a sample; from any other recording it collects samples, so that who works on accelerations needs one loop
/// only. Not `Sendable`: one reader belongs to one thread.
package final class AccelerationReader {
  private enum Source {
    case blocks(any SampleBlockSource)
    case samples(RecordingReader)
  }

  /// Samples that are collected of a recording that has no blocks.
  private static let collected = 512

  private let source: Source
  private let context: ReadingContext
  private let span: RecordingSpan
  private var failure: SensorError?

  fileprivate init(_ blocks: any SampleBlockSource, _ context: ReadingContext, _ span: RecordingSpan) {
    (source, self.context, self.span) = (.blocks(blocks), context, span)
  }

  fileprivate init(_ reader: RecordingReader, _ context: ReadingContext, _ span: RecordingSpan) {
    (source, self.context, self.span) = (.samples(reader), context, span)
  }

  /// Whether the file stores whole blocks, so that a sample costs a few nanoseconds.
  package var hasBlocks: Bool { if case .blocks = source { true } else { false } }

  /// Counts of delivered and omitted samples so far.
  package var statistics: RecordingStatistics {
    switch source {
    case .blocks: context.statistics
    case .samples(let reader): reader.statistics
    }
  }

  /// Replaces the block's samples by the next ones, at least one, in time order; false at the end.
  ///
  /// Give the same block again and again: its memory is used again. After an error every further call throws the same
  /// error.
  package func next(_ block: inout SampleBlock) throws(SensorError) -> Bool {
    if let failure { throw failure }
    do throws(SensorError) {
      switch source {
      case .blocks(let blocks): return try next(&block, of: blocks)
      case .samples(let reader): return try collect(&block, from: reader)
      }
    } catch {
      failure = error
      throw error
    }
  }

  private func next(_ block: inout SampleBlock, of blocks: any SampleBlockSource) throws(SensorError) -> Bool {
    let begin = span.begin.nanoseconds
    let end = span.end?.nanoseconds ?? .max
    while try blocks.next(&block) {
      guard block.count > 0, block.times[block.count - 1] >= begin else { continue }
      if block.times[0] >= end { return false }
      if block.times[0] < begin || block.times[block.count - 1] >= end {
        try block.filter { (time) throws(SensorError) in time >= begin && time < end }
      }
      context.statistics.samples += block.count
      context.statistics.coverage.update(
        .accelerometer, from: block.time(0), to: block.time(block.count - 1), count: block.count)
      return true
    }
    return false
  }

  private func collect(_ block: inout SampleBlock, from reader: RecordingReader) throws(SensorError) -> Bool {
    block.reserve(Self.collected, .accelerometer)
    block.count = 0
    while block.count < Self.collected, let sample = try reader.next() {
      let reading: AccelerometerSample
      switch sample {
      case .accelerometer(let sample): reading = sample
      case .inertial(let pair): reading = AccelerometerSample(time: pair.time, specificForce: pair.specificForce)
      default: continue
      }
      // A block has one unit. None of our formats changes it; the rest of one that did would be converted.
      if block.count == 0 { block.unit = reading.unit }
      block.times[block.count] = reading.time.nanoseconds
      block.accelerations[block.count] =
        reading.unit == block.unit ? reading.reading : reading.specificForce * (1 / block.unit.scale)
      block.count += 1
    }
    return block.count > 0
  }
}

extension Recording {
  /// A reader of the accelerometer alone, at the start.
  package func makeAccelerationReader() throws(SensorError) -> AccelerationReader {
    let context = ReadingContext(options.damage)
    let streams = plan.streams.filter { $0.channels.contains { $0.kind == .accelerometer } }
    if streams.count == 1, let open = streams[0].openBlocks {
      return AccelerationReader(try open(context, .accelerometer), context, span)
    }
    return AccelerationReader(try makeReader(), context, span)
  }
}
