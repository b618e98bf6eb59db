// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

@testable import LinuxSources

/// The other side of a message bus: answers what it is told to over one end of a pair of sockets.
final class ScriptedBus: Sendable {
  /// What the bus does once a line, or a message, has come.
  typealias Answer = @Sendable (_ request: [UInt8]) -> [UInt8]

  /// The end for ``DBusConnection``.
  let client: Int32

  /// `login` answers the line of authentication, `answers` the messages after it, one after another; then the bus hangs up, or with
  /// `staysOpen` says nothing more.
  init(login: String = "OK 0123456789abcdef0123456789abcdef\r\n", staysOpen: Bool = false, answers: [Answer]) {
    var ends: [Int32] = [-1, -1]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
    client = ends[0]
    let server = ends[1]
    Thread.detachNewThread {
      defer { if !staysOpen { close(server) } }
      guard Self.read(server, until: { $0.last == UInt8(ascii: "\n") }) != nil else { return }
      Self.write(server, Array(login.utf8))
      guard Self.read(server, until: { $0.starts(with: Array("BEGIN\r\n".utf8)) }, limit: 7) != nil else { return }
      for answer in answers {
        guard let request = Self.message(server) else { return }
        Self.write(server, answer(request))
      }
    }
  }

  private static func read(_ descriptor: Int32, until isWhole: ([UInt8]) -> Bool, limit: Int = 4096) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < limit, !isWhole(bytes) {
      var byte: UInt8 = 0
      guard Glibc.read(descriptor, &byte, 1) == 1 else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static func message(_ descriptor: Int32) -> [UInt8]? {
    guard let head = read(descriptor, until: { $0.count == 16 }), let count = try? DBusMessage.byteCount(head) else {
      return nil
    }
    return read(descriptor, until: { $0.count == count - 16 }).map { head + $0 }
  }

  private static func write(_ descriptor: Int32, _ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }
}

/// Writes messages of the other side, in either order of bytes.
struct MessageWriter {
  var bytes: [UInt8] = []
  var isBigEndian = false

  mutating func align(_ size: Int) { while bytes.count % size != 0 { bytes.append(0) } }

  mutating func number(_ value: UInt64, _ count: Int) {
    align(count)
    let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    bytes += isBigEndian ? little.reversed() : little
  }

  mutating func text(_ text: String) {
    number(UInt64(text.utf8.count), 4)
    bytes += Array(text.utf8) + [0]
  }

  mutating func signature(_ text: String) { bytes += [UInt8(text.utf8.count)] + Array(text.utf8) + [0] }

  /// An array: its length, the padding of its elements, the elements.
  mutating func array(of alignment: Int, _ body: (inout MessageWriter) -> Void) {
    number(0, 4)
    let place = bytes.count - 4
    align(alignment)
    let start = bytes.count
    body(&self)
    var length = MessageWriter(isBigEndian: isBigEndian)
    length.number(UInt64(bytes.count - start), 4)
    bytes.replaceSubrange(place..<(place + 4), with: length.bytes)
  }

  mutating func variant(_ value: DBusValue) {
    switch value {
    case .text(let text):
      signature("s")
      self.text(text)
    case .boolean(let flag):
      signature("b")
      number(flag ? 1 : 0, 4)
    case .byte(let byte):
      signature("y")
      bytes.append(byte)
    case .array(let values):
      signature("as")
      array(of: 4) { writer in for value in values { writer.text(value.text ?? "") } }
    default:
      signature("u")
      number(UInt64(value.integer ?? 0), 4)
    }
  }

  /// A whole message: an answer (2) or an error (3) to the call `answered`.
  static func message(
    kind: UInt8 = 2, to answered: UInt32, signature: String = "", error: String? = nil, isBigEndian: Bool = false,
    _ body: (inout MessageWriter) -> Void = { _ in }
  ) -> [UInt8] {
    var content = MessageWriter(isBigEndian: isBigEndian)
    body(&content)
    var message = MessageWriter(isBigEndian: isBigEndian)
    message.bytes = [UInt8(ascii: isBigEndian ? "B" : "l"), kind, 0, 1]
    message.number(UInt64(content.bytes.count), 4)
    message.number(77, 4)
    message.array(of: 8) { writer in
      writer.bytes += [5]
      writer.signature("u")
      writer.number(UInt64(answered), 4)
      if let error {
        writer.align(8)
        writer.bytes += [4]
        writer.signature("s")
        writer.text(error)
      }
      if !signature.isEmpty {
        writer.align(8)
        writer.bytes += [8]
        writer.signature("g")
        writer.signature(signature)
      }
    }
    message.align(8)
    return message.bytes + content.bytes
  }

  /// The answer to `Hello`, which is always the first call.
  static let hello: ScriptedBus.Answer = { _ in message(to: 1, signature: "s") { $0.text(":1.5") } }
}
