// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing
public import MotionServices

/// What stands here for the gates of Apple's systems: permission, usage description, entitlements and the like.
///
/// Everything is allowed by default; a test or a program denies what it wants to see denied. A change applies at once, also
/// to services that run already: while motion is denied, sources do not run and nothing arrives; samples begin by themselves
/// when it is allowed again.
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
  /// ``MotionHost/requestAuthorization()``. Default: authorized.
  public var authorizationAnswer: Authorization = .authorized
  /// Stands for NSMotionUsageDescription. Without it nothing arrives and the authorisation reads denied (D22).
  public var hasUsageDescription = true
  /// Stands for visionOS's open immersive space. Without it nothing arrives and the authorisation reads denied (D22).
  public var hasImmersiveSpace = true
  /// Stands for a running workout session, which the batched sensors want (D17).
  public var hasActiveWorkout = true
  /// Default: shallow depth, as an app gets without asking for more, and the two health services, which stay unavailable
  /// until somebody injects their detector.
  public var entitlements: Entitlements = [.shallowDepth, .fallDetection, .movementDisorder]
  /// Stands for UIRequiredDeviceCapabilities: `MotionHost.checkRequirements()` fails when the device lacks one of them (D26).
  public var requiredKinds: SensorKinds = []

  /// What depth is computed with, taken over when updates start; nil, the default = what the source says, else EN 13319.
  public var waterDensity: WaterDensity?
  /// Pascal of the air above the water, for a source that starts under water and does not say it; nil, the default = unknown.
  /// While the device is in the air its own measurement takes the place of it.
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

  /// What a manager's `authorizationStatus` says: `authorization`, unless a gate denies everything.
  public var effectiveAuthorization: Authorization {
    hasUsageDescription && hasImmersiveSpace ? authorization : .denied
  }

  /// Whether motion may flow.
  public var allowsMotion: Bool { effectiveAuthorization == .authorized }
}
