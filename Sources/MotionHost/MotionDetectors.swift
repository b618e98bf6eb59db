// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MotionSensing

/// What the host cannot find among its sensors and somebody may hand to it: a service exists when its detector is here.
///
/// Everything is absent by default, and an absent service says so. Nothing here is a medical device, and nothing here may be
/// relied on for anybody's safety.
///
/// ```swift
/// let falls = FallReports()
/// host.detectors.falls = falls            // CMFallDetectionManager.isAvailable is true now
/// falls.report(DetectedFall(date: Date(), resolution: .confirmed))
/// ```
public struct MotionDetectors: Sendable {
  /// Falls, for `CMFallDetectionManager`; nil = there is no detector.
  public var falls: FallReports?
  /// Tremor and dyskinesia, for `CMMovementDisorderManager`; nil = nobody watches for them.
  public var movementDisorder: (any MovementDisorderMonitor)?

  /// No detectors.
  public init() {}
}

/// Watches a wrist for tremor and dyskinesia, minute by minute.
///
/// Times are the wall clock's: this is history, not a data path. Calls may come from any thread.
public protocol MovementDisorderMonitor: Sendable {
  /// The version of the algorithm as "major.minor.fix"; nil = not known.
  var version: String? { get }
  /// Up to where the results are complete; nil when nothing has been processed.
  var lastProcessedDate: Date? { get }
  /// When watching ends, or ended; nil when it was never asked for.
  var expirationDate: Date? { get }
  /// Watches until `end`, at most seven days ahead. A call while it watches moves the end.
  func monitor(until end: Date)
  /// The minutes of tremor that begin in the span, both ends included.
  func tremor(from start: Date, to end: Date) throws(SensorError) -> [TremorMinute]
  /// The minutes of dyskinesia that begin in the span, both ends included.
  func dyskinesia(from start: Date, to end: Date) throws(SensorError) -> [DyskinesiaMinute]
}

/// One minute watched for tremor: which fraction of it showed which strength.
public struct TremorMinute: Sendable, Hashable {
  /// Where the minute begins.
  public let start: Date
  /// Fractions 0…1 in the order unknown, none, slight, mild, moderate, strong; they sum to 1.
  public let fractions: [Float]

  /// Nil unless each fraction lies in 0…1 and together they are 1, to a thousandth (S88).
  public init?(
    start: Date, unknown: Float = 0, none: Float = 0, slight: Float = 0, mild: Float = 0, moderate: Float = 0,
    strong: Float = 0
  ) {
    fractions = [unknown, none, slight, mild, moderate, strong]
    guard fractions.areSharesOfOne else { return nil }
    self.start = start
  }
}

/// One minute watched for dyskinesia.
public struct DyskinesiaMinute: Sendable, Hashable {
  /// Where the minute begins.
  public let start: Date
  /// Fractions 0…1 in the order unlikely, likely; they sum to 1.
  public let fractions: [Float]

  /// Nil unless both fractions lie in 0…1 and together they are 1, to a thousandth (S88).
  public init?(start: Date, unlikely: Float = 0, likely: Float = 0) {
    fractions = [unlikely, likely]
    guard fractions.areSharesOfOne else { return nil }
    self.start = start
  }
}

extension [Float] {
  /// Whether they are parts of a whole: each in 0…1, their sum 1 to a thousandth.
  fileprivate var areSharesOfOne: Bool {
    allSatisfy { (0...1).contains($0) } && abs(reduce(0, +) - 1) <= 1e-3
  }
}
