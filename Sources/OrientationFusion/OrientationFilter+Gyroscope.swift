// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

extension OrientationFilter {
  /// Takes in a reading of the gyroscope: rad/s about the device's axes, right-handed, its bias still in it.
  ///
  /// The attitude moves on to `atNanoseconds`, by the mean of this and the previous reading. A block that is full is closed
  /// with a correction. A time that is not later than the latest one is ignored; one more than a second earlier means that
  /// the clock was set back and counts as a gap.
  public mutating func update(angularVelocity raw: Vector3<Device>, atNanoseconds time: Int64) {
    guard Plausible.accepts(raw, limit: Plausible.angularVelocity) else { return }
    guard let previousTime = state.gyroscopeTime else {
      take(raw, at: time)
      return
    }
    let interval = SampleTime.seconds(from: previousTime, to: time)
    if interval > parameters.longestGap || interval < -1 {
      bridgeLongGap(interval)
      take(raw, at: time)
      return
    }
    guard interval > 0 else { return }

    state.rest.add(
      angularVelocity: raw, interval: interval, bias: state.gyroscopeBias, tolerance: state.biasTolerance, parameters)
    if state.attitude != nil { rotate(by: raw, interval: interval) }
    take(raw, at: time)
    if state.sums.duration >= parameters.blockDuration { closeBlock() }
  }

  /// A reading of the gyroscope, the known bias, scale and misalignment removed.
  func corrected(_ raw: Vector3<Device>) -> Vector3<Device> {
    raw + state.gyroscopeMatrix * raw - state.gyroscopeBias
  }

  private mutating func take(_ raw: Vector3<Device>, at time: Int64) {
    state.rawAngularVelocity = raw
    state.angularVelocity = corrected(raw)
    state.gyroscopeTime = time
  }

  /// Moves the attitude on by one sample and notes how the errors enter.
  private mutating func rotate(by raw: Vector3<Device>, interval: Double) {
    guard let before = state.attitude else { return }
    let previous = state.rawAngularVelocity
    let mean = (previous + raw) * 0.5
    let after = before * Rotation<Device, Device>(rotationVector: corrected(mean) * interval)
    state.attitude = after
    let middle = (before.matrix + after.matrix) * 0.5
    state.sums.addRotation(middle, rate: mean, time: interval)

    // Between two samples the axis may have turned: the part of the rotation that the mean cannot know.
    let swing = previous.cross(raw)
    var variance = coefficients.undersamplingVariance * swing.dot(swing) * interval * interval * interval * interval
    if interval > Self.ordinaryInterval {
      let change = (raw - previous).length
      let deviation = (interval - Self.ordinaryInterval) * (0.5 * change + Self.gapRateDeviation)
      variance += deviation * deviation
    }
    state.sums.extraVariance += Vector3(x: variance, y: variance, z: variance)
    addSaturation(raw, pose: after.matrix, interval: interval)
  }

  /// A longer step between two gyroscope samples, s, counts as a gap.
  private static var ordinaryInterval: Double { 0.06 }
  /// The unknown rate inside a gap, rad/s, besides the difference of its ends.
  private static var gapRateDeviation: Double { 0.2 }

  /// A saturated axis turns faster than it says.
  private mutating func addSaturation(_ raw: Vector3<Device>, pose r: Matrix3, interval: Double) {
    let limit = coefficients.saturationThreshold
    guard abs(raw.x) >= limit || abs(raw.y) >= limit || abs(raw.z) >= limit else { return }
    let excess = coefficients.saturationExcess * interval
    let variance = coefficients.saturationPersistence * excess * excess
    let axes = Vector3<Device>(
      x: abs(raw.x) >= limit ? variance : 0, y: abs(raw.y) >= limit ? variance : 0,
      z: abs(raw.z) >= limit ? variance : 0)
    let squares = Matrix3(
      r.m11 * r.m11, r.m12 * r.m12, r.m13 * r.m13, r.m21 * r.m21, r.m22 * r.m22, r.m23 * r.m23, r.m31 * r.m31,
      r.m32 * r.m32, r.m33 * r.m33)
    state.sums.extraVariance += (squares * axes).relabeled(to: EastNorthUp.self)
  }
}
