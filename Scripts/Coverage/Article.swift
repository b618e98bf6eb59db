// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The documentation article, made of the list and the ledger.
struct Article {
  private static let meanings:
    [(state: Declaration.State, live: String, recording: String, simulator: String, meaning: String)] = [
      (.value, "yes", "yes", "yes", "A value, a name, or a question that can always be asked."),
      (
        .sensor, "with a driver", "yes", "yes",
        "Runs on whatever source has the sensor; unavailable, and says so, without one."
      ),
      (.detector, "no", "no", "no", "Unavailable by nature, unless a program gives the host a detector of its own."),
      (.carried, "no", "no", "no", "Can be made, copied and archived; no service of this module delivers it."),
      (.inert, "no", "no", "no", "Kept as it is set, without effect: nothing on this platform could follow it."),
    ]

  let text: String

  init(_ declarations: [Declaration], _ ledger: Ledger) {
    var lines = [
      "# Coverage", "", "Which declarations of Core Motion this module has, and where each of them works.", "",
      "## Overview",
      "",
      "`make coverage` writes this page. It compares a list of \(declarations.count) declarations with what the compiler says is in",
      "the module (kind, type, and whether it can be overridden) and fails when one is missing or different, so all of them",
      "are here. The last column of each table is the state:", "",
      "| State | Live sensors | Recordings | Simulator | Meaning |", "|---|---|---|---|---|",
    ]
    for row in Self.meanings {
      lines.append("| \(row.state.rawValue) | \(row.live) | \(row.recording) | \(row.simulator) | \(row.meaning) |")
    }
    var section = ""
    for declaration in declarations {
      if declaration.section != section {
        section = declaration.section
        lines += ["", "### \(Self.title(section))", "", "| Declaration | Kind | State |", "|---|---|---|"]
      }
      guard declaration.kind != "absent" else { continue }
      let kind = declaration.kind + (declaration.isDeprecated ? ", deprecated" : "")
      lines.append("| `\(declaration.path)` | \(kind) | \(declaration.state.rawValue) |")
    }
    lines += [
      "", "### Behaviour", "",
      "The behaviour is documented in \(Ledger.numbers.count) numbered statements (S) and decisions (D), "
        + "in Documentation/Behaviour.md of the repository. Each is named by a test, except:",
      "", "| Number | Why no test holds it here |", "|---|---|",
    ]
    for reason in ledger.reasons { lines.append("| \(reason.number) | \(reason.sentence) |") }
    text = lines.joined(separator: "\n") + "\n"
  }

  /// "4. Sample classes" → "Sample classes".
  private static func title(_ section: String) -> String {
    section.split(separator: " ").dropFirst().joined(separator: " ")
  }
}
