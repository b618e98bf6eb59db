// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
public import Foundation

/// What a person does, from `startDate` until the next value.
///
/// The kinds are independent: a car at a red light is `[.automotive, .stationary]`, and the set is empty while the
/// device moves in a way that fits none.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public struct MotionActivity: Hashable, Sendable {
  /// What a person can do.
  public struct Kinds: OptionSet, Hashable, Sendable {
    /// One bit per kind.
    public let rawValue: UInt8
    /// A set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// No decision is possible, as just after the start.
    public static let unknown = Kinds(rawValue: 1 << 0)
    /// The device does not move.
    public static let stationary = Kinds(rawValue: 1 << 1)
    /// On foot.
    public static let walking = Kinds(rawValue: 1 << 2)
    /// Running.
    public static let running = Kinds(rawValue: 1 << 3)
    /// In a car, a bus or a train.
    public static let automotive = Kinds(rawValue: 1 << 4)
    /// On a bicycle.
    public static let cycling = Kinds(rawValue: 1 << 5)
  }

  /// How sure the system is, least first.
  public enum Confidence: Int, Hashable, Sendable, Comparable {
    case low, medium, high

    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// When it began.
  public var startDate: Date
  /// What the person does; may be empty.
  public var kinds: Kinds
  /// How sure the system is.
  public var confidence: Confidence

  /// An activity from its values. Default confidence: high.
  public init(startDate: Date, kinds: Kinds, confidence: Confidence = .high) {
    (self.startDate, self.kinds, self.confidence) = (startDate, kinds, confidence)
  }
}

#if !canImport(Darwin) || os(iOS) || os(watchOS) || os(macOS)
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
extension MotionActivity {
  init(_ activity: CMMotionActivity) {
    let flags: [(Bool, Kinds)] = [
      (activity.unknown, .unknown), (activity.stationary, .stationary), (activity.walking, .walking),
      (activity.running, .running), (activity.automotive, .automotive), (activity.cycling, .cycling),
    ]
    self.init(
      startDate: activity.startDate, kinds: flags.reduce(into: []) { if $1.0 { $0.formUnion($1.1) } },
      confidence: Confidence(rawValue: activity.confidence.rawValue) ?? .low)
  }
}
#endif
