// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import Testing

@Suite struct Vector3Tests {
  private let a = Vector3<Device>(x: 1, y: -2, z: 3)
  private let b = Vector3<Device>(x: 0.5, y: 4, z: -1)

  @Test func theBasisIsRightHanded() {
    let (x, y, z) = (
      Vector3<Device>(x: 1, y: 0, z: 0), Vector3<Device>(x: 0, y: 1, z: 0), Vector3<Device>(x: 0, y: 0, z: 1)
    )
    #expect(x.cross(y) == z && y.cross(z) == x && z.cross(x) == y)
    #expect(x.dot(y) == 0 && x.dot(x) == 1)
  }

  @Test func sumsAndMultiplesFollowTheLawsOfAVectorSpace() {
    #expect(a + b == b + a && a - a == .zero && a + .zero == a)
    #expect(a * 2 == a + a && 2 * a == a * 2 && a / 2 == a * 0.5 && -a == a * -1)
    #expect((a + b) * 4 == a * 4 + b * 4)
    var c = a
    c += b
    c -= a
    #expect(c == b)
    c *= 8
    c /= 8
    #expect(c == b)
  }

  @Test func theCrossProductIsOrthogonalAndTurnsItsSign() {
    let product = a.cross(b)
    #expect(product.dot(a) == 0 && product.dot(b) == 0)
    #expect(b.cross(a) == -product && a.cross(a) == .zero)
    #expect((product.dot(product) + a.dot(b) * a.dot(b) - a.dot(a) * b.dot(b)).magnitude < 1e-12)
  }

  @Test(arguments: [1e-307, 1e-300, 1e-170, 1e-160, 1e-150, 1e-8, 1, 1e8, 1e150, 1e300])
  func aNormalisedVectorHasLengthOneAndTheSameDirection(scale: Double) throws {
    let vector = Vector3<Device>(x: 2 * scale, y: -scale, z: 2 * scale)
    let unit = try #require(vector.normalized)
    #expect((unit.length - 1).magnitude < 4e-16)
    #expect((unit.x + 2 * unit.y).magnitude < 1e-15)
  }

  @Test func whatHasNoDirectionIsNotNormalised() {
    #expect(Vector3<Device>.zero.normalized == nil)
    #expect(Vector3<Device>(x: .nan, y: 1, z: 0).normalized == nil)
    #expect(Vector3<Device>(x: .infinity, y: 1, z: 0).normalized == nil)
  }

  @Test func theAngleIsExactAlsoWhereTheCosineIsBlind() {
    let x = Vector3<Device>(x: 1, y: 0, z: 0)
    for angle in [0, 1e-12, 1e-8, 1e-3, 1, .pi / 2, 3, .pi - 1e-8, .pi] {
      let turned = Vector3<Device>(x: Scalar.cos(angle), y: 0, z: Scalar.sin(angle)) * 5
      #expect((x.angle(to: turned) - angle).magnitude < 1e-15)
    }
    #expect(x.angle(to: .zero) == 0)
  }

  @Test func nearlyEqualIsByComponentAndNeverTrueForNaN() {
    #expect(a.isApproximatelyEqual(to: a + Vector3(x: 0, y: 0.1, z: 0), tolerance: 0.11))
    #expect(!a.isApproximatelyEqual(to: a + Vector3(x: 0, y: 0.1, z: 0), tolerance: 0.09))
    let broken = Vector3<Device>(x: .nan, y: 0, z: 0)
    #expect(!broken.isApproximatelyEqual(to: broken, tolerance: 1))
    #expect(!broken.isFinite && a.isFinite && !Vector3<Device>(x: 0, y: 0, z: .infinity).isFinite)
  }
}

@Suite struct AngleTests {
  @Test func degreesAndRadiansAreOneAngle() {
    #expect(Angle(degrees: 180).radians == .pi)
    #expect(Angle(radians: .pi / 2).degrees == 90)
    for degrees in stride(from: -720.0, through: 720, by: 7.5) {
      #expect((Angle(degrees: degrees).degrees - degrees).magnitude < 1e-12)
    }
    #expect(Angle(degrees: 1) < Angle(degrees: 2))
  }

  @Test func aWrappedAngleIsTheSameDirectionWithinHalfATurn() {
    for degrees in stride(from: -1000.0, through: 1000, by: 12.5) {
      let angle = Angle(degrees: degrees)
      let wrapped = angle.wrapped
      #expect(wrapped.radians.magnitude <= .pi + 1e-12)
      #expect((Scalar.sin(wrapped.radians) - Scalar.sin(angle.radians)).magnitude < 1e-13)
      #expect((Scalar.cos(wrapped.radians) - Scalar.cos(angle.radians)).magnitude < 1e-13)
    }
    #expect(Angle(radians: 3).wrapped.radians == 3)
  }

  @Test func inverseFunctionsTakeRoundingAtThePole() {
    #expect(Scalar.asin(1.000_000_1) == .pi / 2)
    #expect(Scalar.asin(-1.000_000_1) == -.pi / 2)
    #expect(Scalar.acos(1.000_000_1) == 0)
    #expect(Scalar.acos(-1.000_000_1) == .pi)
    #expect(Scalar.atan2(0, 0) == 0)
  }
}
