// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The statements S1–S88 and the decisions D1–D32 about behaviour: each is asked by the suite Conformance or named by a
/// test, or a sentence says why not.
struct Ledger {
  static let numbers = (1...88).map { "S\($0)" } + (1...32).map { "D\($0)" }

  /// Number → files of the suite and the tests that name it.
  private(set) var tests: [String: Set<String>] = [:]
  /// Number → why it cannot be tested here, in the order of the file.
  let reasons: [(number: String, sentence: String)]

  init(tests folders: [URL], reasons file: URL) throws {
    reasons = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      let cells = $0.split(separator: "\t", maxSplits: 1).map(String.init)
      guard cells.count == 2, Self.numbers.contains(cells[0]) else {
        throw Problem("\(file.path): this line is not a number, a tab and a sentence: \($0)")
      }
      return (cells[0], cells[1])
    }
    let files = folders.flatMap { folder in
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    }
    // S3, S6–S8, S6-S8: a range names all that it spans.
    let mention = /\b([SD])([1-9][0-9]?)(?:[–-][SD]([1-9][0-9]?))?\b/
    for file in files where file.pathExtension == "swift" {
      for match in try String(contentsOf: file, encoding: .utf8).matches(of: mention) {
        guard let first = Int(match.2), let last = match.3.map({ Int($0) }) ?? first, first <= last else { continue }
        for number in first...last { tests["\(match.1)\(number)", default: []].insert(file.lastPathComponent) }
      }
    }
  }

  /// Numbers that nobody names and nothing excuses.
  var missing: [String] {
    Self.numbers.filter { number in tests[number] == nil && !reasons.contains { $0.number == number } }
  }

  /// Numbers that have both: the excuse is out of date.
  var outdated: [String] { reasons.map(\.number).filter { tests[$0] != nil } }
}
