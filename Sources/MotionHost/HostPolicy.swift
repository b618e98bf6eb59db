// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing
import OrientationFusion

/// What stands here for the gates of Apple's systems: permission, usage description, entitlements and the like.
///
/// Everything is allowed by default; a test or a program denies what it wants to see denied. A change applies at once,
/// also to services that run already: while motion is denied, sources do not run and nothing arrives; samples begin by
/// themselves when it is allowed again.
///
/// ```swift
/// host.policy.authorization = .denied
/// ```
public struct HostPolicy: Sendable, Hashable {
  /// The person's answer to the question whether the program may read motion.
  public enum Authorization: Int, Sendable, Hashable {
    case notDetermined, restricted, denied, authorized
  }

  /// What Apple's systems grant to a program by its signature.
  public struct Entitlements: OptionSet, Sendable, Hashable {
    /// One bit per entitlement.
    public let rawValue: UInt8
    /// A set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Depth to 6 m.
    public static let shallowDepth = Entitlements(rawValue: 1 << 0)
    /// Depth to 40 m.
    public static let fullDepth = Entitlements(rawValue: 1 << 1)
    /// Fall events.
    public static let fallDetection = Entitlements(rawValue: 1 << 2)
    /// Tremor and dyskinesia results.
    public static let movementDisorder = Entitlements(rawValue: 1 << 3)
  }

  /// Default: authorized.
  public var authorization: Authorization = .authorized
  /// What the person answers when a manager asks while ``authorization`` is `.notDetermined`; see
  /// `MotionHost.requestAuthorization()`. Default: authorized.
  public var authorizationAnswer: Authorization = .authorized
  /// Stands for NSMotionUsageDescription. Without it nothing arrives and the authorisation reads denied (D22).
  public var hasUsageDescription = true
  /// Stands for visionOS's open immersive space. Without it nothing arrives and the authorisation reads denied (D22).
  public var hasImmersiveSpace = true
  /// Stands for a running workout session, which the batched sensors want (D17).
  public var hasActiveWorkout = true
  /// Default: shallow depth, as an app gets without asking for more, and the two health services, which stay
  /// unavailable until a program injects their detector.
  public var entitlements: Entitlements = [.shallowDepth, .fallDetection, .movementDisorder]
  /// Stands for UIRequiredDeviceCapabilities: `MotionHost.checkRequirements()` fails when the device lacks one of them
  /// (D26).
  public var requiredKinds: SensorKinds = []

  /// Metres: the person's height, for the length of a step; nil, the default = 1.70. Taken over when steps are first
  /// counted.
  public var personHeight: Double?

  /// What depth is computed with, taken over when updates start; nil, the default = the source's, else EN 13319.
  public var waterDensity: WaterDensity?
  /// Pascal of the air above the water, for a source that starts under water without it; nil, the default =
  /// unknown. While the device is in the air its own measurement takes the place of it.
  public var surfacePressure: Double?
  /// What ties the altimeter to sea level, taken over when updates start; nil, the default = nothing does.
  public var altitudeReference: AltitudeReference?

  /// Metres that depth may be measured to; nil without an entitlement for it (S85).
  public var maximumDepth: Double? {
    if entitlements.contains(.fullDepth) { return 40 }
    return entitlements.contains(.shallowDepth) ? 6 : nil
  }

  /// Everything allowed, with the shallow depth.
  public init() {}

  /// A manager's `authorizationStatus`: `authorization`, unless a gate denies everything.
  public var effectiveAuthorization: Authorization {
    hasUsageDescription && hasImmersiveSpace ? authorization : .denied
  }

  /// Whether motion may flow.
  public var allowsMotion: Bool { effectiveAuthorization == .authorized }
}

/// Where the device is on the earth, for true north: Core Location has no counterpart here, so the host is given it.
///
/// ```swift
/// let munich = GeographicLocation(latitudeDegrees: 48.14, longitudeDegrees: 11.58, year: 2026.5)
/// ```
public struct GeographicLocation: Sendable, Hashable {
  /// Rad, north positive, −π/2…π/2.
  public var latitude: Double
  /// Rad, east positive.
  public var longitude: Double
  /// Metres above the WGS 84 ellipsoid; default 0. A kilometre changes declination by < 0.01° at mid latitudes.
  public var height: Double
  /// Decimal year of the magnetic model, 2025.0…2030.0 for the built-in one.
  public var year: Double

  /// Nil when a number is not finite or the latitude is beyond a pole.
  public init?(latitudeDegrees: Double, longitudeDegrees: Double, height: Double = 0, year: Double) {
    guard abs(latitudeDegrees) <= 90, longitudeDegrees.isFinite, abs(longitudeDegrees) <= 360, height.isFinite,
      year.isFinite
    else { return nil }
    latitude = Angle(degrees: latitudeDegrees).radians
    longitude = Angle(degrees: longitudeDegrees).radians
    self.height = height
    self.year = year
  }

  /// The angle from true north to magnetic north, rad, east positive; nil near the magnetic poles and outside the years
  /// of the World Magnetic Model 2025.
  public var declination: Double? {
    // Below 2000 nT of horizontal field a compass does not work (blackout zone of the model).
    guard let field, field.horizontal >= 2000e-9 else { return nil }
    return field.declination
  }

  /// The angle of the field below the horizon, rad, positive when it points down; nil outside the years of the model.
  public var dipAngle: Double? { field?.dipAngle }

  private var field: GeomagneticField? {
    GeomagneticModel().field(latitude: latitude, longitude: longitude, heightAboveEllipsoid: height, year: year)
  }
}
