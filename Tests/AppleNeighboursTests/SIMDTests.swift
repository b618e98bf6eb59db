// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Testing
import simd

@Suite struct SIMDTests {
  @Test func `A quarter turn about z takes x to y`() {
    let turn = simd_quatd(angle: .pi / 2, axis: [0, 0, 1])
    #expect(simd_distance(turn.act([1, 0, 0]), [0, 1, 0]) < 1e-15)
    #expect(abs(turn.angle - .pi / 2) < 1e-15)
    #expect(simd_distance(turn.axis, [0, 0, 1]) < 1e-15)
  }

  @Test(arguments: [0.1, 1, 2, 3, 3.14159] as [Double])
  func `A rotation survives its matrix`(angle: Double) {
    for axis in [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, -2, 3]] as [simd_double3] {
      let turn = simd_quatd(angle: angle, axis: simd_normalize(axis))
      let back = simd_quatd(simd_double3x3(turn))
      #expect(abs(abs(simd_dot(turn, back)) - 1) < 1e-12)
      let fourth = simd_quatd(simd_double4x4(turn))
      #expect(abs(abs(simd_dot(turn, fourth)) - 1) < 1e-12)
    }
  }

  @Test func `The product turns by the right factor first`() {
    let a = simd_quatd(angle: 0.4, axis: [1, 0, 0])
    let b = simd_quatd(angle: 1.3, axis: [0, 1, 0])
    let x: simd_double3 = [0.2, -0.5, 3]
    #expect(simd_distance((a * b).act(x), a.act(b.act(x))) < 1e-14)
    #expect(simd_distance((a * a.inverse).act(x), x) < 1e-14)
    #expect(simd_distance(simd_double3x3(a) * (simd_double3x3(b) * x), (a * b).act(x)) < 1e-14)
  }

  @Test func `Half of the way between two rotations is half of the angle`() {
    let end = simd_quatf(angle: 1, axis: [0, 1, 0])
    let half = simd_slerp(simd_quatf(ix: 0, iy: 0, iz: 0, r: 1), end, 0.5)
    #expect(abs(half.angle - 0.5) < 1e-6)
  }

  @Test func `The shortest rotation takes one direction to the other, also to the opposite one`() {
    let from: simd_double3 = [1, 0, 0]
    for to in [[0, 1, 0], [-1, 0, 0], [1, 0, 0]] as [simd_double3] {
      #expect(simd_distance(simd_quatd(from: from, to: to).act(from), to) < 1e-12)
    }
  }

  @Test func `A matrix times its inverse is the unit matrix`() {
    let matrix = simd_double3x3([2, 0, 1], [0, 3, -1], [1, 1, 4])
    let product = matrix * matrix.inverse
    for column in 0..<3 {
      #expect(simd_distance(product[column], simd_double3x3(1)[column]) < 1e-14)
    }
    #expect(matrix.transpose[0, 2] == matrix[2, 0])
  }

  @Test func `The vector product is right-handed`() {
    #expect(cross(simd_float3(1, 0, 0), simd_float3(0, 1, 0)) == simd_float3(0, 0, 1))
    #expect(dot(simd_float3(1, 2, 3), simd_float3(4, 5, 6)) == 32)
    #expect(length(simd_float2(3, 4)) == 5)
  }

  @Test func `A 4×4 matrix times its inverse is the unit matrix, also where the first pivot is 0`() {
    let matrix = simd_double4x4([0, 2, 0, 1], [1, 0, 3, 0], [0, 1, 1, 0], [2, 0, 0, 5])
    for product in [matrix * matrix.inverse, matrix.inverse * matrix] {
      for column in 0..<4 {
        #expect(simd_distance(product[column], simd_double4x4(1)[column]) < 1e-14)
      }
    }
    #expect(abs(matrix.determinant * matrix.inverse.determinant - 1) < 1e-14)
    #expect(simd_double4x4(diagonal: [1, 2, 3, 4]).determinant == 24)
  }

  @Test func `A matrix that loses a direction has determinant 0 and no inverse`() {
    let flat = simd_double4x4(diagonal: [1, 1, 0, 1])
    #expect(flat.determinant == 0)
    #expect(flat.inverse[0].x.isNaN)
  }

  @Test func `Elements are compared place by place`() {
    let (x, y) = (simd_float3(1, -5, 3), simd_float3(2, -6, 3))
    #expect(simd_max(x, y) == simd_float3(2, -5, 3))
    #expect(simd_min(x, y) == simd_float3(1, -6, 3))
    #expect(abs(x) == simd_float3(1, 5, 3))
    #expect(reduce_add(x) == -1)
    #expect(simd_distance_squared(x, y) == 2)
  }
}
