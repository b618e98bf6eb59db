// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// One `DeviceMotionEvent` as the browser gives it: its own units, and signs that depend on the browser
/// (``BrowserSigns``).
///
/// The axes are those of the device in its natural orientation (a phone: upright). They do not turn with the screen.
struct BrowserReading: Hashable, Sendable {
  /// ms on the clock of the page, `event.timeStamp`.
  var time: Double
  /// m/s² with gravity, `accelerationIncludingGravity`; face up at rest +9.8 on z by the standard, −9.8 on iOS.
  var acceleration: Vector3<Device>
  /// °/s, `rotationRate.alpha`, `.beta`, `.gamma`; about x, y, z in today's browsers, about z, x, y in older texts.
  var alpha, beta, gamma: Double
  /// The direction up by the latest `deviceorientation` event, device axes; nil where the browser sends none.
  var up: Vector3<Device>?

  /// The direction up of a `deviceorientation` event with these angles in degrees; nil unless both are finite.
  ///
  /// The standard's rotation is Rz(alpha) · Rx(beta) · Ry(gamma), from the device to the world: up is its third row.
  static func up(beta: Double, gamma: Double) -> Vector3<Device>? {
    guard beta.isFinite, gamma.isFinite else { return nil }
    let (b, g) = (beta * .pi / 180, gamma * .pi / 180)
    return Vector3(x: -Scalar.cos(b) * Scalar.sin(g), y: Scalar.sin(b), z: Scalar.cos(b) * Scalar.cos(g))
  }
}
