// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion

/// A device that turns by a given body rate, with exact sensors: the truth for the laws of the filter.
///
/// The sensors sample at the same instants unless told otherwise; `errors` are added by the caller's closures.
struct SimulatedMotion {
  /// Body rate at a time, rad/s.
  var rate: (Double) -> Vector3<Device> = { _ in .zero }
  /// Acceleration in the world, m/s².
  var acceleration: (Double) -> Vector3<EastNorthUp> = { _ in .zero }
  /// The field in the world, T. Default: 20 µT north, 45 µT down.
  var field: (Double) -> Vector3<EastNorthUp> = { _ in Vector3(x: 0, y: 20e-6, z: -45e-6) }
  /// What the gyroscope reads too much, rad/s.
  var bias: Vector3<Device> = .zero
  /// What it makes of the true rate: clipping, for example.
  var distort: (Vector3<Device>) -> Vector3<Device> = { $0 }
  var hardIron: Vector3<Device> = .zero
  var start: Rotation<Device, EastNorthUp> = .identity
  var sampleRate = 100.0
  /// Multiples of the gyroscope's interval.
  var magnetometerDivider = 1
  /// Seconds by which the accelerometer's instants are later than the gyroscope's.
  var accelerometerPhase = 0.0
  var seed: UInt64 = 1
  /// The stamps that readings arrive with, by the time since the first, ns.
  var stamp: (Int64) -> Int64 = { $0 }

  /// Nanoseconds of the first sample: an arbitrary boot time.
  static let origin: Int64 = 5_000_000_000_000

  /// The true attitude now.
  private(set) var attitude: Rotation<Device, EastNorthUp> = .identity
  private(set) var time = 0.0
  private var step = 0
  private var random = Lehmer(seed: 1)

  init(start: Rotation<Device, EastNorthUp> = .identity) {
    self.start = start
    attitude = start
  }

  var noise: (gyroscope: Double, accelerometer: Double, magnetometer: Double) = (0.002, 0.02, 0.2e-6)

  static let gravity = Vector3<EastNorthUp>(x: 0, y: 0, z: 9.80665)

  /// Runs `filter` for some seconds; `every` sees filter and truth after each step.
  mutating func run(
    _ filter: inout OrientationFilter, seconds: Double,
    every: (OrientationFilter, SimulatedMotion) -> Void = { _, _ in }
  ) {
    for _ in 0..<Int((seconds * sampleRate).rounded()) {
      let interval = 1 / sampleRate
      filter.update(
        angularVelocity: distort(rate(time) + bias) + random.vector(noise.gyroscope), atNanoseconds: nanoseconds(time))
      let later = time + accelerometerPhase
      let pose = attitude * Rotation<Device, Device>(rotationVector: rate(time) * accelerometerPhase)
      filter.update(
        specificForce: pose.inverse * (acceleration(later) + Self.gravity) + random.vector(noise.accelerometer),
        atNanoseconds: nanoseconds(later))
      if step % magnetometerDivider == 0 {
        filter.update(
          magneticField: attitude.inverse * field(time) + hardIron + random.vector(noise.magnetometer),
          atNanoseconds: nanoseconds(time))
      }
      every(filter, self)
      advance(interval)
    }
  }

  /// Time passes and the device turns, without readings.
  mutating func advance(_ interval: Double) {
    let parts = max(10, Int(interval * 1000))
    let h = interval / Double(parts)
    for k in 0..<parts {
      let middle = rate(time + (Double(k) + 0.5) * h)
      attitude = attitude * Rotation<Device, Device>(rotationVector: middle * h)
    }
    time += interval
    step += 1
  }

  /// Restarts the noise, so that repeated samples differ.
  mutating func reseed(_ seed: UInt64) { random = Lehmer(seed: seed) }

  func nanoseconds(_ t: Double) -> Int64 { Self.origin + stamp(Int64((t * 1e9).rounded())) }

  /// The tilt error in degrees: the angle between true and estimated up in the device.
  func tiltError(_ filter: OrientationFilter) -> Double {
    guard let estimate = filter.attitude else { return 180 }
    let up = Vector3<EastNorthUp>(x: 0, y: 0, z: 1)
    return Angle(radians: (estimate.inverse * up).angle(to: attitude.inverse * up)).degrees
  }

  /// The whole error in degrees.
  func error(_ filter: OrientationFilter) -> Double {
    guard let estimate = filter.attitude else { return 180 }
    return Angle(radians: estimate.angle(to: attitude)).degrees
  }

  /// The part of the error about the vertical in degrees, signed.
  func headingError(_ filter: OrientationFilter) -> Double {
    guard let estimate = filter.attitude else { return 180 }
    let error = estimate * attitude.inverse
    return Angle(radians: 2 * Scalar.atan2(error.z, error.w)).wrapped.degrees
  }
}

extension OrientationFilter.Parameters {
  /// Of a magnetometer without iron, as that of these motions.
  static var calibrated: Self {
    var parameters = Self()
    parameters.isMagnetometerCalibrated = true
    return parameters
  }

  static var calibratedPhone: Self {
    var parameters = Self.phone
    parameters.isMagnetometerCalibrated = true
    return parameters
  }
}

extension OrientationFilter {
  /// What it has learned and found: reading these mutates, and needs a variable.
  var known: LearnedSensor {
    let copy = self
    return copy.learned
  }
  var iron: MagnetometerCalibration {
    var copy = self
    return copy.magnetometerCalibration
  }
}

/// A small random generator, so that every run sees the same noise (Park and Miller, CACM 31(10), 1988).
struct Lehmer {
  private var value: UInt64
  init(seed: UInt64) { value = seed % 2_147_483_646 + 1 }

  /// Uniform in 0…1.
  mutating func uniform() -> Double {
    value = value * 48271 % 2_147_483_647
    return Double(value) / 2_147_483_647
  }

  /// Near normal with this standard deviation: a sum of twelve.
  mutating func normal(_ deviation: Double) -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += uniform() }
    return sum * deviation
  }

  mutating func vector<F>(_ deviation: Double) -> Vector3<F> {
    Vector3(x: normal(deviation), y: normal(deviation), z: normal(deviation))
  }

  /// Uniform on the sphere.
  mutating func direction<F>() -> Vector3<F> { vector(1).normalized ?? Vector3(x: 0, y: 0, z: 1) }
}

extension Rotation where From == Device, To == EastNorthUp {
  /// A rotation about an axis of the world by degrees.
  static func turned(_ degrees: Double, about axis: Vector3<EastNorthUp>) -> Self {
    Self(angle: Angle(degrees: degrees).radians, axis: axis) ?? .identity
  }
}

extension Vector3 {
  static var xAxis: Self { Self(x: 1, y: 0, z: 0) }
  static var yAxis: Self { Self(x: 0, y: 1, z: 0) }
  static var zAxis: Self { Self(x: 0, y: 0, z: 1) }
}
