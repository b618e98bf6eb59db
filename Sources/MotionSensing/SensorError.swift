// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A failure of a sensor or a recording, with a sentence for the user who must solve it.
///
/// A missing sensor is not an error but a value (`kinds` without it); an error is a sensor that exists and fails.
public struct SensorError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong, for programs. The set is open: a driver may add its own codes.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// A short name in kebab case.
    public let rawValue: String
    /// A custom code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The source does not exist: no such file, device or name.
    public static let notFound = Code(rawValue: "not-found")
    /// The system denies access.
    public static let notPermitted = Code(rawValue: "not-permitted")
    /// The device was disconnected while it was in use.
    public static let disconnected = Code(rawValue: "disconnected")
    /// Another program uses the device.
    public static let busy = Code(rawValue: "busy")
    /// A file or a message does not have its declared format.
    public static let malformed = Code(rawValue: "malformed")
    /// The format is known but not supported by this version.
    public static let unsupported = Code(rawValue: "unsupported")
    /// A declared size exceeds a safety limit.
    public static let limitExceeded = Code(rawValue: "limit-exceeded")
    /// A request that makes no sense: an unknown option, a number out of range.
    public static let invalidRequest = Code(rawValue: "invalid-request")
    /// Another failure of the system; see `errno`.
    public static let system = Code(rawValue: "system")
  }

  /// Where in a file or stream.
  public struct Place: Sendable, Hashable, CustomStringConvertible {
    /// The path as the user gave it, or the name of a stream.
    public var file: String
    /// Counted from 1.
    public var line: Int?
    /// Counted from 0.
    public var byte: Int?
    /// The name of the column.
    public var column: String?

    /// A place; omit what is not known.
    public init(file: String, line: Int? = nil, byte: Int? = nil, column: String? = nil) {
      self.file = file
      self.line = line
      self.byte = byte
      self.column = column
    }

    public var description: String {
      var text = file
      if let line { text += ", line \(line)" }
      if let byte { text += ", byte \(byte)" }
      if let column { text += ", column \(column)" }
      return text
    }
  }

  /// What went wrong, for programs.
  public var code: Code
  /// A full sentence: what happened and, where possible, what to do.
  public var message: String
  /// Where, if it is known.
  public var place: Place?
  /// The error number of the system, if there is one.
  public var errno: Int32?

  /// An error; `message` is a full sentence.
  public init(_ code: Code, _ message: String, at place: Place? = nil, errno: Int32? = nil) {
    self.code = code
    self.message = message
    self.place = place
    self.errno = errno
  }

  public var description: String {
    var text = ""
    if let place { text += "\(place): " }
    text += message
    if let errno { text += " (errno \(errno))" }
    return text
  }
}
