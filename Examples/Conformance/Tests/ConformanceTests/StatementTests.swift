// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Conformance
import Testing

/// Asks the device. One case for each statement, one after the other, because a device has one pair of hands.
@Suite(.serialized)
struct StatementTests {
  @Test(arguments: Conformance.asked)
  func holds(_ statement: Statement) async throws {
    let answer = await statement.answer()
    try await Report.shared.add(answer, to: statement)
    for finding in answer.findings where !finding.agrees {
      Issue.record("\(statement): \(finding.what) is \(finding.measured), expected \(finding.expected)")
    }
  }
}
