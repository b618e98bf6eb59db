// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import MotionSensing

typealias AbsoluteAxis = linux_input_axis

/// The few things that a driver does to the node of an input device; tests replace them.
struct InputNodes: Sendable {
  /// Opens a node for reading without blocking.
  var open: @Sendable (_ path: String) throws(SystemFailure) -> Int32 = SystemFiles.system.open
  /// Reads an axis, `EVIOCGABS`.
  var axis: @Sendable (_ descriptor: Int32, _ code: Int) throws(SystemFailure) -> AbsoluteAxis = Self.readAxis
  /// Writes an axis, `EVIOCSABS`; a descriptor for reading suffices (EV-4).
  var setAxis: @Sendable (_ descriptor: Int32, _ code: Int, _ axis: AbsoluteAxis) throws(SystemFailure) -> Void =
    Self.writeAxis
  /// Chooses the monotonic clock for the times of the events that this descriptor reads, `EVIOCSCLOCKID`.
  var useMonotonicClock: @Sendable (_ descriptor: Int32) throws(SystemFailure) -> Void = Self.chooseClock

  /// The system's own.
  static let system = InputNodes()

  private static func readAxis(_ descriptor: Int32, _ code: Int) throws(SystemFailure) -> AbsoluteAxis {
    var axis = AbsoluteAxis()
    guard ioctl(descriptor, linux_input_get_absolute(UInt32(code)), &axis) >= 0 else {
      throw SystemFailure(errno: errno)
    }
    return axis
  }

  private static func writeAxis(_ descriptor: Int32, _ code: Int, _ axis: AbsoluteAxis) throws(SystemFailure) {
    var axis = axis
    guard ioctl(descriptor, linux_input_set_absolute(UInt32(code)), &axis) >= 0 else {
      throw SystemFailure(errno: errno)
    }
  }

  private static func chooseClock(_ descriptor: Int32) throws(SystemFailure) {
    var clock = Int32(CLOCK_MONOTONIC)
    guard ioctl(descriptor, linux_input_set_clock(), &clock) >= 0 else { throw SystemFailure(errno: errno) }
  }
}

/// The smoothing of a controller's axes, switched off for the time of a run.
///
/// The kernel keeps back a change below half of an axis's fuzz and mixes a small one with the old value: good for a
/// stick, wrong for a gyroscope. The setting belongs to the device, not to the reader, and stays until the controller
/// is unplugged, so it is restored at the end (EV-4).
struct TemporaryFuzz {
  let descriptor: Int32
  let nodes: InputNodes
  private(set) var old: [(code: Int, fuzz: Int32)] = []

  /// Switches it off on the first axes.
  mutating func switchOff(axes count: Int) throws(SystemFailure) {
    for code in 0..<count {
      let fuzz = try set(0, axis: code)
      if fuzz != 0 { old.append((code, fuzz)) }
    }
  }

  /// Restores it, as far as the controller is still there.
  mutating func restore() {
    for entry in old { _ = try? set(entry.fuzz, axis: entry.code) }
    old = []
  }

  /// The kernel takes a whole axis, its value included, so it is read just before; gives the fuzz that was set.
  private func set(_ fuzz: Int32, axis code: Int) throws(SystemFailure) -> Int32 {
    var axis = try nodes.axis(descriptor, code)
    let before = axis.fuzz
    guard before != fuzz else { return before }
    axis.fuzz = fuzz
    try nodes.setAxis(descriptor, code, axis)
    return before
  }
}
