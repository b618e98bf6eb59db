// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionServices
import Testing

@testable import MotionAnalysis

/// Seven forehands with a watch; BATCH-3, BATCH-6.
@Suite(
  .enabled(
    if: WaterData.has("swing_applewatch"), "needs the forehands in shared/data/swing_applewatch (OPENCOREMOTION_DATA)"))
struct RealSwingTests {
  /// Seconds after the first sample, and g.
  static let impacts = [
    (3.472, 47.4), (5.310, 26.3), (7.150, 33.5), (9.722, 35.3), (11.607, 19.5), (13.449, 40.0), (16.081, 30.3),
  ]

  @Test(arguments: [3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8])
  func allSevenStrokesAreFoundAtAnyThresholdAndNoneInvented(threshold: Double) throws {
    let samples = try realSwingSamples()
    var parameters = SwingDetector.Parameters()
    parameters.threshold = threshold * standardGravity
    var streams = SwingStreams()
    streams.accelerometer = samples
    let swings = streams.swings(parameters)
    try #require(swings.count == Self.impacts.count)
    let first = try #require(samples.first).time
    for (swing, (seconds, force)) in zip(swings, Self.impacts) {
      // The reference is rounded to the millisecond; a sample is 1.25 ms.
      #expect(abs((swing.impact - first).seconds - seconds) < 0.0013)
      #expect(abs(swing.peak / standardGravity - force) < 0.06)
    }
  }

  @Test func accelerometerAloneGivesNoTimeToContact() throws {
    var streams = SwingStreams()
    streams.accelerometer = try realSwingSamples()
    for swing in streams.swings() { #expect(swing.stroke == .unknown(.noDeviceMotion) && swing.timeToContact == nil) }
  }

  @Test func theRateThatIsAssumedDoesNotMatter() throws {
    var streams = SwingStreams()
    streams.accelerometer = try realSwingSamples()
    var parameters = SwingDetector.Parameters()
    parameters.rate = 801.92
    #expect(streams.swings(parameters).map(\.impact) == streams.swings().map(\.impact))
  }

  @Test(arguments: [0.0125, 0.25, 1, 1.7]) func noBatchBorderMatters(length: Double) throws {
    var streams = SwingStreams()
    let samples = try realSwingSamples()
    let first = try #require(samples.first).time
    streams.accelerometer = samples.map { sample in
      var sample = sample
      // The third impact is then the first sample of a batch, as the border is at whole seconds.
      sample.time = SensorInstant(nanoseconds: (sample.time - first).nanoseconds + 849_600_000)
      return sample
    }
    #expect(streams.swings(inBatchesOf: length, motionFirst: false) == streams.swings())
  }
}
