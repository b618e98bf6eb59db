// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CoreMotion

/// S11–S19 with the vectors that real devices logged (N1, N2) and that follow from them (N4).
@Suite struct AttitudeTests {
  struct Vector: CustomTestStringConvertible {
    let name: String
    let quaternion: CMQuaternion
    /// m11, m12, m13, m21 … as logged, in single precision.
    let matrix: [Double]
    let roll: Double
    let pitch: Double
    let yaw: Double
    var testDescription: String { name }
  }

  static let n1 = Vector(
    name: "N1",
    quaternion: CMQuaternion(
      x: 0.64313682589218391, y: 0.089685387529852681, z: 1.8720746145584148e-06, w: 0.76048113352103752),
    matrix: [
      0.98391306400299072, 0.11536280065774918, -0.13640567660331726, 0.11535710841417313, 0.17275005578994751,
      0.97818714380264282, 0.13641050457954407, -0.97818642854690552, 0.15666311979293823,
    ], roll: 0.716386186535759, pitch: 1.36154727015122, yaw: -0.588765280576791)
  static let n2 = Vector(
    name: "N2",
    quaternion: CMQuaternion(
      x: 0.4896854418882739, y: -0.025223668841095823, z: -0.0029643131486642889, w: 0.87152920053228122),
    matrix: [
      0.99870997667312622, -0.029870297759771347, 0.041063163429498672, -0.019536357372999191, 0.52039873600006104,
      0.85369986295700073, -0.046869490295648575, -0.85340076684951782, 0.51914387941360474,
    ], roll: -0.0789335125484672, pitch: 1.02304912207484, yaw: 0.0375235056909007)

  private func elements(_ m: CMRotationMatrix) -> [Double] {
    [m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33]
  }

