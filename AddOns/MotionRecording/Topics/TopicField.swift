// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One property of a topic's JSON objects.
///
/// The tables of fields are the single truth of the topics: messages, the schemas that a recording carries, the columns
/// of tidy tables and the order in which a message is decoded all follow from them.
struct TopicField: Sendable, Hashable {
  indirect enum Content: Sendable, Hashable {
    /// A whole number of 64 bits, kept exactly.
    case integer
    case number
    /// A time in seconds, kept as the nearest nanosecond of its digits too.
    case seconds
    case boolean
    case string
    case object([TopicField])
  }

  let name: String
  let content: Content
  let isRequired: Bool
  /// Unit and meaning, for the schema.
  let remark: String
  /// The name in UTF-8, and `"name":`, as it stands in a message.
  let bytes: [UInt8], key: [UInt8]
  /// How many values it has: 1, or those of its parts.
  let leafCount: Int

  init(_ name: String, _ content: Content = .number, _ remark: String = "", isRequired: Bool = true) {
    (self.name, self.content, self.isRequired, self.remark) = (name, content, isRequired, remark)
    (bytes, key) = (Array(name.utf8), Array("\"\(name)\":".utf8))
    if case .object(let parts) = content { leafCount = parts.reduce(0) { $0 + $1.leafCount } } else { leafCount = 1 }
  }

  static func optional(_ name: String, _ content: Content = .number, _ remark: String = "") -> TopicField {
    TopicField(name, content, remark, isRequired: false)
  }

  static func integer(_ name: String, _ remark: String = "") -> TopicField { TopicField(name, .integer, remark) }
  static func string(_ name: String, _ remark: String = "") -> TopicField { TopicField(name, .string, remark) }

  /// x, y and z, in one unit.
  static func vector(_ remark: String) -> [TopicField] {
    ["x", "y", "z"].map { TopicField($0, .number, remark) }
  }
}

extension JSONText {
  /// A JSON schema (draft 2020-12, the part that viewers read) of an object with these fields.
  mutating func appendSchema(title: String?, _ fields: [TopicField], remark: String = "") {
    append("{")
    if let title {
      append("\"title\":")
      append(quoting: title)
      append(",")
    }
    append("\"type\":\"object\"")
    if !remark.isEmpty {
      append(",\"description\":")
      append(quoting: remark)
    }
    append(",\"required\":[")
    for (index, field) in fields.filter(\.isRequired).enumerated() {
      if index > 0 { append(",") }
      append(quoting: field.name)
    }
    append("],\"properties\":{")
    for (index, field) in fields.enumerated() {
      if index > 0 { append(",") }
      append(quoting: field.name)
      append(":")
      appendSchema(of: field)
    }
    append("}}")
  }

  private mutating func appendSchema(of field: TopicField) {
    switch field.content {
    case .object(let fields): return appendSchema(title: nil, fields, remark: field.remark)
    case .integer: append("{\"type\":\"integer\"")
    case .number, .seconds: append("{\"type\":\"number\"")
    case .boolean: append("{\"type\":\"boolean\"")
    case .string: append("{\"type\":\"string\"")
    }
    if !field.remark.isEmpty {
      append(",\"description\":")
      append(quoting: field.remark)
    }
    append("}")
  }
}
