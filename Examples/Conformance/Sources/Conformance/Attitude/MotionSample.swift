// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// What a `CMDeviceMotion` said, as plain numbers: checks take these, so that a test can make wrong ones.
struct MotionSample: Sendable {
  var time: Double
  var quaternion: Quaternion
  var matrix: [Double]
  var roll, pitch, yaw: Double
  var rate, gravity, userAcceleration: Vector
  var field: Vector
  var fieldAccuracy: Int
  var heading: Double
  var location: Int

  init(_ motion: CMDeviceMotion) {
    time = motion.timestamp
    quaternion = Quaternion(motion.attitude.quaternion)
    matrix = motion.attitude.rotationMatrix.rows
    (roll, pitch, yaw) = (motion.attitude.roll, motion.attitude.pitch, motion.attitude.yaw)
    rate = Vector(motion.rotationRate)
    (gravity, userAcceleration) = (Vector(motion.gravity), Vector(motion.userAcceleration))
    field = Vector(motion.magneticField.field)
    fieldAccuracy = Int(motion.magneticField.accuracy.rawValue)
    heading = motion.heading
    location = motion.sensorLocation.rawValue
  }

  /// A sample as Behaviour.md has it, for tests.
  init(time: Double, attitude: Quaternion, rate: Vector, userAcceleration: Vector = Vector(x: 0, y: 0, z: 0)) {
    self.time = time
    quaternion = attitude
    matrix = attitude.transposedMatrix
    (roll, pitch, yaw) = (attitude.roll, attitude.pitch, attitude.yaw)
    self.rate = rate
    gravity = attitude.inverse.turned(Vector(x: 0, y: 0, z: -1))
    self.userAcceleration = userAcceleration
    field = attitude.inverse.turned(Vector(x: 20, y: 0, z: -40))
    fieldAccuracy = 2
    heading = headingOfD1(attitude, gravity: gravity)
    location = 0
  }
}

/// A reading of a raw sensor.
struct Reading: Sendable {
  var time: Double
  var value: Vector
}

extension Vector {
  init(_ vector: CMAcceleration) { self.init(x: vector.x, y: vector.y, z: vector.z) }
  init(_ vector: CMRotationRate) { self.init(x: vector.x, y: vector.y, z: vector.z) }
  init(_ vector: CMMagneticField) { self.init(x: vector.x, y: vector.y, z: vector.z) }
}

extension Quaternion {
  init(_ quaternion: CMQuaternion) {
    self.init(x: quaternion.x, y: quaternion.y, z: quaternion.z, w: quaternion.w)
  }
}

extension CMRotationMatrix {
  var rows: [Double] { [m11, m12, m13, m21, m22, m23, m31, m32, m33] }
}
