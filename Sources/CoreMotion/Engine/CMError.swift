// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionServices

/// The domain of the errors that handlers receive.
public let CMErrorDomain: String = "CMErrorDomain"

/// The number of an error. Handlers receive `NSError`s of domain `CMErrorDomain` whose code is this number:
///
/// ```swift
/// if (error as NSError).code == Int(CMErrorDeviceRequiresMovement.rawValue) { … }
/// ```
public struct CMError: RawRepresentable, Equatable, Hashable, Sendable {
  /// 100…113 for the errors of this module.
  public var rawValue: UInt32
  /// The error with a number.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
  /// The error with a number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// No error.
public var CMErrorNULL: CMError { CMError(100) }
/// The magnetometer needs the device to be moved before north is known.
public var CMErrorDeviceRequiresMovement: CMError { CMError(101) }
/// True north cannot be determined: the place is unknown.
public var CMErrorTrueNorthNotAvailable: CMError { CMError(102) }
/// Something else went wrong.
public var CMErrorUnknown: CMError { CMError(103) }
/// This device recognises no activities.
public var CMErrorMotionActivityNotAvailable: CMError { CMError(104) }
/// The program may not read activities.
public var CMErrorMotionActivityNotAuthorized: CMError { CMError(105) }
/// The program lacks an entitlement for activities.
public var CMErrorMotionActivityNotEntitled: CMError { CMError(106) }
/// An argument makes no sense.
public var CMErrorInvalidParameter: CMError { CMError(107) }
/// The call is not possible now.
public var CMErrorInvalidAction: CMError { CMError(108) }
/// The service is not available on this device.
public var CMErrorNotAvailable: CMError { CMError(109) }
/// The program lacks an entitlement.
public var CMErrorNotEntitled: CMError { CMError(110) }
/// The program is not authorised.
public var CMErrorNotAuthorized: CMError { CMError(111) }
/// Nothing came back.
public var CMErrorNilData: CMError { CMError(112) }
/// Data of the wrong size came back.
public var CMErrorSize: CMError { CMError(113) }

extension CMError {
  /// The error as handlers receive it, its `localizedDescription` a sentence. `detail` replaces the general sentence.
  func error(_ detail: String? = nil) -> NSError {
    NSError(
      domain: CMErrorDomain, code: Int(rawValue), userInfo: [NSLocalizedDescriptionKey: detail ?? sentence])
  }

  private var sentence: String {
    switch self {
    case CMErrorNULL: "No error occurred."
    case CMErrorDeviceRequiresMovement: MotionFraming.Notice.movementRequired.sentence
    case CMErrorTrueNorthNotAvailable: MotionFraming.Notice.trueNorthUnavailable.sentence
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
