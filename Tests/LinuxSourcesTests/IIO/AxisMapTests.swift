// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import LinuxSources

/// Mount matrices and rates: what a driver prints, and what is made of it.
@Suite struct AxisMapTests {
  /// v' = M · v, row by row (AX-1).
  @Test func aMountMatrixIsReadRowByRow() throws {
    let map = try #require(AxisMap(mountMatrix: "0, -1, 0; 1, 0, 0; 0, 0, 1", origin: "mount_matrix"))
    #expect(map(x: 1, y: 2, z: 3) == Vector3(x: -2, y: 1, z: 3))
  }

  /// A mirror image, a flattened or a scaled frame is no mounting (AX-3).
  @Test(arguments: [
    "1, 0, 0; 0, 1, 0; 0, 0, -1", "1,0,0;0,1,0;0,0,0", "2,0,0;0,2,0;0,0,2", "1,0,0;0,1,0", "", "a,b,c;d,e,f;g,h,i",
  ])
  func whatIsNoRotationIsLeftOut(_ text: String) { #expect(AxisMap(mountMatrix: text, origin: "") == nil) }

  /// AX-4: face up, Windows firmware reads −1 g.
  @Test func aHubsAccelerometerIsNegated() {
    #expect(AxisMap.hubAccelerometer(x: 0, y: 0, z: -9.8) == Vector3(x: 0, y: 0, z: 9.8))
  }

  @Test func theNextHigherRateIsChosen() {
    var rates = SamplingRates(path: "p", listed: [1, 10, 25, 50, 100, 200, 400, 1600])
    #expect(rates.choice(for: 60) == 100 && rates.choice(for: 100) == 100 && rates.choice(for: 9999) == 1600)
    #expect(rates.choice(for: nil) == 400)
    rates = SamplingRates(path: "p", listed: [], span: 12.5...800)
    #expect(rates.choice(for: 5) == 12.5 && rates.choice(for: 333) == 333 && rates.choice(for: nil) == 800)
    // A hub lists nothing, and overflows beyond 2147 Hz (IIO-24).
    rates = SamplingRates(path: "p")
    #expect(rates.choice(for: nil) == 100 && rates.choice(for: 5000) == 1000)
  }

  @Test(arguments: [
    (100.0, "100"), (0.78125, "0.78125"), (0, "0"), (33.3, "33.3"), (1e-5, "0.00001"), (1600.25, "1600.25"),
  ])
  func numbersAreWrittenWithoutExponents(_ number: Double, _ text: String) {
    #expect(SamplingRates.text(number) == text)
  }
}
