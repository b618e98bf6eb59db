// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import Testing

@Suite struct RotationExponentialTests {
  typealias Turn = Rotation<Device, Device>

  @Test func theLogarithmUndoesTheExponentialUpToPi() {
    for vector in Awkward.rotationVectors {
      let back = Turn(rotationVector: vector).rotationVector
      // At π the turn to either side is the same, and the neighbourhood of π may come out as that of −π.
      let error = min((back - vector).length, vector.length > 3.14 ? (back + vector).length : .infinity)
      #expect(error <= 2e-15 * max(1, vector.length), "\(vector) came back as \(back)")
    }
  }

  @Test func smallRotationVectorsKeepTheirRelativePrecision() {
    for angle in [1e-300, 1e-100, 1e-16, 1e-8, 1e-5] {
      for axis in Awkward.axes {
        let vector = axis * angle
        #expect((Turn(rotationVector: vector).rotationVector - vector).length <= 1e-15 * angle)
      }
    }
  }

  @Test func theSeriesMeetsTheClosedFormWhereTheyChange() {
    // The change is at a squared length of 1e-4; on both sides the quaternion is that of half-angle formulas.
    for angle in [0.0099, 0.00999999, 0.01, 0.01000001, 0.0101] {
      let turn = Turn(rotationVector: Vector3<Device>(x: 0, y: 0, z: angle))
      #expect((turn.w - Scalar.cos(angle / 2)).magnitude < 2e-16)
      #expect((turn.z - Scalar.sin(angle / 2)).magnitude < 2e-18)
    }
  }

  @Test func theExponentialUndoesTheLogarithm() {
    for rotation in Awkward.randomRotations(500) {
      #expect(Turn(rotationVector: rotation.rotationVector).angle(to: rotation) < 1e-15)
      #expect(rotation.rotationVector.length <= .pi)
      #expect((rotation.rotationVector.length - rotation.angle).magnitude < 1e-14)
    }
  }

  @Test func moreThanATurnIsTheRestOfIt() {
    for axis in Awkward.axes {
      for turns in [1.0, 2, 100] {
        let long = Turn(rotationVector: axis * (0.7 + turns * 2 * .pi))
        // The angle itself is rounded: half a unit in the last place of 629 rad is 6e-14.
        #expect(long.angle(to: Turn(rotationVector: axis * 0.7)) < 5e-13)
      }
    }
  }

  @Test func turnsAboutOneAxisAdd() {
    for axis in Awkward.axes {
      let sum = Turn(rotationVector: axis * 0.4) * Turn(rotationVector: axis * -1.1)
      #expect(sum.angle(to: Turn(rotationVector: axis * -0.7)) < 1e-15)
    }
  }

  @Test func theRotationVectorIsTheAxisThatStaysWhereItIs() {
    for rotation in Awkward.rotations {
      let axis = rotation.rotationVector
      #expect(((rotation * axis).relabeled(to: Device.self) - axis).length < 1e-14)
    }
  }

  // MARK: Interpolation

  @Test func interpolationMeetsBothEndsAtConstantSpeed() {
    let rotations = Awkward.randomRotations(30)
    for (a, b) in zip(rotations, rotations.dropFirst()) {
      #expect(a.interpolated(to: b, fraction: 0).angle(to: a) < 1e-15)
      #expect(a.interpolated(to: b, fraction: 1).angle(to: b) < 1e-14)
      let whole = a.angle(to: b)
      for fraction in [0.1, 0.5, 0.9] {
        let between = a.interpolated(to: b, fraction: fraction)
        #expect((a.angle(to: between) - fraction * whole).magnitude < 1e-14)
        #expect((between.angle(to: b) - (1 - fraction) * whole).magnitude < 1e-14)
      }
    }
  }

  @Test func interpolationTakesTheShortWayRound() throws {
    let start = Turn(aboutZ: 3)
    let end = Turn(aboutZ: -3)
    let middle = start.interpolated(to: end, fraction: 0.5)
    #expect(middle.angle(to: Turn(aboutZ: .pi)) < 1e-14)
    let negative = try #require(Turn(w: -end.w, x: -end.x, y: -end.y, z: -end.z))
    #expect(start.interpolated(to: negative, fraction: 0.5).angle(to: middle) < 1e-14)
  }
}
