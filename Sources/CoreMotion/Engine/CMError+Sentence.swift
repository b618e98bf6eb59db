// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension CMError {
  /// The error as handlers receive it, its `localizedDescription` a sentence. `detail` replaces the general sentence.
  func error(_ detail: String? = nil) -> NSError {
    NSError(
      domain: CMErrorDomain, code: Int(rawValue), userInfo: [NSLocalizedDescriptionKey: detail ?? sentence])
  }

  private var sentence: String {
    switch self {
    case CMErrorNULL: "No error occurred."
    case CMErrorDeviceRequiresMovement:
      "The magnetometer is not calibrated yet: move the device in a figure of eight, away from metal and magnets."
    case CMErrorTrueNorthNotAvailable:
      "True north cannot be determined because the location is unknown: set MOTION_LOCATION or the host's location."
    case CMErrorMotionActivityNotAvailable: "Motion activities are not available on this device."
    case CMErrorMotionActivityNotAuthorized: "This program is not authorised to read motion activities."
    case CMErrorMotionActivityNotEntitled: "This program is not entitled to read motion activities."
    case CMErrorInvalidParameter: "An argument of the motion request is not valid."
    case CMErrorInvalidAction: "The motion request is not possible at this time."
    case CMErrorNotAvailable: "The motion service is not available on this device."
    case CMErrorNotEntitled: "This program is not entitled to use the motion service."
    case CMErrorNotAuthorized: "This program is not authorised to use the motion service."
    case CMErrorNilData: "The motion service returned no data."
    case CMErrorSize: "The motion service returned data of an unexpected size."
    default: "The motion service failed for an unknown reason."
    }
  }
}
