// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LinuxSources

/// Any bytes at all, given to the reader of the message bus: it neither stops the program nor reserves much memory.
@Suite struct DBusFuzzTests {
  private static let sound = MessageWriter.message(to: 2, signature: "a{oa{sa{sv}}}a(ybnqiuxtd)ayv") { writer in
    writer.array(of: 8) { writer in
      writer.align(8)
      writer.text("/org/bluez/hci0")
      writer.array(of: 8) { writer in
        writer.align(8)
        writer.text("org.bluez.Device1")
        writer.array(of: 8) { writer in
          for (name, value) in [("UUIDs", DBusValue.array([.text("a"), .text("b")])), ("Paired", .boolean(true))] {
            writer.align(8)
            writer.text(name)
            writer.variant(value)
          }
        }
      }
    }
    writer.array(of: 8) { writer in
      writer.align(8)
      writer.bytes.append(1)
      writer.number(1, 4)
      for size in [2, 2, 4, 4, 8, 8, 8] { writer.number(7, size) }
    }
    writer.array(of: 1) { $0.bytes += [1, 2, 3] }
    writer.variant(.text("end"))
  }

  private func check(_ bytes: [UInt8]) {
    guard let message = try? DBusMessage.read(bytes) else { return }
    // What has been read is no larger than what was sent: each value costs a byte at least, in the message or in its signature.
    #expect(message.body.reduce(0) { $0 + Self.count($1) } <= bytes.count * 2)
    _ = BlueZ.Inventory(objects: message.body.first?.table ?? [:])
  }

  private static func count(_ value: DBusValue) -> Int {
    switch value {
    case .array(let values), .structure(let values): 1 + values.reduce(0) { $0 + count($1) }
    case .dictionary(let entries): 1 + entries.reduce(0) { $0 + count($1.key) + count($1.value) }
    case .variant(let inner): 1 + count(inner)
    default: 1
    }
  }

  @Test func damagedMessagesAreRefusedOrRead() throws {
    #expect(try DBusMessage.read(Self.sound)?.body.count == 4)
    let rounds = SeededBytes.fuzz(share: 0.5) { random in
      var bytes = random.damaged(Self.sound)
      // Half of them with lengths that fit again, to come past the first check.
      if bytes.count >= 16, Bool.random(using: &random) {
        let fields = Int(bytes[12]) | Int(bytes[13]) << 8
        let body = max(0, bytes.count - 16 - (fields + 7) / 8 * 8)
        for index in 0..<4 { bytes[4 + index] = UInt8(truncatingIfNeeded: body >> (8 * index)) }
      }
      check(bytes)
    }
    print("D-Bus messages, damaged: \(rounds)")
  }

  @Test func randomSignaturesAndBytesAreRefusedOrRead() {
    let letters = Array("ybnqiuxtdsogavh(){}aa((".utf8)
    let rounds = SeededBytes.fuzz(share: 0.5) { random in
      let count = Int.random(in: 0...40, using: &random)
      let types = (0..<count).map { _ in letters.randomElement(using: &random) ?? 0 }
      var reader = DBusReader(
        random.bytes(Int.random(in: 0...200, using: &random)), isBigEndian: Bool.random(using: &random))
      _ = try? reader.values(String(decoding: types, as: UTF8.self))
    }
    print("D-Bus signatures and bytes, random: \(rounds)")
  }

  /// 255 nested arrays, and variants in variants to the end: deeper than the limit.
  @Test func nestingIsLimited() {
    var deep = DBusReader([UInt8](repeating: 0, count: 4096), isBigEndian: false)
    #expect(throws: DBusMistake.signature) { try deep.values(String(repeating: "a", count: 254) + "y") }
    let variants = [UInt8](repeating: 0, count: 0) + (0..<1000).flatMap { _ in [UInt8(1), UInt8(ascii: "v"), 0] }
    var nested = DBusReader(variants, isBigEndian: false)
    #expect(throws: DBusMistake.tooMuch) { try nested.values("v") }
  }

  /// A million values in four megabytes cost more memory than they are worth.
  @Test func theNumberOfValuesIsLimited() {
    var writer = MessageWriter()
    writer.array(of: 4) { $0.bytes += [UInt8](repeating: 0, count: 4 * 300_000) }
    var reader = DBusReader(writer.bytes, isBigEndian: false)
    #expect(throws: DBusMistake.tooMuch) { try reader.values("au") }
  }
}
