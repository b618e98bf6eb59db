// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionHost
import MotionSensing
public import MotionServices

/// One state of motion with the numbers of a ``CMDeviceMotion``, without the object: for tools that write millions of them.
@_spi(MotionTools)
public struct DeviceMotionRow: Sendable {
  /// Seconds on the source's clock.
  public let timestamp: TimeInterval
  /// Device → reference frame, scalar last.
  public let attitude: CMQuaternion
  /// rad/s, device axes, the gyroscope's bias removed.
  public let rotationRate: CMRotationRate
  /// g, device axes; face up (0, 0, −1).
  public let gravity: CMAcceleration
  /// g, device axes.
  public let userAcceleration: CMAcceleration
  /// µT, device axes; zero while its accuracy is `.uncalibrated`.
  public let magneticField: CMCalibratedMagneticField
  /// Degrees, 0…360 clockwise from the frame's north; negative = none.
  public let heading: Double
  /// Degrees; negative = the heading is not valid.
  public let headingAccuracy: Double
  /// Where the sensor sits.
  public let sensorLocation: CMDeviceMotion.SensorLocation
  /// The frame that `attitude` leads to; motion that a recording had fused itself keeps its own. Nil = not known.
  public let frame: CMAttitudeReferenceFrame?

  init(_ value: DeviceMotionValue, frame: CMAttitudeReferenceFrame) {
    timestamp = value.timestamp
    attitude = value.attitude
    rotationRate = value.rotationRate
    gravity = value.gravity
    userAcceleration = value.userAcceleration
    magneticField = value.magneticField
    heading = value.headingDegrees
    headingAccuracy = value.headingAccuracyDegrees
    sensorLocation = value.sensorLocation
    self.frame = frame
  }

  /// The row of a sample that a handler received; `frame` is what its manager was started with, nil where the sample does not
  /// follow it.
  public init(_ motion: CMDeviceMotion, frame: CMAttitudeReferenceFrame?) {
    timestamp = motion.timestamp
    attitude = motion.attitude.quaternion
    rotationRate = motion.rotationRate
    gravity = motion.gravity
    userAcceleration = motion.userAcceleration
    magneticField = motion.magneticField
    heading = motion.heading
    headingAccuracy = motion.headingAccuracy
    sensorLocation = motion.sensorLocation
    self.frame = frame
  }

  /// Rad, −π…π, as ``CMAttitude/roll``.
  public var roll: Double { attitude.roll }
  /// Rad, −π/2…π/2, as ``CMAttitude/pitch``.
  public var pitch: Double { attitude.pitch }
  /// Rad, −π…π, as ``CMAttitude/yaw``.
  public var yaw: Double { attitude.yaw }
}

/// Turns a hub's events into the numbers that a `CMMotionManager` would give, bit for bit, without operation queue or objects.
///
/// ```swift
/// let rows = DeviceMotionRows(frame: .xArbitraryZVertical, host: host)
/// hub.subscribe(rows.stream, interval: .zero) { event, _ in
///   if let row = rows.row(for: event) { … }
/// }
/// ```
@_spi(MotionTools)
public final class DeviceMotionRows: Sendable {
  /// What to subscribe to.
  public let stream: HubStream
  private let frame: CMAttitudeReferenceFrame
  private let translator: DeviceMotionTranslator

  /// `frame` must be exactly one frame; `host` knows the declination.
  public init(frame: CMAttitudeReferenceFrame, host: MotionHost) {
    self.frame = frame
    stream = .deviceMotion(usesMagnetometer: frame.usesMagnetometer)
    translator = DeviceMotionTranslator(frame: frame, host: host, showsDisplay: false)
  }

  /// The row of an event; nil when it makes none. `report` hears the errors that a handler would receive before the sample
  /// (S44: once per episode).
  public func row(for event: HubEvent, report: (NSError) -> Void = { _ in }) -> DeviceMotionRow? {
    switch translator.translate(event) {
    // A motion translator never says the other two.
    case .nothing, .gone, .samples: return nil
    case .error(let error, let value):
      report(error)
      return value.map { row($0, event) }
    case .sample(let value): return row(value, event)
    }
  }

  private func row(_ value: DeviceMotionValue, _ event: HubEvent) -> DeviceMotionRow {
    guard case .fusedMotion(let sample) = event else { return DeviceMotionRow(value, frame: frame) }
    return DeviceMotionRow(value, frame: CoreMotionConventions.frame(of: sample.reference))
  }
}
