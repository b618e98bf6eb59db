// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A quaternion, scalar last. As an attitude it has length one and turns device vectors into the reference frame.
///
/// `init()` is (0, 0, 0, 0), which is no rotation at all: the zero value of a C struct, as on Apple's systems.
public struct CMQuaternion: Sendable, BitwiseCopyable {
  /// The first component of the vector part.
  public var x: Double
  /// The second component of the vector part.
  public var y: Double
  /// The third component of the vector part.
  public var z: Double
  /// The scalar part, cos(angle / 2).
  public var w: Double

  /// (0, 0, 0, 0).
  public init() { (x, y, z, w) = (0, 0, 0, 0) }
  /// The components as they are given: nothing is normalised.
  public init(x: Double, y: Double, z: Double, w: Double) { (self.x, self.y, self.z, self.w) = (x, y, z, w) }
}
