// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// A fault of a simulated device at a known time.
///
/// ```swift
/// configuration.faults = [Fault(.gap(duration: 0.5), at: 2), Fault(.disconnect(reconnectAfter: 1), at: 10)]
/// ```
public struct Fault: Hashable, Sendable {
  /// What happens.
  public enum Action: Hashable, Sendable {
    /// No samples for this many seconds.
    case gap(duration: Double)
    /// One sample is delivered twice.
    case duplicate
    /// One sample is delivered after the one that follows it.
    case outOfOrder
    /// One sample has NaN in its first component.
    case notANumber
    /// The same numbers repeated for this many seconds, with new time stamps.
    case freeze(duration: Double)
    /// Random pressures of 0…2 MPa for this many seconds; affects only pressure.
    case garbage(duration: Double)
    /// From now on time stamps are shifted by this many seconds; negative: the clock jumps back.
    case clockStep(seconds: Double)
    /// The whole device stays connected but sends nothing until the run is stopped.
    case stall
    /// The whole device disconnects: the run throws `SensorError(.disconnected)`, and so does every later run until
    /// `reconnectAfter` seconds have passed (nil: always).
    case disconnect(reconnectAfter: Double?)
  }

  /// Seconds on the trajectory's time line: the first sample at or after it is affected.
  public var time: Double
  /// The affected sensors; ``Action/stall`` and ``Action/disconnect(reconnectAfter:)`` always affect all of them.
  public var kinds: SensorKinds
  /// The kind of fault.
  public var action: Action

  /// A fault at `time` seconds; of all sensors when no `kinds` are given.
  public init(_ action: Action, at time: Double, kinds: SensorKinds = SensorKinds(rawValue: .max)) {
    self.action = action
    self.time = time
    self.kinds = kinds
  }
}

/// What the plan does to one sample.
struct FaultEffect {
  var isMissing = false
  var isDuplicated = false
  var isLate = false
  var isNotANumber = false
  var isFrozen = false
  var isGarbage = false
  var clockOffset = 0.0
}

extension [Fault] {
  /// The effect on a sample of `kinds` at `seconds`, whose predecessor was due at `previous`.
  func effect(on kinds: SensorKinds, at seconds: Double, after previous: Double) -> FaultEffect {
    var effect = FaultEffect()
    for fault in self where !fault.kinds.isDisjoint(with: kinds) && fault.time <= seconds {
      let isFirst = fault.time > previous
      switch fault.action {
      case .gap(let duration): if seconds < fault.time + duration { effect.isMissing = true }
      case .duplicate: if isFirst { effect.isDuplicated = true }
      case .outOfOrder: if isFirst { effect.isLate = true }
      case .notANumber: if isFirst { effect.isNotANumber = true }
      case .freeze(let duration): if seconds < fault.time + duration { effect.isFrozen = true }
      case .garbage(let duration): if seconds < fault.time + duration { effect.isGarbage = true }
      case .clockStep(let step): effect.clockOffset += step
      case .stall, .disconnect: break
      }
    }
    return effect
  }
}
