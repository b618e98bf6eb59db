// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import MotionRecording

/// Folders of rosbag2 with MCAP files.
@Suite struct ROSBagTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static func force(_ index: Int) -> Vector3<Device> { Vector3(x: Double(index) / 64, y: -0.5, z: 9.75) }
  private static func rate(_ index: Int) -> Vector3<Device> { Vector3(x: 0.125, y: Double(index) / 128, z: -0.25) }
  private static func time(_ index: Int) -> SensorInstant {
    SensorInstant(nanoseconds: 1_700_000_000_000_000_000 + Int64(index) * 10_000_000)
  }

  private func expectWalk(_ result: ReadResult, _ numbers: Range<Int>) {
    #expect(result.accelerometer.map(\.time) == numbers.map(Self.time))
    #expect(result.accelerometer.map(\.specificForce) == numbers.map(Self.force))
    #expect(result.gyroscope.map(\.angularVelocity) == numbers.map(Self.rate))
    #expect(result.statistics.omitted == 0)
  }

  private func mcap(_ range: Range<Int>) throws -> [UInt8] {
    let description = RecordingDescription(
      info: SensorInfo(
        name: "test", origin: .recording, pacing: .onDemand,
        channels: [.init(kind: .accelerometer), .init(kind: .gyroscope)]))
    var items: [RecordedItem] = []
    for index in range {
      let time = Self.time(index)
      items.append(
        .sample(.accelerometer(AccelerometerSample(time: time, specificForce: Self.force(index)))))
      items.append(.sample(.gyroscope(GyroscopeSample(time: time, angularVelocity: Self.rate(index)))))
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

  @Test func aDatabaseIsNamedWithTheWayToConvertIt() throws {
    try folder.write("walk_0.db3", "SQLite format 3\0")
    try metadata(["walk_0.db3"])
    #expect(failure(folder.path)?.message.contains("rosbags-convert") == true)
  }
}
