// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The fused state of motion: attitude, rotation rate without bias, gravity and the acceleration the user gives the device.
///
/// `gravity + userAcceleration` is the accelerometer's reading. An object made with `init()` has the identity attitude and
/// zeros everywhere else.
open class CMDeviceMotion: CMLogItem {
  /// Where the sensor sits.
  public enum SensorLocation: Int, Sendable, BitwiseCopyable {
    case `default` = 0
    case headphoneLeft = 1
    case headphoneRight = 2
    /// Never a value: keeps a client's `default` behind all cases reachable (see ``CMAuthorizationStatus``).
    @available(*, unavailable) case _unlisted = -999
  }

  private let value: DeviceMotionValue
  private let storedAttitude: CMAttitude

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
  open var heading: Double { value.headingDegrees }
  /// Degrees, the largest deviation of `heading` to expect (two standard deviations); negative = the heading is not valid.
  open var headingAccuracy: Double { value.headingAccuracyDegrees }
  /// `.default` for the device itself; the side that spoke for headphones.
  open var sensorLocation: SensorLocation { value.sensorLocation }

  public override init() {
    value = DeviceMotionValue()
    storedAttitude = CMAttitude()
    super.init()
  }

  init(_ value: DeviceMotionValue) {
    self.value = value
    storedAttitude = CMAttitude(value.attitude)
    super.init(timestamp: value.timestamp)
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
        userAcceleration: userAcceleration, magneticField: magneticField, headingDegrees: heading,
        headingAccuracyDegrees: headingAccuracy, sensorLocation: sensorLocation))
  }

  public required init?(coder: NSCoder) {
    guard let attitude = coder.decodeObject(of: CMAttitude.self, forKey: "attitude") else { return nil }
    storedAttitude = attitude
    var value = DeviceMotionValue()
    value.attitude = attitude.quaternion
    value.rotationRate = coder.decodeRotationRate(forKey: "rotationRate")
    value.gravity = coder.decodeAcceleration(forKey: "gravity")
    value.userAcceleration = coder.decodeAcceleration(forKey: "userAcceleration")
    value.magneticField = CMCalibratedMagneticField(
      field: coder.decodeMagneticField(forKey: "magneticField"),
      accuracy: CMMagneticFieldCalibrationAccuracy(rawValue: coder.decodeInt32(forKey: "magneticField.accuracy"))
        ?? .uncalibrated)
    value.headingDegrees = coder.number("heading")
    value.headingAccuracyDegrees = coder.number("headingAccuracy")
    value.sensorLocation = SensorLocation(rawValue: coder.decodeInteger(forKey: "sensorLocation")) ?? .default
    self.value = value
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(attitude, forKey: "attitude")
    coder.encode(rotationRate, forKey: "rotationRate")
    coder.encode(gravity, forKey: "gravity")
    coder.encode(userAcceleration, forKey: "userAcceleration")
    coder.encode(magneticField.field, forKey: "magneticField")
    coder.encode(magneticField.accuracy.rawValue, forKey: "magneticField.accuracy")
    coder.encode(heading, forKey: "heading")
    coder.encode(headingAccuracy, forKey: "headingAccuracy")
    coder.encode(sensorLocation.rawValue, forKey: "sensorLocation")
  }

  /// A copy with an attitude of its own. A subclass that does not override it returns itself, so that a mock stays a mock.
  open override func copy(with zone: NSZone? = nil) -> Any {
    guard type(of: self) == CMDeviceMotion.self else { return self }
    var value = value
    value.attitude = attitude.quaternion
    value.timestamp = timestamp
    return CMDeviceMotion(value)
  }
}
