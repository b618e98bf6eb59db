// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `motionctl depth` and `motionctl altitude`.
@Suite struct PressureTests {
  /// A log as dive computers write it: down to ten metres of fresh water and up, a row a second.
  private static var log: String {
    let rows = (0..<240).map { second -> String in
      let depth = second < 100 ? 2 + Double(second) * 0.08 : max(0, 10 - Double(second - 100) * 0.1)
      return "\(second),\(101_000 + depth * 9806.65 + Double(second % 7)),\(18)"
    }
    return (["t_s,abs_pressure_Pa,temperature_C"] + rows).joined(separator: "\n") + "\n"
  }

  @Test func aSimulatedDiveIsPrintedWithItsStates() throws {
    let result = try MotionctlProcess.run("depth", "simulate:dive?speed=max", "--for", "70", "--max-depth", "6")
    #expect(result.code == 0)
    #expect(result.text.hasPrefix("  time (s)  depth (m)  deepest (m)"))
    #expect(result.text.contains("None") && result.text.contains("not submerged") && result.text.contains(" ± "))
    #expect(result.errors.contains("a simulation, no sensor is read"))
    #expect(result.errors.contains("under water") && result.errors.contains("approaching the maximum depth of 6 m"))
    #expect(result.errors.contains("1 dive, ") && !result.errors.contains("offset unknown"))
  }

  @Test func aLogIsSummedUpAndDrawn() throws {
    let folder = try TemporaryFolder()
    try Self.log.write(toFile: folder.path("dive.csv"), atomically: true, encoding: .utf8)
    let result = try MotionctlProcess.run(
      "depth", folder.path("dive.csv"), "--map", "t=t_s[s] pw=abs_pressure_Pa[Pa] temp=temperature_C[degC]",
      "--water", "fresh", "--surface-pressure", "1010", "-o", folder.path("dive.svg"))
    #expect(result.code == 0)
    #expect(result.errors.contains("deepest 10 m, on average "), "\(result.errors)")
    #expect(result.errors.contains("out of the water") && !result.errors.contains("offset unknown"))
    let picture = String(decoding: try folder.read("dive.svg"), as: UTF8.self)
    #expect(picture.contains("Depth, the surface at 0 (m)") && picture.contains("Water (°C)"))
  }

  @Test func withoutASurfacePressureTheOffsetIsUnknownUntilItIsGiven() throws {
    let folder = try TemporaryFolder()
    try Self.log.write(toFile: folder.path("dive.csv"), atomically: true, encoding: .utf8)
    let unknown = try MotionctlProcess.run("depth", folder.path("dive.csv"))
    #expect(unknown.code == 0 && unknown.errors.contains("depth offset unknown"))
    let given = try MotionctlProcess.run("depth", folder.path("dive.csv"), "--surface-pressure", "1010")
    #expect(given.code == 0 && !given.errors.contains("offset unknown"))
  }

  /// A recording is shown whole; in the water the limit holds, and the way around it is said.
  @Test func aDeepRecordingIsShownWholeAndALimitSaysHowToLiftIt() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<300).map { "\($0),\(101_000 + 9806.65 * min(55, 2 + Double($0) * 0.25) + Double($0 % 7)),18" }
    let text = (["t_s,abs_pressure_Pa,temperature_C"] + rows).joined(separator: "\n")
    try (text + "\n").write(toFile: folder.path("deep.csv"), atomically: true, encoding: .utf8)
    let whole = try MotionctlProcess.run(
      "depth", folder.path("deep.csv"), "--water", "fresh", "--surface-pressure", "1010")
    #expect(whole.code == 0 && whole.errors.contains("deepest 55 m"), "\(whole.errors)")
    #expect(!whole.text.contains("None") && !whole.errors.contains("maximum depth"))
    let limited = try MotionctlProcess.run(
      "depth", folder.path("deep.csv"), "--water", "fresh", "--surface-pressure", "1010", "--max-depth", "40")
    #expect(limited.errors.contains("deeper than 44 m, where no depth is shown"))
    #expect(limited.errors.contains("no depth for 2 min 1"), "\(limited.errors)")
    #expect(limited.errors.contains("--max-depth none shows all of it"))
    #expect(limited.text.contains("None"))
    // A device that shows no depth is under water all the same, and "deepest" would be a lie.
    #expect(limited.errors.contains("4 min 56 s under water, deeper than 44"), "\(limited.errors)")
    #expect(whole.errors.contains("4 min 56 s under water, deepest"), "\(whole.errors)")
  }

  @Test func stairsAreClimbed() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.run(
      "altitude", "simulate:stairs?speed=max", "--for", "72", "--height", "520,2", "-o", folder.path("x.svg"))
    #expect(result.code == 0)
    #expect(result.errors.contains("(3 floors)") && !result.errors.contains("no reference"))
    #expect(result.text.contains(" 520.0 ± "))
    #expect(try folder.names == ["x.svg"])
  }

  @Test(arguments: [
    (["depth", "simulate:walk", "--for", "1"], 1, "does not measure the pressure of water."),
    (["altitude", "simulate:dive", "--for", "1"], 1, "does not measure the pressure of air."),
    (["depth", "simulate:dive", "--for", "1", "--water", "wine"], 64, "it takes fresh"),
    (["depth", "simulate:dive", "--for", "1", "--max-depth", "1"], 64, "--max-depth"),
    (["depth", "simulate:dive", "-o", "x.svg"], 1, "never ends"),
    (["altitude", "simulate:stairs", "--for", "1", "-o", "x.gif"], 64, "end it with .svg"),
    (["altitude", "simulate:stairs", "--for", "1", "--height", "up"], 64, "metres above sea level"),
  ])
  func mistakesAreOneSentence(arguments: [String], code: Int, words: String) throws {
    let result = try MotionctlProcess(arguments, environment: [:]).finish()
    #expect(Int(result.code) == code && result.errors.contains(words), "\(result.errors)")
  }
}
