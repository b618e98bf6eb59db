// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Two frames that the gyroscope carries along, and the sums of the blocks of their ``HardIronFilter``: what changes
/// with every reading.
///
/// The filters differ in the bias that they subtract and in when they began, not in what they compute: one is in the
/// lower half of each vector register, the other in the upper.
struct CarriedFrames: Sendable {
  private typealias Two = SIMD2<Double>

  /// What has been read in a block: Σ A S m, T, Σ A, their number, how long it is, s, and how far the device has
  /// turned, rad.
  struct Block {
    var field: Vector3<EastNorthUp>
    var rotation: Matrix3
    var readings, time, turn: Double
  }

  /// A: turns device vectors into the carried frame.
  private var attitude = QuaternionPair()
  private var fieldX = Two.zero, fieldY = Two.zero, fieldZ = Two.zero
  private var r11 = Two.zero, r12 = Two.zero, r13 = Two.zero
  private var r21 = Two.zero, r22 = Two.zero, r23 = Two.zero
  private var r31 = Two.zero, r32 = Two.zero, r33 = Two.zero
  private var readings = Two.zero, turn = Two.zero
  /// How long the blocks are, s.
  private(set) var time = SIMD2<Double>.zero

  /// Adds a reading S m of each, T, after `interval` seconds with these rates.
  mutating func add(
    _ one: Vector3<Device>, rate oneRate: Vector3<Device>, _ other: Vector3<Device>, rate otherRate: Vector3<Device>,
    interval: Double
  ) {
    let (a, b, c) = (
      Two(oneRate.x, otherRate.x) * interval, Two(oneRate.y, otherRate.y) * interval,
      Two(oneRate.z, otherRate.z) * interval
    )
    let square = a * a + b * b + c * c
    attitude.turn(a, b, c, square)
    turn += square.squareRoot()
    let (w, x, y, z) = (attitude.w, attitude.x, attitude.y, attitude.z)
    let (x2, y2, z2) = (x + x, y + y, z + z)
    let (xx, yy, zz) = (x * x2, y * y2, z * z2)
    let (xy, xz, yz) = (x * y2, x * z2, y * z2)
    let (wx, wy, wz) = (w * x2, w * y2, w * z2)
    let (s, t, u) = (Two(one.x, other.x), Two(one.y, other.y), Two(one.z, other.z))
    let (a11, a12, a13) = (1 - (yy + zz), xy - wz, xz + wy)
    fieldX += a11 * s + a12 * t + a13 * u
    (r11, r12, r13) = (r11 + a11, r12 + a12, r13 + a13)
    let (a21, a22, a23) = (xy + wz, 1 - (xx + zz), yz - wx)
    fieldY += a21 * s + a22 * t + a23 * u
    (r21, r22, r23) = (r21 + a21, r22 + a22, r23 + a23)
    let (a31, a32, a33) = (xz - wy, yz + wx, 1 - (xx + yy))
    fieldZ += a31 * s + a32 * t + a33 * u
    (r31, r32, r33) = (r31 + a31, r32 + a32, r33 + a33)
    readings += 1
    time += interval
  }

  /// The block of one of the two, which ends.
  mutating func endBlock(_ i: Int) -> Block {
    defer { beginBlock(i) }
    // The readings of a block do not need more.
    attitude.normalize()
    return Block(
      field: Vector3(x: fieldX[i], y: fieldY[i], z: fieldZ[i]),
      rotation: Matrix3(r11[i], r12[i], r13[i], r21[i], r22[i], r23[i], r31[i], r32[i], r33[i]),
      readings: readings[i], time: time[i], turn: turn[i])
  }

  mutating func beginBlock(_ i: Int) {
    (fieldX[i], fieldY[i], fieldZ[i]) = (0, 0, 0)
    (r11[i], r12[i], r13[i]) = (0, 0, 0)
    (r21[i], r22[i], r23[i]) = (0, 0, 0)
    (r31[i], r32[i], r33[i]) = (0, 0, 0)
    (readings[i], time[i], turn[i]) = (0, 0, 0)
  }

  /// The second begins again.
  mutating func restartSecond() {
    attitude.resetSecond()
    beginBlock(1)
  }

  /// The first goes on as the second.
  mutating func followSecond() {
    attitude.copySecond()
    (fieldX[0], fieldY[0], fieldZ[0]) = (fieldX[1], fieldY[1], fieldZ[1])
    (r11[0], r12[0], r13[0]) = (r11[1], r12[1], r13[1])
    (r21[0], r22[0], r23[0]) = (r21[1], r22[1], r23[1])
    (r31[0], r32[0], r33[0]) = (r31[1], r32[1], r33[1])
    (readings[0], time[0], turn[0]) = (readings[1], time[1], turn[1])
  }
}
