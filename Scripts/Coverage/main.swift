// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

// Compares the list of declarations with the module and the numbered statements with the tests, and prints both. Run by
// `make coverage` from the root of the package; the argument is the folder of the symbol graph.

func run() throws -> Bool {
  let root = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
  guard CommandLine.arguments.count == 2 else { throw Problem("usage: coverage FOLDER-OF-THE-SYMBOL-GRAPH") }
  let graph = try SymbolGraph(
    file: URL(fileURLWithPath: CommandLine.arguments[1]).appendingPathComponent("CoreMotion.symbols.json"))
  let data = root.appendingPathComponent("Tests/CoreMotionTests/Coverage")
  let declarations = try Declaration.read(from: data.appendingPathComponent("declarations.tsv"))
  let ledger = try Ledger(
    tests: ["Examples/Conformance/Sources", "Tests"].map(root.appendingPathComponent),
    reasons: data.appendingPathComponent("untestable.tsv"))

  let comparison = Comparison(declarations, graph)
  for problem in comparison.problems { print(problem) }
  for section in comparison.sections {
    print(
      "\(section.name): \(section.present) of \(section.total) declarations (\(percent(section.present, section.total)))"
    )
  }
  let present = declarations.count - comparison.problems.count
  print("All: \(present) of \(declarations.count) declarations (\(percent(present, declarations.count)))")
  let listed = Set(declarations.map { String($0.path.split(separator: ".")[0]) })
  print("Beyond the list: \(graph.topLevelNames.subtracting(listed).sorted().joined(separator: ", "))")

  let named = Ledger.numbers.filter { ledger.tests[$0] != nil }.count
  print("Statements: \(named) of \(Ledger.numbers.count) named by tests, \(ledger.reasons.count) with a reason")
  if !ledger.missing.isEmpty { print("Without test or reason: \(ledger.missing.joined(separator: ", "))") }
  if !ledger.outdated.isEmpty {
    print("Named by a test, so the reason can go: \(ledger.outdated.joined(separator: ", "))")
  }
  return comparison.problems.isEmpty && ledger.missing.isEmpty && ledger.outdated.isEmpty
}

/// Rounded down, so that 100 % means all.
func percent(_ part: Int, _ whole: Int) -> String { "\(part * 100 / max(whole, 1)) %" }

do {
  exit(try run() ? EXIT_SUCCESS : EXIT_FAILURE)
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(EXIT_FAILURE)
}
