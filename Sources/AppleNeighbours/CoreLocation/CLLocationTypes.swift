// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@_exported public import Combine
@_exported public import Foundation

/// Degrees of latitude (−90…90, north positive) or longitude (−180…180, east positive).
public typealias CLLocationDegrees = Double
/// Metres.
public typealias CLLocationDistance = Double
/// Metres, one standard deviation; negative: invalid.
public typealias CLLocationAccuracy = Double
/// Metres per second; negative: invalid.
public typealias CLLocationSpeed = Double
/// Metres per second; negative: invalid.
public typealias CLLocationSpeedAccuracy = Double
/// Degrees clockwise from north, 0 up to 360; negative: invalid.
public typealias CLLocationDirection = Double
/// Degrees; negative: invalid.
public typealias CLLocationDirectionAccuracy = Double
/// A part of the geomagnetic vector in microteslas.
public typealias CLHeadingComponentValue = Double

/// The best accuracy that the device offers.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// The best accuracy, with other sensors' help.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// 10 m.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// 100 m.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// 1000 m.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// 3000 m.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// Every movement is reported.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// Every turn is reported.
public let kCLHeadingFilterNone: CLLocationDegrees = -1
/// The longest distance.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// The longest time, in seconds.
public let CLTimeIntervalMax: TimeInterval = .greatestFiniteMagnitude
/// Not a place.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// A place on the WGS 84 ellipsoid.
public struct CLLocationCoordinate2D: Sendable {
  /// Degrees, north positive.
  public var latitude: CLLocationDegrees
  /// Degrees, east positive.
  public var longitude: CLLocationDegrees

  /// 0° north, 0° east.
  public init() {
    self.init(latitude: 0, longitude: 0)
  }

  /// A place from its angles in degrees.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A place from its angles in degrees.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether latitude and longitude are within ±90° and ±180°.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
  abs(coordinate.latitude) <= 90 && abs(coordinate.longitude) <= 180
}

/// What the user has decided. On Linux nobody can be asked: a manager says `denied`.
public enum CLAuthorizationStatus: Int32, Sendable {
  /// Nobody has been asked.
  case notDetermined = 0
  /// The user cannot decide.
  case restricted = 1
  /// Refused, or locations are off.
  case denied = 2
  /// At any time.
  case authorizedAlways = 3
  /// While the app is in use.
  case authorizedWhenInUse = 4

  /// The former name of `authorizedAlways`.
  public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}

/// How exact an app may know the place.
public enum CLAccuracyAuthorization: Int, Sendable {
  /// As exact as possible.
  case fullAccuracy = 0
  /// Roughly.
  case reducedAccuracy = 1
}

/// What the user does, which Apple's systems use to pause updates; nothing reads it here.
public enum CLActivityType: Int, Sendable {
  /// Anything else.
  case other = 1
  /// Driving.
  case automotiveNavigation = 2
  /// On foot.
  case fitness = 3
  /// Other vehicles.
  case otherNavigation = 4
  /// In the air.
  case airborne = 5
}

/// How the device is held, for headings; nothing reads it here.
public enum CLDeviceOrientation: Int32, Sendable {
  /// Not known.
  case unknown = 0
  /// Upright.
  case portrait = 1
  /// Upside down.
  case portraitUpsideDown = 2
  /// Top to the left.
  case landscapeLeft = 3
  /// Top to the right.
  case landscapeRight = 4
  /// Display up.
  case faceUp = 5
  /// Display down.
  case faceDown = 6
}
