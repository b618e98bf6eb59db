// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost

/// Records the accelerometer for hours and hands the samples out later.
///
/// This version keeps no history, so recording is not available: a request has no effect and there is never a list.
open class CMSensorRecorder: NSObject {
  public override init() { super.init() }

  /// Whether the accelerometer can be recorded: false until there is a store.
  open class func isAccelerometerRecordingAvailable() -> Bool { false }
  /// Whether the program may record.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionHost.current.clientAuthorization }
  /// Whether the program may record.
  @available(*, deprecated, message: "Use authorizationStatus().")
  open class func isAuthorizedForRecording() -> Bool { authorizationStatus() == .authorized }

  /// Records for so many seconds from now, at most 43 200 (S73). No effect where recording is not available.
  open func recordAccelerometer(forDuration duration: TimeInterval) {}
  /// The samples recorded between two dates, both included (S74); nil when there is no store.
  open func accelerometerData(from fromDate: Date, to toDate: Date) -> CMSensorDataList? { nil }
}
