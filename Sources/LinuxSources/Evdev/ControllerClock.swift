// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Gives each frame of a controller an instant on our clock.
///
/// The kernel stamps a frame when it has arrived: after the radio, and three frames of a Switch controller at one instant although they
/// were measured 5 ms apart. The controller's own time has the right distances, but begins anywhere, wraps around, and runs a
/// little fast or slow. So: distances from the controller, and the origin from the kernel (spec EV-6).
///
/// The origin follows from causality. What has arrived was measured before, so of all frames the one with the least delay says the most:
/// the offset between the clocks is the smallest difference of arrival and controller's time. It falls at once, and it
/// rises slowly towards the smallest difference of the last tenths of a second, which follows a clock that runs slow. How slowly
/// depends on the clock: the less it may run off, the less a stall of the radio or of this computer can move it.
///
/// The rule and its figures are this project's own.
struct ControllerClock: Sendable {
  /// What keeps a controller's time.
  enum Keeper: Hashable, Sendable {
    /// An oscillator in the controller, read with each report: Sony's. It runs off by far less than a thousandth.
    case oscillator
    /// The driver adds a nominal distance per sample, in whole milliseconds in hid-nintendo: it runs off by several per cent.
    case counting

    /// How much of the time that has passed the origin may rise.
    var slowness: Double { self == .oscillator ? 0.001 : 0.1 }
  }

  /// Two clocks that tell the time since the last frame this differently have nothing to do with each other: one began anew.
  static let disagreement = SensorDuration.seconds(2)
  /// An origin that is further off than this is set anew, not approached.
  static let drift = SensorDuration.milliseconds(50)
  /// In which the least delay is looked for.
  static let window = SensorDuration.milliseconds(100)
  /// Windows in a row that must show the drift: a stalled radio shows it for one or two.
  static let patience = 5
  /// The same controller's time so often in a row: its clock stands still, and the kernel's counts.
  static let standstill = 3

  /// Times that the origin was set anew.
  private(set) var anchorings = 0
  /// Frames left out: the controller says that no time has passed.
  private(set) var repeats = 0
  private let slowness: Double
  private var stamp: UInt32?
  private var stampedArrival = SensorInstant(nanoseconds: 0)
  /// Nanoseconds of the controller since its origin was last set.
  private var elapsed: Int64 = 0
  /// Nanoseconds from the controller's time to ours.
  private var offset: Int64 = 0
  private var least = (now: Int64.max, before: Int64.max)
  private var windowEnd = SensorInstant(nanoseconds: 0)
  private var strays = 0
  private var sameInARow = 0
  private var last: SensorInstant?

  init(keeper: Keeper) { slowness = keeper.slowness }

  /// When a frame was measured; nil for one to leave out. What comes out ascends strictly.
  mutating func instant(of frame: MotionFrame) -> SensorInstant? {
    guard let device = frame.deviceTime else { return ascending(frame.time) }
    guard let stamp else { return anchored(at: frame.time, device) }
    // Wrapping subtraction: the distance is right across the end of the 32 bits.
    let step = Int64(device &- stamp) * 1000
    guard step > 0 else {
      sameInARow += 1
      if sameInARow >= Self.standstill { return ascending(frame.time) }
      repeats += 1
      return nil
    }
    sameInARow = 0
    let waited = (frame.time - stampedArrival).nanoseconds
    guard abs(step - waited) <= Self.disagreement.nanoseconds else {
      anchorings += 1
      return anchored(at: frame.time, device)
    }
    elapsed += step
    self.stamp = device
    stampedArrival = frame.time
    follow(frame.time, step: step)
    let time = SensorInstant(nanoseconds: elapsed + offset)
    guard let last else { return ascending(time) }
    // Where the origin has just fallen, time goes on at half its pace until it has caught up.
    let slowest = min(step / 2, Self.drift.nanoseconds / 2)
    return ascending(max(time, last + SensorDuration(nanoseconds: slowest)))
  }

  private mutating func anchored(at arrival: SensorInstant, _ device: UInt32) -> SensorInstant {
    stamp = device
    stampedArrival = arrival
    elapsed = 0
    offset = arrival.nanoseconds
    least = (offset, .max)
    windowEnd = arrival + Self.window
    strays = 0
    sameInARow = 0
    return ascending(arrival)
  }

  /// Moves the origin by what this frame says of it.
  private mutating func follow(_ arrival: SensorInstant, step: Int64) {
    let said = arrival.nanoseconds - elapsed
    if said < offset {
      if offset - said > Self.drift.nanoseconds { anchorings += 1 }
      offset = said
    }
    if arrival >= windowEnd {
      let floor = min(least.now, least.before)
      strays = floor != .max && floor - offset > Self.drift.nanoseconds ? strays + 1 : 0
      if strays >= Self.patience {
        offset = floor
        anchorings += 1
        strays = 0
      }
      least = (.max, least.now)
      windowEnd = arrival + Self.window
    }
    least.now = min(least.now, said)
    let floor = min(least.now, least.before)
    if floor > offset { offset += min(floor - offset, Int64(Double(step) * slowness)) }
  }

  private mutating func ascending(_ time: SensorInstant) -> SensorInstant {
    let next = last.map { max(time, $0 + SensorDuration(nanoseconds: 1)) } ?? time
    last = next
    return next
  }
}
