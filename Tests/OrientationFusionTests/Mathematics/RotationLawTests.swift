// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import Testing

/// The laws of the group of rotations, at the values where they break first.
///
/// That frames do not mix is held by the compiler: `attitude * fieldInEastNorthUp`, `attitude * attitude` and
/// `Vector3<Device>() + Vector3<EastNorthUp>()` have no overload. A test of that would have to run the compiler.
@Suite struct RotationLawTests {
  typealias Attitude = Rotation<Device, EastNorthUp>

  @Test func theIdentityChangesNothing() {
    for rotation in Awkward.rotations {
      #expect((rotation * Rotation<Device, Device>.identity).angle(to: rotation) < 1e-15)
      #expect((Rotation<EastNorthUp, EastNorthUp>.identity * rotation).angle(to: rotation) < 1e-15)
    }
    for vector in Awkward.vectors { #expect(Rotation<Device, Device>.identity * vector == vector) }
  }

  @Test func theInverseUndoes() {
    for rotation in Awkward.rotations {
      #expect((rotation.inverse * rotation).angle < 1e-15)
      #expect(rotation.inverse.inverse == rotation)
      for vector in Awkward.vectors {
        let back = rotation.inverse * (rotation * vector)
        #expect((back - vector).length <= 2e-15 * vector.length)
      }
    }
  }

  @Test func productsAreAssociative() {
    let rotations = Awkward.randomRotations(60)
    for (a, (b, c)) in zip(rotations, zip(rotations.dropFirst(7), rotations.dropFirst(19))) {
      #expect(((a * b) * c).angle(to: a * (b * c)) < 2e-15)
    }
  }

  @Test func aProductAppliesTheRightFactorFirst() {
    let rotations = Awkward.randomRotations(40)
    for (a, b) in zip(rotations, rotations.dropFirst()) {
      for vector in Awkward.vectors {
        #expect((((a * b) * vector) - (a * (b * vector))).length <= 4e-15 * vector.length)
      }
    }
  }

  @Test func theInverseOfAProductIsTheProductOfTheInversesTurnedRound() {
    let rotations = Awkward.randomRotations(40)
    for (a, b) in zip(rotations, rotations.dropFirst()) {
      #expect((a * b).inverse.angle(to: b.inverse * a.inverse) < 1e-15)
    }
  }

  @Test func lengthsAnglesAndHandednessAreKept() {
    for rotation in Awkward.rotations {
      for a in Awkward.vectors {
        #expect(((rotation * a).length - a.length).magnitude <= 2e-15 * a.length)
        for b in Awkward.axes {
          #expect(((rotation * a).dot(rotation * b) - a.dot(b)).magnitude <= 4e-15 * a.length)
          #expect(((rotation * a).cross(rotation * b) - rotation * a.cross(b)).length <= 4e-15 * a.length)
        }
      }
    }
  }

  @Test func aRightHandedQuarterTurnAboutZTakesXToY() throws {
    let turn = Rotation<Device, Device>(aboutZ: .pi / 2)
    #expect((turn * Vector3(x: 1, y: 0, z: 0)).isApproximatelyEqual(to: Vector3(x: 0, y: 1, z: 0), tolerance: 1e-15))
    let same = try #require(Rotation<Device, Device>(angle: .pi / 2, axis: Vector3<Device>(x: 0, y: 0, z: 7)))
    #expect(turn.angle(to: same) < 1e-15)
    let exponential = Rotation<Device, Device>(rotationVector: Vector3<Device>(x: 0, y: 0, z: .pi / 2))
    #expect(turn.angle(to: exponential) < 1e-15)
  }

  @Test func aQuaternionAndItsNegativeAreOneRotation() throws {
    for rotation in Awkward.rotations {
      let negative = try #require(Attitude(w: -rotation.w, x: -rotation.x, y: -rotation.y, z: -rotation.z))
      #expect(rotation.angle(to: negative) < 1e-15)
      #expect(rotation != negative)
      for vector in Awkward.axes { #expect(((rotation * vector) - (negative * vector)).length < 1e-15) }
    }
  }

  @Test func theAngleBetweenRotationsIsAMetric() {
    let rotations = Awkward.randomRotations(12)
    for a in rotations {
      for b in rotations {
        let angle = a.angle(to: b)
        #expect(angle >= 0 && angle <= .pi)
        #expect((angle - b.angle(to: a)).magnitude < 1e-14)
        for c in rotations { #expect(a.angle(to: c) <= angle + b.angle(to: c) + 1e-14) }
      }
    }
  }

  // MARK: The unit length

  @Test func aMillionProductsKeepTheUnitLength() {
    let step = Rotation<Device, Device>(rotationVector: Vector3<Device>(x: 0.001, y: -0.02, z: 0.3))
    var product = Rotation<Device, Device>.identity
    for _ in 0..<1_000_000 { product = product * step }
    #expect(product.lengthError.magnitude < 4e-16)
  }

  @Test func everyInitialiserGivesUnitLength() throws {
    for rotation in Awkward.rotations { #expect(rotation.lengthError.magnitude < 4e-16) }
    for scale in [1e-300, 1e-170, 1e-160, 1e-150, 1e-8, 1, 1e8, 1e150, 1e160, 1e300] {
      let rotation = try #require(
        Attitude(w: 0.5 * scale, x: -scale, y: 0.25 * scale, z: 2 * scale), "at scale \(scale)")
      #expect(rotation.lengthError.magnitude < 4e-16)
      #expect((rotation.z / rotation.w - 4).magnitude < 1e-12)
    }
    let tiny = Double.leastNonzeroMagnitude
    #expect(try #require(Attitude(w: tiny, x: 0, y: 0, z: 0)) == .identity)
    for axis in Awkward.axes {
      let rotation = try #require(Attitude(angle: 2, axis: axis * 1e-170))
      #expect(rotation.lengthError.magnitude < 4e-16)
    }
  }

  @Test func numbersThatMakeNoRotationAreRefused() {
    #expect(Attitude(w: 0, x: 0, y: 0, z: 0) == nil)
    for broken in [Double.nan, .infinity, -.infinity] {
      #expect(Attitude(w: broken, x: 0, y: 0, z: 0) == nil)
      #expect(Attitude(w: 1, x: 0, y: broken, z: 0) == nil)
      #expect(Attitude(angle: broken, axis: Vector3<Device>(x: 1, y: 0, z: 0)) == nil)
      #expect(Attitude(angle: 1, axis: Vector3<Device>(x: broken, y: 0, z: 0)) == nil)
      #expect(Attitude(rotationVector: Vector3<Device>(x: broken, y: 0, z: 0)) == .identity)
      #expect(Attitude(aboutZ: broken) == .identity)
    }
    #expect(Attitude(angle: 1, axis: Vector3<Device>.zero) == nil)
  }

  @Test func noDoorDecodesNumbersUnchecked() {
    #expect(!(Attitude.identity is any Decodable))
    #expect(!(Vector3<Device>.zero is any Decodable))
  }

  @Test func relabellingKeepsTheNumbers() {
    let rotation = Awkward.rotations[40]
    let other = rotation.relabeled(from: Chip.self, to: NorthWestUp.self)
    #expect(other.w == rotation.w && other.x == rotation.x && other.y == rotation.y && other.z == rotation.z)
  }
}

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
}

/// The door for quaternions that are near unit length already: what comes out has length one, whatever goes in.
@Suite struct NearUnitTests {
  @Test(arguments: [0.2, 0.999_999, 1, 1.000_001, 9])
  func theResultIsTheNearestRotation(length: Double) throws {
    let (w, x, y, z) = (0.5 * length, -0.5 * length, 0.1 * length, (1 - 0.51).squareRoot() * length)
    let near = Rotation<Device, EastNorthUp>(nearUnitW: w, x: x, y: y, z: z)
    let exact = try #require(Rotation<Device, EastNorthUp>(w: w, x: x, y: y, z: z))
    #expect(near.angle(to: exact) < 1e-15)
    #expect(abs(near.w * near.w + near.x * near.x + near.y * near.y + near.z * near.z - 1) < 1e-15)
  }

  @Test(arguments: [0, 1e-9, 1e9, .nan, .infinity] as [Double])
  func whatIsNoRotationGivesTheIdentity(number: Double) {
    #expect(Rotation<Device, EastNorthUp>(nearUnitW: number, x: 0, y: number, z: 0) == .identity)
  }
}
