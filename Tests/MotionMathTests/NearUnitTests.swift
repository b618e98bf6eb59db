// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import Testing

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
