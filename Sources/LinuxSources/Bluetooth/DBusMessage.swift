// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A message of the bus: who it is for, and its values (D-Bus Specification 0.43, "Message Format").
struct DBusMessage: Hashable, Sendable {
  enum Kind: UInt8, Sendable { case call = 1, answer, error, signal }

  var kind: Kind
  var serial: UInt32
  /// The object that is called.
  var path: String?
  var interface: String?
  var member: String?
  var errorName: String?
  /// The serial of the call that this answers.
  var answered: UInt32?
  var destination: String?
  var sender: String?
  var body: [DBusValue] = []

  init(_ kind: Kind, serial: UInt32) {
    self.kind = kind
    self.serial = serial
  }

  private enum Field {
    static let path: UInt8 = 1
    static let interface: UInt8 = 2
    static let member: UInt8 = 3
    static let errorName: UInt8 = 4
    static let answered: UInt8 = 5
    static let destination: UInt8 = 6
    static let sender: UInt8 = 7
    static let signature: UInt8 = 8
  }

  /// The fixed part at the beginning of a message, and the length of its header fields.
  static let prologue = 16

  /// The bytes of a message by its first sixteen; a length beyond ``DBusLimits`` is an error.
  static func byteCount(_ prologue: [UInt8]) throws(DBusMistake) -> Int {
    guard prologue.count >= Self.prologue, let isBigEndian = isBigEndian(prologue[0]), prologue[3] == 1 else {
      throw .malformed
    }
    var reader = DBusReader(prologue, from: 4, isBigEndian: isBigEndian)
    let body = Int(try reader.number(4))
    _ = try reader.number(4)
    let fields = Int(try reader.number(4))
    guard body <= DBusLimits.message, fields <= DBusLimits.message else { throw .tooMuch }
    let total = Self.prologue + (fields + 7) / 8 * 8 + body
    guard total <= DBusLimits.message else { throw .tooMuch }
    return total
  }

  private static func isBigEndian(_ mark: UInt8) -> Bool? {
    switch mark {
    case UInt8(ascii: "l"): false
    case UInt8(ascii: "B"): true
    default: nil
    }
  }

  /// Reads a whole message; nil for a kind that this version does not know, which the specification says to ignore.
  static func read(_ bytes: [UInt8]) throws(DBusMistake) -> DBusMessage? {
    guard try byteCount(bytes) == bytes.count, let isBigEndian = isBigEndian(bytes[0]) else { throw .malformed }
    var reader = DBusReader(bytes, from: 4, isBigEndian: isBigEndian)
    let bodyCount = Int(try reader.number(4))
    let serial = UInt32(truncatingIfNeeded: try reader.number(4))
    guard serial != 0, bytes[1] != 0 else { throw .malformed }
    guard case .array(let fields)? = try reader.values("a(yv)").first else { throw .malformed }
    try reader.align(8)
    guard let kind = Kind(rawValue: bytes[1]) else { return nil }
    var message = DBusMessage(kind, serial: serial)
    var signature = ""
    for case .structure(let pair) in fields where pair.count == 2 {
      guard case .byte(let code) = pair[0] else { throw .malformed }
      message.take(code, pair[1], &signature)
    }
    guard reader.position == bytes.count - bodyCount else { throw .malformed }
    message.body = try reader.values(signature)
    guard reader.position == bytes.count else { throw .malformed }
    return message
  }

  private mutating func take(_ code: UInt8, _ value: DBusValue, _ signature: inout String) {
    switch code {
    case Field.path: path = value.text
    case Field.interface: interface = value.text
    case Field.member: member = value.text
    case Field.errorName: errorName = value.text
    case Field.answered: answered = value.integer.flatMap { UInt32(exactly: $0) }
    case Field.destination: destination = value.text
    case Field.sender: sender = value.text
    case Field.signature: signature = value.text ?? ""
    default: break
    }
  }

  /// The bytes of a call; its arguments are texts.
  static func call(
    serial: UInt32, path: String, interface: String, member: String, destination: String, arguments: [String] = []
  ) -> [UInt8] {
    var body = DBusWriter()
    for argument in arguments { body.text(argument) }
    var fields = DBusWriter()
    fields.field(Field.path, "o", path)
    fields.field(Field.interface, "s", interface)
    fields.field(Field.member, "s", member)
    fields.field(Field.destination, "s", destination)
    if !arguments.isEmpty { fields.field(Field.signature, "g", String(repeating: "s", count: arguments.count)) }
    var message = DBusWriter()
    message.bytes = [UInt8(ascii: "l"), Kind.call.rawValue, 0, 1]
    message.number(UInt32(body.bytes.count))
    message.number(serial)
    // The fields begin at byte 16, so that their alignment among themselves is that in the message.
    message.number(UInt32(fields.bytes.count))
    message.bytes += fields.bytes
    message.align(8)
    return message.bytes + body.bytes
  }
}

/// Writes the few values that calls need, little endian.
struct DBusWriter {
  var bytes: [UInt8] = []

  mutating func align(_ size: Int) { while bytes.count % size != 0 { bytes.append(0) } }

  mutating func number(_ value: UInt32) {
    align(4)
    for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(shift))) }
  }

  mutating func text(_ text: String) {
    number(UInt32(text.utf8.count))
    bytes += Array(text.utf8) + [0]
  }

  mutating func signature(_ text: String) {
    bytes.append(UInt8(truncatingIfNeeded: text.utf8.count))
    bytes += Array(text.utf8) + [0]
  }

  /// A header field: a structure of a code and a variant.
  mutating func field(_ code: UInt8, _ type: String, _ value: String) {
    align(8)
    bytes.append(code)
    signature(type)
    if type == "g" { signature(value) } else { text(value) }
  }
}
