// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Names come from files and devices: whoever made these must not control the terminal of the person who looks at them.
@Suite struct TerminalEscapeTests {
  /// The window's title, a cleared screen, DEL, a control sequence of one character (C1), text that runs backwards, a
  /// forged line.
  private static let hostile = "\u{1B}]0;owned\u{7}\u{1B}[2J\u{7F}\u{9B}31m\u{202E}\u{2066}"
  private static let escaped = #"\u{1B}]0;owned\u{7}\u{1B}[2J\u{7F}\u{9B}31m\u{202E}\u{2066}"#

  /// Everything that a terminal would act on, but the line end.
  private static func controls(in text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
      scalar != "\n" && (scalar.properties.generalCategory == .control || scalar.properties.isBidiControl)
    }
  }

  /// A recording with that name in its own name, in a topic and in a cell that is no number.
  private func recording(in folder: TemporaryFolder) throws -> String {
    let name = "walk" + Self.hostile + ".ndjson"
    func text(_ value: String) throws -> String { String(decoding: try JSONEncoder().encode(value), as: UTF8.self) }
    let topic = try text("/" + Self.hostile)
    let line = #"{"topic":"/sensor/gyroscope","timestamp_ns":10000000,"x":1,"y":2,"z":3}"#
    let damage = #"{"topic":"/sensor/gyroscope","timestamp_ns":20000000,"x":"# + (try text(Self.hostile)) + "}"
    try folder.write("\(line)\n{\"topic\":\(topic),\"timestamp_ns\":15000000}\n\(damage)\n", to: name)
    return folder.path(name)
  }

  @Test func namesFromAFileNeverActOnTheTerminal() throws {
    let folder = try TemporaryFolder()
    let path = try recording(in: folder)
    for arguments in [
      ["info", path], ["info", path, path], ["convert", path, folder.path("out.mcap")],
      ["convert", "--skip-errors", path, folder.path("out.mcap")], ["fuse", path], ["list"], ["doctor"],
      ["steps", path], ["cut", path, folder.path("cut.mcap")], ["stream", path + "?errors=skip"],
    ] {
      let result = try MotionctlProcess(arguments, environment: ["MOTION_SOURCE": "replay:" + path]).finish()
      let text = result.text + result.errors
      #expect(Self.controls(in: text).isEmpty, "\(arguments): \(text.debugDescription)")
      #expect(text.contains(Self.escaped) || arguments[0] == "steps", "\(arguments): \(text.debugDescription)")
    }
  }

  @Test func dataKeepsTheNamesAsTheyAre() throws {
    let folder = try TemporaryFolder()
    let path = try recording(in: folder)
    let result = try MotionctlProcess(["info", "--json", path]).finish()
    let report = try #require(try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    #expect(report["file"] as? String == path)
    #expect((report["name"] as? String)?.contains(Self.hostile) == true)
  }

  @Test func aWrongArgumentNeverActsOnTheTerminal() throws {
    for arguments in [[Self.hostile], ["info", "--" + Self.hostile], ["stream", "radar:" + Self.hostile]] {
      let result = try MotionctlProcess(arguments).finish()
      #expect(result.code != 0 && result.errors.contains("Error: "))
      #expect(Self.controls(in: result.errors).isEmpty, "\(result.errors.debugDescription)")
    }
  }
}
