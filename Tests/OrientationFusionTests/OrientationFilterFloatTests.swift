// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import OrientationFusionFloat
import Testing

/// The filter in single precision beside the one in double precision.
@Suite struct OrientationFilterFloatTests {
  /// The largest angle between the two over a stream, rad.
  static func difference(_ events: [OrientationEvent], usesMagnetometer: Bool) -> (largest: Double, count: Int) {
    var double = OrientationFusion.OrientationFilter(
      parameters: LaneStreams.range, usesMagnetometer: usesMagnetometer)
    var float = OrientationFusionFloat.OrientationFilter(
      parameters: LaneStreams.range, usesMagnetometer: usesMagnetometer)
    var result = (largest: 0.0, count: 0)
    for event in events {
      double.update(event)
      float.update(event)
      guard let a = double.attitude, let b = float.attitude else { continue }
      result = (max(result.largest, a.angle(to: b)), result.count + 1)
    }
    return result
  }

  @Test(arguments: [true, false])
  func itFollowsTheDoubleFilterWithinAHundredthOfADegree(usesMagnetometer: Bool) {
    for events in LaneStreams.different.prefix(5) {
      let (largest, count) = Self.difference(events, usesMagnetometer: usesMagnetometer)
      print("Float against Double: largest \(Angle(radians: largest).degrees)° in \(count) samples")
      #expect(Angle(radians: largest).degrees < 0.01)
      #expect(count > 500)
    }
  }

  // Nanoseconds since boot have more digits than a Float: intervals are made of integers first.
  @Test func aClockThatHasRunForAYearCostsNoAccuracy() {
    let year: Int64 = 365 * 86_400 * 1_000_000_000
    let events = LaneStreams.events(.init(seconds: 6)).map { event -> OrientationEvent in
      switch event {
      case .angularVelocity(let v, let t): .angularVelocity(v, atNanoseconds: t + year)
      case .specificForce(let v, let t): .specificForce(v, atNanoseconds: t + year)
      case .magneticField(let v, let d, let t): .magneticField(v, hardIronDeviation: d, atNanoseconds: t + year)
      case .forgottenHeading: .forgottenHeading
      }
    }
    #expect(Angle(radians: Self.difference(events, usesMagnetometer: true).largest).degrees < 0.01)
  }

  @Test(.enabled(if: Recordings.has("broad"), "needs the BROAD trials (shared/data/broad)"))
  func onARecordingTheMeanErrorIsTheSameWithinAHundredthOfADegree() throws {
    let trial = try Recordings.BroadTrial(name: "07_undisturbed_fast_rotation_B")
    var double = OrientationFusion.OrientationFilter(parameters: .phone, usesMagnetometer: true)
    var float = OrientationFusionFloat.OrientationFilter(parameters: .phone, usesMagnetometer: true)
    var (sum, count) = (0.0, 0.0)
    for row in 0..<min(trial.count, 40_000) {
      let time = Int64((Double(row) * 1e9 * Recordings.BroadTrial.sampleInterval).rounded())
      let events: [OrientationEvent] = [
        .angularVelocity(trial.vector(row, 0), atNanoseconds: time),
        .specificForce(trial.vector(row, 3), atNanoseconds: time),
        .magneticField(trial.vector(row, 6) * 1e-6, hardIronDeviation: 0, atNanoseconds: time),
      ]
      for event in events {
        double.update(event)
        float.update(event)
      }
      guard let a = double.attitude, let b = float.attitude else { continue }
      sum += a.angle(to: b)
      count += 1
    }
    #expect(count > 10_000)
    print("Float against Double, BROAD trial 7: mean \(Angle(radians: sum / count).degrees)°")
    #expect(Angle(radians: sum / count).degrees < 0.01)
  }
}
