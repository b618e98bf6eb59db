// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Core Location's names for the numbers of CMOdometerData. That framework does not exist here; its four names are, so
// that code that spells them compiles. A module that brings the same aliases of Double does not make them ambiguous:
// two names for one type are one type to the compiler (G40).

/// Metres.
public typealias CLLocationDistance = Double
/// Metres, the radius of uncertainty; negative = not valid.
public typealias CLLocationAccuracy = Double
/// Metres per second.
public typealias CLLocationSpeed = Double
/// Metres per second, the uncertainty of a speed; negative = not valid.
public typealias CLLocationSpeedAccuracy = Double

/// Which device measured the way.
public enum CMOdometerOriginDevice: Int, Sendable, BitwiseCopyable {
  case unknown = 0
  case local = 1
  case remote = 2
  /// Never a value: keeps a client's `default` behind all cases reachable (see ``CMAuthorizationStatus``).
  @available(*, unavailable) case _unlisted = -999
}

/// A piece of way: distance, speed and height gained between two points in time. Nothing here delivers it:
/// Apple's systems hand it out through another framework (SensorKit), and it takes a receiver of positions.
///
/// An object made with `init()` has no way behind it and every accuracy negative, which means "not valid".
open class CMOdometerData: NSObject, NSCopying, NSSecureCoding, ArchivedSample {
  /// The numbers of a ``CMOdometerData``.
  package struct Values: Sendable {
    /// Where the piece begins.
    package var startDate: Date
    /// Where the piece ends.
    package var endDate: Date
    /// The time of the position fix that speed and distance rest on.
    package var gpsDate: Date
    /// Metres.
    package var deltaDistance: Double = 0
    /// Metres; negative = not valid.
    package var deltaDistanceAccuracy: Double = -1
    /// Metres per second.
    package var speed: Double = 0
    /// Metres per second; negative = not valid.
    package var speedAccuracy: Double = -1
    /// Metres, up positive.
    package var deltaAltitude: Double = 0
    /// Metres; negative = not valid.
    package var verticalAccuracy: Double = -1
    /// Which device measured.
    package var originDevice = CMOdometerOriginDevice.unknown
    /// Degrees, uphill positive; nil = not known.
    package var slopeDegrees: Double?
    /// Degrees, the steepest of the piece, without sign; nil = not known.
    package var steepestSlopeDegrees: Double?

    /// A piece of way of no length.
    package init(startDate: Date, endDate: Date, gpsDate: Date) {
      self.startDate = startDate
      self.endDate = endDate
      self.gpsDate = gpsDate
    }
  }

  private var values = Values(startDate: .referenceDate, endDate: .referenceDate, gpsDate: .referenceDate)

  /// Where the piece begins.
  open var startDate: Date { values.startDate }
  /// Where the piece ends.
  open var endDate: Date { values.endDate }
  /// The time of the position fix that speed and distance rest on.
  open var gpsDate: Date { values.gpsDate }
  /// Metres.
  open var deltaDistance: CLLocationDistance { values.deltaDistance }
  /// Metres; negative = not valid.
  open var deltaDistanceAccuracy: CLLocationAccuracy { values.deltaDistanceAccuracy }
  /// Metres per second.
  open var speed: CLLocationSpeed { values.speed }
  /// Metres per second; negative = not valid.
  open var speedAccuracy: CLLocationSpeedAccuracy { values.speedAccuracy }
  /// Metres, up positive.
  open var deltaAltitude: CLLocationDistance { values.deltaAltitude }
  /// Metres; negative = not valid.
  open var verticalAccuracy: CLLocationAccuracy { values.verticalAccuracy }
  /// Which device measured.
  open var originDevice: CMOdometerOriginDevice { values.originDevice }
  /// Degrees, uphill positive; nil = not known.
  open var slope: Double? { values.slopeDegrees }
  /// Degrees, the steepest of the piece, without sign; nil = not known.
  open var maxAbsSlope: Double? { values.steepestSlopeDegrees }

  public override init() { super.init() }

  /// An object with the given numbers.
  package convenience init(_ values: Values) {
    self.init()
    self.values = values
  }

  func code(_ archive: SampleArchive) {
    archive.code("startDate", startDate) { values.startDate = $0 }
    archive.code("endDate", endDate) { values.endDate = $0 }
    archive.code("gpsDate", gpsDate) { values.gpsDate = $0 }
    archive.code("deltaDistance", deltaDistance, or: 0) { values.deltaDistance = $0 }
    archive.code("deltaDistanceAccuracy", deltaDistanceAccuracy, or: 0) { values.deltaDistanceAccuracy = $0 }
    archive.code("speed", speed, or: 0) { values.speed = $0 }
    archive.code("speedAccuracy", speedAccuracy, or: 0) { values.speedAccuracy = $0 }
    archive.code("deltaAltitude", deltaAltitude, or: 0) { values.deltaAltitude = $0 }
    archive.code("verticalAccuracy", verticalAccuracy, or: 0) { values.verticalAccuracy = $0 }
    archive.code("originDevice", originDevice) { values.originDevice = $0 }
    archive.codeOptional("slope", slope) { values.slopeDegrees = $0 }
    archive.codeOptional("maxAbsSlope", maxAbsSlope) { values.steepestSlopeDegrees = $0 }
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
