// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionRecording
import MotionSensing
import Testing

@testable import MotionTools

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
