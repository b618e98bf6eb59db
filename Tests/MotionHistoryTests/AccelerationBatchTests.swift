// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import MotionHost

/// Ten seconds of an accelerometer in 3000 bytes.
@Suite struct AccelerationBatchTests {
  private func batch(
    _ times: [Double], range: Double? = nil, force: (Int) -> Vector3<Device> = { _ in Vector3(x: 0, y: 0, z: 9.81) }
  ) -> [AccelerationBatch] {
    var batcher = AccelerationBatcher(range: range)
    var batches = times.enumerated().compactMap { index, time in
      batcher.append(AccelerometerSample(time: instant(time), specificForce: force(index)))
    }
    if let rest = batcher.finish() { batches.append(rest) }
    return batches
  }

  @Test func aBatchHoldsFiveHundredSamplesAndThreeThousandBytes() throws {
    let batches = batch((0..<1200).map { Double($0) * 0.02 })
    #expect(batches.map(\.count) == [500, 500, 200] && batches[0].data.count == 3000 && batches[0].spacing == nil)
    #expect(batches[1].start == 10_000_000 && batches[1].end == 19_980_000)
  }

  @Test(arguments: [1e-3, 0.5, 9.81, 100, -156.9]) func aValueKeepsHalfAMilligravity(_ value: Double) throws {
    let batch = try #require(batch([0], force: { _ in Vector3(x: value, y: -value, z: 0) }).first)
    let sample = try #require(batch.samples.first)
    #expect(abs(sample.specificForce.x - value) <= 0.0005 * 9.80665 / 2)
    #expect(sample.specificForce.y == -sample.specificForce.x && batch.clipped == 0)
  }

  @Test func whatLiesOutsideTheRangeIsCutAndCounted() throws {
    let values = [200.0, -1e9, .infinity, -.infinity, .nan]
    let batch = try #require(
      batch(values.indices.map(Double.init).map { $0 * 0.02 }, force: { Vector3(x: values[$0], y: 0, z: 0) }).first)
    let read = batch.samples.map(\.specificForce.x)
    #expect(abs(read[0] - 16 * 9.80665) < 1e-9 && abs(read[1] + 16 * 9.80665) < 1e-9)
    #expect(batch.clipped == 5)
  }

  @Test func aSensorOfALargerRangeIsNotCut() throws {
    let batch = try #require(batch([0], range: 64 * 9.80665, force: { _ in Vector3(x: 600, y: 0, z: 0) }).first)
    let sample = try #require(batch.samples.first)
    #expect(batch.clipped == 0 && abs(sample.specificForce.x - 600) < 0.01)
  }

  @Test func evenSamplesGetTheirTimesBack() throws {
    let times = (0..<500).map { Double($0) * 0.02 }
    let batch = try #require(batch(times).first)
    #expect(batch.samples.map(\.time) == times.map { instant($0).microseconds })
  }

  @Test func unevenSamplesKeepTheirTimesToFiveMicroseconds() throws {
    var random = SystemRandomNumberGenerator()
    var time = 100.0
    let times = (0..<500).map { _ in
      time += Double.random(in: 0.010...0.025, using: &random)
      return time
    }
    let batches = batch(times)
    let read = batches.flatMap(\.samples).map(\.time)
    #expect(batches.first?.spacing != nil && read.count == 500)
    for (read, time) in zip(read, times) { #expect(abs(read - instant(time).microseconds) <= 5) }
    // Without a gap batches end with the time, not with the count only.
    #expect(batches.allSatisfy { $0.end - $0.start < 10_000_000 })
  }

  @Test func aPauseAndAStepBackEndABatch() throws {
    let batches = batch([0, 0.02, 0.04, 1.0, 1.02, 0.5, 0.52])
    #expect(batches.map(\.count) == [3, 2, 2])
  }

  @Test func bytesThatAreNoBatchGiveNoSamples() throws {
    var batch = try #require(batch([0, 0.02]).first)
    batch.data.removeLast()
    #expect(batch.samples.isEmpty)
    batch.count = -1
    #expect(batch.samples.isEmpty)
  }
}
