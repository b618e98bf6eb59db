// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One measurement of the water's pressure, with the depth made of it.
///
/// Above water, and while the depth sensor gives nothing that can be used, `depth` and `pressure` are nil (S83).
open class CMWaterSubmersionMeasurement: NSObject, NSCopying, NSSecureCoding {
  /// How deep the device is, in words. The bounds of the last three follow ``CMWaterSubmersionManager/maximumDepth``.
  public enum DepthState: Int, Sendable, BitwiseCopyable {
    case unknown = 0
    case notSubmerged = 100
    /// Less than a metre.
    case submergedShallow = 200
    /// A metre or more.
    case submergedDeep = 300
    /// Within a metre of the maximum depth.
    case approachingMaxDepth = 400
    /// At the maximum depth or below it, by a tenth at most.
    case pastMaxDepth = 500
    /// Too deep, or the sensor fails: there is no depth.
    case sensorDepthError = 600
    /// Never a value: keeps a client's `default` behind all cases reachable (see ``CMAuthorizationStatus``).
    @available(*, unavailable) case _unlisted = -999
  }

  private let storedDate: Date
  private let storedDepth: Measurement<UnitLength>?
  private let storedPressure: Measurement<UnitPressure>?
  private let storedSurfacePressure: Measurement<UnitPressure>
  private let storedState: DepthState

  /// When the pressure was measured.
  open var date: Date { storedDate }
  /// Metres below the surface, down positive; nil above water and when there is none.
  open var depth: Measurement<UnitLength>? { storedDepth }
  /// Kilopascal, absolute; nil where `depth` is.
  open var pressure: Measurement<UnitPressure>? { storedPressure }
  /// Kilopascal: the air's pressure, held from before the device went under.
  open var surfacePressure: Measurement<UnitPressure> { storedSurfacePressure }
  /// The depth in words.
  open var submersionState: DepthState { storedState }

  /// An unknown state without depth at the reference date of `Date`.
  public override init() {
    storedDate = Date(timeIntervalSinceReferenceDate: 0)
    (storedDepth, storedPressure, storedState) = (nil, nil, .unknown)
    storedSurfacePressure = Measurement(value: 0, unit: .kilopascals)
    super.init()
  }

  /// `depth` in metres, the pressures in kPa.
  package init(
    date: Date, depth: Double?, pressure: Double?, surfacePressure: Double, submersionState: DepthState
  ) {
    storedDate = date
    storedDepth = depth.map { Measurement(value: $0, unit: .meters) }
    storedPressure = pressure.map { Measurement(value: $0, unit: .kilopascals) }
    storedSurfacePressure = Measurement(value: surfacePressure, unit: .kilopascals)
    storedState = submersionState
    super.init()
  }

  public required init?(coder: NSCoder) {
    guard let date = coder.date("date") else { return nil }
    storedDate = date
    storedDepth = coder.finiteNumber("depth").map { Measurement(value: $0, unit: .meters) }
    storedPressure = coder.finiteNumber("pressure").map { Measurement(value: $0, unit: .kilopascals) }
    storedSurfacePressure = Measurement(value: coder.number("surfacePressure"), unit: .kilopascals)
    storedState = DepthState(rawValue: coder.decodeInteger(forKey: "submersionState")) ?? .unknown
    super.init()
  }

  /// Writes everything, in metres and kPa.
  open func encode(with coder: NSCoder) {
    coder.encode(date, forDateKey: "date")
    if let depth { coder.encode(depth.converted(to: .meters).value, forKey: "depth") }
    if let pressure { coder.encode(pressure.converted(to: .kilopascals).value, forKey: "pressure") }
    coder.encode(surfacePressure.converted(to: .kilopascals).value, forKey: "surfacePressure")
    coder.encode(submersionState.rawValue, forKey: "submersionState")
  }

  /// The measurement itself: it cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  open class var supportsSecureCoding: Bool { true }
}
