// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A place with its accuracy and time. It holds what it is made from; nothing measures on Linux.
///
/// `@unchecked Sendable`: all stored properties are constants, as a subclass's have to be.
open class CLLocation: NSObject, @unchecked Sendable {
  /// Where.
  public let coordinate: CLLocationCoordinate2D
  /// Metres above mean sea level.
  public let altitude: CLLocationDistance
  /// Metres above the WGS 84 ellipsoid. The undulation of the geoid is not known: equal to `altitude`.
  public var ellipsoidalAltitude: CLLocationDistance { altitude }
  /// Metres; negative: `coordinate` is invalid.
  public let horizontalAccuracy: CLLocationAccuracy
  /// Metres; negative: `altitude` is invalid.
  public let verticalAccuracy: CLLocationAccuracy
  /// Degrees clockwise from north; negative: invalid.
  public let course: CLLocationDirection
  /// Degrees; negative: invalid.
  public let courseAccuracy: CLLocationDirectionAccuracy
  /// Metres per second; negative: invalid.
  public let speed: CLLocationSpeed
  /// Metres per second; negative: invalid.
  public let speedAccuracy: CLLocationSpeedAccuracy
  /// When.
  public let timestamp: Date
  /// The floor of a building: never known.
  public var floor: CLFloor? { nil }

  /// A place of now with accuracy 0 and no altitude (vertical accuracy −1).
  public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
      horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
  }

  /// A place without course and speed (−1).
  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
  }

  /// A place with course and speed, whose accuracies are not known (−1).
  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: -1, speed: speed, speedAccuracy: -1,
      timestamp: timestamp)
  }

  /// A place with everything.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
    speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
  ) {
    self.coordinate = coordinate
    self.altitude = altitude
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
    self.course = course
    self.courseAccuracy = courseAccuracy
    self.speed = speed
    self.speedAccuracy = speedAccuracy
    self.timestamp = timestamp
  }

  /// Metres to another place along the ellipsoid WGS 84, without the difference in altitude.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    geodesicDistance(coordinate, location.coordinate)
  }
}

/// The floor of a building.
///
/// `@unchecked Sendable`: all stored properties are constants, as a subclass's have to be.
open class CLFloor: NSObject, @unchecked Sendable {
  /// 0 is the ground floor.
  public let level: Int

  init(level: Int) {
    self.level = level
  }
}
