// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
public import Foundation

/// The steps since the start of the stream, and what follows from them. Each value replaces the one before it.
///
/// What the system does not estimate is nil, never 0.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public struct Steps: Hashable, Sendable {
  /// The start that was asked for.
  public var startDate: Date
  /// Until when the steps are counted.
  public var endDate: Date
  /// Steps, 0 or more.
  public var count: Int
  /// Metres on foot.
  public var distance: Double?
  /// Floors, 0 or more, of about 3 m; needs a barometer.
  public var floorsAscended: Int?
  /// Floors, 0 or more.
  public var floorsDescended: Int?
  /// Seconds per metre at present.
  public var currentPace: Double?
  /// Steps per second at present.
  public var currentCadence: Double?
  /// Seconds per metre, the mean while moving.
  public var averageActivePace: Double?

  /// Steps from their values.
  public init(
    startDate: Date, endDate: Date, count: Int, distance: Double? = nil, floorsAscended: Int? = nil,
    floorsDescended: Int? = nil, currentPace: Double? = nil, currentCadence: Double? = nil,
    averageActivePace: Double? = nil
  ) {
    (self.startDate, self.endDate, self.count, self.distance) = (startDate, endDate, count, distance)
    (self.floorsAscended, self.floorsDescended) = (floorsAscended, floorsDescended)
    (self.currentPace, self.currentCadence) = (currentPace, currentCadence)
    self.averageActivePace = averageActivePace
  }
}

/// A person who walks pauses, or goes on.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public struct WalkingEvent: Hashable, Sendable {
  /// What happened.
  public enum Kind: Hashable, Sendable { case paused, resumed }

  /// When it happened.
  public var date: Date
  /// What happened.
  public var kind: Kind

  /// An event from its values.
  public init(date: Date, kind: Kind) { (self.date, self.kind) = (date, kind) }
}

#if !canImport(Darwin) || os(iOS) || os(watchOS)
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
extension Steps {
  init(_ data: CMPedometerData) {
    self.init(
      startDate: data.startDate, endDate: data.endDate, count: data.numberOfSteps.intValue,
      distance: data.distance?.doubleValue, floorsAscended: data.floorsAscended?.intValue,
      floorsDescended: data.floorsDescended?.intValue, currentPace: data.currentPace?.doubleValue,
      currentCadence: data.currentCadence?.doubleValue, averageActivePace: data.averageActivePace?.doubleValue)
  }
}

@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
extension WalkingEvent {
  init(_ event: CMPedometerEvent) { self.init(date: event.date, kind: event.type == .resume ? .resumed : .paused) }
}
#endif
