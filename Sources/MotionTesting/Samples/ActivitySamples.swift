// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import CoreMotion
public import Foundation
import MotionServices

extension CMPedometerData {
  /// A count with given values; omitted values are unknown (nil).
  ///
  /// - Parameters:
  ///   - distance: metres on foot.
  ///   - currentPace: seconds per metre.
  ///   - currentCadence: steps per second.
  ///   - averageActivePace: seconds per metre while moving.
  public convenience init(
    numberOfSteps: Int, from startDate: Date, to endDate: Date, distance: Double? = nil, floorsAscended: Int? = nil,
    floorsDescended: Int? = nil, currentPace: Double? = nil, currentCadence: Double? = nil,
    averageActivePace: Double? = nil
  ) {
    var values = Values(startDate: startDate, endDate: endDate, numberOfSteps: numberOfSteps)
    values.distance = distance
    values.floorsAscended = floorsAscended
    values.floorsDescended = floorsDescended
    values.currentPace = currentPace
    values.currentCadence = currentCadence
    values.averageActivePace = averageActivePace
    self.init(values)
  }
}

extension CMPedometerEvent {
  /// A pause or its end with given values.
  public convenience init(type: CMPedometerEventType, date: Date) { self.init(date: date, type: type) }
}

extension CMMotionActivity {
  /// An activity with given values; several flags may be true, as for a phone in a car at a red light.
  public convenience init(
    stationary: Bool = false, walking: Bool = false, running: Bool = false, automotive: Bool = false,
    cycling: Bool = false, unknown: Bool = false, confidence: CMMotionActivityConfidence = .high,
    startDate: Date, timestamp: TimeInterval = 0
  ) {
    let flags: [(Bool, MotionActivity)] = [
      (stationary, .stationary), (walking, .walking), (running, .running), (automotive, .automotive),
      (cycling, .cycling), (unknown, .unknown),
    ]
    let states = flags.reduce(into: MotionActivity()) { if $1.0 { $0.formUnion($1.1) } }
    self.init(Values(timestamp: timestamp, startDate: startDate, confidence: confidence, states: states))
  }
}
