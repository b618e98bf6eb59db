// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin) || os(iOS) || os(watchOS) || os(macOS)
import CoreMotion

/// Whether headphones with motion sensors are there.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public enum HeadphoneStatus: Hashable, Sendable { case connected, disconnected }

@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
extension MotionUpdates {
  /// The motion of a head, measured by headphones, at their own rate of 25 or 50 Hz.
  ///
  /// Axes: +x to the right ear, +y to the nose, +z up. The azimuth begins where the headphones say: take the first
  /// attitude as straight ahead with ``Attitude/relative(to:)``. ``DeviceMotion/sensorLocation`` names the bud, which
  /// may change. While the headphones are away nothing comes, and no error either: ``headphoneStatus(buffering:)`` tells.
  ///
  /// - Parameter buffering: what a slow reader finds. Default: everything.
  /// - Returns: a stream that throws `CMErrorNotAvailable` at once where headphones cannot be measured.
  public static func headphones(buffering: MotionBuffering = .everything) -> MotionStream<DeviceMotion> {
    MotionStream(buffering) { (buffer) throws(MotionError) in
      let manager = CMHeadphoneMotionManager()
      try MotionError.check(manager.isDeviceMotionAvailable, "the motion of headphones")
      manager.startDeviceMotionUpdates(to: buffer.queue, withHandler: buffer.handler { DeviceMotion($0) })
      let managed = Managed(manager)
      return { managed.manager.stopDeviceMotionUpdates() }
    }
  }

  /// When headphones come and go: `.connected` at once if they are there already, then the changes.
  ///
  /// A source of headphones that fails later counts as disconnected, and may come back.
  ///
  /// - Parameter buffering: what a slow reader finds. Default: everything.
  /// - Returns: a stream that throws `CMErrorNotAvailable` at once where headphones cannot be measured.
  public static func headphoneStatus(buffering: MotionBuffering = .everything) -> MotionStream<HeadphoneStatus> {
    MotionStream(buffering) { (buffer) throws(MotionError) in
      let manager = CMHeadphoneActivityManager()
      try MotionError.check(manager.isStatusAvailable, "the status of headphones")
      // Only the handler touches it, and only one call at a time.
      var last: HeadphoneStatus?
      manager.startStatusUpdates(to: buffer.queue) { status, error in
        if let error, last == nil || MotionError(error).code != CMErrorNotAvailable { return buffer.receive(error) }
        // The status beside an error has no meaning.
        let present: HeadphoneStatus = error == nil && status == .connected ? .connected : .disconnected
        if present != last { buffer.append(present) }
        last = present
      }
      let managed = Managed(manager)
      return { managed.manager.stopStatusUpdates() }
    }
  }

  /// What the wearer of the headphones does: the present activity, then the changes.
  ///
  /// - Parameter buffering: what a slow reader finds. Default: everything.
  /// - Returns: a stream that throws at once where headphones cannot be measured, or without permission.
  public static func headphoneActivity(buffering: MotionBuffering = .everything) -> MotionStream<MotionActivity> {
    MotionStream(buffering) { (buffer) throws(MotionError) in
      let manager = CMHeadphoneActivityManager()
      try MotionError.check(manager.isActivityAvailable, "the activity of a wearer of headphones")
      manager.startActivityUpdates(to: buffer.queue, withHandler: buffer.handler { MotionActivity($0) })
      let managed = Managed(manager)
      return { managed.manager.stopActivityUpdates() }
    }
  }
}
#endif
