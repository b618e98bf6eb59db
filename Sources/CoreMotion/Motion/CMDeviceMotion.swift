// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

/// The fused state of motion: attitude, rotation rate without bias, gravity and user acceleration.
///
/// `gravity + userAcceleration` is the accelerometer's reading. An object made with `init()` has the identity attitude
/// and zeros everywhere else.
open class CMDeviceMotion: CMLogItem {
  /// Where the sensor sits.
  public enum SensorLocation: Int, Sendable, BitwiseCopyable {
    case `default` = 0, headphoneLeft = 1, headphoneRight = 2
    /// Never a value: keeps a client's `default` behind all cases reachable (see ``CMAuthorizationStatus``).
    @available(*, unavailable) case _unlisted = -999
  }

  /// The numbers as they came, each with its unit; only the time is that of ``CMLogItem/timestamp``.
  package final var row: MotionRow
  private var storedAttitude: CMAttitude

  /// Relative to the reference frame in use. The same object each time: `multiply(byInverseOf:)` on it changes this
  /// sample's attitude, which a widely used idiom relies on.
  open var attitude: CMAttitude { storedAttitude }
  /// rad/s, device axes, right-handed, the gyroscope's bias removed.
  open var rotationRate: CMRotationRate { CMRotationRate(row.angularVelocity) }
  /// g, device axes: the direction of gravity, of length one. Face up: (0, 0, −1).
  open var gravity: CMAcceleration { CoreMotionConventions.acceleration(row.gravity, unit: row.accelerationUnit) }
  /// g, device axes: minus the coordinate acceleration (S3).
  open var userAcceleration: CMAcceleration {
    CoreMotionConventions.acceleration(row.linearAcceleration, unit: row.accelerationUnit)
  }
  /// µT, device axes, the device's own field removed; zero and uncalibrated where the frame does not use the
  /// magnetometer.
  open var magneticField: CMCalibratedMagneticField {
    row.field.map(CoreMotionConventions.magneticField)
      ?? CMCalibratedMagneticField(field: CMMagneticField(), accuracy: .uncalibrated)
  }
  /// Degrees clockwise from the frame's north, 0…360; −1 in the frames without north (S28, D1).
  open var heading: Double { row.heading?.bearingDegrees ?? -1 }
  /// Degrees, the largest deviation of `heading` to expect (two standard deviations); negative = not valid.
  open var headingAccuracy: Double { row.headingAccuracy?.value(in: .degree) ?? -1 }
  /// `.default` for the device itself; the side for headphones.
  open var sensorLocation: SensorLocation { CoreMotionConventions.sensorLocation(row.location) }

  public override init() {
    (row, storedAttitude) = (.empty, CMAttitude())
    super.init()
  }

  /// `timestamp` nil = that of the row, seconds.
  package init(_ row: MotionRow, timestamp: TimeInterval? = nil) {
    self.row = row
    storedAttitude = CMAttitude(row.quaternion)
    super.init(timestamp: timestamp ?? row.time.seconds)
  }

  public required init?(coder: NSCoder) {
    (row, storedAttitude) = (.empty, CMAttitude())
    super.init(coder: coder)
  }

  /// A sample from its values: seconds, rad/s, g and µT in device axes, headings in degrees (negative = not valid). The
  /// sample takes a copy of `attitude`.
  package convenience init(
    timestamp: TimeInterval, attitude: CMAttitude, rotationRate: CMRotationRate = CMRotationRate(),
    gravity: CMAcceleration, userAcceleration: CMAcceleration = CMAcceleration(),
    magneticField: CMCalibratedMagneticField = CMCalibratedMagneticField(
      field: CMMagneticField(), accuracy: .uncalibrated),
    heading: Double = -1, headingAccuracy: Double = -1, sensorLocation: SensorLocation = .default
  ) {
    var row = MotionRow.empty
    row.time = SensorInstant(seconds: timestamp) ?? row.time
    row.quaternion = attitude.quaternion
    (row.angularVelocity, row.gravity) = (rotationRate.vector, gravity.vector)
    row.linearAcceleration = userAcceleration.vector
    row.field = .init(magneticField)
    row.heading = AngleReading(heading, .degree)
    row.headingAccuracy = AngleReading(headingAccuracy, .degree)
    row.location = .init(sensorLocation)
    self.init(row, timestamp: timestamp)
  }

