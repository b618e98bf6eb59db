// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Foundation
import MotionMath
import MotionSensing
import Testing

@testable import MotionRecording

/// Bags of ROS 1, and folders of rosbag2 with MCAP files or databases.
@Suite struct ROSBagTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func expectWalk(_ result: ReadResult, _ numbers: Range<Int>) {
    #expect(result.accelerometer.map(\.time) == numbers.map(ContainerFixture.time))
    #expect(result.accelerometer.map(\.specificForce) == numbers.map(ContainerFixture.force))
    #expect(result.gyroscope.map(\.angularVelocity) == numbers.map(ContainerFixture.rate))
    #expect(result.statistics.omitted == 0)
  }

  @Test(arguments: ["none", "lz4", "bz2"]) func aBagIsReadWhateverItsCompression(name: String) throws {
    var bag = ROSBagBuilder.walk(95)
    bag.compression = name
    let bytes = try bag.finish { try Self.compressed($0, name) }
    let result = try read(folder.write("walk.bag", bytes))
    expectWalk(result, 0..<95)
    #expect(result.recording.format == .rosBag && result.recording.recordedDescription?.clock == .epoch)
    #expect(result.recording.duration == .milliseconds(940))
  }

  private static func compressed(_ bytes: [UInt8], _ name: String) throws -> [UInt8] {
    switch name {
    case "lz4": return try LZ4Codec().compress(bytes.span)
    case "bz2":
      typealias Compress =
        @convention(c) (
          UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt32>, UnsafeRawPointer?, UInt32, Int32, Int32, Int32
        ) -> Int32
      let library = try SystemLibrary("libbz2.so.1.0", package: "libbz2-1.0", purpose: "a test")
      let compress = try library.function("BZ2_bzBuffToBuffCompress", as: Compress.self)
      var result = [UInt8](repeating: 0, count: bytes.count + 1000)
      var count = UInt32(result.count)
      let status = compress(&result, &count, bytes, UInt32(bytes.count), 9, 0, 0)
      #expect(status == 0)
      return Array(result.prefix(Int(count)))
    default: return bytes
    }
  }

  @Test func aBagOfAKilledRecorderIsLookedThrough() throws {
    var bag = ROSBagBuilder.walk(95)
    bag.isFinished = false
    let bytes = bag.finish()
    let result = try read(folder.write("walk.bag", bytes))
    expectWalk(result, 0..<95)
    #expect(result.recording.info.name.contains("unfinished"))
    let cut = try read(folder.write("cut.bag", Array(bytes.dropLast(400))))
    #expect(cut.accelerometer.count == 90 && cut.statistics[.truncated] == 1)
  }

  @Test func aDamagedChunkIsLostAlone() throws {
    var bag = ROSBagBuilder.walk(95)
    bag.compression = "lz4"
    var number = 0
    let bytes = try bag.finish { content in
      number += 1
      var packed = try LZ4Codec().compress(content.span)
      if number == 3 { packed[20] ^= 0xFF; packed[30] ^= 0xFF }
      return packed
    }
    let path = try folder.write("walk.bag", bytes)
    let error = try #require(failure(path))
    #expect(error.code == .malformed && error.place?.byte != nil)
    let result = try read(path, .skipping)
    #expect(result.accelerometer.map(\.time) == [0..<20, 30..<95].joined().map(ContainerFixture.time))
    #expect(result.statistics[.malformed] == 1)
  }

  @Test func connectionsOfOneTopicAreOneSensorAndOtherTopicsAreCounted() throws {
    var bag = ROSBagBuilder.walk(40)
    bag.connections += [(90, "/imu", "sensor_msgs/Imu"), (91, "/image", "sensor_msgs/Image")]
    for index in 20..<40 { bag.messages[index].connection = 90 }
    for index in 0..<4 {
      bag.messages.append(.init(connection: 91, time: ContainerFixture.time(40 + index).nanoseconds, body: [1, 2]))
    }
    let result = try read(folder.write("walk.bag", bag.finish()))
    expectWalk(result, 0..<40)
    #expect(result.statistics.passedOver == ["/image": 4])
    var options = RecordingOptions()
    options.device = "watch"
    #expect(failure(folder.path + "/walk.bag", options)?.message.contains("/imu") == true)
  }

  private func mcap(_ range: Range<Int>) throws -> [UInt8] {
    let description = RecordingDescription(
      info: SensorInfo(
        name: "test", origin: .recording, pacing: .onDemand,
        channels: [.init(kind: .accelerometer), .init(kind: .gyroscope)]))
    var items: [RecordedItem] = []
    for index in range {
      let time = ContainerFixture.time(index)
      items.append(
        .sample(.accelerometer(AccelerometerSample(time: time, specificForce: ContainerFixture.force(index)))))
      items.append(.sample(.gyroscope(GyroscopeSample(time: time, angularVelocity: ContainerFixture.rate(index)))))
    }
    var views = description
    views.wallOffset = .zero
    return try MCAPFixture.file(items, views, views: [ROS2Views(views)], profile: "ros2")
  }

  private func metadata(_ names: [String]) throws {
    try folder.write(
      "metadata.yaml",
      "rosbag2_bagfile_information:\n  version: 5\n  relative_file_paths:\n"
        + names.map { "    - \($0)\n" }.joined() + "  duration:\n    nanoseconds: 1\n")
  }

  @Test func theFilesOfAFolderFollowEachOtherInTheirOrder() throws {
    try folder.write("walk_0.mcap", try mcap(0..<30))
    try folder.write("walk_1.mcap", try mcap(30..<60))
    try folder.write("walk_10.mcap", try mcap(60..<90))
    try metadata(["walk_0.mcap", "walk_1.mcap"])
    let result = try read(folder.path)
    expectWalk(result, 0..<90)
    #expect(result.recording.format == .rosbag2 && result.recording.duration == .milliseconds(890))
  }

  @Test func aFileThatIsMissingOrDamagedIsSaid() throws {
    try folder.write("walk_0.mcap", try mcap(0..<30))
    try metadata(["walk_0.mcap", "walk_1.mcap", "../../../etc/passwd"])
    let result = try read(folder.path)
    #expect(result.accelerometer.count == 30)
    #expect(result.recording.warnings.count { $0.contains("is missing") } == 2)
    try folder.write("walk_1.mcap", "no MCAP")
    #expect(failure(folder.path)?.code == .malformed)
    let rest = try read(folder.path, .skipping)
    #expect(rest.accelerometer.count == 30 && rest.recording.warnings.contains { $0.contains("walk_1.mcap") })
    try folder.write("walk_1.mcap.zstd", "")
    try metadata(["walk_1.mcap.zstd"])
    #expect(failure(folder.path)?.message.contains("zstd -d") == true)
  }

  private func database(_ name: String, _ range: Range<Int>) throws -> String {
    let path = folder.path + "/" + name
    var handle: OpaquePointer?
    #expect(sqlite3_open(path, &handle) == SQLITE_OK)
    defer { sqlite3_close(handle) }
    var text = """
      CREATE TABLE topics(id INTEGER PRIMARY KEY,name TEXT NOT NULL,type TEXT NOT NULL,
        serialization_format TEXT NOT NULL,offered_qos_profiles TEXT NOT NULL);
      CREATE TABLE messages(id INTEGER PRIMARY KEY,topic_id INTEGER NOT NULL,timestamp INTEGER NOT NULL, data BLOB NOT NULL);
      INSERT INTO topics VALUES(4,'/imu/data','sensor_msgs/msg/Imu','cdr','');
      INSERT INTO topics VALUES(5,'/image','sensor_msgs/msg/Image','cdr','');
      INSERT INTO messages(topic_id, timestamp, data) VALUES(5, 1, x'00');

      """
    for index in range {
      let body = ContainerFixture.imu(index).encoded().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      text += "INSERT INTO messages(topic_id, timestamp, data) VALUES(4, \(index), x'\(body)');\n"
    }
    #expect(sqlite3_exec(handle, "BEGIN; " + text + "COMMIT;", nil, nil, nil) == SQLITE_OK)
    return path
  }

  @Test func databasesAreReadInTheirFolderAndAlone() throws {
    let path = try database("walk_0.db3", 0..<50)
    let alone = try read(path)
    expectWalk(alone, 0..<50)
    #expect(alone.statistics.passedOver == ["/image": 1])
    _ = try database("walk_1.db3", 50..<80)
    try metadata(["walk_0.db3", "walk_1.db3"])
    expectWalk(try read(folder.path), 0..<80)
  }

  private func execute(_ text: String, in path: String) {
    var handle: OpaquePointer?
    #expect(sqlite3_open(path, &handle) == SQLITE_OK)
    defer { sqlite3_close(handle) }
    #expect(sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK)
  }

  /// Some recorders use write-ahead logging, for which SQLite makes two files beside the database for every reader.
  @Test(arguments: ["walk.db3", "walk?mode=rwc&a%20#1.db3"])
  func readingADatabaseLeavesNothingBesideIt(name: String) throws {
    let path = try database(name, 0..<50)
    execute("PRAGMA journal_mode = WAL", in: path)
    expectWalk(try read(path), 0..<50)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
  }

  /// What is still in the log belongs to the recording.
  @Test func rowsInTheLogOfADatabaseAreRead() throws {
    let path = try database("walk.db3", 0..<50)
    var handle: OpaquePointer?
    #expect(sqlite3_open(path, &handle) == SQLITE_OK)
    defer { sqlite3_close(handle) }
    let text = "PRAGMA journal_mode = WAL; DELETE FROM messages WHERE timestamp >= 40 AND topic_id = 4"
    #expect(sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK)
    expectWalk(try read(path), 0..<40)
  }

  /// A computed column of sixty megabytes in each row takes no bytes of the file.
  @Test func aRowThatTheDatabaseMakesUpIsRefused() throws {
    let path = try database("walk.db3", 0..<50)
    execute(
      """
      ALTER TABLE messages RENAME TO kept;
      CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER,
        data BLOB AS (zeroblob(60000000)) VIRTUAL);
      INSERT INTO messages(id, topic_id, timestamp) SELECT id, topic_id, timestamp FROM kept;
      """, in: path)
    #expect(failure(path)?.code == .limitExceeded)
  }

  @Test func aDatabaseThatIsNoBagOrHidesAViewIsRefused() throws {
    let path = folder.path + "/view.db3"
    var handle: OpaquePointer?
    #expect(sqlite3_open(path, &handle) == SQLITE_OK)
    let text = """
      CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT);
      CREATE VIEW messages AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n)
        SELECT 1 AS topic_id, i AS timestamp, x'00' AS data FROM n; -- CREATE TABLE messages
      """
    #expect(sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(handle)
    var options = RecordingOptions()
    options.format = .rosbag2
    #expect(failure(path, options)?.message.contains("no bag of ROS 2") == true)
  }
}
