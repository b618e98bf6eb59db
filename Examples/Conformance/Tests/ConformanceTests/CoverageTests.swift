// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Testing

@testable import Conformance

/// Every statement of Documentation/Behaviour.md is asked or has a reason, and the table of README.md says which.
@Suite struct CoverageTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The numbers in the order of the page.
  private static func codes() throws -> [String] {
    let page = try String(
      contentsOf: folder.appendingPathComponent("../../Documentation/Behaviour.md"), encoding: .utf8)
    return page.matches(of: /(?m)^- \*\*([A-Z]+-?[0-9]+)\*\*/).map { String($0.1) }
  }

  private static var asked: Set<String> { Set(Conformance.statements.map(\.code)) }

  @Test func everyStatementIsAskedOrHasAReason() throws {
    let codes = try Self.codes().filter { $0.contains(/^[SND][0-9]/) }
    #expect(codes.count > 130)
    #expect(codes.filter { !Self.asked.contains($0) && Conformance.notAsked[$0] == nil } == [])
  }

  @Test func noStatementIsInvented() throws {
    let codes = Set(try Self.codes())
    #expect(Self.asked.subtracting(codes) == [])
    #expect(Set(Conformance.notAsked.keys).subtracting(codes) == [])
    #expect(Self.asked.intersection(Conformance.notAsked.keys) == [])
  }

  /// `CONFORMANCE_WRITE=1` writes the table.
  @Test func theTableOfTheReadmeIsOfToday() throws {
    let file = Self.folder.appendingPathComponent("README.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    let begin = try #require(page.range(of: "<!-- table -->\n"))
    let end = try #require(page.range(of: "<!-- end of the table -->"))
    let table = try Self.table()
    if ProcessInfo.processInfo.environment["CONFORMANCE_WRITE"] != nil {
      try page.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: table)
        .write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(page[begin.upperBound..<end.lowerBound] == table, "Run the tests with CONFORMANCE_WRITE=1.")
    }
  }

  private static func table() throws -> String {
    var table = "| statement | asked |\n|---|---|\n"
    for code in try codes() {
      let sentences = Conformance.statements.filter { $0.code == code }
      if let reason = Conformance.notAsked[code] {
        table += "| \(code) | no: \(reason) |\n"
      } else if !sentences.isEmpty {
        let hands = sentences.contains { $0.request != nil } ? " (a person moves the device)" : ""
        table += "| \(code) | \(sentences.map(\.sentence).joined(separator: " "))\(hands) |\n"
      }
    }
    return table
  }
}
#endif
