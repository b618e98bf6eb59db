// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The values of one message, in slots: the leaves of a topic's table of fields, counted depth first.
struct TopicFields {
  /// NaN = absent; booleans are 0 and 1.
  private(set) var numbers: [Double]
  /// The same as whole nanoseconds or counts, kept exactly; nil = absent or not whole.
  private(set) var integers: [Int64?]
  /// Times in seconds as the nearest nanosecond of the digits as written.
  private(set) var nanoseconds: [Int64?]
  private(set) var strings: [String?]
  private let nodes: [Node]

  private indirect enum Content { case leaf(TopicField.Content, slot: Int), object([Node]) }
  private struct Node {
    var name: [UInt8]
    var content: Content
    var isRequired: Bool
  }

  init(_ fields: [TopicField]) {
    var count = 0
    nodes = Self.nodes(fields, &count)
    numbers = Array(repeating: .nan, count: count)
    integers = Array(repeating: nil, count: count)
    nanoseconds = Array(repeating: nil, count: count)
    strings = Array(repeating: nil, count: count)
  }

  private static func nodes(_ fields: [TopicField], _ count: inout Int) -> [Node] {
    var nodes: [Node] = []
    for field in fields {
      if case .object(let inner) = field.content {
        nodes.append(
          Node(name: Array(field.name.utf8), content: .object(Self.nodes(inner, &count)), isRequired: field.isRequired))
      } else {
        nodes.append(
          Node(
            name: Array(field.name.utf8), content: .leaf(field.content, slot: count), isRequired: field.isRequired))
        count += 1
      }
    }
    return nodes
  }

  /// Reads one object; keys that are not in the table are passed over.
  mutating func read(_ bytes: UnsafeRawBufferPointer) throws(JSONScanner.Failure) {
    for slot in numbers.indices {
      numbers[slot] = .nan
      integers[slot] = nil
      nanoseconds[slot] = nil
      strings[slot] = nil
    }
    let text = bytes.bindMemory(to: UInt8.self)
    guard let base = text.baseAddress else { throw JSONScanner.Failure(byte: 0, message: "The message is empty") }
    var scanner = JSONScanner(text, base: base)
    try readObject(&scanner, nodes, depth: 1)
    try scanner.expectEnd()
  }

  private mutating func readObject(
    _ scanner: inout JSONScanner, _ nodes: [Node], depth: Int
  ) throws(JSONScanner.Failure) {
    try scanner.expect(UInt8(ascii: "{"))
    var seen: UInt64 = 0
    // Our own messages have the keys in the order of the table.
    var expected = 0
    if !scanner.take(UInt8(ascii: "}")) {
      repeat {
        let name = try scanner.rawString()
        try scanner.expect(UInt8(ascii: ":"))
        guard let index = Self.find(name, nodes, from: expected) else {
          try scanner.skip(depth: depth + 1)
          continue
        }
        expected = index + 1
        let isNull = scanner.peek() == UInt8(ascii: "n")
        switch nodes[index].content {
        case .object(let inner) where !isNull: try readObject(&scanner, inner, depth: depth + 1)
        case .leaf(let content, let slot) where !isNull: try readLeaf(&scanner, content, slot)
        default: try scanner.skip(depth: depth + 1)
        }
        if !isNull { seen |= 1 << UInt64(index) }
      } while scanner.take(UInt8(ascii: ","))
      try scanner.expect(UInt8(ascii: "}"))
    }
    for (index, node) in nodes.enumerated() where node.isRequired && seen & (1 << UInt64(index)) == 0 {
      throw scanner.failure("The value \(String(decoding: node.name, as: UTF8.self).debugDescription) is missing")
    }
  }

  private static func find(_ name: UnsafeBufferPointer<UInt8>, _ nodes: [Node], from expected: Int) -> Int? {
    if expected < nodes.count, isEqual(name, nodes[expected].name) { return expected }
    return nodes.firstIndex { isEqual(name, $0.name) }
  }

  private static func isEqual(_ name: UnsafeBufferPointer<UInt8>, _ other: [UInt8]) -> Bool {
    guard name.count == other.count, let base = name.baseAddress else { return false }
    return other.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { memcmp(base, $0, bytes.count) == 0 } ?? false
    }
  }

  private mutating func readLeaf(
    _ scanner: inout JSONScanner, _ content: TopicField.Content, _ slot: Int
  ) throws(JSONScanner.Failure) {
    switch content {
    case .boolean: numbers[slot] = try scanner.boolean() ? 1 : 0
    case .string: strings[slot] = try scanner.string()
    case .integer:
      guard let (value, _) = try scanner.number() else { return }
      guard value.exponent == 0, !value.hasExponent, let whole = value.nanoseconds(decimals: 0) else {
        throw scanner.failure("This is no whole number of the size that is read")
      }
      integers[slot] = whole
    default:
      guard let (value, text) = try scanner.number() else { return }
      guard let number = value.double(text: text), abs(number) <= InputLimits.magnitude else {
        throw scanner.failure("This number is larger than any measurement")
      }
      numbers[slot] = number
      nanoseconds[slot] = value.nanoseconds(decimals: 9)
    }
  }
}
