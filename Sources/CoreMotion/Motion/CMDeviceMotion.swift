// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The fused state of motion: attitude, rotation rate without bias, gravity and the acceleration the user gives the device.
///
/// `gravity + userAcceleration` is the accelerometer's reading. An object made with `init()` has the identity attitude and
/// zeros everywhere else.
open class CMDeviceMotion: CMLogItem {
  /// Where the sensor sits.
  public enum SensorLocation: Int, Sendable, BitwiseCopyable {
    case `default` = 0, headphoneLeft = 1, headphoneRight = 2
    /// Never a value: keeps a client's `default` behind all cases reachable (see ``CMAuthorizationStatus``).
    @available(*, unavailable) case _unlisted = -999
  }

  fileprivate var value: DeviceMotionValue
  private var storedAttitude: CMAttitude

  /// Relative to the reference frame in use. The same object each time: `multiply(byInverseOf:)` on it changes this sample's
  /// attitude, which a widely used idiom relies on.
  open var attitude: CMAttitude { storedAttitude }
  /// rad/s, device axes, right-handed, the gyroscope's bias removed.
  open var rotationRate: CMRotationRate { value.rotationRate }
  /// g, device axes: the direction of gravity, of length one. Face up: (0, 0, −1).
  open var gravity: CMAcceleration { value.gravity }
  /// g, device axes: minus the coordinate acceleration (S3).
  open var userAcceleration: CMAcceleration { value.userAcceleration }
  /// µT, device axes, the device's own field removed; zero and uncalibrated where the frame does not use the magnetometer.
  open var magneticField: CMCalibratedMagneticField { value.magneticField }
  /// Degrees clockwise from the frame's north, 0…360; −1 in the frames without north (S28, D1).
  open var heading: Double { value.heading }
  /// Degrees, the largest deviation of `heading` to expect (two standard deviations); negative = the heading is not valid.
  open var headingAccuracy: Double { value.headingAccuracy }
  /// `.default` for the device itself; the side for headphones.
  open var sensorLocation: SensorLocation { value.sensorLocation }

  public override init() {
    (value, storedAttitude) = (DeviceMotionValue(), CMAttitude())
    super.init()
  }

  init(_ value: DeviceMotionValue) {
    self.value = value
    storedAttitude = CMAttitude(value.attitude)
    super.init(VectorValue(timestamp: value.timestamp))
  }

  public required init?(coder: NSCoder) {
    (value, storedAttitude) = (DeviceMotionValue(), CMAttitude())
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
    self.init(
      DeviceMotionValue(
        timestamp: timestamp, attitude: attitude.quaternion, rotationRate: rotationRate, gravity: gravity,
        userAcceleration: userAcceleration, magneticField: magneticField, heading: heading,
        headingAccuracy: headingAccuracy, sensorLocation: sensorLocation))
  }

  /// A copy with an attitude of its own. A subclass that does not override it returns itself, so that a mock stays a mock.
  open override func copy(with zone: NSZone? = nil) -> Any {
    guard type(of: self) == CMDeviceMotion.self else { return self }
    var value = value
    value.attitude = attitude.quaternion
    value.timestamp = timestamp
    return CMDeviceMotion(value)
  }

  override func code(_ archive: SampleArchive) {
    super.code(archive)
    archive.code("attitude", attitude) { (storedAttitude, value.attitude) = ($0, $0.quaternion) }
    archive.code("rotationRate", rotationRate) { value.rotationRate = $0 }
    archive.code("gravity", gravity) { value.gravity = $0 }
    archive.code("userAcceleration", userAcceleration) { value.userAcceleration = $0 }
    archive.code("magneticField", magneticField.field) { value.magneticField.field = $0 }
    archive.code("magneticField.accuracy", magneticField.accuracy, or: .uncalibrated) {
      value.magneticField.accuracy = $0
    }
    archive.code("heading", heading, or: 0) { value.heading = $0 }
    archive.code("headingAccuracy", headingAccuracy, or: 0) { value.headingAccuracy = $0 }
    archive.code("sensorLocation", sensorLocation, or: .default) { value.sensorLocation = $0 }
  }
}

/// What Core Motion does not tell: how far the filter itself believes it may be off. Not part of Apple's interface, so a client sees
/// it only with `@_spi(OpenCoreMotion) import CoreMotion`.
@_spi(OpenCoreMotion) extension CMDeviceMotion {
  /// Degrees, one standard deviation of the direction of `gravity`; 95 % of its errors are within 1.73 times this (two axes).
  /// Negative where it is not known.
  public var inclinationDeviation: Double { value.inclinationDeviation }
  /// Degrees, one standard deviation of the azimuth: of `heading`, in the frames with an arbitrary x of the yaw since the start;
  /// 95 % of its errors are within 1.96 times this. Negative where it is not known.
  public var headingDeviation: Double { value.headingDeviation }
}