  /// S12, S16: reference → device, the transpose of R(q).
  @Test(arguments: [n1, n2]) func matrixIsAppleS(_ vector: Vector) {
    let attitude = CMAttitude(vector.quaternion)
    for (ours, logged) in zip(elements(attitude.rotationMatrix), vector.matrix) { #expect(abs(ours - logged) < 1e-6) }
  }

  /// S13: Rz(yaw) · Rx(pitch) · Ry(roll).
  @Test(arguments: [n1, n2]) func anglesAreApples(_ vector: Vector) {
    let attitude = CMAttitude(vector.quaternion)
    #expect(abs(attitude.roll - vector.roll) < 1e-12)
    #expect(abs(attitude.pitch - vector.pitch) < 1e-12)
    #expect(abs(attitude.yaw - vector.yaw) < 1e-12)
  }

  /// S14: gravity in device axes, from the matrix and from the angles.
  @Test(arguments: [n1, n2]) func gravityIsMinusTheThirdColumn(_ vector: Vector) {
    let attitude = CMAttitude(vector.quaternion)
    let m = attitude.rotationMatrix
    let fromAngles = [
      cos(attitude.pitch) * sin(attitude.roll), -sin(attitude.pitch), -cos(attitude.pitch) * cos(attitude.roll),
    ]
    for (a, b) in zip([-m.m13, -m.m23, -m.m33], fromAngles) { #expect(abs(a - b) < 1e-12) }
    for (a, b) in zip(fromAngles, [2, 5, 8].map { -vector.matrix[$0] }) { #expect(abs(a - b) < 1e-6) }
  }

  /// S15: all angles are 0 when the device coincides with the frame.
  @Test func identityHasNoAngles() {
    let attitude = CMAttitude()
    #expect((attitude.roll, attitude.pitch, attitude.yaw) == (0, 0, 0))
    #expect(elements(attitude.rotationMatrix) == [1, 0, 0, 0, 1, 0, 0, 0, 1])
  }

  /// S15, S17: each angle alone is a right-handed turn about its own axis, and −q means the same as q.
  @Test(arguments: [-3.0, -1.2, -0.4, 0.4, 1.2, 3.0]) func singleTurnsHaveOneAngle(_ angle: Double) {
    for sign in [1.0, -1] {
      let (s, c) = (sign * sin(angle / 2), sign * cos(angle / 2))
      let roll = CMAttitude(CMQuaternion(x: 0, y: s, z: 0, w: c))
      #expect(abs(roll.roll - angle) < 1e-12 && abs(roll.pitch) < 1e-12 && abs(roll.yaw) < 1e-12)
      let yaw = CMAttitude(CMQuaternion(x: 0, y: 0, z: s, w: c))
      #expect(abs(yaw.yaw - angle) < 1e-12 && abs(yaw.pitch) < 1e-12 && abs(yaw.roll) < 1e-12)
      guard abs(angle) < .pi / 2 else { continue }
      let pitch = CMAttitude(CMQuaternion(x: s, y: 0, z: 0, w: c))
      #expect(abs(pitch.pitch - angle) < 1e-12 && abs(pitch.roll) < 1e-12 && abs(pitch.yaw) < 1e-12)
    }
  }

  /// S13, S19: the angles rebuild the attitude at every pose, however near to a pole.
  @Test(arguments: [0, 1e-15, 1e-14, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3])
  func theAnglesRebuildTheAttitude(_ distance: Double) {
    func turn(_ angle: Double, _ x: Double, _ y: Double, _ z: Double) -> CMQuaternion {
      CMQuaternion(x: x * sin(angle / 2), y: y * sin(angle / 2), z: z * sin(angle / 2), w: cos(angle / 2))
    }
    func attitude(_ yaw: Double, _ pitch: Double, _ roll: Double) -> CMQuaternion {
      turn(yaw, 0, 0, 1).multiplied(by: turn(pitch, 1, 0, 0)).multiplied(by: turn(roll, 0, 1, 0))
    }
    for pole in [-1.0, 1] {
      for yaw in stride(from: -3.1, through: 3.1, by: 0.31) {
        for roll in stride(from: -3.1, through: 3.1, by: 0.31) {
          let pose = attitude(yaw, pole * (.pi / 2 - distance), roll)
          let rebuilt = attitude(pose.yaw, pose.pitch, pose.roll)
          let way = rebuilt.conjugate.multiplied(by: pose)
          #expect((way.x * way.x + way.y * way.y + way.z * way.z).squareRoot() < 1e-15 * 4)
          #expect(abs(pose.pitch) <= .pi / 2 && abs(pose.yaw) <= .pi && abs(pose.roll) <= .pi)
        }
      }
    }
    // Poses that are exact in binary: each quarter turn about each axis.
    let half = 0.5.squareRoot()
    for (x, y, z, w) in [
      (half, 0, 0, half), (-half, 0, 0, half), (0.5, 0.5, 0.5, 0.5), (0.5, -0.5, -0.5, 0.5), (0, half, half, 0),
    ] {
      let pose = CMQuaternion(x: x, y: y, z: z, w: w)
      let way = attitude(pose.yaw, pose.pitch, pose.roll).conjugate.multiplied(by: pose)
      #expect((way.x * way.x + way.y * way.y + way.z * way.z).squareRoot() < 1e-15)
    }
  }

  /// S19: at the pole, and for a quaternion a hair longer than one, every angle is finite and pitch is ±90°.
  @Test(arguments: [1.0, -1]) func gimbalLockIsFinite(_ sign: Double) {
    let half = 0.5.squareRoot()
    for turn in stride(from: -3.0, through: 3, by: 0.25) {
      for scale in [1, 1 + 1e-15, 1 + 1e-9] {
        // Rz(turn) · Rx(±90°)
        let (s, c) = (sin(turn / 2) * scale, cos(turn / 2) * scale)
        let attitude = CMAttitude(
          CMQuaternion(x: c * half * sign, y: s * half * sign, z: s * half, w: c * half))
        #expect(attitude.roll.isFinite && attitude.yaw.isFinite)
        #expect(abs(attitude.pitch - sign * .pi / 2) < 1e-4)
      }
    }
  }

  /// S18, D7, N4: q' = ref⁻¹ ⊗ q.
  @Test func multiplyByInverseGivesTheChangeSinceTheReference() {
    let a = CMAttitude(Self.n1.quaternion)
    let b = CMAttitude(Self.n2.quaternion)
    let matrixA = elements(a.rotationMatrix)
    let matrixB = elements(b.rotationMatrix)
    a.multiply(byInverseOf: b)
    let q = a.quaternion
    let expected = [0.18785017543383167, 0.09925293404222345, -0.05788396314819525, 0.9754540550347551]
    for (ours, theirs) in zip([q.x, q.y, q.z, q.w], expected) { #expect(abs(ours - theirs) < 1e-12) }
    #expect(abs(a.roll - 0.2324734916066092) < 1e-12)
    #expect(abs(a.pitch - 0.36290136428607833) < 1e-12)
    #expect(abs(a.yaw + 0.1613802311442093) < 1e-12)
    // M' = M · M_ref⁻¹, and the reference is untouched.
    let result = elements(a.rotationMatrix)
    for row in 0..<3 {
      for column in 0..<3 {
        let product = (0..<3).reduce(0.0) { $0 + matrixA[3 * row + $1] * matrixB[3 * column + $1] }
        #expect(abs(result[3 * row + column] - product) < 1e-12)
      }
    }
    #expect(b.quaternion.w == Self.n2.quaternion.w && b.quaternion.x == Self.n2.quaternion.x)
  }

  /// S18: the identity when both are equal, the same object included.
  @Test func multiplyByOwnInverseIsTheIdentity() {
    let attitude = CMAttitude(Self.n1.quaternion)
    attitude.multiply(byInverseOf: attitude)
    #expect(abs(attitude.quaternion.w - 1) < 1e-15)
    for angle in [attitude.roll, attitude.pitch, attitude.yaw] { #expect(abs(angle) < 1e-15) }
  }

  /// G13: a sample gives the same attitude each time, so that the recentring idiom works; a copy is independent.
  @Test func attitudeOfASampleIsOneObjectAndCopiesAreIndependent() throws {
    let motion = CMDeviceMotion(
      timestamp: 0, attitude: CMAttitude(Self.n1.quaternion), gravity: CMAcceleration())
    #expect(motion.attitude === motion.attitude)
    let copy = try #require(motion.attitude.copy() as? CMAttitude)
    let sampleCopy = try #require(motion.copy() as? CMDeviceMotion)
    motion.attitude.multiply(byInverseOf: copy)
    #expect(abs(motion.attitude.quaternion.w - 1) < 1e-15)
    #expect(copy.quaternion.w == Self.n1.quaternion.w)
    #expect(sampleCopy.attitude.quaternion.w == Self.n1.quaternion.w)
  }
}
