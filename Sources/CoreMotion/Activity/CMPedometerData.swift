// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Steps, and what follows from them, between two points in time.
///
/// A quantity that the device cannot know, or does not know yet, is nil. An object made with `init()` counts no steps.
open class CMPedometerData: NSObject, NSCopying, NSSecureCoding {
  /// The numbers of a ``CMPedometerData``; nil = not known.
  package struct Values: Sendable {
    /// The start that was asked for.
    package var startDate: Date
    /// The latest update, or the end that was asked for.
    package var endDate: Date
    /// Steps between the dates.
    package var numberOfSteps: Int
    /// Metres.
    package var distance: Double?
    /// Floors of about 3 m, upwards.
    package var floorsAscended: Int?
    /// Floors of about 3 m, downwards.
    package var floorsDescended: Int?
    /// Seconds per metre.
    package var currentPace: Double?
    /// Steps per second.
    package var currentCadence: Double?
    /// Seconds per metre, idle time left out.
    package var averageActivePace: Double?

    /// Steps between two dates; everything else unknown.
    package init(startDate: Date, endDate: Date, numberOfSteps: Int) {
      self.startDate = startDate
      self.endDate = endDate
      self.numberOfSteps = numberOfSteps
    }
  }

  private let values: Values

  /// The start that was asked for.
  open var startDate: Date { values.startDate }
  /// The latest update, or the end that was asked for.
  open var endDate: Date { values.endDate }
  /// Steps between the dates.
  open var numberOfSteps: NSNumber { NSNumber(value: values.numberOfSteps) }
  /// Metres on foot.
  open var distance: NSNumber? { values.distance.map(NSNumber.init(value:)) }
  /// Floors upwards, on foot.
  open var floorsAscended: NSNumber? { values.floorsAscended.map(NSNumber.init(value:)) }
  /// Floors downwards, on foot.
  open var floorsDescended: NSNumber? { values.floorsDescended.map(NSNumber.init(value:)) }
  /// Seconds per metre; nil in the answer to a query (S67).
  open var currentPace: NSNumber? { values.currentPace.map(NSNumber.init(value:)) }
  /// Steps per second; nil in the answer to a query (S67).
  open var currentCadence: NSNumber? { values.currentCadence.map(NSNumber.init(value:)) }
  /// Seconds per metre while moving.
  open var averageActivePace: NSNumber? { values.averageActivePace.map(NSNumber.init(value:)) }

  public override init() {
    values = Values(startDate: .referenceDate, endDate: .referenceDate, numberOfSteps: 0)
    super.init()
  }

  /// An object with the given numbers.
  package init(_ values: Values) {
    self.values = values
    super.init()
  }

  public required init?(coder: NSCoder) {
    guard let startDate = coder.date("startDate"), let endDate = coder.date("endDate") else { return nil }
    var values = Values(
      startDate: startDate, endDate: endDate, numberOfSteps: coder.decodeInteger(forKey: "numberOfSteps"))
    values.distance = coder.finiteNumber("distance")
    values.floorsAscended = coder.integer("floorsAscended")
    values.floorsDescended = coder.integer("floorsDescended")
    values.currentPace = coder.finiteNumber("currentPace")
    values.currentCadence = coder.finiteNumber("currentCadence")
    values.averageActivePace = coder.finiteNumber("averageActivePace")
    self.values = values
    super.init()
  }

  /// Writes dates and numbers; what is unknown is left out.
  open func encode(with coder: NSCoder) {
    coder.encode(startDate, forDateKey: "startDate")
    coder.encode(endDate, forDateKey: "endDate")
    coder.encode(numberOfSteps.intValue, forKey: "numberOfSteps")
    if let floors = floorsAscended?.intValue { coder.encode(floors, forKey: "floorsAscended") }
    if let floors = floorsDescended?.intValue { coder.encode(floors, forKey: "floorsDescended") }
    let numbers = [
      ("distance", distance), ("currentPace", currentPace), ("currentCadence", currentCadence),
      ("averageActivePace", averageActivePace),
    ]
    for (key, number) in numbers {
      if let number { coder.encode(number.doubleValue, forKey: key) }
    }
  }

  /// The object itself: it cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  open class var supportsSecureCoding: Bool { true }
}
