// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Conformance

/// A check, samples for which it holds, and a change of them that it has to notice.
struct Trial: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var samples = rightSamples
  let check: @Sendable ([MotionSample]) throws -> [Finding]
  let change: @Sendable (inout MotionSample) -> Void
}

@Suite struct AttitudeCheckTests {
  static let trials: [Trial] = [
    Trial(testDescription: "S5: 1 % too long", check: AttitudeChecks.gravityIsUnit) { $0.gravity = 1.01 * $0.gravity },
    Trial(testDescription: "S6: degrees", check: AttitudeChecks.rateIsTurn) { $0.rate = 57.3 * $0.rate },
    Trial(testDescription: "S6: left-handed", check: AttitudeChecks.rateIsTurn) { $0.rate = -1 * $0.rate },
    Trial(testDescription: "S6: axes", check: AttitudeChecks.rateIsTurn) { swap(&$0.rate.x, &$0.rate.z) },
    Trial(testDescription: "S11: q*", check: AttitudeChecks.quaternionTurnsGravityDown) {
      $0.quaternion = $0.quaternion.inverse
    },
    Trial(testDescription: "S12: R(q)", check: AttitudeChecks.matrixIsTransposed) { $0.matrix = $0.quaternion.matrix },
    Trial(testDescription: "S13: roll and pitch", check: AttitudeChecks.anglesFollowQuaternion) {
      swap(&$0.roll, &$0.pitch)
    },
    Trial(testDescription: "S13: yaw", check: AttitudeChecks.anglesFollowQuaternion) { $0.yaw = -$0.yaw },
    Trial(testDescription: "S14: sign", check: AttitudeChecks.gravityIsThirdColumn) { $0.gravity = -1 * $0.gravity },
    Trial(testDescription: "S14: row", check: AttitudeChecks.gravityIsThirdColumn) { $0.matrix = $0.quaternion.matrix },
    Trial(testDescription: "S15: 0…2π", check: AttitudeChecks.anglesAreInRange) { $0.yaw += 4 },
    Trial(testDescription: "S16: 10⁻⁴ off", check: AttitudeChecks.matrixHasSinglePrecision) { $0.matrix[4] += 1e-4 },
    Trial(testDescription: "S17: too long", check: AttitudeChecks.quaternionIsUnit) { $0.quaternion.w *= 1.1 },
    Trial(testDescription: "S17: scalar first", check: AttitudeChecks.quaternionIsUnit) {
      swap(&$0.quaternion.w, &$0.quaternion.x)
    },
    Trial(testDescription: "N3: pitch", check: AttitudeChecks.gravityFollowsAngles) { $0.pitch = -$0.pitch },
    Trial(testDescription: "N5: R(q)", check: AttitudeChecks.matrixIsNotTheOrdinaryOne) {
      $0.matrix = $0.quaternion.matrix
    },
    Trial(testDescription: "S10: milliseconds", check: AttitudeChecks.timesIncrease) {
      $0.time = ($0.time * 1000).rounded() / 1000
    },
    Trial(testDescription: "S10: backwards", check: AttitudeChecks.timesIncrease) { $0.time = -$0.time },
    Trial(testDescription: "S19: not a number", check: AttitudeChecks.everythingIsFinite) { $0.roll = .nan },
    Trial(testDescription: "S19: yaw", check: AttitudeChecks.anglesRebuildTheAttitude) { $0.yaw += 0.1 },
    Trial(testDescription: "S20: 30°", check: FrameChecks.yawBeginsNearZero) { $0.yaw += 0.5 },
    Trial(testDescription: "S21: jumps", check: FrameChecks.yawDoesNotJump) {
      if $0.time > 13 { $0.quaternion = Quaternion(x: 0, y: 0, z: 0.5, w: 0.866) * $0.quaternion }
    },
    Trial(testDescription: "S22: east", samples: lyingSamples, check: FrameChecks.fieldPointsNorth) {
      $0.field = Vector(x: -$0.field.y, y: $0.field.x, z: $0.field.z)
    },
    Trial(testDescription: "S23: of the right edge", samples: lyingSamples, check: FrameChecks.topEdgeOfLyingDevice) {
      $0.heading += 90
    },
    Trial(testDescription: "D1: of the back", samples: lyingSamples, check: FrameChecks.headingFollowsD1) {
      $0.heading = 360 - $0.heading
    },
    Trial(testDescription: "D1: always of the top edge", samples: standingSamples, check: FrameChecks.headingFollowsD1)
    {
      $0.heading = headingOfD1($0.quaternion, gravity: Vector(x: 0, y: 0, z: -1))
    },
    Trial(testDescription: "S28: ±180", samples: lyingSamples, check: FrameChecks.headingIsInRange) {
      $0.heading += 360
    },
    Trial(
      testDescription: "S28: 0 without a north", samples: rightSamples.changed { $0.heading = -1 },
      check: FrameChecks.noHeading
    ) { $0.heading = 0 },
    Trial(
      testDescription: "S9: a field without calibration",
      samples: rightSamples.changed { ($0.field, $0.fieldAccuracy) = (Vector(x: 0, y: 0, z: 0), -1) },
      check: SignalChecks.frameWithoutMagnetometerHasNoField
    ) { $0.field.x = 20 },
    Trial(testDescription: "G23: tesla", check: SignalChecks.fieldIsAmbient) { $0.field = 1e-6 * $0.field },
  ]

  @Test(arguments: trials) func noticesWrongNumbers(_ trial: Trial) throws {
    #expect(try trial.check(trial.samples).agree)
    let findings = try trial.check(trial.samples.changed(trial.change))
    let isNoticed = findings.contains { !$0.agrees }
    #expect(isNoticed, "\(findings)")
  }

  @Test func theMathematicsIsThatOfPublishedNumbers() {
    // N1, from a published log of an iPhone; and N4, the product with N2.
    let n1 = Quaternion(x: 0.643136825892184, y: 0.0896853875298527, z: 1.87207461455842e-6, w: 0.760481133521038)
    let n2 = Quaternion(x: 0.489685441888274, y: -0.0252236688410958, z: -0.00296431314866429, w: 0.871529200532281)
    #expect(abs(n1.roll - 0.716386186535759) < 1e-12)
    #expect(abs(n1.pitch - 1.36154727015122) < 1e-12)
    #expect(abs(n1.yaw + 0.588765280576791) < 1e-12)
    #expect(abs(n1.transposedMatrix[1] - 0.115362800657749) < 1e-6)
    let product = n2.inverse * n1
    let n4 = Quaternion(x: 0.187850175433832, y: 0.0992529340422235, z: -0.0578839631481953, w: 0.975454055034755)
    #expect(product.difference(to: n4) < 1e-12)
    #expect(headingOfD1(Quaternion(x: 0, y: 0, z: 0, w: 1), gravity: Vector(x: 0, y: 0, z: -1)) == 270)
  }
}
