// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin) || os(iOS) || os(watchOS)
import CoreMotion
public import Foundation

@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
extension MotionUpdates {
  /// The steps since a date; each value replaces the one before it.
  ///
  /// - Parameters:
  ///   - start: where the count begins; up to seven days ago. Default: now.
  ///   - buffering: what a slow reader finds; `.newest(1)` is enough here. Default: everything.
  /// - Returns: a stream that throws at once where steps cannot be counted, or without permission.
  public static func steps(
    since start: Date = Date(), buffering: MotionBuffering = .everything
  ) -> MotionStream<Steps> {
    MotionStream(buffering) { (buffer) throws(MotionError) in
      try MotionError.check(CMPedometer.isStepCountingAvailable(), "a count of steps")
      let pedometer = CMPedometer()
      pedometer.startUpdates(from: start, withHandler: buffer.handler { Steps($0) })
      let managed = Managed(pedometer)
      return { managed.manager.stopUpdates() }
    }
  }

  /// A person who walks pauses or goes on, sooner than the count of steps can tell.
  ///
  /// - Parameter buffering: what a slow reader finds. Default: everything.
  /// - Returns: a stream that throws at once where pauses are not noticed, or without permission.
  public static func walkingEvents(buffering: MotionBuffering = .everything) -> MotionStream<WalkingEvent> {
    MotionStream(buffering) { (buffer) throws(MotionError) in
      try MotionError.check(CMPedometer.isPedometerEventTrackingAvailable(), "pauses of a walk")
      let pedometer = CMPedometer()
      pedometer.startEventUpdates(handler: buffer.handler { WalkingEvent($0) })
      let managed = Managed(pedometer)
      return { managed.manager.stopEventUpdates() }
    }
  }

  /// What the person who carries the device does: the present activity, unknown at first, then the changes.
  ///
  /// - Parameter buffering: what a slow reader finds. Default: everything.
  /// - Returns: a stream that throws `CMErrorMotionActivityNotAvailable` or `…NotAuthorized` at once. Core Motion's
  ///   handler has no argument for an error, so what fails later is not told.
  public static func activity(buffering: MotionBuffering = .everything) -> MotionStream<MotionActivity> {
    MotionStream(buffering) { (buffer) throws(MotionError) in
      guard CMMotionActivityManager.isActivityAvailable() else {
        throw MotionError(CMErrorMotionActivityNotAvailable, "This device does not recognise motion activities.")
      }
      let status = CMMotionActivityManager.authorizationStatus()
      guard status != .denied, status != .restricted else {
        throw MotionError(CMErrorMotionActivityNotAuthorized, "This program may not read motion activities.")
      }
      let manager = CMMotionActivityManager()
      manager.startActivityUpdates(to: buffer.queue) { activity in
        if let activity { buffer.append(MotionActivity(activity)) }
      }
      let managed = Managed(manager)
      return { managed.manager.stopActivityUpdates() }
    }
  }
}
#endif
