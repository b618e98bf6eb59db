// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One property of a topic's JSON objects.
///
/// The tables of fields are the single truth of the topics: the schemas that a recording carries and the slots that a message
/// is decoded into both follow from them.
struct TopicField: Sendable, Hashable {
  indirect enum Content: Sendable, Hashable {
    /// A whole number of 64 bits, kept exactly.
    case integer
    case number
    case boolean
    case string
    case object([TopicField])
  }

  var name: String
  var content: Content
  var isRequired: Bool
  /// Unit and meaning, for the schema.
  var remark: String

  init(_ name: String, _ content: Content = .number, _ remark: String = "", isRequired: Bool = true) {
    self.name = name
    self.content = content
    self.isRequired = isRequired
    self.remark = remark
  }

  static func optional(_ name: String, _ content: Content = .number, _ remark: String = "") -> TopicField {
    TopicField(name, content, remark, isRequired: false)
  }

  /// x, y and z, in one unit.
  static func vector(_ remark: String) -> [TopicField] {
    [TopicField("x", .number, remark), TopicField("y", .number, remark), TopicField("z", .number, remark)]
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
    case .number: append("{\"type\":\"number\"")
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
