// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One measurement of the water's pressure, with the depth made of it.
///
/// Above water, and while the depth sensor gives nothing that can be used, `depth` and `pressure` are nil (S83).
open class CMWaterSubmersionMeasurement: NSObject, NSCopying, NSSecureCoding, ArchivedSample {
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

  private var storedDate = Date.referenceDate
  private var metres: Double?
  private var kilopascals: Double?
  private var surfaceKilopascals = 0.0
  private var storedState = DepthState.unknown

  /// When the pressure was measured.
  open var date: Date { storedDate }
  /// Metres below the surface, down positive; nil above water and when there is none.
  open var depth: Measurement<UnitLength>? { metres.map { Measurement(value: $0, unit: .meters) } }
  /// Kilopascal, absolute; nil where `depth` is.
  open var pressure: Measurement<UnitPressure>? { kilopascals.map { Measurement(value: $0, unit: .kilopascals) } }
  /// Kilopascal: the air's pressure, held from before the device went under.
  open var surfacePressure: Measurement<UnitPressure> {
    Measurement(value: surfaceKilopascals, unit: .kilopascals)
  }
  /// The depth in words.
  open var submersionState: DepthState { storedState }

  /// An unknown state without depth at the reference date of `Date`.
  public override init() { super.init() }

  /// `depth` in metres, the pressures in kPa.
  package convenience init(
    date: Date, depth: Double?, pressure: Double?, surfacePressure: Double, submersionState: DepthState
  ) {
    self.init()
    (storedDate, metres, kilopascals) = (date, depth, pressure)
    (surfaceKilopascals, storedState) = (surfacePressure, submersionState)
  }

  func code(_ archive: SampleArchive) {
    archive.code("date", date) { storedDate = $0 }
    archive.codeOptional("depth", depth?.converted(to: .meters).value) { metres = $0 }
    archive.codeOptional("pressure", pressure?.converted(to: .kilopascals).value) { kilopascals = $0 }
    archive.code("surfacePressure", surfacePressure.converted(to: .kilopascals).value, or: 0) {
      surfaceKilopascals = $0
    }
    archive.code("submersionState", submersionState, or: .unknown) { storedState = $0 }
  }

  public required init?(coder: NSCoder) {
    super.init()
    guard read(from: coder) else { return nil }
  }

  /// Writes everything, in metres and kPa.
  open func encode(with coder: NSCoder) { write(to: coder) }

  /// The measurement itself: it cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The class and its values by name; for people, not for programs.
  open override var description: String { fieldDescription }

  /// True.
  open class var supportsSecureCoding: Bool { true }
}
