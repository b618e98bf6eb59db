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
    (["calibrate", "gryo"], "gyro"), (["help", "fuze"], "fuse"), (["help", "history", "delet"], "delete"),
  ])
  func aMistypedCommandIsToldTheOneThatWasMeant(arguments: [String], meant: String) throws {
    let result = try MotionctlProcess(arguments).finish()
    #expect(result.code == 64)
    #expect(result.errors.contains("did you mean “\(meant)”?"))
  }

  @Test(arguments: [["photosynthesis"], ["help", "photosynthesis"]])
  func aWordThatIsNearNoCommandIsRefusedWithoutAGuess(arguments: [String]) throws {
    let result = try MotionctlProcess(arguments).finish()
    #expect(result.code == 64 && result.output.isEmpty)
    #expect(result.errors.contains("There is no command “photosynthesis”."))
  }

  @Test(arguments: [["help"], ["help", "fuse"], ["help", "history", "delete"], ["help", "--help"]])
  func helpOfWhatThereIsIsPrinted(arguments: [String]) throws {
    let result = try MotionctlProcess(arguments).finish()
    #expect(result.code == 0 && result.text.hasPrefix("OVERVIEW: "))
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

/// Mistakes: one clear sentence on standard error, nothing on standard output, an exit code that is not 0.
@Suite struct BadInputTests {
  /// What is typed, the exit code, and a part of the sentence.
  static let mistakes: [(arguments: [String], code: Int32, sentence: String)] = [
    (["fuse", "/nowhere/walk.csv"], 1, "There is no file or folder “/nowhere/walk.csv”."),
    (["fuse", "walk.csv?errors=skip"], 1, "There is no file or folder “walk.csv”."),
    (["fuse", "simulate:rest"], 1, "simulate:rest never ends: say how much of it you want, such as --for 10."),
    (["plot", "simulate:rest", "-o", "x.svg"], 1, "never ends"),
    (
      ["fuse", "simulate:rest", "--for", "1", "-o", "/nowhere/x.csv"], 1,
      "cannot be written: no such file or directory."
    ),
    (["fuse", "simulate:rest", "--for", "1", "-o", "/"], 1, "cannot be written: is a directory."),
    (["fuse", "simulate:rest", "--for", "1", "--frame", "true"], 1, "needs to know where the device is"),
    (["fuse", "simulate:rest", "--for", "1", "--skip-errors"], 1, "is for recordings only"),
    (["stream"], 1, "No source: name one"),
    (["stream", "radar:north"], 1, "There is no kind of motion source called “radar”"),
    (["stream", "simulate:nothing"], 1, "There is no simulation “nothing”; choose one of rest, "),
    (["stream", "simulate:wlak"], 1, "There is no simulation “wlak”: did you mean “walk”? Choose one of rest, "),
    (["stream", "simulate:headphons"], 1, "did you mean “headphones”?"),
    (["stream", "simulat:walk"], 1, "“simulat” in this program: did you mean “simulate”? There are "),
    (["fuse", "repaly:walk.csv"], 1, "did you mean “replay”?"),
    (["fuse", "repaly:/nowhere/walk.csv"], 1, "did you mean “replay”?"),
    (["fuse", "radar:/nowhere/walk.csv"], 1, "There is no file or folder “radar:/nowhere/walk.csv”."),
    (["fuse", "replay:walk.csv?plaform=ios"], 1, "“plaform” is not an option of a replay: did you mean “platform”? "),
    (["stream", "simulate:rest?sped=max"], 1, "did you mean “speed”?"),
    (["stream", "simulate:rest?speed=0"], 1, "The option “speed” takes max, or a number above 0"),
    (["stream", "simulate:rest", "--rate", "0"], 64, "--rate"),
    (["stream", "simulate:rest", "--rate", "nan"], 64, "--rate"),
    (["stream", "simulate:rest", "--frame", "upside-down"], 64, "xMagneticNorthZVertical"),
    (["stream", "simulate:rest", "--location", "91,0"], 64, "--location"),
    (["stream", "simulate:rest", "--for", "0"], 64, "--for"),
    (["stream", "simulate:rest", "--service", "sonar"], 64, "device-motion"),
    (["plot", "simulate:rest", "--for", "1", "-o", "x.jpg"], 64, "end it with .svg"),
    (["dance"], 64, "dance"),
  ]

  @Test(arguments: mistakes.indices)
  func aMistakeIsAnsweredInASentence(index: Int) throws {
    let mistake = Self.mistakes[index]
    let result = try MotionctlProcess(mistake.arguments).finish()
    #expect(result.code == mistake.code)
    #expect(result.errorLines.first?.hasPrefix("Error: ") == true)
    #expect(result.errors.contains(mistake.sentence), "\(mistake.arguments): \(result.errors)")
    #expect(result.output.isEmpty)
    // A failure is one line; wrong usage is followed by the usage.
    if mistake.code == 1 { #expect(result.errorLines.count == 1) }
  }
}

/// `motionctl doctor`; what it finds is held by the host's tests.
@Suite struct DoctorTests {
  @Test func theExitCodeSaysWhetherMotionCanBeRead() throws {
    let well = try MotionctlProcess.run("doctor", environment: ["MOTION_SOURCE": "simulate:rest"])
    #expect(well.code == 0 && well.text.contains("ok       MOTION_SOURCE=simulate:rest: A program gets"))
    let ill = try MotionctlProcess.run("doctor", environment: ["MOTION_SOURCE": "radar:north"])
    #expect(ill.code == 1 && ill.text.contains("problem  MOTION_SOURCE=radar:north: "))
  }

  @Test func theRuleIsPrintedAlone() throws {
    let result = try MotionctlProcess.run("doctor", "--rule")
    #expect(result.code == 0 && result.errors.isEmpty && result.lines.filter { !$0.hasPrefix("#") }.count == 3)
    #expect(result.text.contains(#"SUBSYSTEM=="iio""#) && result.text.contains(#"TAG+="uaccess""#))
    #expect(try MotionctlProcess.run("doctor", "--rule", "--json").code == 64)
  }

  @Test func jsonHasEveryFindingWithItsLevel() throws {
    let result = try MotionctlProcess.run("doctor", "--json", environment: ["MOTION_SOURCE": "simulate:rest"])
    let report = try #require(try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    let findings = try #require(report["findings"] as? [[String: Any]])
    #expect(report["canReadMotion"] as? Bool == true && findings.last?["level"] as? String == "ok")
    #expect(findings.allSatisfy { $0["subject"] is String && $0["sentence"] is String })
  }
}

/// `motionctl list`.
@Suite struct ListTests {
  @Test func simulatedDevicesAreNamedAsSimulationsWithTheirRates() throws {
    let result = try MotionctlProcess.run("list")
    #expect(result.code == 0)
    for name in ["rest", "spin", "handheld"] { #expect(result.lines.contains("simulate:\(name)")) }
    #expect(result.text.contains("    simulation: "))
    #expect(result.text.contains("accelerometer 100 Hz, gyroscope 100 Hz, magnetometer 50 Hz"))
  }

  @Test(.enabled(if: !FileManager.default.fileExists(atPath: "/sys/bus/iio/devices/iio:device0"), "needs no sensors"))
  func aComputerWithoutSensorsIsToldSo() throws {
    #expect(try MotionctlProcess.run("list").text.contains("Sensors of this computer: none"))
  }

  @Test func theSourceOfTheEnvironmentComesFirst() throws {
    let result = try MotionctlProcess.run("list", environment: ["MOTION_SOURCE": "simulate:spin"])
    #expect(result.lines.first == "simulate:spin")
    #expect(result.text.contains("simulation: named by MOTION_SOURCE"))
  }

  @Test func aSourceThatCannotBeOpenedSaysWhy() throws {
    let result = try MotionctlProcess.run("list", environment: ["MOTION_SOURCE": "radar:north"])
    #expect(result.code == 0)
    #expect(result.lines.first == "radar:north")
    #expect(result.text.contains("cannot be opened: There is no kind of motion source called “radar”"))
  }

  @Test func jsonIsAnArrayOfObjectsWithOriginAndChannels() throws {
    let result = try MotionctlProcess.run("list", "--json", environment: ["MOTION_SOURCE": "radar:\"north\""])
    let listed = try #require(try JSONSerialization.jsonObject(with: result.output) as? [[String: Any]])
    #expect(listed.first?["address"] as? String == "radar:\"north\"")
    #expect(listed.first?["problem"] is String)
    let rest = try #require(listed.first { $0["address"] as? String == "simulate:rest" })
    #expect(rest["origin"] as? String == "simulation")
    let channels = try #require(rest["channels"] as? [[String: Any]])
    #expect(channels.contains { $0["kind"] as? String == "gyroscope" && $0["rates"] as? [Double] == [100] })
  }
}

/// `motionctl fuse --learn` and `--learned`.
@Suite struct LearnTests {
  private static let source = "simulate:handheld?errors=phone&duration=40"

  @Test func whatOneRunLearnsTheNextOneUses() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("phone.json")
    let plain = try MotionctlProcess.run("fuse", Self.source)
    let first = try MotionctlProcess.run("fuse", Self.source, "--learned", file, "--learn", file)
    #expect(first.code == 0)
    // A file that is not there yet is no knowledge, and learning changes nothing of the run.
    #expect(first.output == plain.output)
    #expect(first.errors.contains("is not there yet"))
    let learned = try folder.read("phone.json")
    let second = try MotionctlProcess.run("fuse", Self.source, "--learned", file)
    #expect(second.code == 0)
    #expect(second.output != plain.output)
    #expect(!second.errors.contains("is not there yet"))
    #expect(try folder.read("phone.json") == learned)
    #expect(try MotionctlProcess.run("fuse", Self.source, "--learned", file).output == second.output)
    let third = try MotionctlProcess.run("fuse", Self.source, "--learned", file, "--learn", file)
    #expect(third.output == second.output)
    #expect(try folder.read("phone.json") != learned)
    #expect(try folder.names == ["phone.json"])
  }

  @Test func somethingElseIsNeitherReadNorWrittenOver() throws {
    let folder = try TemporaryFolder()
    try folder.write("{}", to: "notes.json")
    for option in ["--learned", "--learn"] {
      let result = try MotionctlProcess.run(
        "fuse", "simulate:rest?duration=2", option, folder.path("notes.json"), "-o", folder.path("out.csv"))
      #expect(result.code != 0)
      #expect(result.errors.contains("This is not a file of the format “opencoremotion-learned”."))
      #expect(try folder.names == ["notes.json"])
    }
    #expect(try folder.read("notes.json") == Data("{}".utf8))
  }

  @Test func learningNeedsTheWholeOfASource() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.run("fuse", "simulate:rest", "--for", "2", "--learn", folder.path("x.json"))
    #expect(result.code != 0)
    #expect(result.errors.contains("--learn needs all of a source"))
  }
}

/// `motionctl calibrate` and what it leaves, with simulated devices.
@Suite struct CalibrateTests {
  private let path = FileManager.default.temporaryDirectory.appending(path: "calibrate-\(UUID().uuidString).json").path

  private func section(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let file = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    return try #require(file[name] as? [String: Any])
  }

  @Test func theGyroscopesBiasIsMeasuredWrittenAndApplied() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let address = "simulate:rest?bias=0.01:-0.02:0.03&speed=max"
    let result = try MotionctlProcess.run("calibrate", "gyro", address, "--output", path)
    #expect(result.code == 0 && result.text.contains("gyroscope: error 0.0374 rad/s before"))
    #expect(result.errors.contains("do not touch it") && result.text.contains("written to \(path)"))
    let offset = try #require(try section("gyroscope")["offset"] as? [Double])
    for (value, truth) in zip(offset, [0.01, -0.02, 0.03]) { #expect(abs(value - truth) < 1e-12) }
    // Read with it, the device turns no more.
    let stream = try MotionctlProcess.run(
      "stream", "\(address)&calibration=\(path)", "--service", "gyro", "--format", "csv", "--for", "0.5")
    #expect(stream.code == 0 && stream.errors.contains("calibrated on ") && stream.cells.count == 51)
    for row in stream.cells.dropFirst() { #expect(row.suffix(3).allSatisfy { abs(Double($0) ?? 1) < 1e-12 }) }
    let fused = try MotionctlProcess.run("fuse", "\(address)&calibration=\(path)", "--for", "2")
    #expect(fused.code == 0 && fused.errors.contains("calibrated on "))
  }

  @Test func aBetterCalibrationIsReplacedOnlyWhenSomebodySaysSo() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let good = "simulate:rest?bias=0.01&speed=max"
    let poor = "simulate:rest?errors=controller&speed=max"
    #expect(try MotionctlProcess.run("calibrate", "gyro", good, "--output", path).code == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let refused = try MotionctlProcess.run("calibrate", "gyro", poor, "--output", path)
    #expect(refused.code == 1 && refused.errors.contains("is better") && refused.errors.contains("--yes"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    let forced = try MotionctlProcess.run("calibrate", "gyro", poor, "--output", path, "--yes")
    #expect(forced.code == 0 && forced.errors.contains("It is replaced, as you said."))
    // A better one says what it replaces, and asks nothing.
    let again = try MotionctlProcess.run("calibrate", "gyro", good, "--output", path)
    #expect(again.code == 0 && again.errors.contains("is replaced."))
  }

  @Test func aDeviceThatMovesGivesNoFileButAReason() throws {
    for address in ["simulate:handheld?speed=max", "simulate:spin?speed=max"] {
      let result = try MotionctlProcess.run("calibrate", "gyro", address, "--for", "15", "--output", path)
      #expect(result.code == 1 && result.errors.contains("of rest") && result.output.isEmpty)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func sixSidesGiveTheAccelerometersBiasAndScale() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let result = try MotionctlProcess.run(
      "calibrate", "accel", "simulate:sixSides?errors=controller&speed=max", "--output", path)
    #expect(result.code == 0 && result.errors.contains("Next: flat on its face."))
    let part = try section("accelerometer")
    let offset = try #require(part["offset"] as? [Double])
    for (value, truth) in zip(offset, [-0.15, 0.1, 0.2]) { #expect(abs(value - truth) < 0.02) }
    let matrix = try #require(part["matrix"] as? [Double])
    for (index, scale) in [(0, 1.008), (4, 0.994), (8, 1.01)] { #expect(abs(matrix[index] * scale - 1) < 0.002) }
    // Four of six: it says which is next.
    let poses = try MotionctlProcess.run(
      "calibrate", "accel", "simulate:rest?speed=max", "--for", "20", "--output", path + ".not.json")
    #expect(poses.code == 1 && poses.errors.contains("1 of 6 positions. Next: flat on its face."))
  }

  @Test func mistakesAreSaidBeforeAnythingIsMeasured() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let homeless = try MotionctlProcess.run("calibrate", "gyro", "simulate:rest")
    #expect(homeless.code == 1 && homeless.errors.contains("--output"))
    let missing = try MotionctlProcess.run("calibrate", "gyro", "simulate:rest?gyroscope=no", "--output", path)
    #expect(missing.code == 1 && missing.errors.contains("has no gyroscope"))
    try "nonsense".write(toFile: path, atomically: false, encoding: .utf8)
    let bad = try MotionctlProcess.run("calibrate", "gyro", "simulate:rest", "--output", path)
    #expect(bad.code == 1 && bad.errors.contains("is not a file of the format"))
    #expect(try MotionctlProcess.run("calibrate", "accel", "simulate:rest", "--positions", "7").code == 64)
  }
}
