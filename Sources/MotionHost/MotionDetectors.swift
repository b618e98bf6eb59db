// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MotionSensing

/// What the host cannot find among its sensors and a program may hand to it: a service needs its detector here.
///
/// Everything is absent by default, and an absent service says so. Nothing here is a medical device, and nothing here
/// may be relied on for anybody's safety. This project detects no falls of its own: the detector that it had gave nine
/// false alarms in eleven hours of everyday motion of a wrist.
///
/// ```swift
/// let falls = FallReports()
/// host.detectors.falls = falls            // CMFallDetectionManager.isAvailable is true now
/// falls.report(DetectedFall(date: Date(), resolution: .confirmed))
/// ```
public struct MotionDetectors: Sendable {
  /// Falls, for `CMFallDetectionManager`; nil = there is no detector.
  public var falls: FallReports?
  /// Tremor and dyskinesia, for `CMMovementDisorderManager`; nil = they are not watched for.
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

/// A fall that a detector has seen, with what the person said about it.
public struct DetectedFall: Sendable, Hashable {
  /// How it ended. The raw values are those of `CMFallDetectionEvent.UserResolution`.
  public enum Resolution: Int, Sendable, Hashable {
    /// The person said that it was a fall.
    case confirmed = 0
    /// The person said that they are fine.
    case dismissed = 1
    /// The person went on moving.
    case rejected = 2
    /// Neither an answer nor movement came.
    case unresponsive = 3
  }

  /// When it was detected, on the wall clock. It names the fall: two falls never have the same date.
  public var date: Date
  /// How it ended.
  public var resolution: Resolution

  /// A fall at a date.
  public init(date: Date, resolution: Resolution) { (self.date, self.resolution) = (date, resolution) }
}

/// Brings falls from a detector to its subscribers. The detector calls ``report(_:)``, from any thread.
///
/// Each fall is reported once: a second report with the date of an earlier one changes nothing. Without a subscriber
/// the latest fall is kept for the first who does, as a system does for an app that is not running (S87).
public final class FallReports: Sendable {
  /// Receives falls, on the detector's thread; must not block.
  package typealias Sink = @Sendable (DetectedFall) -> Void

  private struct State {
    var listeners = Keyed<Sink>()
    var kept: DetectedFall?
    /// Falls are rare: their dates may be kept for good.
    var dates: Set<Date> = []
  }

  private let state = Lock(State())

  /// A line on which nothing has been said.
  public init() {}

  /// One fall. Its date tells it from others.
  public func report(_ fall: DetectedFall) {
    let sinks = state.withLock { state -> [Sink] in
      guard state.dates.insert(fall.date).inserted else { return [] }
      if state.listeners.all.isEmpty { state.kept = fall }
      return state.listeners.all.map(\.value)
    }
    for sink in sinks { sink(fall) }
  }

  /// Gives back a fall that a subscriber received and could not pass on, because its own client is gone. It is kept for
  /// the next subscriber, unless there is another one, which has received it too.
  package func giveBack(_ fall: DetectedFall) {
    state.withLock { state in
      guard state.listeners.all.isEmpty, state.kept.map({ $0.date < fall.date }) ?? true else { return }
      state.kept = fall
    }
  }

  /// Listens until ``stopListening(_:)``. A fall that was kept is delivered at once, on this thread.
  package func listen(_ sink: @escaping Sink) -> Int {
    let (key, kept) = state.withLock { state in
      defer { state.kept = nil }
      return (state.listeners.add(sink), state.kept)
    }
    if let kept { sink(kept) }
    return key
  }

  /// Ends what ``listen(_:)`` began; further calls do nothing.
  package func stopListening(_ key: Int) { withExtendedLifetime(state.withLock { $0.listeners.remove(key) }) {} }
}
