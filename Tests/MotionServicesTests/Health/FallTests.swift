// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

@testable import MotionServices

/// A fall as a page of a textbook has it: the tests own every phase. Seconds, g, radians.
struct TextbookFall {
  var rate = 50.0
  var seconds = 45.0
  /// When the lightness begins, and how long it lasts.
  var onset = 6.0
  var drop = 0.5
  /// Of the lightness.
  var lightness = 0.5
  var peak = 5.0
  /// Of the impact.
  var width = 0.1
  /// How far the body turns.
  var tilt = Double.pi / 2
  /// Of what follows the impact: the deviation of a shaking body.
  var unrest = 0.02
  /// Hz of it.
  var restlessness = 1.7
  /// Steps a second from 4 s after the impact on.
  var cadence: Double?
  /// How the sensor sits.
  var mounting = Rotation<Device, EastNorthUp>.identity

  var impact: Double { onset + drop }

  /// The samples, with what was done to each vector.
  func samples(
    start: Double = 0, _ change: (Double, Vector3<Device>) -> Vector3<Device>? = { $1 }
  ) -> [SensorSample] {
    (0..<Int(seconds * rate)).compactMap { index in
      let time = Double(index) / rate
      let part = max(0, min(1, (time - onset) / 0.6))
      let turn = Rotation<EastNorthUp, EastNorthUp>(
        rotationVector: Vector3<EastNorthUp>(x: tilt * part * part * (3 - 2 * part), y: 0, z: 0))
      var size = 1.0
      if time >= onset, time < impact { size = lightness }
      if time >= impact, time < impact + width { size = 1 + (peak - 1) * Scalar.sin(.pi * (time - impact) / width) }
      if time >= impact + width { size += unrest * Scalar.sin(2 * .pi * restlessness * time) * 1.4 }
      if time >= impact + width, time < impact + 1 {
        size += 0.3 * Scalar.exp(-6 * (time - impact)) * Scalar.sin(60 * time)
      }
      if let cadence, time > impact + 4 {
        size += 0.4 * Scalar.cos(2 * .pi * cadence * time) + 0.15 * Scalar.cos(4 * .pi * cadence * time)
      }
      let noise = 0.004 * (Scalar.sin(97.3 * time) + Scalar.sin(61.1 * time + 1))
      let up = Vector3<EastNorthUp>(x: noise, y: -noise, z: size * standardGravity)
      guard let force = change(time, mounting.inverse * (turn.inverse * up)) else { return nil }
      let instant = SensorInstant(nanoseconds: Int64(((start + time) * 1e9).rounded()))
      return .accelerometer(AccelerometerSample(time: instant, specificForce: force))
    }
  }
}

/// What a detector said.
private func falls(
  _ samples: [SensorSample], _ placement: FallDetector.Placement = .trunk
) -> (told: [Fall], rejected: Int) {
  var detector = FallDetector(parameters: .init(placement: placement))
  var told = samples.compactMap { detector.update($0) }
  if let fall = detector.finish() { told.append(fall) }
  return (told, detector.rejectedCount)
}

@Suite struct FallTests {
  /// First as a question, thirty seconds later as an answer; the time is that of the impact.
  @Test(arguments: FallDetector.Placement.allCases) func aFallIsToldTwice(_ placement: FallDetector.Placement) throws {
    var fall = TextbookFall()
    // An arm hides the lightness, hits harder and is not as still.
    if placement == .wrist {
      (fall.lightness, fall.peak, fall.width, fall.unrest) = (0.7, 8, 0.08, 0.1)
      fall.restlessness = 0.4
    }
    let told = falls(fall.samples(), placement).told
    try #require(told.count == 2)
    #expect(told[0].outcome == nil && told[1].outcome == .unresponsive)
    #expect(told[0].time == told[1].time && abs(told[0].time.seconds - fall.impact) < 0.1)
    #expect((0.5...1).contains(told[0].probability))
  }

  /// The published threshold of a trunk (Bourke 2007: 0.41 g), 6 g for 30 ms, a quarter turn, 15 s still. With 0.1 g, as
  /// a thing that is thrown has it, the same is called none.
  @Test func aShortHardFallIsFound() {
    var fall = TextbookFall()
    (fall.drop, fall.lightness, fall.peak, fall.width, fall.rate) = (0.3, 0.41, 6, 0.03, 100)
    #expect(falls(fall.samples()).told.map(\.outcome) == [nil, .unresponsive])
  }

  @Test(arguments: [25.0, 32, 50, 87, 100, 200, 800]) func theRateDoesNotMatter(_ rate: Double) {
    var fall = TextbookFall()
    fall.rate = rate
    #expect(falls(fall.samples()).told.map(\.outcome) == [nil, .unresponsive])
  }

  @Test func theMountingDoesNotMatter() {
    var fall = TextbookFall()
    for angle in [0.7, 1.9, 3.1] {
      fall.mounting = Rotation(rotationVector: Vector3<Device>(x: angle, y: -angle / 2, z: 0.3))
      #expect(falls(fall.samples()).told.count == 2)
    }
  }

