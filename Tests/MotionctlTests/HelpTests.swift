// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What the program says of itself.
@Suite struct HelpTests {
  @Test func versionIsOneLine() throws {
    let result = try MotionctlProcess.run("--version")
    #expect(result.text == "motionctl 0.2.0\n")
    #expect(result.code == 0)
  }

  /// A binary that is passed on carries the notices that its parts ask for (Apache 2.0, section 4; MIT; Unicode).
  @Test func theLicencesOfAllThatIsLinkedArePrinted() throws {
    let result = try MotionctlProcess.run("--licenses")
    #expect(result.code == 0 && result.errors.isEmpty)
    for part in [
      "Copyright 2026 The OpenCoreMotion authors", "Apache License", "END OF TERMS AND CONDITIONS",
      "Runtime Library Exception",
      "Copyright 2018, 2019 The SwiftLog Project", "UNICODE LICENSE V3",
    ] { #expect(result.text.contains(part), "\(part)") }
    // Each package that the manifest names.
    let manifest = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../Package.swift")
    let names = try String(contentsOf: manifest, encoding: .utf8).matches(of: /github\.com\/[^\/]+\/([^"]+)\.git"/).map(
      \.1)
    #expect(names.count == 2)
    for name in names {
      let word = name.replacing(".swift", with: "")
      #expect(
        result.text.contains(word), "\(name) is linked and not named in Tools/motionctl/Licences/ThirdParty.txt")
    }
  }

  @Test func withoutArgumentsItShowsItsCommands() throws {
    let result = try MotionctlProcess.run()
    #expect(result.code == 0)
    for command in ["list", "stream", "fuse", "plot"] { #expect(result.text.contains("  \(command) ")) }
  }

  @Test func commandsStandInFourGroups() throws {
    let groups = try MotionctlProcess.run("--help").lines.filter { $0.hasSuffix("SUBCOMMANDS:") }
    #expect(groups.count == 4)
  }

  @Test(arguments: [
    (["fuze", "x"], "fuse"), (["steam"], "stream"), (["conv"], "convert"), (["Fuse", "x"], "fuse"),
    (["calibrate", "gryo"], "gyro"), (["recorder", "stats"], "status"),
  ])
  func aMistypedCommandIsToldTheOneThatWasMeant(arguments: [String], meant: String) throws {
    let result = try MotionctlProcess(arguments).finish()
    #expect(result.code == 64)
    #expect(result.errors.contains("did you mean “\(meant)”?"))
  }

  @Test func aWordThatIsNearNoCommandIsRefusedWithoutAGuess() throws {
    let result = try MotionctlProcess.run("photosynthesis")
    #expect(result.code == 64)
    #expect(result.errors.contains("There is no command “photosynthesis”."))
  }

  @Test(arguments: [
    ("list", ["--json"]),
    ("stream", ["--service", "--format", "--rate", "--frame", "--location", "--for", "--batched"]),
    ("replay", ["--speed", "--from", "--for", "--motion", "--headphones", "--to"]),
    ("fuse", ["--output", "--frame", "--location", "--format", "--for", "--skip-errors", "--motion"]),
    ("depth", ["--water", "--surface-pressure", "--max-depth", "--for", "--output"]),
    ("altitude", ["--height", "--sea-level-pressure", "--for", "--output"]),
    ("steps", ["--json", "--features", "--height", "--placement", "--output", "--for", "--skip-errors", "--map"]),
    ("record", ["--output", "--headphones", "--for", "--rate", "--compress", "--with", "--rotate-every", "--force"]),
    ("info", ["--json", "--formats"]),
    ("cut", ["--from", "--to", "--stream", "--compress", "--force"]),
    ("view", ["--frame", "--location", "--port", "--listen", "--folder", "--no-open", "--map", "--for"]),
    ("plot", ["--output", "--frame", "--for", "--channels"]),
  ])
  func helpOfACommandHasExamplesAndItsOptions(command: String, options: [String]) throws {
    let result = try MotionctlProcess.run(command, "--help")
    #expect(result.code == 0)
    #expect(result.errors.isEmpty)
    #expect(result.text.contains("Examples:"))
    #expect(result.text.contains("motionctl \(command) "))
    for option in options { #expect(result.text.contains(option)) }
  }
}
