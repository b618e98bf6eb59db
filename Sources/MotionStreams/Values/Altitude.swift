// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
public import Foundation

/// The height above the start of the stream, from the pressure of the air.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public struct RelativeAltitude: Hashable, Sendable {
  /// Seconds since the system was started, monotonic.
  public var timestamp: TimeInterval
  /// Metres, up positive; the first value of a stream is 0.
  public var altitude: Double
  /// Kilopascal: about 101.3 at sea level.
  public var pressure: Double

  /// A height from its values.
  public init(timestamp: TimeInterval = 0, altitude: Double = 0, pressure: Double = 101.325) {
    (self.timestamp, self.altitude, self.pressure) = (timestamp, altitude, pressure)
  }
}

/// The height above the sea.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public struct AbsoluteAltitude: Hashable, Sendable {
  /// Seconds since the system was started, monotonic.
  public var timestamp: TimeInterval
  /// Metres above sea level, up positive.
  public var altitude: Double
  /// Metres, one standard deviation, 0 or more.
  public var accuracy: Double
  /// Metres: the smallest step that means something.
  public var precision: Double

  /// A height from its values.
  public init(timestamp: TimeInterval = 0, altitude: Double, accuracy: Double, precision: Double) {
    (self.timestamp, self.altitude) = (timestamp, altitude)
    (self.accuracy, self.precision) = (accuracy, precision)
  }
}

#if !canImport(Darwin) || os(iOS) || os(watchOS)
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
extension RelativeAltitude {
  init(_ data: CMAltitudeData) {
    self.init(
      timestamp: data.timestamp, altitude: data.relativeAltitude.doubleValue, pressure: data.pressure.doubleValue)
  }
}

@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
extension AbsoluteAltitude {
  init(_ data: CMAbsoluteAltitudeData) {
    self.init(
      timestamp: data.timestamp, altitude: data.altitude, accuracy: data.accuracy, precision: data.precision)
  }
}
#endif
