// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin) || os(watchOS)
import CoreMotion

@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
extension MotionUpdates {
  /// The accelerometer by the second, at its highest rate (800 Hz on a watch): for strokes and impacts.
  ///
  /// The samples of a batch are in order of time and keep their own time stamps. It needs an active workout. A reader
  /// who is slow loses no batch, and a recording does not wait for it.
  ///
  /// - Parameter buffering: what a slow reader finds, counted in batches. Default: everything.
  /// - Returns: a stream that throws at once without an accelerometer or a workout.
  public static func accelerometerBatches(
    buffering: MotionBuffering = .everything
  ) -> MotionStream<[AccelerationSample]> {
    MotionStream(buffering) { (buffer) throws(MotionError) in
      try MotionError.check(CMBatchedSensorManager.isAccelerometerSupported, "batches of the accelerometer")
      let manager = CMBatchedSensorManager()
      manager.startAccelerometerUpdates(
        handler: buffer.handler { batch in batch.map { AccelerationSample($0) } })
      let managed = Managed(manager)
      return { managed.manager.stopAccelerometerUpdates() }
    }
  }

  /// Device motion by the second, at up to 200 Hz, in an arbitrary frame; otherwise as
  /// ``accelerometerBatches(buffering:)``.
  ///
  /// - Parameter buffering: what a slow reader finds, counted in batches. Default: everything.
  /// - Returns: a stream that throws at once without device motion or a workout.
  public static func deviceMotionBatches(
    buffering: MotionBuffering = .everything
  ) -> MotionStream<[DeviceMotion]> {
    MotionStream(buffering) { (buffer) throws(MotionError) in
      try MotionError.check(CMBatchedSensorManager.isDeviceMotionSupported, "batches of device motion")
      let manager = CMBatchedSensorManager()
      manager.startDeviceMotionUpdates(handler: buffer.handler { batch in batch.map { DeviceMotion($0) } })
      let managed = Managed(manager)
      return { managed.manager.stopDeviceMotionUpdates() }
    }
  }
}
#endif
