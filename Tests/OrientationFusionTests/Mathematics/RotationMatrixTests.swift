// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import Testing

@Suite struct RotationMatrixTests {
  typealias Attitude = Rotation<Device, EastNorthUp>

  private func isClose(_ a: Matrix3, _ b: Matrix3, within tolerance: Double) -> Bool {
    let d = a - b
    return [d.m11, d.m12, d.m13, d.m21, d.m22, d.m23, d.m31, d.m32, d.m33].allSatisfy { $0.magnitude <= tolerance }
  }

  @Test func theMatrixRotatesAsTheQuaternionDoes() {
    for rotation in Awkward.rotations {
      for vector in Awkward.vectors {
        let byMatrix = (rotation.matrix * vector).relabeled(to: EastNorthUp.self)
        #expect((byMatrix - rotation * vector).length <= 4e-15 * vector.length)
      }
    }
  }

  @Test func theColumnsAreTheAxesOfFromSeenInTo() {
    let rotation = Attitude(aboutZ: .pi / 2)
    #expect(isClose(rotation.matrix, Matrix3(0, -1, 0, 1, 0, 0, 0, 0, 1), within: 1e-15))
  }

  @Test func theMatrixIsOrthogonalWithDeterminantOne() {
    for rotation in Awkward.rotations {
      #expect(isClose(rotation.matrix.transpose * rotation.matrix, .identity, within: 4e-15))
      #expect((rotation.matrix.determinant - 1).magnitude < 1e-14)
      #expect(isClose(rotation.inverse.matrix, rotation.matrix.transpose, within: 0))
    }
  }

  @Test func theWayThroughTheMatrixIsExactAtEveryAngle() throws {
    for rotation in Awkward.rotations {
      let back = try #require(Attitude(matrix: rotation.matrix))
      #expect(back.angle(to: rotation) < 2e-15)
      #expect(back.lengthError.magnitude < 4e-16)
    }
    for rotation in Awkward.randomRotations(500) {
      let back = try #require(Rotation<Device, Device>(matrix: rotation.matrix))
      #expect(back.angle(to: rotation) < 2e-15)
    }
  }

  @Test func theMatrixOfAProductIsTheProductOfTheMatrices() {
    let rotations = Awkward.randomRotations(50)
    for (a, b) in zip(rotations, rotations.dropFirst()) {
      #expect(isClose((a * b).matrix, a.matrix * b.matrix, within: 2e-15))
    }
  }

  @Test func whatIsNoRotationIsRefused() {
    #expect(Attitude(matrix: .zero) == nil)
    #expect(Attitude(matrix: Matrix3(diagonal: -1, 1, 1)) == nil)
    #expect(Attitude(matrix: Matrix3(diagonal: -1, -1, -1)) == nil)
    #expect(Attitude(matrix: Matrix3(diagonal: 1.01, 1, 1)) == nil)
    #expect(Attitude(matrix: Matrix3(1, 0.01, 0, 0, 1, 0, 0, 0, 1)) == nil)
    #expect(Attitude(matrix: Matrix3(diagonal: .nan, 1, 1)) == nil)
    #expect(Attitude(matrix: Matrix3(diagonal: .infinity, 1, 1)) == nil)
    #expect(Attitude(matrix: Matrix3(diagonal: 1.001, 1, 1), tolerance: 0.01) != nil)
  }

  // MARK: Levelling

  @Test func levellingTakesTheDirectionUpByTheShortestWay() throws {
    let up = Vector3<EastNorthUp>(x: 0, y: 0, z: 1)
    for direction in Awkward.axes + Awkward.randomRotations(200).map({ $0 * Vector3(x: 0, y: 0, z: 1) }) {
      let level = try #require(Attitude(levelling: direction * 9.81))
      #expect((level * direction - up).length < 4e-15)
      // The shortest: as much as the direction is tilted, and no turn about the vertical beside it.
      #expect((level.angle - direction.angle(to: Vector3(x: 0, y: 0, z: 1))).magnitude < 1e-7)
      #expect(level.z == 0)
    }
  }

  @Test(arguments: [1e-3, 1e-5, 1e-6, 1e-7, 1e-8, 1e-12, 0])
  func levellingADeviceThatIsNearlyFaceDownHoldsToo(tilt: Double) throws {
    for azimuth in [0.0, 1, 2, 4] {
      let direction = Vector3<Device>(
        x: Scalar.sin(tilt) * Scalar.cos(azimuth), y: Scalar.sin(tilt) * Scalar.sin(azimuth), z: -Scalar.cos(tilt))
      let level = try #require(Attitude(levelling: direction))
      #expect((level * direction - Vector3(x: 0, y: 0, z: 1)).length < 2e-6)
      #expect(level.lengthError.magnitude < 4e-16)
    }
  }

  @Test func noDirectionNoLevel() {
    #expect(Attitude(levelling: .zero) == nil)
    #expect(Attitude(levelling: Vector3(x: .nan, y: 0, z: 1)) == nil)
  }
}

@Suite struct Matrix3Tests {
  private let matrices = [
    Matrix3.identity, Matrix3(diagonal: 2, -3, 0.5), Matrix3(1, 2, 3, 0, 1, 4, 5, 6, 0),
    Matrix3(1e-5, 2e-5, 0, 0, 3e-5, 0, 1e-5, 0, 1e-5),
  ]

  @Test func theInverseUndoes() throws {
    for matrix in matrices {
      let product = matrix * (try #require(matrix.inverse))
      let error = product - .identity
      #expect([error.m11, error.m12, error.m13, error.m22, error.m31, error.m33].allSatisfy { $0.magnitude < 1e-13 })
    }
    #expect(Matrix3(1, 2, 3, 0, 1, 4, 5, 6, 0).inverse == Matrix3(-24, 18, 5, 20, -15, -4, -5, 4, 1))
  }

  @Test func aSingularMatrixHasNoInverse() {
    #expect(Matrix3.zero.inverse == nil)
    #expect(Matrix3(1, 2, 3, 2, 4, 6, 0, 1, 1).inverse == nil)
    #expect(Matrix3(diagonal: .nan, 1, 1).inverse == nil)
    #expect(Matrix3(diagonal: .infinity, 1, 1).inverse == nil)
  }

  @Test func theDeterminantOfAProductIsTheProductOfTheDeterminants() {
    for a in matrices {
      for b in matrices {
        let expected = a.determinant * b.determinant
        #expect(((a * b).determinant - expected).magnitude <= 1e-12 * max(1, expected.magnitude))
        #expect((a * b).transpose == b.transpose * a.transpose)
      }
      #expect(a - a == .zero && a + .zero == a && a * .identity == a && .identity * a == a)
    }
  }

  @Test func theSkewMatrixIsTheCrossProduct() {
    for a in Awkward.vectors {
      for b in Awkward.vectors { #expect(Matrix3(skew: a) * b == a.cross(b)) }
    }
  }

  @Test func theOuterProductProjects() {
    let (a, b) = (Vector3<Device>(x: 1, y: 2, z: 3), Vector3<Device>(x: -4, y: 5, z: 6))
    #expect(Matrix3(outer: a, b) * Vector3<Device>(x: 1, y: 1, z: 1) == a * 7)
    #expect(Matrix3(outer: a, b).trace == a.dot(b))
    #expect(Matrix3(outer: a, b).m13 == 6 && Matrix3(outer: a, b).m31 == -12)
  }
}
