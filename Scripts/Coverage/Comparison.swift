// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The list against the module.
struct Comparison {
  struct Section {
    var name: String
    var present = 0
    var total = 0
  }

  private(set) var sections: [Section] = []
  /// One sentence per declaration that is missing or different.
  private(set) var problems: [String] = []

  init(_ declarations: [Declaration], _ graph: SymbolGraph) {
    for declaration in declarations {
      if sections.last?.name != declaration.section { sections.append(Section(name: declaration.section)) }
      sections[sections.count - 1].total += 1
      if let problem = Self.problem(with: declaration, in: graph) {
        problems.append("\(declaration.type) \(declaration.path): \(problem)")
      } else {
        sections[sections.count - 1].present += 1
      }
    }
  }

  private static func problem(with declaration: Declaration, in graph: SymbolGraph) -> String? {
    let found = graph.symbols(at: declaration.path)
    if declaration.kind == "absent" { return found.isEmpty ? nil : "is public and must not be" }
    guard !found.isEmpty else { return "missing" }
    let kinds = found.filter { $0.kind == declaration.kind }
    guard !kinds.isEmpty else { return "is a \(found[0].kind), not a \(declaration.kind)" }
    let wanted = normal(declaration.declaration)
    guard let symbol = kinds.first(where: { normal($0.declaration) == wanted }) else {
      return "reads “\(kinds[0].declaration)”, not “\(declaration.declaration)”"
    }
    guard symbol.isDeprecated == declaration.isDeprecated else {
      return declaration.isDeprecated ? "is not marked deprecated" : "is marked deprecated and should not be"
    }
    for parent in declaration.parents where !graph.type(declaration.path, isA: parent) {
      return "neither inherits from nor conforms to \(parent)"
    }
    let owner = declaration.path.split(separator: ".").dropLast().joined(separator: ".")
    let isOfClass = declaration.kind == "class" || graph.symbols[owner]?.first?.kind == "class"
    let overridable: Set = ["class", "property", "type property", "method", "type method"]
    if isOfClass, !declaration.isInExtension, overridable.contains(declaration.kind), symbol.access != "open" {
      return "is not open"
    }
    return nil
  }

  /// Without what does not matter to a client: who overrides what, and how far a type is qualified.
  private static func normal(_ declaration: String) -> String {
    var text = declaration
    for word in ["override ", "required ", "convenience ", "public ", "open "] {
      text = text.replacingOccurrences(of: word, with: "")
    }
    text = text.replacingOccurrences(of: "[A-Z][A-Za-z]*\\.", with: "", options: .regularExpression)
    // An iterator may spell its element out.
    return text.replacingOccurrences(
      of: "(next\\(\\) async throws -> ).*", with: "$1Element?", options: .regularExpression)
  }
}
