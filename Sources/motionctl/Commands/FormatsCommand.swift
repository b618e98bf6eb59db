// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MotionRecording
import MotionTools

/// `motionctl formats`: which recordings are read, and which are written.
struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats", abstract: "List the formats of recordings that are read and written.",
    discussion: """
      A format is recognised by content, not by the name of the file. Its name here is that of convert --from and of the option format= in \
      an address.

      Examples:
        motionctl formats
        motionctl formats | grep -i csv
      """)

  func run() throws {
    var rows = [("Read:", "", "")]
    rows += RecordingFormat.readable.map { ("  \($0.rawValue)", $0.title, $0.summary) }
    rows.append(("Written, by convert --to:", "", ""))
    rows += ConvertFormat.allCases.map { ("  \($0.rawValue)", $0.title, "") }
    let listed = rows.filter { !$0.1.isEmpty }
    let widths = [listed.map { $0.0.count }, listed.map { $0.1.count }].map { ($0.max() ?? 0) + 2 }
    let lines = rows.map { name, title, summary in
      let cells = [(name, widths[0]), (title, widths[1])].map { Text.padded($0, $1, toRight: false) }
      return title.isEmpty ? name : summary.isEmpty ? cells[0] + title : cells.joined() + summary
    }
    let others = RecordingFormat.convertible.map { "  \($0.what): \($0.way)" }
    try OutputFile.standardOutput.print(lines + ["Not read as it is:"] + others)
  }
}
