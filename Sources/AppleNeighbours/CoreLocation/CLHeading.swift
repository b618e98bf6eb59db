// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A heading. Nothing makes one on Linux; Core Motion's `CMDeviceMotion.heading` has one.
///
/// `@unchecked Sendable`: all stored properties are constants, as a subclass's have to be.
open class CLHeading: NSObject, @unchecked Sendable {
  /// Degrees clockwise from magnetic north.
  public let magneticHeading: CLLocationDirection
  /// Degrees clockwise from true north; negative: invalid.
  public let trueHeading: CLLocationDirection
  /// Degrees; negative: invalid.
  public let headingAccuracy: CLLocationDirection
  /// Microteslas along x of the device.
  public let x: CLHeadingComponentValue
  /// Microteslas along y of the device.
  public let y: CLHeadingComponentValue
  /// Microteslas along z of the device.
  public let z: CLHeadingComponentValue
  /// When.
  public let timestamp: Date

  init(magneticHeading: CLLocationDirection, headingAccuracy: CLLocationDirection, timestamp: Date) {
    self.magneticHeading = magneticHeading
    trueHeading = -1
    self.headingAccuracy = headingAccuracy
    (x, y, z) = (0, 0, 0)
    self.timestamp = timestamp
  }
}

/// A stay at a place. Nothing makes one on Linux.
///
/// `@unchecked Sendable`: all stored properties are constants, as a subclass's have to be.
open class CLVisit: NSObject, @unchecked Sendable {
  /// Since when.
  public let arrivalDate: Date
  /// Until when.
  public let departureDate: Date
  /// Where.
  public let coordinate: CLLocationCoordinate2D
  /// Metres.
  public let horizontalAccuracy: CLLocationAccuracy

  init(arrivalDate: Date, departureDate: Date, coordinate: CLLocationCoordinate2D) {
    self.arrivalDate = arrivalDate
    self.departureDate = departureDate
    self.coordinate = coordinate
    horizontalAccuracy = -1
  }
}