  /// One phase is missing each time: no impact, no change of posture without lightness, no rest.
  @Test func whatLacksAPhaseIsNoFall() {
    let changes: [(inout TextbookFall) -> Void] = [
      { $0.peak = 1.4 },
      {
        $0.tilt = 0; $0.lightness = 0.9
      }, { $0.unrest = 0.9 },
    ]
    for change in changes {
      var fall = TextbookFall()
      change(&fall)
      #expect(falls(fall.samples()).told.isEmpty)
    }
  }

  @Test func stepsReject() {
    var fall = TextbookFall()
    fall.cadence = 1.8
    let told = falls(fall.samples()).told
    #expect(told.map(\.outcome) == [nil, .rejected])
  }

  /// A recording that ends soon after the fall still tells it, once.
  @Test func theEndOfARecordingJudges() {
    var fall = TextbookFall()
    fall.seconds = fall.impact + 2
    #expect(falls(fall.samples()).told.map(\.outcome) == [.unresponsive])
    fall.seconds = fall.impact + 1
    #expect(falls(fall.samples()).told.isEmpty)
  }

  /// A second fall within the thirty seconds belongs to the first.
  @Test func oneFallWaitsAtATime() {
    var first = TextbookFall()
    first.seconds = 20
    var second = TextbookFall()
    second.seconds = 60
    #expect(falls(first.samples() + second.samples(start: 20)).told.map(\.outcome) == [nil, .unresponsive])
  }

  @Test func anAnswerEndsTheWaiting() {
    var detector = FallDetector()
    var told: [Fall] = []
    for sample in TextbookFall().samples() {
      guard let fall = detector.update(sample) else { continue }
      told.append(fall)
      #expect(detector.openFall?.time == fall.time)
      detector.stopWaiting()
    }
    #expect(told.count == 1 && detector.openFall == nil && detector.finish() == nil)
  }

  /// Not finite, repeated and impossible samples are left out and counted; a pause begins anew; time may go back.
  @Test func brokenSamplesAreLeftOut() {
    let fall = TextbookFall()
    var number = 0
    let broken = fall.samples { time, force in
      number += 1
      return number.isMultiple(of: 10) ? Vector3(x: .nan, y: 0, z: force.z) : force
    }
    let result = falls(broken)
    #expect(result.told.count == 2 && result.rejected == number / 10)
    let doubled = fall.samples().flatMap { [$0, $0] }
    #expect(falls(doubled).told.count == 2 && falls(doubled).rejected == doubled.count / 2)
    // The pause swallows the fall itself.
    #expect(falls(fall.samples { time, force in (5...9).contains(time) ? nil : force }).told.isEmpty)
    // A pause while the fall waits does not end the waiting.
    let paused = fall.samples { time, force in (15...20).contains(time) ? nil : force }
    #expect(falls(paused).told.map(\.outcome) == [nil, .unresponsive])
    #expect(falls(fall.samples(start: 1000) + fall.samples()).told.count == 4)
    let far = SensorInstant(nanoseconds: .max)
    var detector = FallDetector()
    #expect(detector.update(.accelerometer(AccelerometerSample(time: far, specificForce: .zero))) == nil)
    #expect(detector.rejectedCount == 1)
  }

  /// A range of ±2 g hides the impact: refused with a sentence, and so is what cannot serve otherwise.
  @Test func whatCannotServeIsRefused() throws {
    func info(_ channels: SensorInfo.Channel...) -> SensorInfo {
      SensorInfo(name: "chip", origin: .hardware, pacing: .live, channels: channels)
    }
    func accelerometer(_ range: Double?, _ rates: [Double] = [50]) -> SensorInfo {
      info(.init(kind: .accelerometer, rates: rates, range: range.map { $0 * standardGravity }))
    }
    #expect(FallDetector.refusal(of: accelerometer(4)) == nil && FallDetector.refusal(of: accelerometer(nil)) == nil)
    let clipped = try #require(FallDetector.refusal(of: accelerometer(2)))
    #expect(clipped.contains("ends at 2.0 g") && clipped.contains("4 g"))
    #expect(FallDetector.refusal(of: accelerometer(8, [12.5]))?.contains("12.5 samples a second") == true)
    #expect(FallDetector.refusal(of: info(.init(kind: .gyroscope)))?.contains("no accelerometer") == true)
  }
}

/// Everyday motion of the shared data, where no fall may be found. `Scripts/train-falls.py` counts all of it.
@Suite(
  .enabled(if: WaterData.has("running_adept"), "needs shared/data (OPENCOREMOTION_DATA)"))
struct EverydayFallTests {
  @Test(
    arguments: [
      "swing_applewatch/forehand-seven-shots-accelerometer.csv", "running_adept/run_hip_ankle_100hz.csv.gz",
      "cmdevicemotion_sage/walk_data.csv.gz", "cmdevicemotion_sage/rest_tremor_data.csv.gz",
      "cmdevicemotion_sage/kinetic_tremor_data.csv.gz", "cmdevicemotion_sage/balance_data.csv.gz",
    ], FallDetector.Placement.allCases)
  func thereIsNoFall(_ file: String, _ placement: FallDetector.Placement) throws {
    let reader = try Recording.open(path: "\(WaterData.folder)/\(file)").makeReader()
    var samples: [SensorSample] = []
    while let sample = try reader.next() { samples.append(sample) }
    #expect(falls(samples, placement).told.isEmpty)
  }
}
