// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

enum AttitudeStatements {
  #if os(macOS)
  static let all: [Statement] = []
  #else
  static let all: [Statement] = [
    .samples("S5", "Gravity has length 1.", AttitudeChecks.gravityIsUnit),
    .samples("S6", "Rates are radians per second, right-handed about each axis.", AttitudeChecks.rateIsTurn),
    .samples("S11", "The quaternion turns device vectors into the frame.", AttitudeChecks.quaternionTurnsGravityDown),
    .samples("S12", "The rotation matrix is the transpose of R(q).", AttitudeChecks.matrixIsTransposed),
    .samples("S13", "R(q) is Rz(yaw) Rx(pitch) Ry(roll).", AttitudeChecks.anglesFollowQuaternion),
    .samples("S14", "Gravity is minus the third column of the matrix.", AttitudeChecks.gravityIsThirdColumn),
    .samples("S15", "Pitch is within ±π/2, roll and yaw within ±π.", AttitudeChecks.anglesAreInRange),
    .samples("S16", "The matrix has single precision.", AttitudeChecks.matrixHasSinglePrecision),
    .samples("S17", "The quaternion has unit length, and w is cos(angle / 2).", AttitudeChecks.quaternionIsUnit),
    .samples("N3", "Roll and pitch give gravity.", AttitudeChecks.gravityFollowsAngles),
    .samples("N5", "The matrix is not R(q) itself.", AttitudeChecks.matrixIsNotTheOrdinaryOne),
    product("S18", "multiply(byInverseOf:) changes the receiver only; equal attitudes give the identity.") {
      ProductChecks.changesReceiverOnly($0)
    },
    product("D7", "multiply(byInverseOf:) gives ref⁻¹ ⊗ q, not q ⊗ ref⁻¹.") { try ProductChecks.order($0) },
  ]

  /// Two attitudes of the device as far apart as they came within six seconds, and their product.
  static func product(
    _ code: String, _ sentence: String, _ check: @escaping @Sendable (Product) throws -> [Finding]
  ) -> Statement {
    Statement(code, .attitude, sentence) {
      return try check(await measured())
    }
  }

  private static func measured() async throws -> Product {
    let manager = CMMotionManager()
    try need(manager.isDeviceMotionAvailable, "This device has no device motion.")
    print("\nFor four seconds: turn the device to the left and tilt it.\n")
    manager.startDeviceMotionUpdates(using: .xArbitraryZVertical)
    defer { manager.stopDeviceMotionUpdates() }
    var first: CMAttitude?
    var farthest: CMAttitude?
    for _ in 0..<40 {
      await pause(0.1)
      guard let now = manager.deviceMotion?.attitude.copy() as? CMAttitude else { continue }
      guard let reference = first else { first = now; continue }
      let quaternion = Quaternion(reference.quaternion)
      func distance(_ attitude: CMAttitude) -> Double { quaternion.difference(to: Quaternion(attitude.quaternion)) }
      if farthest.map({ distance($0) < distance(now) }) ?? true { farthest = now }
    }
    guard let first, let farthest, let result = farthest.copy() as? CMAttitude, let same = first.copy() as? CMAttitude
    else { throw Obstacle("There was no attitude.") }
    var product = Product(reference: Quaternion(first.quaternion), attitude: Quaternion(farthest.quaternion))
    result.multiply(byInverseOf: first)
    same.multiply(byInverseOf: first)
    product.result = Quaternion(result.quaternion)
    product.withItself = Quaternion(same.quaternion)
    product.referenceAfterwards = Quaternion(first.quaternion)
    product.angles = [result.roll, result.pitch, result.yaw]
    product.matrix = result.rotationMatrix.rows
    return product
  }
  #endif
}

/// An attitude multiplied by the inverse of a reference.
struct Product: Sendable {
  var reference, attitude: Quaternion
  var referenceAfterwards = Quaternion(x: 0, y: 0, z: 0, w: 0)
  var result = Quaternion(x: 0, y: 0, z: 0, w: 0)
  var withItself = Quaternion(x: 0, y: 0, z: 0, w: 0)
  var angles: [Double] = []
  var matrix: [Double] = []
}

enum ProductChecks {
  static func changesReceiverOnly(_ product: Product) -> [Finding] {
    [
      .near("change of the reference", product.reference.difference(to: product.referenceAfterwards), 0, within: 0),
      .near(
        "an attitude by its own inverse, distance from the identity",
        product.withItself.difference(to: Quaternion(x: 0, y: 0, z: 0, w: 1)), 0, within: 1e-6),
      .near("pitch of the product", product.angles[1], product.result.pitch, within: 1e-6),
      .near("m23 of the product", product.matrix[5], product.result.transposedMatrix[5], within: 1e-6),
    ]
  }

  static func order(_ product: Product) throws -> [Finding] {
    let expected = product.reference.inverse * product.attitude
    let other = product.attitude * product.reference.inverse
    try need(expected.difference(to: other) > 0.01, "The attitudes do not tell the two orders apart.")
    return [
      .near("distance from ref⁻¹ ⊗ q", product.result.difference(to: expected), 0, within: 1e-6),
      .note("distance from q ⊗ ref⁻¹", "\(product.result.difference(to: other))"),
    ]
  }
}
