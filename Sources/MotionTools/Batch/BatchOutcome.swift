// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What became of one of several inputs.
package struct BatchOutcome: Sendable {
  package var item: BatchPlan.Item
  package var rows = 0
  /// Sample time.
  package var seconds = 0.0
  /// What went wrong, as a sentence; nil = nothing.
  package var failure: String?

  package init(_ item: BatchPlan.Item, rows: Int, seconds: Double) {
    (self.item, self.rows, self.seconds) = (item, rows, seconds)
  }

  package init(_ item: BatchPlan.Item, failure: any Error) { (self.item, self.failure) = (item, "\(failure)") }

  package static func line(of error: any Error, _ item: BatchPlan.Item) -> String {
    "Error: \(item.input): \(error)"
  }

  /// Says how many of several inputs failed, with the exit code of a failure; nothing where none did.
  package static func requireSuccess(_ outcomes: [BatchOutcome]) throws {
    let failures = outcomes.count { $0.failure != nil }
    guard failures > 0 else { return }
    StandardError.shared.say("\(failures) of \(Text.count(outcomes.count, "input")) failed.")
    throw ProgramEnd.failure
  }
}
