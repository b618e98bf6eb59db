// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension CLLocation {
  /// Where the place comes from: not known, as nothing measures on Linux.
  public var sourceInformation: CLLocationSourceInformation? { nil }
}

/// Where a place comes from.
///
/// `@unchecked Sendable`: all stored properties are constants, as a subclass's have to be.
open class CLLocationSourceInformation: NSObject, @unchecked Sendable {
  /// Whether software has made it up.
  public let isSimulatedBySoftware: Bool
  /// Whether an accessory has measured it.
  public let isProducedByAccessory: Bool

  /// What a program says of a place.
  public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
    isSimulatedBySoftware = isSoftware
    isProducedByAccessory = isAccessory
  }
}
