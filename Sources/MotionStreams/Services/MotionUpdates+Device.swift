// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin) || os(iOS) || os(watchOS) || os(visionOS)
import CoreMotion
import Foundation

@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
extension MotionUpdates {
  /// The motion of the device.
  ///
  /// - Parameters:
  ///   - reference: where the frame of the attitudes points. Default: arbitrary.
  ///   - interval: between samples; a request. Shorter than the sensor can, 0 or negative: as fast as it can. Default
  ///     10 ms.
  ///   - buffering: what a slow reader finds. Default: everything.
  ///   - showsCalibration: whether the system may ask the person to move the device for its magnetometer. Default false.
  ///   - onNotice: called when Core Motion tells that it needs a movement to calibrate the magnetometer, or does not
  ///     know true north yet; samples go on, or come later. It runs where samples arrive, so it should return soon.
  ///     Default: a line in the log.
  /// - Returns: a stream that throws `CMErrorNotAvailable` at once without an accelerometer and a gyroscope, or without
  ///   the magnetometer that a north needs.
  public static func device(
    _ reference: AttitudeReference = .xArbitrary, every interval: Duration = .milliseconds(10),
    buffering: MotionBuffering = .everything, showsCalibration: Bool = false,
    onNotice: (@Sendable (MotionError) -> Void)? = nil
  ) -> MotionStream<DeviceMotion> {
    MotionStream(buffering) { (buffer) throws(MotionError) in
      let manager = CMMotionManager()
      try MotionError.check(manager.isDeviceMotionAvailable, "device motion")
      try MotionError.check(
        CMMotionManager.availableAttitudeReferenceFrames().contains(reference.frame),
        "the reference frame \(reference)")
      manager.deviceMotionUpdateInterval = interval.timeInterval
      manager.showsDeviceMovementDisplay = showsCalibration
      manager.startDeviceMotionUpdates(
        using: reference.frame, to: buffer.queue,
        withHandler: buffer.handler(onNotice: onNotice) { DeviceMotion($0) })
      let managed = Managed(manager)
      return { managed.manager.stopDeviceMotionUpdates() }
    }
  }

  /// The accelerometer, gravity included. Throws `CMErrorNotAvailable` at once where there is none.
  ///
  /// - Parameters:
  ///   - interval: between samples; a request. Default 10 ms.
  ///   - buffering: what a slow reader finds. Default: everything.
  public static func accelerometer(
    every interval: Duration = .milliseconds(10), buffering: MotionBuffering = .everything
  ) -> MotionStream<AccelerationSample> {
    MotionStream(buffering) { (buffer) throws(MotionError) in
      let manager = CMMotionManager()
      try MotionError.check(manager.isAccelerometerAvailable, "an accelerometer")
      manager.accelerometerUpdateInterval = interval.timeInterval
      manager.startAccelerometerUpdates(
        to: buffer.queue, withHandler: buffer.handler { AccelerationSample($0) })
      let managed = Managed(manager)
      return { managed.manager.stopAccelerometerUpdates() }
    }
  }

  /// The gyroscope with its bias. Throws `CMErrorNotAvailable` at once where there is none.
  ///
  /// - Parameters:
  ///   - interval: between samples; a request. Default 10 ms.
  ///   - buffering: what a slow reader finds. Default: everything.
  public static func gyroscope(
    every interval: Duration = .milliseconds(10), buffering: MotionBuffering = .everything
  ) -> MotionStream<RotationRateSample> {
    MotionStream(buffering) { (buffer) throws(MotionError) in
      let manager = CMMotionManager()
      try MotionError.check(manager.isGyroAvailable, "a gyroscope")
      manager.gyroUpdateInterval = interval.timeInterval
      manager.startGyroUpdates(to: buffer.queue, withHandler: buffer.handler { RotationRateSample($0) })
      let managed = Managed(manager)
      return { managed.manager.stopGyroUpdates() }
    }
  }

  #if !os(visionOS)
  /// The magnetometer with the field of the device itself. Throws `CMErrorNotAvailable` at once where there is none.
  ///
  /// - Parameters:
  ///   - interval: between samples; a request. Default 10 ms.
  ///   - buffering: what a slow reader finds. Default: everything.
  public static func magnetometer(
    every interval: Duration = .milliseconds(10), buffering: MotionBuffering = .everything
  ) -> MotionStream<MagneticFieldSample> {
    MotionStream(buffering) { (buffer) throws(MotionError) in
      let manager = CMMotionManager()
      try MotionError.check(manager.isMagnetometerAvailable, "a magnetometer")
      manager.magnetometerUpdateInterval = interval.timeInterval
      manager.startMagnetometerUpdates(to: buffer.queue, withHandler: buffer.handler { MagneticFieldSample($0) })
      let managed = Managed(manager)
      return { managed.manager.stopMagnetometerUpdates() }
    }
  }
  #endif
}

@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
extension AttitudeReference {
  /// Core Motion's name of it.
  var frame: CMAttitudeReferenceFrame {
    switch self {
    case .xArbitrary: .xArbitraryZVertical
    case .xArbitraryCorrected: .xArbitraryCorrectedZVertical
    case .xMagneticNorth: .xMagneticNorthZVertical
    case .xTrueNorth: .xTrueNorthZVertical
    }
  }
}

@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
extension Duration {
  /// Seconds.
  var timeInterval: TimeInterval { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
#endif