  /// A sample of the values that another one states, overridden properties included.
  convenience init(of motion: CMDeviceMotion) {
    self.init(
      timestamp: motion.timestamp, attitude: motion.attitude, rotationRate: motion.rotationRate,
      gravity: motion.gravity, userAcceleration: motion.userAcceleration, magneticField: motion.magneticField,
      heading: motion.heading, headingAccuracy: motion.headingAccuracy, sensorLocation: motion.sensorLocation)
    row.inclinationDeviation = motion.row.inclinationDeviation
    row.headingDeviation = motion.row.headingDeviation
  }

  /// A copy with an attitude of its own. A subclass that does not override it returns itself: a mock stays a mock.
  open override func copy(with zone: NSZone? = nil) -> Any {
    guard type(of: self) == CMDeviceMotion.self else { return self }
    var row = row
    row.quaternion = attitude.quaternion
    return CMDeviceMotion(row, timestamp: timestamp)
  }

  override func code(_ archive: SampleArchive) {
    super.code(archive)
    archive.code("attitude", attitude) { (storedAttitude, row.quaternion) = ($0, $0.quaternion) }
    archive.code("rotationRate", rotationRate) { row.angularVelocity = $0.vector }
    archive.code("gravity", gravity) { row.gravity = $0.vector }
    archive.code("userAcceleration", userAcceleration) { row.linearAcceleration = $0.vector }
    var field = CMCalibratedMagneticField(field: CMMagneticField(), accuracy: .uncalibrated)
    archive.code("magneticField", magneticField.field) { field.field = $0 }
    archive.code("magneticField.accuracy", magneticField.accuracy, or: .uncalibrated) {
      field.accuracy = $0
      row.field = .init(field)
    }
    archive.code("heading", heading, or: 0) { row.heading = AngleReading($0, .degree) }
    archive.code("headingAccuracy", headingAccuracy, or: 0) { row.headingAccuracy = AngleReading($0, .degree) }
    archive.code("sensorLocation", sensorLocation, or: .default) { row.location = .init($0) }
  }
}

extension MotionRow {
  /// The identity attitude, everything else zero or absent, in Core Motion's units.
  fileprivate static let empty = MotionRow(
    time: SensorInstant(nanoseconds: 0), w: 1, vector: .zero, reference: .xArbitrary, angularVelocity: .zero,
    gravity: .zero, linearAcceleration: .zero, accelerationUnit: .reversedGravity)

  /// Device → reference frame, scalar last.
  fileprivate var quaternion: CMQuaternion {
    get { CMQuaternion(x: vector.x, y: vector.y, z: vector.z, w: w) }
    set { (w, vector) = (newValue.w, Vector3(x: newValue.x, y: newValue.y, z: newValue.z)) }
  }
}

extension MotionRow.CalibratedField {
  fileprivate init(_ field: CMCalibratedMagneticField) {
    self.init(reading: field.field.vector, unit: .microtesla, accuracy: Int8(clamping: field.accuracy.rawValue))
  }
}

extension MotionRow.Location {
  fileprivate init(_ location: CMDeviceMotion.SensorLocation) {
    self = Self(rawValue: UInt8(clamping: location.rawValue)) ?? .device
  }
}

/// What Core Motion does not give: how far the filter itself estimates that it may be off. Not part of Apple's
/// interface, so a client sees it only with `@_spi(OpenCoreMotion) import CoreMotion`.
@_spi(OpenCoreMotion) extension CMDeviceMotion {
  /// Degrees, one standard deviation of the direction of `gravity`; 95 % of its errors are within 1.73 times this (two
  /// axes). Negative where it is not known.
  public var inclinationDeviation: Double { row.inclinationDeviation?.value(in: .degree) ?? -1 }
  /// Degrees, one standard deviation of the azimuth: of `heading`, in the frames with an arbitrary x of the yaw since
  /// the start; 95 % of its errors are within 1.96 times this. Negative where it is not known.
  public var headingDeviation: Double { row.headingDeviation?.value(in: .degree) ?? -1 }
}
