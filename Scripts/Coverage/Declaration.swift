// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One line of `declarations.tsv`: something that a client of Core Motion can name.
struct Declaration {
  let section: String
  let type: String
  let path: String
  let kind: String
  /// As the symbol graph prints it.
  let declaration: String
  /// What it inherits from or conforms to.
  let parents: [String]
  let isDeprecated: Bool
  /// Declared in an extension of its class, also on Apple's systems: nobody can override it.
  let isInExtension: Bool

  /// Reads the list. A line that does not have the form ends the program: the list is part of the repository.
  static func read(from file: URL) throws -> [Declaration] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard cells.count == 7 else {
        throw Problem("\(file.path): this line does not have seven cells: \(line)")
      }
      let notes = cells[5].components(separatedBy: "; ").filter { !$0.isEmpty }
      return Declaration(
        section: cells[0], type: cells[1], path: cells[2], kind: cells[3], declaration: cells[4],
        parents: notes.filter { !["deprecated", "in extension"].contains($0) && !$0.hasPrefix("= ") },
        isDeprecated: notes.contains("deprecated"), isInExtension: notes.contains("in extension"))
    }
  }
}

/// A sentence that ends the program.
struct Problem: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
