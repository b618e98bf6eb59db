// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import MotionSensing

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
  public init(date: Date, resolution: Resolution) {
    self.date = date
    self.resolution = resolution
  }
}

/// A line from a detector of falls to whoever wants to hear of them. The detector calls ``report(_:)``, from any thread.
///
/// Each fall is told once: a second report with the date of an earlier one changes nothing. While nobody listens the latest
/// fall is kept for the first who does, as a system does for an app that is not running (S87).
public final class FallReports: Sendable {
  /// Hears of falls, on the detector's thread; must not block.
  public typealias Sink = @Sendable (DetectedFall) -> Void

  private struct State {
    var listeners: [(key: Int, sink: Sink)] = []
    var nextKey = 0
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
      if state.listeners.isEmpty { state.kept = fall }
      return state.listeners.map(\.sink)
    }
    for sink in sinks { sink(fall) }
  }

  /// Gives back a fall that a listener heard and could not pass on, because whoever wanted it is gone. It is kept for the next
  /// listener, unless somebody else listens, who has heard it too.
  public func giveBack(_ fall: DetectedFall) {
    state.withLock { state in
      guard state.listeners.isEmpty, state.kept.map({ $0.date < fall.date }) ?? true else { return }
      state.kept = fall
    }
  }

  /// Listens until ``stopListening(_:)``. A fall that was kept is told at once, on this thread.
  public func listen(_ sink: @escaping Sink) -> Int {
    let (key, kept) = state.withLock { state -> (Int, DetectedFall?) in
      state.nextKey += 1
      state.listeners.append((state.nextKey, sink))
      defer { state.kept = nil }
      return (state.nextKey, state.kept)
    }
    if let kept { sink(kept) }
    return key
  }

  /// Ends what ``listen(_:)`` began; further calls do nothing.
  public func stopListening(_ key: Int) {
    let removed = state.withLock { state -> [(key: Int, sink: Sink)] in
      let removed = state.listeners.filter { $0.key == key }
      state.listeners.removeAll { $0.key == key }
      return removed
    }
    withExtendedLifetime(removed) {}
  }
}
