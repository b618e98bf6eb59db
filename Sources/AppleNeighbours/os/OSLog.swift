// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Logging

/// A log for a part of a program; see `Logger`.
public final class OSLog: NSObject, Sendable {
  /// Categories with a meaning for Apple's tools, and none here.
  public struct Category: RawRepresentable, Hashable, Sendable {
    /// Its name.
    public let rawValue: String

    /// A category by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Points of interest.
    public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
  }

  let target: Logging.Logger?

  /// The log without a name.
  public static let `default` = OSLog(target: Logging.Logger(label: "default"))
  /// Writes nothing.
  public static let disabled = OSLog(target: nil)

  /// A log for a part of a program.
  public init(subsystem: String, category: String) {
    target = Logging.Logger(label: "\(subsystem).\(category)")
  }

  /// A log for a part of a program.
  public convenience init(subsystem: String, category: Category) {
    self.init(subsystem: subsystem, category: category.rawValue)
  }

  private init(target: Logging.Logger?) {
    self.target = target
  }

  /// Whether entries of a level are written.
  public func isEnabled(type: OSLogType) -> Bool {
    target.map { $0.logLevel <= type.level } ?? false
  }

  func write(_ format: StaticString, _ type: OSLogType, _ arguments: [Any]) {
    guard isEnabled(type: type) else { return }
    target?.log(level: type.level, "\(formatted("\(format)", arguments))")
  }
}

/// The text of a format of `printf` with `%@`, in which `%{public}@` and the like are allowed.
func formatted(_ format: String, _ arguments: [Any]) -> String {
  let plain = format.replacing(/%\{[^}]*\}/, with: "%")
  let values = arguments.map { value -> any CVarArg in
    value is String || !(value is any CVarArg) ? NSString(string: "\(value)") : value as? any CVarArg ?? 0
  }
  let hidden = format.contains(/%\{(private|sensitive)[^}]*\}/)
  return hidden ? "<private> (\(format))" : String(format: plain, arguments: values)
}

/// Writes a format with its values.
///
/// Unsafe: `dso` is Apple's parameter; it is not looked at.
public func os_log(
  _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
  _ arguments: Any...
) {
  log.write(message, type, arguments)
}

/// Writes a format with its values.
///
/// Unsafe: `dso` is Apple's parameter; it is not looked at.
public func os_log(
  _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString, _ arguments: Any...
) {
  log.write(message, type, arguments)
}

/// Writes a text with values in it.
///
/// Unsafe: `dso` is Apple's parameter; it is not looked at.
@_disfavoredOverload
public func os_log(
  _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: OSLogMessage
) {
  Logger(log).log(level: type, message)
}

/// Writes a text with values in it.
@_disfavoredOverload
public func os_log(_ message: OSLogMessage) {
  Logger().log(message)
}
