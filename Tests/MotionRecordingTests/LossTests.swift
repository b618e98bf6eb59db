// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import Testing

@testable import MotionRecording

/// A loss that the rest of the file implies or declares is said.
@Suite struct LossTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  // MARK: What each sensor covers

  private static func sample(_ kind: SensorKinds, _ milliseconds: Int) -> SensorSample {
    let time = SensorInstant(nanoseconds: Int64(milliseconds) * 1_000_000)
    return switch kind {
    case .accelerometer: .accelerometer(AccelerometerSample(time: time, specificForce: Vector3(x: 0, y: 0, z: 9.8)))
    case .temperature: .temperature(TemperatureSample(time: time, temperature: 20))
    default: .gyroscope(GyroscopeSample(time: time, angularVelocity: .zero))
    }
  }

  /// A minute of an accelerometer at 100 Hz, and another sensor at these milliseconds.
  private func streams(_ kind: SensorKinds, at times: some Sequence<Int>) -> RecordingQuality {
    var quality = RecordingQuality()
    for time in stride(from: 0, to: 60_000, by: 10) { quality.update(Self.sample(.accelerometer, time)) }
    for time in times { quality.update(Self.sample(kind, time)) }
    return quality
  }

  @Test(arguments: [0..<10_000, 50_000..<60_000, 20_000..<40_000, 30_000..<30_010])
  func aSensorThatCoversAPartOfTheRecordingHasGapsAtItsEdges(part: Range<Int>) throws {
    let quality = streams(.gyroscope, at: stride(from: part.lowerBound, to: part.upperBound, by: 10))
    let stream = try #require(quality.streams.last)
    let missing = Double(part.lowerBound + 59_990 - (part.upperBound - 10)) / 1000
    #expect(abs(stream.gapTime.seconds - missing) < 1e-9 && stream.missing == stream.gapTime)
    #expect(stream.gaps == (part.lowerBound > 0 ? 1 : 0) + (part.upperBound < 60_000 ? 1 : 0))
    let verdict = RecordingVerdict(quality)
    #expect(verdict.grade == .poor && verdict.reasons.contains { $0.contains("the beginning or the end") })
  }

  @Test func sensorsThatStartOneAfterTheOtherAndRareReadingsAreWhole() {
    // As the sensors of a phone do.
    #expect(RecordingVerdict(streams(.gyroscope, at: stride(from: 900, to: 59_100, by: 10))).reasons.isEmpty)
    // A temperature that was read once, and one that comes every ten seconds.
    #expect(streams(.temperature, at: [5]).streams.allSatisfy { $0.gaps == 0 })
    #expect(streams(.temperature, at: stride(from: 9000, to: 60_000, by: 10_000)).streams.allSatisfy { $0.gaps == 0 })
    // Two seconds are more than any start takes.
    let late = streams(.gyroscope, at: stride(from: 2000, to: 60_000, by: 10))
    #expect(RecordingVerdict(late).grade == .usable)
  }

  @Test func aReaderSaysWhichSensorsMissAPart() throws {
    let all = try read(folder.write(Fixture.sensorLogger()))
    #expect(all.statistics.coverage.incomplete.filter { $0.kind != .airPressure }.isEmpty)
    var files = Fixture.sensorLogger()
    let lines = files["GyroscopeUncalibrated.csv"]?.split(separator: "\n") ?? []
    files["GyroscopeUncalibrated.csv"] = lines.prefix(4).joined(separator: "\n") + "\n"
    let result = try read(folder.write(files))
    #expect(result.statistics.coverage.incomplete.first { $0.kind == .gyroscope }?.gaps == 1)
  }

  @Test func aSensorWithOneOfTwoHundredReadingsHasGaps() throws {
    for (kind, gaps) in [(SensorKinds.gyroscope, 2), (.airPressure, 2), (.temperature, 0)] {
      #expect(streams(kind, at: [30_000]).streams.last?.gaps == gaps)
    }
  }

  /// A cell that reads NaN, or a row of one sensor that holds nothing, is a reading that is lost; in every other row NaN is
  /// how a table writes that a slower sensor has none.
  @Test func readingsThatATableDoesNotHoldAreCounted() throws {
    func statistics(_ header: String, _ row: (Int) -> String) throws -> RecordingStatistics {
      let rows = (0..<200).map { "\(Double($0) / 100),\(row($0))\n" }.joined()
      return try read(folder.write("a.csv", header + "\n" + rows)).statistics
    }
    for cell in ["nan", ""] {
      let pressure = try statistics("\"Time (s)\",\"Pressure (hPa)\"") { $0 == 99 ? cell : "1013.25" }
      #expect(pressure[.nonFinite] == 1 && pressure.samples == 199)
      #expect(pressure.coverage.incomplete.map(\.gaps) == [1])
    }
    let header = "timestamp [ns],acc_x [m/s^2],acc_y [m/s^2],acc_z [m/s^2],mag_x [uT],mag_y [uT],mag_z [uT]"
    func table(_ isVoid: (Int) -> Bool) throws -> RecordingStatistics {
      try statistics(header) { "0,\($0 % 7),9.81," + (isVoid($0) ? "nan,nan,nan" : "20,-4,-40") }
    }
    #expect(try table { $0 == 50 || $0 == 90 }[.nonFinite] == 2)
    #expect(try table { $0 % 2 == 1 }.omissions.isEmpty)
  }

  // MARK: What ends nothing

  private static let magic: [UInt8] = MCAPRecord.magic
  private static let footer: [UInt8] = [0x02, 20, 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 20)

  /// A footer, the end of the data, the magic bytes, a whole end, a record of no known type: between two records.
  @Test(arguments: [
    footer, [0x0F, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], magic, footer + magic, [0x10, 1, 0, 0, 0, 0, 0, 0, 0, 7],
  ]) func whatLooksLikeAnEndWithinAFileIsSaidAndEndsNothing(_ mark: [UInt8]) throws {
    let bytes = try MCAPFixture.file(MCAPFixture.items(count: 12), chunkBytes: 2000)
    let whole = try MCAPFixture.messages(folder.write("whole.mcap", bytes)).count
    let index = try MCAPIndex(MCAPInput(path: folder.path + "/whole.mcap"), .stop)
    let place = Int(index.blocks[1].offset)
    let path = try folder.write("mark.mcap", Array(bytes[..<place] + mark + bytes[place...]))
    let reader = try MCAPReader(path: path, damage: .skip)
    var found = 0
    while try reader.next() != nil { found += 1 }
    #expect(found == whole && reader.index.isFinished && reader.statistics[.malformed] >= 1)
    let error = #expect(throws: SensorError.self) { try MCAPReader(path: path) }
    #expect(error?.code == .malformed && error?.place?.byte != nil)
  }

  // MARK: What stands behind an end

  @Test func bytesBehindGzipDataAreCountedFromTheFirstThatIsNotZero() throws {
    let text = "timestamp_ns,x,y,z\n" + (0..<100).map { "\(1000 + $0),0.1,0.2,0.\($0)\n" }.joined()
    try folder.write(Fixture.gyroscope, text)
    let packed = Compressor.gzip(Array(text.utf8))
    for (behind, zeros) in [(Array("garbage".utf8), 0), ([0, 0, 0, 7, 7], 3), ([0x1F, 0x8B, 9, 9, 9], 0)] {
      try folder.write(Fixture.accelerometer + ".gz", packed + behind)
      let result = try read(folder.path)
      #expect(result.accelerometer.count == 100)
      #expect(result.statistics[.trailing] == behind.count - zeros && result.statistics.omitted == 0, "\(behind)")
      #expect(result.statistics.omissions[.trailing]?.firstPlace.byte == packed.count + zeros)
    }
  }

  @Test func bytesBehindAZipAndEntriesThatAreNoFilesAreSaid() throws {
    func zip(mode: Int = 0) -> [UInt8] {
      var zip = ZipBuilder()
      for (name, text) in Fixture.sensorLogger().sorted(by: { $0.key < $1.key }) { zip.add(name, Array(text.utf8)) }
      var bytes = zip.finish()
      // Of the magnetometer's entry in the directory: made on Unix, and its mode.
      let name = Array("MagnetometerUncalibrated.csv".utf8)
      if mode != 0, let end = bytes.lastRange(of: name)?.lowerBound {
        bytes[end - 46 + 5] = 3
        (bytes[end - 46 + 40], bytes[end - 46 + 41]) = (UInt8(mode & 0xFF), UInt8(mode >> 8))
      }
      return bytes
    }
    let whole = try read(folder.write("a.zip", zip()))
    #expect(whole.magnetometer.count == 10)
    // What the fixture's numbers are warned of is not of interest here.
    let usual = whole.recording.warnings
    #expect(try read(folder.write("b.zip", zip(mode: 0o100644))).recording.warnings == usual)
    for mode in [0o120777, 0o020600, 0o010600] {
      let result = try read(folder.write("c.zip", zip(mode: mode)))
      #expect(result.magnetometer.isEmpty && result.gyroscope.count == 10)
      #expect(result.recording.warnings.contains { $0.contains("MagnetometerUncalibrated.csv") })
      #expect(result.recording.warnings.count == usual.count + 1)
    }
    let behind = try read(folder.write("d.zip", zip() + [1, 2, 3]))
    #expect(behind.recording.warnings.contains { $0.contains("3 further bytes, from byte \(zip().count) on") })
  }

  @Test func namesOfAFolderThatAreNoFilesAreSaid() throws {
    var files = Fixture.sensorLogger()
    files["MagnetometerUncalibrated.csv"] = nil
    let path = try folder.write(files)
    let usual = try read(path).recording.warnings
    // A folder beside the files is no part of them.
    for name in ["photos", "2024.11.26"] { _ = try folder.makeFolder(name) }
    #expect(try read(path).recording.warnings == usual)
    let name = "\(path)/MagnetometerUncalibrated.csv"
    for make in [{ symlink("elsewhere", name) }, { mkfifo(name, 0o600) }, { mkdir(name, 0o700) }] {
      #expect(make() == 0)
      #expect(try read(path).recording.warnings.contains { $0.contains("MagnetometerUncalibrated.csv") })
      _ = remove(name)
    }
  }

  // MARK: What a file says of itself

  @Test func aChangeThatOnlyTheChecksumOfAllDataShowsIsCounted() throws {
    let bytes = try MCAPFixture.file(MCAPFixture.items(count: 30))
    let path = try folder.write("a.mcap", bytes)
    func statistics(_ path: String) throws -> RecordingStatistics {
      let reader = try MCAPReader(path: path)
      while try reader.next() != nil {}
      return reader.statistics
    }
    #expect(try statistics(path).omissions.isEmpty)
    // In a record of metadata, which has no checksum of its own.
    var changed = bytes
    let place = try #require(changed.firstRange(of: Array("monotonic".utf8))).lowerBound
    changed[place] ^= 1
    #expect(try statistics(folder.write("b.mcap", changed))[.changed] == 1)
    // A file that states none is as good as it is.
    let end = try #require(bytes.lastRange(of: [0x0F, 4, 0, 0, 0, 0, 0, 0, 0])).upperBound
    changed.replaceSubrange(end..<end + 4, with: [0, 0, 0, 0])
    #expect(try statistics(folder.write("c.mcap", changed)).omissions.isEmpty)
    // What stands behind the end is no part of the file, which is whole.
    let reader = try MCAPReader(path: folder.write("d.mcap", bytes + [1, 2, 3]))
    #expect(reader.index.isFinished && reader.statistics[.trailing] == 3 && reader.statistics.omitted == 0)
  }

  @Test(arguments: [(30, false), (31, true)])
  func messagesThatTheMetadataOfABagCountAreMissed(declared: Int, isSaid: Bool) throws {
    let views = RecordingDescription(info: .test)
    let items = MCAPFixture.items(count: 40).filter {
      if case .sample(.magnetometer, _) = $0 { true } else { false }
    }
    let bytes = try MCAPFixture.file(Array(items.prefix(30)), views, views: [ROS2Views(views)], profile: "ros2")
    let held = try MCAPIndex(MCAPInput(path: folder.write("walk_0.mcap", bytes)), .stop).stated?.messages ?? 0
    try folder.write(
      "metadata.yaml",
      "rosbag2_bagfile_information:\n  message_count: \(Int(held) + declared - 30)\n  topics_with_message_count:\n"
        + "    - message_count: 900\n  relative_file_paths:\n    - walk_0.mcap\n")
    #expect(try read(folder.path).statistics[.absent] == (isSaid ? 1 : 0))
  }
}
