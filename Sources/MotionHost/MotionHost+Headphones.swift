// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import LinuxSources
import MotionSensing

/// What headphones say of themselves beyond their motion.
extension MotionHost {
  /// Battery, wearing, calibration, and why no motion comes; nil when there are no headphones, or a recording or simulation stands
  /// for them. Apple's API has no place for it.
  ///
  /// ```swift
  /// if MotionHost.current.headphoneStatus?.calibration == .generic { suggest("motionctl headphones calibrate") }
  /// ```
  public var headphoneStatus: HeadphoneStatus? { headphoneReporter?.status }

  /// The source as far as it reports, whatever is wrapped around it.
  static func reporter(of source: (any SensorSource)?) -> (any HeadphoneReporting)? {
    ((source as? CalibratedSource)?.base ?? source) as? any HeadphoneReporting
  }
}
