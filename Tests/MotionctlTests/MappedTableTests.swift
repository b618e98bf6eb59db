// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import Testing

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
