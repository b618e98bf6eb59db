// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin) || os(iOS) || os(watchOS)
import CoreMotion

@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
extension MotionUpdates {
  /// The height above the start of the stream, from the air's pressure, about once a second.
  ///
  /// - Parameter buffering: what a slow reader finds. Default: everything.
  /// - Returns: a stream that throws `CMErrorNotAvailable` at once without a barometer.
  public static func relativeAltitude(buffering: MotionBuffering = .everything) -> MotionStream<RelativeAltitude> {
    MotionStream(buffering) { (buffer) throws(MotionError) in
      try MotionError.check(CMAltimeter.isRelativeAltitudeAvailable(), "a barometer")
      let altimeter = CMAltimeter()
      altimeter.startRelativeAltitudeUpdates(
        to: buffer.queue, withHandler: buffer.handler { RelativeAltitude($0) })
      let managed = Managed(altimeter)
      return { managed.manager.stopRelativeAltitudeUpdates() }
    }
  }

  /// The height above the sea, about once a second.
  ///
  /// - Parameter buffering: what a slow reader finds. Default: everything.
  /// - Returns: a stream that throws `CMErrorNotAvailable` at once where it cannot be told.
  public static func absoluteAltitude(buffering: MotionBuffering = .everything) -> MotionStream<AbsoluteAltitude> {
    MotionStream(buffering) { (buffer) throws(MotionError) in
      try MotionError.check(CMAltimeter.isAbsoluteAltitudeAvailable(), "the height above the sea")
      let altimeter = CMAltimeter()
      altimeter.startAbsoluteAltitudeUpdates(
        to: buffer.queue, withHandler: buffer.handler { AbsoluteAltitude($0) })
      let managed = Managed(altimeter)
      return { managed.manager.stopAbsoluteAltitudeUpdates() }
    }
  }
}
#endif
