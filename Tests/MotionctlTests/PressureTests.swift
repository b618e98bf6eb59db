// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionRecording
import MotionSensing
import Testing

@testable import MotionTools

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

/// `--map` and its companions, on the command line and in a source's address.
@Suite struct MappedTableTests {
  private static let map = "t=Time[ms] ax=AccX[g] ay=AccY az=AccZ gx=GyrX[deg/s] gy=GyrY gz=GyrZ"

  private static func table(in folder: TemporaryFolder) throws -> String {
    let rows = (0..<100).map { "\($0 * 10),0,0,1,0,0,0\n" }.joined()
    try folder.write("Time,AccX,AccY,AccZ,GyrX,GyrY,GyrZ\n" + rows, to: "log.csv")
    return folder.path("log.csv")
  }

  @Test func theOptionsReachTheReaderBothWays() throws {
    let folder = try TemporaryFolder()
    let path = try Self.table(in: folder)
    let options = try MotionctlProcess.run(
      "fuse", path, "--map", Self.map, "--sign", "reaction", "--axes", "-y,x,z")
    #expect(options.code == 0 && options.lines.count == 101)
    #expect(options.errors.contains("mapped CSV") && !options.errors.contains("warning"))
    let address = try MotionctlProcess.run("fuse", "replay:\(path)?map=\(Self.map)&sign=reaction&axes=-y,x,z")
    #expect(address.code == 0 && address.output == options.output)
    // A face-up device: Core Motion's gravity is −1 on z.
    #expect(options.cells.dropFirst().first?[10].hasPrefix("-1") == true)
  }

  @Test func anUnknownTableIsAnsweredWithALineToStartFrom() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.run("fuse", try Self.table(in: folder))
    #expect(result.code == 1 && result.errors.contains("--map \"t=Time[ms] ax=AccX[g] ay=AccY az=AccZ gx=GyrX[deg/s]"))
  }

  @Test func aSignThatTurnsTheDeviceOverIsSaid() throws {
    let folder = try TemporaryFolder()
    let path = try Self.table(in: folder)
    let wrong = try MotionctlProcess.run("fuse", path, "--map", Self.map, "--sign", "apple")
    #expect(wrong.code == 0 && wrong.errors.contains("With --sign apple the device lies face down"), "\(wrong.errors)")
    #expect(wrong.errors.contains("If it lay face up, the sign is --sign reaction."))
    // On its face in truth, with the right sign, it is said as well; turned by its axes it is not.
    let turned = try MotionctlProcess.run("fuse", path, "--map", Self.map, "--sign", "apple", "--axes", "x,-y,-z")
    #expect(turned.code == 0 && !turned.errors.contains("face down"), "\(turned.errors)")
  }

  @Test func formatsListsWhatIsReadAndWritten() throws {
    let result = try MotionctlProcess.run("info", "--formats")
    #expect(result.code == 0)
    for format in RecordingFormat.readable {
      #expect(result.lines.contains { $0.hasPrefix("  \(format.rawValue) ") && $0.contains(format.title) }, "\(format)")
    }
    #expect(result.lines.contains { $0.hasPrefix("  tidy ") && $0.contains("tidy CSV") })
    let folder = try TemporaryFolder()
    let unknown = try MotionctlProcess.run("info", try Self.table(in: folder))
    #expect(unknown.code == 1 && unknown.errorLines.count == 4, "\(unknown.errors)")
  }

  @Test func aWrongUnitIsNamedWhereNothingCanBeComputed() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.run(
      "fuse", try Self.table(in: folder), "--map", Self.map.replacing("AccX[g]", with: "AccX[m/s^2]"), "--sign",
      "reaction")
    #expect(result.code == 1 && result.errors.contains("In its quietest second the accelerometer reads 1.0 m/s²"))
  }
}

/// How numbers become text.
@Suite struct OutputTests {
  @Test func numbersInFilesReadBackToTheSameBits() {
    for value in [0.1, -1.0 / 3, 1e-300, 1138457.69999425, Double.leastNonzeroMagnitude, 1e22] {
      var buffer = JSONText()
      buffer.append(value)
      #expect(Double(String(decoding: buffer.bytes, as: UTF8.self)) == value)
    }
  }

  @Test(arguments: [
    (1.005, 2, "    1.00"), (-0.004, 2, "    0.00"), (-0.006, 2, "   -0.01"), (12345.678, 1, " 12345.7"),
    (Double.nan, 2, "       –"), (9.996, 2, "   10.00"), (-7, 0, "      -7"),
  ])
  func columnsAreRoundedAndSetToTheRight(value: Double, places: Int, text: String) {
    var buffer = JSONText()
    buffer.append(value, places: places, width: 8)
    #expect(String(decoding: buffer.bytes, as: UTF8.self) == text)
  }

  @Test func jsonTextIsEscaped() throws {
    var buffer = JSONText()
    buffer.append(quoting: "a\"b\\c\n\u{1}é")
    let read = try JSONSerialization.jsonObject(with: Data(buffer.bytes), options: .fragmentsAllowed)
    #expect(read as? String == "a\"b\\c\n\u{1}é")
  }

  @Test func textForPeopleIsShort() {
    #expect(Text.count(1, "row") == "1 row")
    #expect(Text.count(1_234_567, "row") == "1,234,567 rows")
    #expect(Text.duration(0.0352) == "35 ms")
    #expect(Text.duration(59.99) == "1 min")
    #expect(Text.duration(3599.99) == "1 h")
    #expect(Text.duration(754) == "12 min 34 s")
    #expect(Text.decimal(100.0, places: 2) == "100")
    #expect(Text.list(["a", "b", "c"]) == "a, b and c")
  }

  @Test func anUnknownFrameAndAnUncalibratedFieldAreEmptyCells() {
    let row = MotionRow(of: CMDeviceMotion())
    var buffer = JSONText()
    buffer.append(csv: row, hidesFrame: true)
    let cells = String(decoding: buffer.bytes.dropLast(), as: UTF8.self)
      .split(separator: ",", omittingEmptySubsequences: false)
    #expect(cells.count == 24)
    #expect(cells[4] == "1.0")
    // From magneticField_x to headingAccuracy; the frame and the deviations.
    #expect(cells[14...19].allSatisfy { $0.isEmpty })
    #expect(cells[21...23].allSatisfy { $0.isEmpty })
  }

  @Test func theProgressBarIsFullAtTheEndOnly() {
    #expect(ProgressLine.bar(0).contains("[·"))
    #expect(ProgressLine.bar(0.5).hasSuffix(" 50 %"))
    #expect(ProgressLine.bar(1) == "[########################] 100 %")
    #expect(ProgressLine.bar(7) == ProgressLine.bar(1))
  }

  @Test func progressSaysRateAndTimeLeft() {
    #expect(
      ProgressLine.line(600_000, "row", fraction: 0.25, elapsed: 2)
        == "[######··················]  25 %  600,000 rows, 300,000 a second, 6 s left")
    #expect(ProgressLine.line(1, "sample", fraction: nil, elapsed: 2) == "1 sample, 1 a second")
    #expect(ProgressLine.line(10, "row", fraction: 1, elapsed: 700).hasSuffix(", 0 a second, 1 s left"))
  }
}
