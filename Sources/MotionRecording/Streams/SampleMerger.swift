// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Streams brought into one order: by time, and at the same time in the order of the streams.
///
/// A look-ahead of one sample for each stream; a recording has few enough that a linear search beats a heap.
struct SampleMerger {
  private var streams: [any SampleStream]
  private var heads: [SensorSample?] = []
  private var times: [Int64] = []
  /// The stream whose head has been taken and not been replaced: it is asked only when the next sample is wanted, so that
  /// damage behind a sample does not cost that sample.
  private var taken: Int?

  init(_ streams: [any SampleStream]) { self.streams = streams }

  /// The earliest sample not yet taken, or nil when all streams have ended.
  mutating func next() throws(SensorError) -> SensorSample? {
    if streams.count == 1 { return try streams[0].next() }
    if heads.isEmpty {
      for stream in streams { append(try stream.next()) }
    }
    if let index = taken {
      taken = nil
      let following = try streams[index].next()
      heads[index] = following
      times[index] = following?.time.nanoseconds ?? .max
    }
    var earliest = 0
    for index in times.indices.dropFirst() where times[index] < times[earliest] { earliest = index }
    guard earliest < heads.count, let sample = heads[earliest] else { return nil }
    taken = earliest
    return sample
  }

  private mutating func append(_ sample: SensorSample?) {
    heads.append(sample)
    times.append(sample?.time.nanoseconds ?? .max)
  }
}
