// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The smoothing of a controller's axes, switched off for the time of a run.
///
/// The kernel keeps back a change below half of an axis's fuzz and mixes a small one with the old value: good for a stick, wrong for a
/// gyroscope. The setting belongs to the device, not to the reader, and stays until the controller is unplugged, so it is put back at
/// the end (spec EV-4).
struct FuzzLedger {
  private let descriptor: Int32
  private let nodes: InputNodes
  private var old: [(code: Int, fuzz: Int32)] = []

  init(descriptor: Int32, nodes: InputNodes) {
    self.descriptor = descriptor
    self.nodes = nodes
  }

  /// Switches it off on the first axes.
  mutating func switchOff(axes count: Int) throws(SystemFailure) {
    for code in 0..<count {
      let fuzz = try set(0, axis: code)
      if fuzz != 0 { old.append((code, fuzz)) }
    }
  }

  /// Puts it back, as far as the controller is still there.
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
