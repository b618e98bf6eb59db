// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The domain of `CLError`.
public let kCLErrorDomain = "kCLErrorDomain"

/// An error of Core Location. `CLLocationManager` reports `denied` and `headingFailure` here, and no other.
public struct CLError: Error, CustomNSError, Hashable, Sendable {
  /// The kinds of errors.
  public enum Code: Int, Sendable {
    case locationUnknown, denied, network, headingFailure, regionMonitoringDenied, regionMonitoringFailure
    case regionMonitoringSetupDelayed, regionMonitoringResponseDelayed, geocodeFoundNoResult
    case geocodeFoundPartialResult, geocodeCanceled, deferredFailed, deferredNotUpdatingLocation
    case deferredAccuracyTooLow, deferredDistanceFiltered, deferredCanceled, rangingUnavailable, rangingFailure
    case promptDeclined
  }

  /// The kind of this error.
  public let code: Code

  /// An error of a kind.
  public init(_ code: Code) {
    self.code = code
  }

  /// `kCLErrorDomain`.
  public static var errorDomain: String { kCLErrorDomain }
  /// The raw value of `code`.
  public var errorCode: Int { code.rawValue }
  /// A sentence for people.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: localizedDescription] }

  /// A sentence for people.
  public var localizedDescription: String {
    switch code {
    case .denied: "There is no location service on this computer (CLError.denied)."
    case .headingFailure: "There is no compass behind Core Location on this computer; Core Motion may have one."
    default: "Core Location error \(code.rawValue)."
    }
  }

  /// No location yet.
  public static var locationUnknown: Code { .locationUnknown }
  /// Refused.
  public static var denied: Code { .denied }
  /// No network.
  public static var network: Code { .network }
  /// No heading.
  public static var headingFailure: Code { .headingFailure }
}

extension CLError.Code {
  /// For `case CLError.denied` in a `switch` over any error, and for `catch CLError.denied`.
  public static func ~= (code: CLError.Code, error: any Error) -> Bool {
    (error as? CLError)?.code == code
  }
}
