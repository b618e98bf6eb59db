// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording

/// A JSON object that is written member by member, over the package's one JSON writer.
package struct JSONMembers {
  private var text = JSONText()
  /// Whether something stands before the next member of the open object or list.
  private var needsComma = false

  package init() {}

  package var bytes: [UInt8] { text.bytes }

  package mutating func object(_ members: (inout JSONMembers) -> Void) { enclose("{", "}", members) }

  package mutating func string(_ value: String) {
    separate()
    text.append(quoting: value)
  }

  package mutating func number(_ value: Double) {
    separate()
    text.append(value)
  }

  package mutating func numbers(_ values: [Double]) {
    enclose("[", "]") { json in
      for value in values {
        json.separate()
        json.text.append(value)
      }
    }
  }

  package mutating func member(_ name: String, _ value: String?) {
    key(name)
    if let value { text.append(quoting: value) } else { text.append("null") }
  }

  package mutating func member(_ name: String, _ value: Double) {
    key(name)
    text.append(value)
  }

  package mutating func member(_ name: String, _ value: Int) {
    key(name)
    text.append(value)
  }

  package mutating func member(_ name: String, _ value: Bool) {
    key(name)
    text.append(value)
  }

  package mutating func object(_ name: String, _ members: (inout JSONMembers) -> Void) {
    key(name)
    needsComma = false
    object(members)
  }

  package mutating func list<Items: Sequence>(
    _ name: String, _ items: Items, _ write: (inout JSONMembers, Items.Element) -> Void
  ) {
    key(name)
    needsComma = false
    enclose("[", "]") { json in
      for item in items { write(&json, item) }
    }
  }

  package mutating func pairs(_ name: String, _ pairs: [ClosedRange<Double>]) {
    list(name, pairs) { $0.numbers([$1.lowerBound, $1.upperBound]) }
  }

  private mutating func key(_ name: String) {
    separate()
    text.append(quoting: name)
    text.append(":")
  }

  private mutating func separate() {
    if needsComma { text.append(",") }
    needsComma = true
  }

  private mutating func enclose(_ begin: StaticString, _ end: StaticString, _ body: (inout JSONMembers) -> Void) {
    separate()
    text.append(begin)
    needsComma = false
    body(&self)
    text.append(end)
    needsComma = true
  }
}

/// One JSON object and the end of its line, or of its last one.
package enum JSONLine {
  package static func bytes(_ value: some Encodable, isIndented: Bool = false) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isIndented { encoder.outputFormatting.insert(.prettyPrinted) }
    encoder.dateEncodingStrategy = .iso8601
    return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
  }

  /// To a thousandth: what is estimated has no more digits.
  package static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
