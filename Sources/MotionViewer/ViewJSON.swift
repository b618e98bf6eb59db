// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording

/// A JSON object that is written member by member, over the package's one JSON writer.
struct ViewJSON {
  private var text = JSONText()
  /// Whether something stands before the next member of the open object or list.
  private var needsComma = false

  var bytes: [UInt8] { text.bytes }

  mutating func object(_ members: (inout ViewJSON) -> Void) { enclose("{", "}", members) }

  mutating func string(_ value: String) {
    separate()
    text.append(quoting: value)
  }

  mutating func number(_ value: Double) {
    separate()
    text.append(value)
  }

  mutating func numbers(_ values: [Double]) {
    enclose("[", "]") { json in
      for value in values {
        json.separate()
        json.text.append(value)
      }
    }
  }

  mutating func member(_ name: String, _ value: String?) {
    key(name)
    if let value { text.append(quoting: value) } else { text.append("null") }
  }

  mutating func member(_ name: String, _ value: Double) {
    key(name)
    text.append(value)
  }

  mutating func member(_ name: String, _ value: Int) {
    key(name)
    text.append(value)
  }

  mutating func member(_ name: String, _ value: Bool) {
    key(name)
    text.append(value)
  }

  mutating func object(_ name: String, _ members: (inout ViewJSON) -> Void) {
    key(name)
    needsComma = false
    object(members)
  }

  mutating func list<Items: Sequence>(_ name: String, _ items: Items, _ write: (inout ViewJSON, Items.Element) -> Void)
  {
    key(name)
    needsComma = false
    enclose("[", "]") { json in
      for item in items { write(&json, item) }
    }
  }

  mutating func pairs(_ name: String, _ pairs: [(begin: Double, end: Double)]) {
    list(name, pairs) { $0.numbers([$1.begin, $1.end]) }
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

  private mutating func enclose(_ begin: StaticString, _ end: StaticString, _ body: (inout ViewJSON) -> Void) {
    separate()
    text.append(begin)
    needsComma = false
    body(&self)
    text.append(end)
    needsComma = true
  }
}
