// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the compiler says is in the module: the symbols of `swift symbolgraph-extract`, by their paths.
struct SymbolGraph {
  struct Symbol {
    var kind: String
    var declaration: String
    var access: String
    var isDeprecated: Bool
  }

  /// Several symbols share a path when a function is overloaded.
  private(set) var symbols: [String: [Symbol]] = [:]
  /// Names of what a type inherits from and conforms to.
  private var parents: [String: Set<String>] = [:]
  private var superclass: [String: String] = [:]

  private struct File: Decodable {
    struct Symbol: Decodable {
      struct Kind: Decodable { var identifier: String }
      struct Identifier: Decodable { var precise: String }
      struct Fragment: Decodable { var spelling: String }
      struct Availability: Decodable { var isUnconditionallyDeprecated: Bool? }
      var kind: Kind
      var identifier: Identifier
      var pathComponents: [String]
      var declarationFragments: [Fragment]
      var accessLevel: String
      var availability: [Availability]?
    }
    struct Relationship: Decodable {
      var kind: String
      var source: String
      var target: String
      var targetFallback: String?
    }
    var symbols: [Symbol]
    var relationships: [Relationship]
  }

  private static let kinds = [
    "swift.class": "class", "swift.struct": "struct", "swift.enum": "enum", "swift.protocol": "protocol",
    "swift.typealias": "typealias", "swift.enum.case": "case", "swift.property": "property",
    "swift.type.property": "type property", "swift.method": "method", "swift.type.method": "type method",
    "swift.init": "init", "swift.var": "global",
  ]

  init(file: URL) throws {
    let graph = try JSONDecoder().decode(File.self, from: Data(contentsOf: file))
    var paths: [String: String] = [:]
    for symbol in graph.symbols {
      let path = symbol.pathComponents.joined(separator: ".")
      paths[symbol.identifier.precise] = path
      symbols[path, default: []].append(
        Symbol(
          kind: Self.kinds[symbol.kind.identifier] ?? symbol.kind.identifier,
          declaration: symbol.declarationFragments.map(\.spelling).joined(), access: symbol.accessLevel,
          isDeprecated: symbol.availability?.contains { $0.isUnconditionallyDeprecated == true } ?? false))
    }
    for relationship in graph.relationships {
      guard let source = paths[relationship.source] else { continue }
      let target =
        paths[relationship.target] ?? relationship.targetFallback.map { String($0.split(separator: ".").last ?? "") }
      guard let target else { continue }
      switch relationship.kind {
      case "inheritsFrom":
        superclass[source] = target
        parents[source, default: []].insert(target)
      case "conformsTo": parents[source, default: []].insert(target)
      default: break
      }
    }
  }

  /// Whether a type inherits from or conforms to another, itself or through its superclasses.
  func type(_ path: String, isA parent: String) -> Bool {
    if parents[path]?.contains(parent) == true { return true }
    return superclass[path].map { type($0, isA: parent) } ?? false
  }

  /// The symbols at a path; a member that a class does not declare is looked up in its superclasses. Initialisers only
  /// where the class declares none, because one that it declares hides them. (One that is not public would too, and is
  /// not seen here: the tests name `init()` and `init(coder:)` of every class.)
  func symbols(at path: String) -> [Symbol] {
    if let found = symbols[path] { return found }
    guard let dot = path.lastIndex(of: ".") else { return [] }
    let owner = path[..<dot]
    guard let above = superclass[String(owner)] else { return [] }
    if path[dot...].hasPrefix(".init"), symbols.keys.contains(where: { $0.hasPrefix("\(owner).init(") }) { return [] }
    return symbols(at: above + path[dot...])
  }

  /// Names at the top of the module.
  var topLevelNames: Set<String> { Set(symbols.keys.filter { !$0.contains(".") }) }
}
