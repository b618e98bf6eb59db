// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

extension OSLogPrivacy {
  /// What stands in the place of a hidden value. Here it is `<private>` in both cases: no value is hashed.
  public enum Mask: Sendable {
    /// On Apple's systems a hash, which tells equal values.
    case hash
    /// Nothing.
    case none
  }

  /// The value; on Apple's systems strings would be hidden in a released app.
  public static func auto(mask: Mask) -> OSLogPrivacy { .auto }
  /// `<private>`.
  public static func `private`(mask: Mask) -> OSLogPrivacy { .private }
  /// `<private>`.
  public static func sensitive(mask: Mask) -> OSLogPrivacy { .sensitive }
}

/// How a whole number is written.
public struct OSLogIntegerFormatting: Sendable {
  let radix: Int
  let minimumDigits: Int

  /// With base 10.
  public static var decimal: OSLogIntegerFormatting { decimal(minDigits: 1) }
  /// With base 10 and zeros in front up to a count of digits.
  public static func decimal(minDigits: Int) -> OSLogIntegerFormatting {
    OSLogIntegerFormatting(radix: 10, minimumDigits: minDigits)
  }
  /// With base 16, without a prefix.
  public static var hex: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 16, minimumDigits: 1) }
  /// With base 8, without a prefix.
  public static var octal: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 8, minimumDigits: 1) }

  func text<Value: BinaryInteger>(_ value: Value) -> String {
    let digits = String(value.magnitude, radix: radix)
    let zeros = String(repeating: "0", count: max(0, minimumDigits - digits.count))
    return (value < 0 ? "-" : "") + zeros + digits
  }
}

/// In how many columns at least a value stands.
public struct OSLogStringAlignment: Sendable {
  let columns: Int
  let isLeft: Bool

  /// As many as it needs.
  public static var none: OSLogStringAlignment { OSLogStringAlignment(columns: 0, isLeft: true) }
  /// Spaces behind it.
  public static func left(columns: Int) -> OSLogStringAlignment {
    OSLogStringAlignment(columns: columns, isLeft: true)
  }
  /// Spaces in front of it.
  public static func right(columns: Int) -> OSLogStringAlignment {
    OSLogStringAlignment(columns: columns, isLeft: false)
  }

  func text(_ value: String) -> String {
    let spaces = String(repeating: " ", count: max(0, columns - value.count))
    return isLeft ? value + spaces : spaces + value
  }
}

extension OSLogMessage.StringInterpolation {
  /// Adds a whole number in a form.
  public mutating func appendInterpolation<Value: BinaryInteger>(
    _ value: @autoclosure () -> Value, format: OSLogIntegerFormatting = .decimal, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    text += privacy.hides ? "<private>" : align.text(format.text(value()))
  }

  /// Adds a number with a fixed count of digits, in columns.
  public mutating func appendInterpolation<Value: BinaryFloatingPoint>(
    _ value: @autoclosure () -> Value, format: OSLogFloatFormatting = .fixed, align: OSLogStringAlignment,
    privacy: OSLogPrivacy = .auto
  ) {
    text += privacy.hides ? "<private>" : align.text(format.text(Double(value())))
  }

  /// Adds a text in columns.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> String, align: OSLogStringAlignment, privacy: OSLogPrivacy = .auto
  ) {
    text += privacy.hides ? "<private>" : align.text(value())
  }
}
