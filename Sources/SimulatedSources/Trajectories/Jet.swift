// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// A number that changes in time, with its first two time derivatives.
///
/// Arithmetic on jets carries the derivatives along by the rules of calculus (forward-mode differentiation with Taylor
/// coefficients: Griewank & Walther, "Evaluating Derivatives", SIAM 2008, ch. 13). So a trajectory is written down
/// once, as a formula for position and angle, and its velocity, acceleration and angular velocity cannot disagree with
/// it.
package struct Jet: Hashable, Sendable, BitwiseCopyable {
  /// The number itself, its change per second, and the change of that per second.
  package var value, first, second: Double

  package init(value: Double, first: Double, second: Double) {
    self.value = value
    self.first = first
    self.second = second
  }

  /// A number that does not change.
  package init(_ constant: Double) { self.init(value: constant, first: 0, second: 0) }

  /// Time itself, in seconds.
  package static func time(_ seconds: Double) -> Self { Self(value: seconds, first: 1, second: 0) }

  package static func + (a: Self, b: Self) -> Self {
    Self(value: a.value + b.value, first: a.first + b.first, second: a.second + b.second)
  }
  package static func - (a: Self, b: Self) -> Self { a + b * -1 }
  package static func * (a: Self, k: Double) -> Self {
    Self(value: a.value * k, first: a.first * k, second: a.second * k)
  }
  package static func * (a: Self, b: Self) -> Self {
    Self(
      value: a.value * b.value, first: a.first * b.value + a.value * b.first,
      second: a.second * b.value + 2 * a.first * b.first + a.value * b.second)
  }

  /// The sine of a changing angle in radians.
  package var sine: Self { chained(value: Scalar.sin(value), slope: Scalar.cos(value), curvature: -Scalar.sin(value)) }

  /// The cosine of a changing angle in radians.
  package var cosine: Self {
    chained(value: Scalar.cos(value), slope: -Scalar.sin(value), curvature: -Scalar.cos(value))
  }

  /// f(self), from f, f′ and f″ at `value` (chain rule).
  private func chained(value: Double, slope: Double, curvature: Double) -> Self {
    Self(value: value, first: slope * first, second: slope * second + curvature * first * first)
  }
}

extension Jet {
  /// amplitude · sin(2π · frequency · t + phase): frequency in hertz, phase in radians, t = `seconds`.
  package static func wave(_ amplitude: Double, frequency: Double, phase: Double = 0, at seconds: Double) -> Self {
    let angular = 2 * Double.pi * frequency
    let argument = angular * seconds + phase
    let (sine, cosine) = (Scalar.sin(argument), Scalar.cos(argument))
    return Self(
      value: amplitude * sine, first: amplitude * angular * cosine, second: -amplitude * angular * angular * sine)
  }

  /// 0 before `start`, 1 after `end`, and between them the polynomial of lowest degree whose first two derivatives
  /// vanish at both ends: 6x⁵ − 15x⁴ + 10x³. So whatever it fades in begins without a jump of acceleration.
  package static func smoothStep(from start: Double, to end: Double, at seconds: Double) -> Self {
    let length = end - start
    let x = (seconds - start) / length
    if x <= 0 { return Jet(0) }
    if x >= 1 { return Jet(1) }
    return Self(
      value: x * x * x * (10 + x * (6 * x - 15)), first: 30 * x * x * (1 - x) * (1 - x) / length,
      second: 60 * x * (1 - x) * (1 - 2 * x) / (length * length))
  }

  /// The integral of ``smoothStep(from:to:at:)``: 0 before `start`, and after `end` the time since the middle of the
  /// step.
  package static func smoothRamp(from start: Double, to end: Double, at seconds: Double) -> Self {
    let length = end - start
    let step = smoothStep(from: start, to: end, at: seconds)
    let x = min(1, max(0, (seconds - start) / length))
    let inside = x * x * x * x * (2.5 + x * (x - 3)) * length
    return Self(value: inside + max(0, seconds - end), first: step.value, second: step.first)
  }

  /// The integral of ``smoothRamp(from:to:at:)``: the way of something whose acceleration is a smooth step.
  package static func smoothWay(from start: Double, to end: Double, at seconds: Double) -> Self {
    let length = end - start
    let ramp = smoothRamp(from: start, to: end, at: seconds)
    let x = min(1, max(0, (seconds - start) / length))
    let after = max(0, seconds - end)
    let inside = x * x * x * x * x * (0.5 + x * (x / 7 - 0.5)) * length * length
    return Self(value: inside + after * (length + after) / 2, first: ramp.value, second: ramp.first)
  }

  /// 1 between the two times, 0 outside, with smooth edges of `edge` seconds inside.
  package static func window(from start: Double, to end: Double, edge: Double, at seconds: Double) -> Self {
    smoothStep(from: start, to: start + edge, at: seconds) - smoothStep(from: end - edge, to: end, at: seconds)
  }
}
