// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

internal import Logging

/// Writes to swift-log, whose label is `subsystem.category`: to standard error unless the program has bootstrapped
/// another `LogHandler`. Swift-log's own level decides what is written (from `info` on by default).
public struct Logger: Sendable {
  let target: Logging.Logger?

  /// A log without a name.
  public init() {
    self.init(OSLog.default)
  }

  /// A log for a part of a program.
  public init(subsystem: String, category: String) {
    self.init(OSLog(subsystem: subsystem, category: category))
  }

  /// The log of an `OSLog`.
  public init(_ log: OSLog) {
    target = log.target
  }

  /// Level `notice`.
  public func log(_ message: OSLogMessage) { write(.notice, message.text) }
  /// The level of `level`.
  public func log(level: OSLogType, _ message: OSLogMessage) { write(level.level, message.text) }
  /// Level `trace`.
  public func trace(_ message: OSLogMessage) { write(.trace, message.text) }
  /// Level `debug`.
  public func debug(_ message: OSLogMessage) { write(.debug, message.text) }
  /// Level `info`.
  public func info(_ message: OSLogMessage) { write(.info, message.text) }
  /// Level `notice`.
  public func notice(_ message: OSLogMessage) { write(.notice, message.text) }
  /// Level `warning`.
  public func warning(_ message: OSLogMessage) { write(.warning, message.text) }
  /// Level `error`.
  public func error(_ message: OSLogMessage) { write(.error, message.text) }
  /// Level `critical`.
  public func critical(_ message: OSLogMessage) { write(.critical, message.text) }
  /// Level `critical`.
  public func fault(_ message: OSLogMessage) { write(.critical, message.text) }

  private func write(_ level: Logging.Logger.Level, _ text: String) {
    target?.log(level: level, "\(text)")
  }
}

extension OSLogType {
  /// Swift-log's level.
  var level: Logging.Logger.Level {
    switch self {
    case .debug: .debug
    case .info: .info
    case .error: .error
    case .fault: .critical
    default: .notice
    }
  }
}
