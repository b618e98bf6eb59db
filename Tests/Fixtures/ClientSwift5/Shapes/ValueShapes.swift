// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

// What clients add to the structs, which are neither Equatable nor Codable on Apple's systems (G15).

extension CMAcceleration: @retroactive Equatable {
  public static func == (lhs: CMAcceleration, rhs: CMAcceleration) -> Bool {
    return lhs.x == rhs.x && lhs.y == rhs.y && lhs.z == rhs.z
  }
}

extension CMAcceleration {
  static let zero = CMAcceleration(x: 0, y: 0, z: 0)
  var magnitude: Double { sqrt(x * x + y * y + z * z) }
  static func + (lhs: CMAcceleration, rhs: CMAcceleration) -> CMAcceleration {
    CMAcceleration(x: lhs.x + rhs.x, y: lhs.y + rhs.y, z: lhs.z + rhs.z)
  }
}

extension CMRotationRate: @retroactive Codable {
  enum CodingKeys: String, CodingKey { case x, y, z }
  public init(from decoder: Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      x: try container.decode(Double.self, forKey: .x), y: try container.decode(Double.self, forKey: .y),
      z: try container.decode(Double.self, forKey: .z))
  }
  public func encode(to encoder: Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(x, forKey: .x)
    try container.encode(y, forKey: .y)
    try container.encode(z, forKey: .z)
  }
}

extension CMQuaternion: @retroactive Hashable {
  public static func == (lhs: CMQuaternion, rhs: CMQuaternion) -> Bool {
    (lhs.x, lhs.y, lhs.z, lhs.w) == (rhs.x, rhs.y, rhs.z, rhs.w)
  }
  public func hash(into hasher: inout Hasher) {
    hasher.combine(x)
    hasher.combine(y)
    hasher.combine(z)
    hasher.combine(w)
  }
}

extension CMDeviceMotion {
  /// The acceleration in the reference frame: the inverse of the matrix, which is its transpose.
  var accelerationInReferenceFrame: CMAcceleration {
    let (m, a) = (attitude.rotationMatrix, userAcceleration)
    return CMAcceleration(
      x: m.m11 * a.x + m.m21 * a.y + m.m31 * a.z, y: m.m12 * a.x + m.m22 * a.y + m.m32 * a.z,
      z: m.m13 * a.x + m.m23 * a.y + m.m33 * a.z)
  }
}

extension CMAttitude {
  var degrees: (roll: Double, pitch: Double, yaw: Double) {
    (roll * 180 / .pi, pitch * 180 / .pi, yaw * 180 / Double.pi)
  }
}

@MainActor
func valueShapes(_ runner: Runner) {
  runner.check("retroactive conformances") {
    let rate = CMRotationRate(x: 1, y: 2, z: 3)
    guard let data = try? JSONEncoder().encode(rate),
      let copy = try? JSONDecoder().decode(CMRotationRate.self, from: data)
    else { return false }
    return copy.z == 3 && CMAcceleration.zero == CMAcceleration() && Set([CMQuaternion(), CMQuaternion()]).count == 1
  }
  runner.check("arithmetic on structs") {
    var acceleration = CMAcceleration(x: 3, y: 0, z: 0) + CMAcceleration(x: 0, y: 4, z: 0)
    let before = acceleration.magnitude
    acceleration.x = 0
    return before == 5 && acceleration.magnitude == 4
  }
  runner.check("key paths") {
    let roll = \CMDeviceMotion.attitude.roll
    let x: KeyPath<CMAccelerometerData, Double> = \.acceleration.x
    let interval: ReferenceWritableKeyPath<CMMotionManager, TimeInterval> = \.deviceMotionUpdateInterval
    let manager = CMMotionManager()
    manager[keyPath: interval] = 0.25
    return CMDeviceMotion()[keyPath: roll] == 0 && CMAccelerometerData()[keyPath: x] == 0
      && [CMDeviceMotion()].map(\.gravity.z) == [0] && manager.deviceMotionUpdateInterval == 0.25
  }
  runner.check("an option set of frames") {
    let available = CMMotionManager.availableAttitudeReferenceFrames()
    let wanted: CMAttitudeReferenceFrame =
      available.contains(.xMagneticNorthZVertical) ? .xMagneticNorthZVertical : .xArbitraryZVertical
    let all: CMAttitudeReferenceFrame = [.xArbitraryZVertical, .xArbitraryCorrectedZVertical]
    return !available.isEmpty && available.isSuperset(of: all) && wanted.rawValue == 4
      && available.intersection(.xTrueNorthZVertical).isEmpty
  }
  runner.check("extensions of classes") {
    CMDeviceMotion().accelerationInReferenceFrame == .zero && CMAttitude().degrees.yaw == 0
      && CMDeviceMotion().heading < 0
  }
}
