// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// The motion of a device at one instant, in one reference frame: what the filter has computed, or what a device or a
/// recording had already fused (a head tracker's attitude, a phone's own Core Motion output).
///
/// The one carrier of motion to handlers, files, tables and the viewer. A fused row bypasses our orientation filter and
/// keeps its numbers: quaternion and vectors are stored unchanged, each with the unit that converts it to SI, so
/// recorded Core Motion output reaches the façade bit for bit.
public struct MotionRow: Hashable, Sendable, BitwiseCopyable {
  /// The frame to which the attitude rotates; z is up in all of them.
  public enum Reference: UInt8, Sendable, BitwiseCopyable {
    /// +x arbitrary and horizontal.
    case xArbitrary
    /// The same, with the azimuth corrected by a magnetometer.
    case xArbitraryCorrected
    /// +x magnetic north, +y west.
    case xMagneticNorth
    /// +x true north, +y west.
    case xTrueNorth

    /// The azimuth counts from north, so that headings of several devices can be compared.
    package var pointsNorth: Bool { self == .xMagneticNorth || self == .xTrueNorth }
  }

  /// The sensor of a pair of headphones that measured the sample.
  public enum Location: UInt8, Sendable, BitwiseCopyable { case device, headphoneLeft, headphoneRight }

  /// A magnetic field without the device's own field, with the source's accuracy level.
  public struct CalibratedField: Hashable, Sendable, BitwiseCopyable {
    /// The original numbers, device axes, in units of ``unit``.
    public var reading: Vector3<Device>
    /// The unit of `reading`.
    public var unit: MagneticFieldUnit
    /// −1 uncalibrated, 0 low, 1 medium, 2 high.
    public var accuracy: Int8

    /// A field with its unit and accuracy.
    public init(reading: Vector3<Device>, unit: MagneticFieldUnit, accuracy: Int8) {
      self.reading = reading
      self.unit = unit
      self.accuracy = accuracy
    }
  }

  /// When the motion was measured.
  public var time: SensorInstant
  /// Quaternion w of device → reference, unchanged: near unit length but not exactly.
  public var w: Double
  /// Quaternion x, y, z of device → reference.
  public var vector: Vector3<Device>
  /// The frame to which the attitude rotates.
  public var reference: Reference
  /// rad/s, device axes, bias removed.
  public var angularVelocity: Vector3<Device>
  /// Up at rest in SI (unit × reading): the reaction of gravity, in units of ``accelerationUnit``.
  public var gravity: Vector3<Device>
  /// Specific force less the reaction of gravity, in units of ``accelerationUnit``.
  public var linearAcceleration: Vector3<Device>
  /// m/s² for SI sources, ``AccelerationUnit/reversedGravity`` for Core Motion's g.
  public var accelerationUnit: AccelerationUnit
  /// Nil when the source gives none.
  public var field: CalibratedField?
  /// The azimuth of the device's heading from north, as Core Motion reports it; nil when the source gave none.
  public var heading: AngleReading?
  /// The possible error of the heading; nil when the source gave none.
  public var headingAccuracy: AngleReading?
  /// One standard deviation of the angle between the true and the estimated vertical; 95 % of the angles are within
  /// 1.73 times this, as it has two axes. Nil when the source gave none.
  public var inclinationDeviation: AngleReading?
  /// One standard deviation of the azimuth: relative to north in a north frame, relative to the start in the arbitrary
  /// frame; 95 % of the errors are within 1.96 times this. Nil when the source gave none, and while the azimuth is
  /// unknown.
  public var headingDeviation: AngleReading?
  /// Default: the device itself.
  public var location: Location
  /// True when the device has been still for a while; nil where that is not known, as of motion that was already fused.
  public var isAtRest: Bool?

  /// All values unchanged; nothing is normalised.
  public init(
    time: SensorInstant, w: Double, vector: Vector3<Device>, reference: Reference, angularVelocity: Vector3<Device>,
    gravity: Vector3<Device>, linearAcceleration: Vector3<Device>, accelerationUnit: AccelerationUnit,
    field: CalibratedField? = nil, heading: AngleReading? = nil, headingAccuracy: AngleReading? = nil,
    location: Location = .device, inclinationDeviation: AngleReading? = nil, headingDeviation: AngleReading? = nil,
    isAtRest: Bool? = nil
  ) {
    self.time = time
    self.w = w
    self.vector = vector
    self.reference = reference
    self.angularVelocity = angularVelocity
    self.gravity = gravity
    self.linearAcceleration = linearAcceleration
    self.accelerationUnit = accelerationUnit
    self.field = field
    self.heading = heading
    self.headingAccuracy = headingAccuracy
    self.location = location
    self.inclinationDeviation = inclinationDeviation
    self.headingDeviation = headingDeviation
    self.isAtRest = isAtRest
  }

  /// Up at rest, m/s², device axes, computed from an attitude: for devices that report an attitude and no gravity.
  public static func gravity(at attitude: Rotation<Device, NorthWestUp>) -> Vector3<Device> {
    attitude.inverse * Vector3<NorthWestUp>(x: 0, y: 0, z: standardGravity)
  }

  /// The attitude as a rotation, or nil when the four numbers are not a unit quaternion: the length may differ from one
  /// by 1 %, which allows for rounded digits but not for a wrong column.
  public var attitude: Rotation<Device, NorthWestUp>? {
    let squaredLength = w * w + vector.dot(vector)
    guard abs(squaredLength - 1) <= 0.02 else { return nil }
    return Rotation(w: w, x: vector.x, y: vector.y, z: vector.z)
  }

  /// The heading (D1) that a quaternion and a gravity give, rad from the reference's +x, clockwise, −π…π.
  ///
  /// It follows the device's +Y axis while the device lies rather flat (|gravity.y| ≤ |gravity.z|), else its −Z axis,
  /// the back of the screen; settled by 7489 rows of two recordings.
  package static func heading(w: Double, vector: Vector3<Device>, gravity: Vector3<Device>) -> AngleReading {
    let (x, y, z) = (vector.x, vector.y, vector.z)
    // The axis in the reference frame: its components along north and west.
    let (north, west) =
      abs(gravity.y) <= abs(gravity.z)
      ? (2 * (x * y - w * z), 1 - 2 * (x * x + z * z)) : (-(2 * (x * z + w * y)), -(2 * (y * z - w * x)))
    return AngleReading(-Scalar.atan2(west, north), .radian)
  }
}
