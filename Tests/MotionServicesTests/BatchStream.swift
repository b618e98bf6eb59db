// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionServices

/// A made-up recording for the batch: a device that lies still and then turns, with a life of its own.
struct BatchStream {
  var rate = 100.0
  var seconds = 6.0
  /// Both sensors in one sample, as from a chip with one clock.
  var isInertial = false
  /// Seconds by which the accelerometer is later than the gyroscope; its rate against the gyroscope's.
  var accelerometerPhase = 0.002
  var accelerometerShare = 1.0
  /// Hz; nil = none.
  var magnetometerRate: Double? = 50
  var isCalibrated = true
  var device = SensorInfo.DeviceClass.phone
  /// All sensors are silent, s.
  var gap: ClosedRange<Double>?
  /// The accelerometer alone is silent, s.
  var accelerometerGap: ClosedRange<Double>?
  /// A reading of the gyroscope that is no number, s.
  var notANumberAt: Double?
  /// rad/s, about the turning axis.
  var turning = 1.5
  var stillUntil = 2.2
  var seed: UInt64 = 1

  var info: SensorInfo {
    var info = SensorInfo(
      name: "stream \(seed)", origin: .recording, pacing: .onDemand,
      channels: [.init(kind: .inertial), .init(kind: .magnetometer, isCalibrated: isCalibrated)])
    info.deviceClass = device
    return info
  }

  var samples: [SensorSample] {
    var samples: [SensorSample] = []
    var attitude = Rotation<Device, EastNorthUp>.identity
    var random = seed
    func noise(_ size: Double) -> Double {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return size * (Double(random >> 40) / Double(1 << 23) - 1)
    }
    func time(_ t: Double) -> SensorInstant {
      SensorInstant(nanoseconds: Int64((t * 1e9).rounded()) + Int64(seed) * 1_000_000_000)
    }
    let count = Int(seconds * rate)
    for step in 0..<count {
      let t = Double(step) / rate
      let s = Scalar.sin(3 * t)
      let motion = Vector3<Device>(x: turning * s, y: 0.5 * turning, z: -turning * s * s)
      let turn = t < stillUntil ? .zero : motion
      attitude = attitude * Rotation<Device, Device>(rotationVector: turn * (1 / rate))
      if let gap, gap.contains(t) { continue }
      let isQuiet = accelerometerGap?.contains(t) ?? false
      var angularVelocity = turn + Vector3(x: 0.004 + noise(0.003), y: -0.002 + noise(0.003), z: noise(0.003))
      if let notANumberAt, abs(t - notANumberAt) < 0.5 / rate { angularVelocity.y = .nan }
      let acceleration = Vector3<EastNorthUp>(x: t < stillUntil ? 0 : 2 * s, y: 0, z: 9.80665)
      let force =
        attitude.inverse * acceleration + Vector3<Device>(x: noise(0.03), y: noise(0.03), z: noise(0.03))
      if isInertial {
        samples.append(
          .inertial(InertialSample(time: time(t), angularVelocity: angularVelocity, specificForce: force)))
      } else {
        samples.append(.gyroscope(GyroscopeSample(time: time(t), angularVelocity: angularVelocity)))
        if !isQuiet, Self.isDue(step, accelerometerShare) {
          samples.append(.accelerometer(AccelerometerSample(time: time(t + accelerometerPhase), specificForce: force)))
        }
      }
      if let magnetometerRate, Self.isDue(step, magnetometerRate / rate) {
        let own = isCalibrated ? Vector3<Device>.zero : Vector3(x: 60e-6, y: -20e-6, z: 30e-6)
        let field =
          attitude.inverse * Vector3<EastNorthUp>(x: 0, y: 20e-6, z: -45e-6) + own
          + Vector3(x: noise(0.3e-6), y: noise(0.3e-6), z: noise(0.3e-6))
        samples.append(.magnetometer(MagnetometerSample(time: time(t + 0.001), magneticField: field)))
      }
    }
    return samples.sorted { $0.time < $1.time }
  }

