// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

extension OrientationFilter.State {
  /// Device → world at the latest gyroscope sample; nil before the first usable specific force.
  public internal(set) var attitude: Rotation<Device, EastNorthUp>? {
    get { pose.isKnown ? pose.quaternion.rotation() : nil }
    set {
      pose.isKnown = newValue != nil
      pose.quaternion = newValue.map { Quaternion($0) } ?? Quaternion(w: 1, x: 0, y: 0, z: 0)
      axes = pose.quaternion.axes
    }
  }

  /// What the gyroscope reads at rest, rad/s.
  public internal(set) var gyroscopeBias: MotionMath.Vector3<Device> {
    get { MotionMath.Vector3(x: Double(bias.x), y: Double(bias.y), z: Double(bias.z)) }
    set { bias = Vector3(x: Real(newValue.x), y: Real(newValue.y), z: Real(newValue.z)) }
  }

  /// Scale errors (diagonal) and misalignment (beside it): true rate = (1 + matrix) · reading − bias.
  public internal(set) var gyroscopeMatrix: MotionMath.Matrix3 {
    get {
      MotionMath.Matrix3(
        Double(matrix.m11), Double(matrix.m12), Double(matrix.m13),
        Double(matrix.m21), Double(matrix.m22), Double(matrix.m23),
        Double(matrix.m31), Double(matrix.m32), Double(matrix.m33))
    }
    set {
      matrix = Matrix3(
        Real(newValue.m11), Real(newValue.m12), Real(newValue.m13),
        Real(newValue.m21), Real(newValue.m22), Real(newValue.m23),
        Real(newValue.m31), Real(newValue.m32), Real(newValue.m33))
    }
  }

  /// How much later than the gyroscope's the magnetometer's readings are, s.
  public internal(set) var magnetometerDelay: Double {
    get { Double(delay) }
    set { delay = Real(newValue) }
  }
}
