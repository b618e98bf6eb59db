// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Which device measured the way.
public enum CMOdometerOriginDevice: Int, Sendable, BitwiseCopyable {
  case unknown = 0
  case local = 1
  case remote = 2
  /// Never a value: keeps a client's `default` behind all cases reachable (see ``CMAuthorizationStatus``).
  @available(*, unavailable) case _unlisted = -999
}

/// A piece of way: distance, speed and height gained between two points in time. No service of this module delivers it.
///
/// An object made with `init()` has no way behind it and every accuracy negative, which means "not valid".
open class CMOdometerData: NSObject, NSCopying, NSSecureCoding {
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

  private let values: Values

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

  public override init() {
    values = Values(startDate: .referenceDate, endDate: .referenceDate, gpsDate: .referenceDate)
    super.init()
  }

  /// An object with the given numbers.
  package init(_ values: Values) {
    self.values = values
    super.init()
  }

  public required init?(coder: NSCoder) {
    guard let startDate = coder.date("startDate"), let endDate = coder.date("endDate"),
      let gpsDate = coder.date("gpsDate"),
      let originDevice = CMOdometerOriginDevice(rawValue: coder.decodeInteger(forKey: "originDevice"))
    else { return nil }
    var values = Values(startDate: startDate, endDate: endDate, gpsDate: gpsDate)
    values.deltaDistance = coder.number("deltaDistance")
    values.deltaDistanceAccuracy = coder.number("deltaDistanceAccuracy")
    values.speed = coder.number("speed")
    values.speedAccuracy = coder.number("speedAccuracy")
    values.deltaAltitude = coder.number("deltaAltitude")
    values.verticalAccuracy = coder.number("verticalAccuracy")
    values.originDevice = originDevice
    values.slopeDegrees = coder.finiteNumber("slope")
    values.steepestSlopeDegrees = coder.finiteNumber("maxAbsSlope")
    self.values = values
    super.init()
  }

  /// Writes dates and numbers; what is unknown is left out.
  open func encode(with coder: NSCoder) {
    coder.encode(startDate, forDateKey: "startDate")
    coder.encode(endDate, forDateKey: "endDate")
    coder.encode(gpsDate, forDateKey: "gpsDate")
    coder.encode(deltaDistance, forKey: "deltaDistance")
    coder.encode(deltaDistanceAccuracy, forKey: "deltaDistanceAccuracy")
    coder.encode(speed, forKey: "speed")
    coder.encode(speedAccuracy, forKey: "speedAccuracy")
    coder.encode(deltaAltitude, forKey: "deltaAltitude")
    coder.encode(verticalAccuracy, forKey: "verticalAccuracy")
    coder.encode(originDevice.rawValue, forKey: "originDevice")
    if let slope { coder.encode(slope, forKey: "slope") }
    if let maxAbsSlope { coder.encode(maxAbsSlope, forKey: "maxAbsSlope") }
  }

  /// The object itself: it cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  open class var supportsSecureCoding: Bool { true }
}
