// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording
import MotionSensing
import Testing

@Suite struct DetectionTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    ("50 41 52 31 00", "Parquet"), ("41 52 52 4F 57 31", "Arrow"),
    ("53 51 4C 69 74 65 20 66 6F 72 6D 61 74 20 33 00", "SQLite"),
    ("47 59 52 4F 46 4C 4F 57 20 49 4D 55 20 4C 4F 47 0A", "Gyroflow"), ("5B 7B 22 73 22 3A 31 7D 5D", "JSON"),
    ("", "The file is empty"), ("00 01 02 03", "binary data"), ("FF FE 74 00 0A 00", "UTF-16"),
    ("74 B5 54 0A 31 0A", "not UTF-8"),
    ("61 2C 62 2C 63 0A 31 2C 32 2C 33 0A", "It begins with \"a,b,c\""),
  ])
  func whatIsNotReadIsCalledByItsName(bytes: String, name: String) throws {
    let bytes = bytes.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    for packed in [false, true] where !(packed && bytes.isEmpty) {
      let path = try folder.write("thing.bin", packed ? Compressor.gzip(bytes) : bytes)
      let error = try #require(failure(path))
      #expect(error.code == .unsupported && error.place?.file == path)
      #expect(error.message.contains(name), "\(error)")
      let lines = error.message.split(separator: "\n", omittingEmptySubsequences: false)
      #expect((2...3).contains(lines.count) && error.message.count < 600, "\(error)")
      #expect(lines.last == "“motionctl info --formats” lists the supported formats.")
    }
  }

  @Test(arguments: [
    ("HDF5", [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], "Python package h5py"),
    ("MATLAB (7.3", Array("MATLAB 7.3 MAT-file, Platform".utf8), "Python package h5py"),
    ("MATLAB", Array("MATLAB 5.0 MAT-file, Platform".utf8), "Python package scipy"),
    ("Excel", [0xD0, 0xCF, 0x11, 0xE0], "libreoffice --headless --convert-to csv"),
    ("ROS 1", Array("#ROSBAG V2.0\n".utf8), "rosbags-convert"),
    ("ROS 2 in SQLite", Array("SQLite format 3\0CREATE TABLE topics".utf8), "rosbags-convert"),
    ("FIT", Array("12345678.FIT".utf8), "fitdecode"),
    ("telemetry", Array("DEVC".utf8), "gpmf"), ("video", Array("1234ftypmp41".utf8), "gpmf"),
    ("Zstandard", [0x28, 0xB5, 0x2F, 0xFD], "zstd -d"),
    ("ULog", [0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35], "ulog2csv -m sensor_combined"),
    ("C3D", [0x02, 0x50] + [UInt8](repeating: 0, count: 510), "ezc3d"),
    (
      "JSON export of Sensor Logger", Array(#"[{"sensor":"Barometer","seconds_elapsed":"0"}]"#.utf8),
      "as CSV in the app"
    ),
  ])
  func whatIsNotReadComesWithTheWayToConvertIt(name: String, bytes: [UInt8], way: String) throws {
    let path = try folder.write("my walk's.data", bytes + [UInt8](repeating: 0, count: 600))
    let error = try #require(failure(path))
    #expect(error.code == .unsupported && error.message.contains(name) && error.message.contains(way), "\(error)")
    // As a shell takes it.
    #expect(error.message.contains("'\(folder.path)/my walk'\\''s.data'"), "\(error)")
  }

  @Test(arguments: ["0,0.1,0.2,0.9,1,2,3", "5 0.2 0.9 1 2 3", "1;2;3;4;5"])
  func aTableWithoutAHeaderIsToldOfNumbers(line: String) throws {
    let message = try #require(failure(folder.write("log.txt", "\(line)\n\(line)\n"))?.message)
    #expect(message.contains("--map \"t=COLUMN[s]") && message.contains("#2 is the second"), "\(message)")
  }

  @Test(arguments: [("a,b,c,d", false), ("a,b,c,d,e,f,g", true)])
  func aTableOfFewColumnsIsOfferedNoGyroscope(header: String, isOffered: Bool) throws {
    let message = try #require(failure(folder.write("log.csv", header + "\n"))?.message)
    #expect(message.contains(" gx=COLUMN") == isOffered && message.contains("ax=COLUMN[g]"), "\(message)")
    #expect(message.contains("motionctl steps log.csv") == !isOffered, "\(message)")
  }

  @Test func contentDecidesNotTheName() throws {
    #expect(try read(folder.write("photo.jpg", Fixture.sensorLog())).recording.format == .sensorLog)
    #expect(try read(folder.write("x.gz", Fixture.sensorLog())).recording.format == .sensorLog)
    var zip = ZipBuilder()
    for (name, text) in Fixture.walk() { zip.add("walk/" + name, Array(text.utf8)) }
    #expect(try read(folder.write("walk.dat", zip.finish())).recording.format == .tidy)
  }

  @Test func foldersWithoutSensorsSayWhatTheyHold() throws {
    #expect(failure(folder.path)?.message.contains("It is empty") == true)
    for index in 0..<12 { try folder.write("note\(index).md", "hello") }
    let error = try #require(failure(folder.path))
    #expect(error.message.contains("It holds note0.md, note1.md") && error.message.contains("and 4 more"))
    try folder.write("gyro.txt", "0 1 2 3\n")
    let tables = try #require(failure(folder.path)?.message)
    #expect(tables.contains("motionctl info '\(folder.path)/gyro.txt'") && tables.contains("merge_asof"), "\(tables)")
  }

  @Test func twoRecordingsInOneZipAreNotMixed() throws {
    var zip = ZipBuilder()
    for (name, text) in Fixture.walk() {
      zip.add("a/" + name, Array(text.utf8))
      zip.add("b/" + name, Array(text.utf8))
    }
    let error = failure(try folder.write("two.zip", zip.finish()))
    #expect(error?.message.contains("2 recordings (a, b)") == true)
  }

  @Test func aPhyphoxZipIsRecognised() throws {
    var zip = ZipBuilder()
    zip.add("Raw Data.csv", Array("\"Time (s)\"\n".utf8))
    zip.add("meta/device.csv", Array("\"property\",\"value\"\n".utf8))
    #expect(
      failure(try folder.write("experiment.zip", zip.finish()))?.message.contains("None of its data sets") == true)
  }

  @Test func theFormatOptionOverridesTheContent() throws {
    var options = RecordingOptions()
    let path = try folder.write("walk.csv", Fixture.sensorLog())
    options.format = .sensorLog
    #expect(try read(path, options).recording.format == .sensorLog)
    options.format = RecordingFormat(rawValue: "winamp")
    #expect(failure(path, options)?.code == .invalidRequest)
    options.format = .phyphox
    #expect(failure(path, options)?.message.contains("None of its data sets") == true)
  }

  @Test func formatNamesAreThoseOfTheOption() {
    #expect(
      RecordingFormat.readable.map(\.rawValue) == [
        "sensorlog", "sensorlogger", "phyphox", "tidy", "mapped", "table", "mcap", "ndjson", "rosbag2",
      ])
    #expect(RecordingFormat.sensorLogger.title == "Sensor Logger")
  }

  @Test func aFolderOfFoldersSaysSo() throws {
    let folder = try TemporaryFolder()
    _ = try folder.makeFolder("walk")
    _ = try folder.makeFolder("run")
    #expect(failure(folder.path)?.message.contains("It contains only folders (run, walk): name one of them") == true)
    let empty = try folder.makeFolder("empty")
    #expect(failure(empty)?.message.contains("It is empty") == true)
  }

}