  private static func isDue(_ step: Int, _ share: Double) -> Bool {
    Int(Double(step + 1) * share) > Int(Double(step) * share)
  }

  /// Streams that differ in all that may differ.
  static let different = [
    BatchStream(),
    BatchStream(rate: 286, seconds: 3, isInertial: true, magnetometerRate: 71, stillUntil: 0.6, seed: 2),
    BatchStream(rate: 52, seconds: 20, accelerometerPhase: 0.008, isCalibrated: false, turning: 2.5, seed: 3),
    BatchStream(gap: 3...3.4, notANumberAt: 4.2, seed: 4),
    BatchStream(seconds: 9, magnetometerRate: nil, accelerometerGap: 4...4.9, seed: 5),
    BatchStream(
      rate: 200, seconds: 4, accelerometerPhase: 0, accelerometerShare: 0.5, turning: 20, stillUntil: 0.5, seed: 6),
    BatchStream(rate: 25, seconds: 12, isInertial: true, magnetometerRate: 10, device: .headphones, seed: 7),
    BatchStream(seconds: 0.9, gap: 0...0.5, seed: 8),
  ]
}

/// A recording in memory.
struct RecordedSamples {
  var info: SensorInfo
  var samples: [SensorSample]
}

/// States of motion side by side.
enum MotionComparison {
  /// What the estimator makes of a recording alone.
  static func alone(
    _ info: SensorInfo, _ samples: [SensorSample], usesMagnetometer: Bool
  ) -> [DeviceMotion] {
    var estimator = DeviceMotionEstimator(info: info, run: 1)
    estimator.solutions = usesMagnetometer ? .nineAxis : .sixAxis
    var states = samples.compactMap { estimator.update($0) }
    if let last = estimator.finish() { states.append(last) }
    return states
  }

  /// What the batch makes of several.
  static func together(
    _ recordings: [RecordedSamples], usesMagnetometer: Bool
  ) -> [[DeviceMotion]] {
    var batch = DeviceMotionBatch(recordings.map(\.info), usesMagnetometer: usesMagnetometer, run: 1)
    var states: [[DeviceMotion]] = recordings.map { _ in [] }
    var places = recordings.map { _ in 0 }
    batch.run(
      next: { lane in
        guard places[lane] < recordings[lane].samples.count else { return nil }
        defer { places[lane] += 1 }
        return recordings[lane].samples[places[lane]]
      },
      take: { states[$0].append($1) })
    return states
  }

  /// The largest difference of any number, angles in rad, rates in rad/s, the field in µT; nil when something other than a
  /// number differs.
  static func difference(_ a: [DeviceMotion], _ b: [DeviceMotion]) -> Double? {
    guard a.count == b.count else { return nil }
    var largest = 0.0
    for (a, b) in zip(a, b) {
      guard a.time == b.time, a.accelerometer.time == b.accelerometer.time, a.run == b.run, a.location == b.location,
        a.isAtRest == b.isAtRest, a.field?.accuracy == b.field?.accuracy,
        let sixAxis = difference(a.sixAxis, b.sixAxis), let nineAxis = difference(a.nineAxis, b.nineAxis)
      else { return nil }
      largest = max(largest, sixAxis, nineAxis)
      if let field = a.field, let other = b.field {
        largest = max(largest, (field.magneticField - other.magneticField).length * 1e6)
      }
    }
    return largest
  }

  private static func difference(_ a: DeviceMotion.Solution?, _ b: DeviceMotion.Solution?) -> Double? {
    guard let a, let b else { return a == nil && b == nil ? 0 : nil }
    guard a.hasHeading == b.hasHeading else { return nil }
    let angle = (a.attitude.inverse * b.attitude).angle
    return max(
      angle, (a.angularVelocity - b.angularVelocity).length,
      abs(a.inclinationStandardDeviation - b.inclinationStandardDeviation),
      abs(a.headingStandardDeviation - b.headingStandardDeviation))
  }
}
