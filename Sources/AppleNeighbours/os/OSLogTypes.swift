// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@_exported public import Foundation

/// How important an entry is.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
  /// Apple's number.
  public let rawValue: UInt8

  /// A level by its number.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Swift-log's `notice`.
  public static let `default` = OSLogType(rawValue: 0)
  /// Swift-log's `info`.
  public static let info = OSLogType(rawValue: 1)
  /// Swift-log's `debug`.
  public static let debug = OSLogType(rawValue: 2)
  /// Swift-log's `error`.
  public static let error = OSLogType(rawValue: 16)
  /// Swift-log's `critical`.
  public static let fault = OSLogType(rawValue: 17)
}

/// What of a value is written.
public struct OSLogPrivacy: Sendable {
  let hides: Bool

  /// The value. On Apple's systems strings would be hidden in a released app.
  public static var auto: OSLogPrivacy { OSLogPrivacy(hides: false) }
  /// The value.
  public static var `public`: OSLogPrivacy { OSLogPrivacy(hides: false) }
  /// `<private>`.
  public static var `private`: OSLogPrivacy { OSLogPrivacy(hides: true) }
  /// `<private>`.
  public static var sensitive: OSLogPrivacy { OSLogPrivacy(hides: true) }
}

/// How a floating-point number is written.
public struct OSLogFloatFormatting: Sendable {
  let digits: Int?

  /// Six digits behind the point.
  public static var fixed: OSLogFloatFormatting { OSLogFloatFormatting(digits: 6) }
  /// As many digits behind the point as told.
  public static func fixed(precision: Int) -> OSLogFloatFormatting { OSLogFloatFormatting(digits: precision) }

  func text(_ number: Double) -> String {
    digits.map { String(format: "%.\($0)f", number) } ?? String(describing: number)
  }
}

/// The text of an entry, from a literal with values in it.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
  /// Collects the text.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    /// An empty text.
    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity)
    }

    /// Adds a part of the literal.
    public mutating func appendLiteral(_ literal: String) {
      text += literal
    }

    /// Adds a value as `String(describing:)` writes it.
    public mutating func appendInterpolation<Value>(
      _ value: @autoclosure () -> Value, privacy: OSLogPrivacy = .auto
    ) {
      text += privacy.hides ? "<private>" : String(describing: value())
    }

    /// Adds a number with a fixed count of digits.
    public mutating func appendInterpolation<Value: BinaryFloatingPoint>(
      _ value: @autoclosure () -> Value, format: OSLogFloatFormatting, privacy: OSLogPrivacy = .auto
    ) {
      text += privacy.hides ? "<private>" : format.text(Double(value()))
    }
  }

  let text: String

  /// A text without values.
  public init(stringLiteral value: String) {
    text = value
  }

  /// A text with values.
  public init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
  }
}
