// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ActivityEstimation
import ActivitySummary
import MotionMath
import MotionSensing
import MotionServices
import MotionTools

/// All estimators side by side, as libFuzzer feeds them: none of them may trap, whatever the samples say and when.
struct EveryEstimator {
  private var fusions = [true, false].map { smooths in
    OfflineFusion(
      info: SensorInfo(name: "fuzz", origin: .simulation, pacing: .onDemand, channels: []),
      framing: MotionFraming(.xArbitraryCorrected), smooths: smooths)
  }
  private var sink = NoSink()
  private var activity = ActivityEstimator(parameters: .init())
  private var tally = ActivityTally()
  private var altitude = AltitudeEstimator()
  private var climb = ClimbEstimator()
  private var water = SubmersionEstimator()

  mutating func update(_ sample: SensorSample) {
    for index in fusions.indices { _ = try? fusions[index].push(sample, into: &sink) }
    tally.append(atNanoseconds: sample.time.nanoseconds, activity.update(sample))
    switch sample {
    case .pressure(let sample):
      if let altitude = altitude.update(sample) { climb.update(altitude.relative) }
      _ = water.update(sample)
      _ = water.update(time: sample.time)
    default: break
    }
  }

  mutating func finish() {
    for index in fusions.indices { fusions[index].finish { _ = $0 } }
    tally.finish(activity.finish())
  }

  /// Samples of any bits: a byte says the kind, four bytes the time since the sample before (or eight the time), and
  /// eight each number.
  static func update(samplesOf bytes: [UInt8]) {
    var estimators = EveryEstimator()
    var rest = bytes[...]
    var now: Int64 = 0
    func bits(_ count: Int) -> UInt64 {
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
    }
    func number() -> Double { Double(bitPattern: bits(8)) }
    func vector() -> Vector3<Device> { Vector3(x: number(), y: number(), z: number()) }
    while let kind = rest.popFirst() {
      now = kind & 0x80 == 0 ? now &+ Int64(bits(4)) : Int64(bitPattern: bits(8))
      let time = SensorInstant(nanoseconds: now)
      switch kind & 7 {
      case 0: estimators.update(.gyroscope(.init(time: time, angularVelocity: vector())))
      case 1: estimators.update(.magnetometer(.init(time: time, magneticField: vector())))
      case 2: estimators.update(.pressure(.init(time: time, pressure: number())))
      case 3: estimators.update(.pressure(.init(time: time, pressure: number(), temperature: number(), medium: .water)))
      case 4: estimators.update(.temperature(.init(time: time, temperature: number())))
      case 5: estimators.update(.inertial(.init(time: time, angularVelocity: vector(), specificForce: vector())))
      default: estimators.update(.accelerometer(.init(time: time, specificForce: vector())))
      }
    }
    estimators.finish()
  }
}

private struct NoSink: SampleSink {}
