// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One comparison of a measured value with the expected one. Every statement is decided by findings alone, so that a
/// test can feed wrong numbers to whatever makes them.
public struct Finding: Codable, Equatable, Sendable {
  public let what: String
  public let measured: String
  /// With the tolerance, where there is one.
  public let expected: String
  public let agrees: Bool

  /// A number that should be near another one. A number that is not finite is near nothing.
  static func near(_ what: String, _ measured: Double, _ expected: Double, within tolerance: Double) -> Self {
    Self(
      what: what, measured: text(measured), expected: "\(text(expected)) ± \(text(tolerance))",
      agrees: abs(measured - expected) <= tolerance)
  }

  /// A number that should be in a range.
  static func inside(_ what: String, _ measured: Double, _ range: ClosedRange<Double>) -> Self {
    Self(
      what: what, measured: text(measured), expected: "\(text(range.lowerBound)) … \(text(range.upperBound))",
      agrees: range.contains(measured))
  }

  /// A value that should be another one.
  static func equal<Value: Equatable>(_ what: String, _ measured: Value, _ expected: Value) -> Self {
    Self(what: what, measured: "\(measured)", expected: "\(expected)", agrees: measured == expected)
  }

  /// Something that should be so.
  static func holds(_ what: String, _ measured: Bool) -> Self { equal(what, measured, true) }

  /// A value that is worth knowing; it decides nothing.
  static func note(_ what: String, _ measured: String) -> Self {
    Self(what: what, measured: measured, expected: "(any)", agrees: true)
  }

  private static func text(_ value: Double) -> String { String(format: "%.9g", value) }
}

extension [Finding] {
  /// The worst of many comparisons of one kind: one line in the difference file instead of hundreds.
  static func largest(
    _ what: String, _ errors: [Double], atMost tolerance: Double
  ) -> [Finding] {
    guard let worst = errors.map({ $0.isFinite ? abs($0) : .infinity }).max() else { return [] }
    return [.near("\(what), largest of \(errors.count)", worst, 0, within: tolerance)]
  }
}
