// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Steps, and what follows from them, between two points in time.
///
/// A quantity that the device cannot know, or does not know yet, is nil. An object made with `init()` counts no steps.
open class CMPedometerData: NSObject, NSCopying, NSSecureCoding, ArchivedSample {
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
    /// Floors of about 3 m, upwards and downwards.
    package var floorsAscended, floorsDescended: Int?
    /// Seconds per metre.
    package var currentPace: Double?
    /// Steps per second.
    package var currentCadence: Double?
    /// Seconds per metre, idle time left out.
    package var averageActivePace: Double?

    /// Steps between two dates; everything else unknown.
    package init(startDate: Date, endDate: Date, numberOfSteps: Int) {
      (self.startDate, self.endDate, self.numberOfSteps) = (startDate, endDate, numberOfSteps)
    }
  }

  private var values = Values(startDate: .referenceDate, endDate: .referenceDate, numberOfSteps: 0)

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

  /// An object with the given numbers.
  package convenience init(_ values: Values) {
    self.init()
    self.values = values
  }

  public override init() { super.init() }

  func code(_ archive: SampleArchive) {
    archive.code("startDate", startDate) { values.startDate = $0 }
    archive.code("endDate", endDate) { values.endDate = $0 }
    archive.code("numberOfSteps", numberOfSteps.intValue, or: 0) { values.numberOfSteps = $0 }
    archive.codeOptional("distance", distance?.doubleValue) { values.distance = $0 }
    archive.codeOptional("floorsAscended", floorsAscended?.intValue) { values.floorsAscended = $0 }
    archive.codeOptional("floorsDescended", floorsDescended?.intValue) { values.floorsDescended = $0 }
    archive.codeOptional("currentPace", currentPace?.doubleValue) { values.currentPace = $0 }
    archive.codeOptional("currentCadence", currentCadence?.doubleValue) { values.currentCadence = $0 }
    archive.codeOptional("averageActivePace", averageActivePace?.doubleValue) { values.averageActivePace = $0 }
  }

  public required init?(coder: NSCoder) {
    super.init()
    guard read(from: coder) else { return nil }
  }

  /// Writes dates and numbers; what is unknown is left out.
  open func encode(with coder: NSCoder) { write(to: coder) }

  /// The object itself: it cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The class and its values by name; for people, not for programs.
  open override var description: String { fieldDescription }

  /// True.
  open class var supportsSecureCoding: Bool { true }
}
