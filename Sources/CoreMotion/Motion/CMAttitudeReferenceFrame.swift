// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The frame that an attitude is measured against. All have +z up; they differ in where +x points. An option set,
/// because `CMMotionManager.availableAttitudeReferenceFrames()` returns several at once.
public struct CMAttitudeReferenceFrame: OptionSet, Sendable {
  /// One bit per frame.
  public let rawValue: UInt
  /// A set of frames from its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// +x horizontal, fixed by the device's pose when the service starts: yaw begins at 0 and drifts slowly.
  public static var xArbitraryZVertical: CMAttitudeReferenceFrame { .init(rawValue: 1 << 0) }
  /// The same, its drift held by the magnetometer.
  public static var xArbitraryCorrectedZVertical: CMAttitudeReferenceFrame { .init(rawValue: 1 << 1) }
  /// +x towards magnetic north, +y west.
  public static var xMagneticNorthZVertical: CMAttitudeReferenceFrame { .init(rawValue: 1 << 2) }
  /// +x towards true north, +y west; needs the device's location.
  public static var xTrueNorthZVertical: CMAttitudeReferenceFrame { .init(rawValue: 1 << 3) }
}
