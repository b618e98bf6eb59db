// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The axes that a vector is measured in. A type without values: it exists for the compiler only.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public protocol VectorFrame: Sendable {}

/// The axes of the device in its usual upright pose: +x to the right, +y to the top edge, +z out of the screen. For
/// headphones: +x to the right ear, +y to the nose, +z up.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public enum DeviceFrame: VectorFrame {}

/// The axes of the world that an attitude refers to: +z up; where +x points is said by the ``AttitudeReference`` that
/// the stream was started with.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public enum ReferenceFrame: VectorFrame {}

/// Three numbers along the axes of a frame.
///
/// The frame is part of the type, so a vector in device axes cannot be added to one in the reference frame: that does
/// not compile. An ``Attitude`` turns one into the other.
///
/// ```swift
/// let force: Vector<DeviceFrame> = motion.userAcceleration
/// let upward = motion.attitude.inReferenceFrame(force).z   // g, whichever way the device is held
/// ```
///
/// The unit is that of the property which the vector comes from. `==` compares exactly.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public struct Vector<Frame: VectorFrame>: Hashable, Sendable {
  /// Along the frame's x axis.
  public var x: Double
  /// Along the frame's y axis.
  public var y: Double
  /// Along the frame's z axis.
  public var z: Double

  /// A vector from its components. Default 0 each.
  public init(x: Double = 0, y: Double = 0, z: Double = 0) { (self.x, self.y, self.z) = (x, y, z) }

  /// (0, 0, 0).
  public static var zero: Self { Self() }

  /// The length, 0 or more, in the unit of the components.
  public var length: Double { dot(self).squareRoot() }

  /// The scalar product: |a| · |b| · cos of the angle between them.
  public func dot(_ other: Self) -> Double { x * other.x + y * other.y + z * other.z }

  /// The vector product, right-handed: x × y = z.
  public func cross(_ other: Self) -> Self {
    Self(x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  /// The sum by component.
  public static func + (a: Self, b: Self) -> Self { Self(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }
  /// The difference by component.
  public static func - (a: Self, b: Self) -> Self { Self(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z) }
  /// The opposite direction.
  public static prefix func - (a: Self) -> Self { Self(x: -a.x, y: -a.y, z: -a.z) }
  /// `factor` times as long.
  public static func * (factor: Double, a: Self) -> Self { Self(x: factor * a.x, y: factor * a.y, z: factor * a.z) }
}
