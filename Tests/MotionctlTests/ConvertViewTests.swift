// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionRecording
import MotionSensing
import TestSupport
import Testing

/// `motionctl convert` into files for other programs, and what it says of that which has no place there.
@Suite struct ConvertViewTests {
  private static let count = 200
  private let folder: TemporaryFolder

  /// Two seconds face up, SI, each sample received a millisecond late; and a remark and a pause beside them.
  init() throws {
    folder = try TemporaryFolder()
    let kinds: [SensorKinds] = [.accelerometer, .gyroscope, .magnetometer, .airPressure, .temperature]
    var description = RecordingDescription(
      info: SensorInfo(name: "test", origin: .hardware, pacing: .live, channels: kinds.map { .init(kind: $0) }))
    description.clock = .monotonic
    description.wallOffset = .seconds(1_700_000_000)
    let sink = MemoryByteSink()
    let writer = try MCAPWriter(sink, description)
    for number in 0..<Self.count {
      let time = SensorInstant(nanoseconds: 5_000_000_000 + Int64(number) * 10_000_000)
      let received = time + .milliseconds(1)
      func write(_ sample: SensorSample) throws { try writer.write(.sample(sample, receivedAt: received)) }
      try write(.accelerometer(AccelerometerSample(time: time, specificForce: Vector3(x: 0, y: 0, z: 9.8))))
      try write(.gyroscope(GyroscopeSample(time: time, angularVelocity: Vector3(x: 0, y: 0, z: Double(number) / 1000))))
      guard number % 10 == 0 else { continue }
      try write(.magnetometer(MagnetometerSample(time: time, magneticField: Vector3(x: 0, y: 2e-5, z: -4e-5))))
      try write(.pressure(PressureSample(time: time, pressure: 101_325 + Double(number), medium: .air)))
      try write(.temperature(TemperatureSample(time: time, temperature: 20)))
      if number == 100 {
        try writer.write(.event(.annotation(time, text: "turn"), receivedAt: received))
        try writer.write(.event(.gap(time, service: "gyroscope", duration: .milliseconds(5), lost: nil)))
      }
    }
    try writer.finish()
    try Data(sink.bytes).write(to: folder.url.appendingPathComponent("walk.mcap"))
  }

  private func convert(_ arguments: String...) throws -> MotionctlProcess.Result {
    let result = try MotionctlProcess(["convert"] + arguments).finish()
    #expect(result.code == 0, "\(result.errors)")
    return result
  }

  private func otherTopics(_ name: String) throws -> [String: Int] {
    try InfoOutput(of: folder.path(name))["otherTopics"] as? [String: Int] ?? [:]
  }

  @Test func viewsStandBesideTheMessagesWhichStayAsTheyAre() throws {
    let result = try convert(folder.path("walk.mcap"), folder.path("both.mcap"), "--with", "ros2", "--with", "foxglove")
    #expect(result.errors.contains("motion: computed from the raw sensors"))
    let others = try otherTopics("both.mcap")
    #expect(others["/imu/data"] == Self.count && others["/tf"] == Self.count)
    #expect(others["/imu/mag"] != nil && others["/imu/pressure"] != nil && others["/imu/temperature"] != nil)
    // Without the views and the motion it is the recording again, events and times of receipt with it.
    _ = try convert(folder.path("walk.mcap"), folder.path("before.ndjson"))
    _ = try convert(folder.path("both.mcap"), folder.path("after.ndjson"))
    let before = String(decoding: try folder.read("before.ndjson"), as: UTF8.self).split(separator: "\n")
    let after = String(decoding: try folder.read("after.ndjson"), as: UTF8.self).split(separator: "\n")
    #expect(after.filter { !$0.contains("\"topic\":\"/motion/device\"") } == before)
    #expect(before.contains { $0.contains("/event/annotation") })
  }

  @Test func computedMotionTakesThePlaceOfRecordedMotion() throws {
    _ = try convert(folder.path("walk.mcap"), folder.path("first.mcap"), "--with", "motion")
    let again = try convert(folder.path("first.mcap"), folder.path("second.mcap"), "--with", "motion")
    #expect(again.errors.contains("of recorded motion, for which the computed stands"))
    #expect(try folder.read("first.mcap") == folder.read("second.mcap"))
    // What is there already need not be computed to be shown.
    let shown = try convert(folder.path("first.mcap"), folder.path("shown.mcap"), "--with", "foxglove")
    #expect(!shown.errors.contains("computed"))
    #expect(try otherTopics("shown.mcap")["/tf"] == Self.count)
  }

  @Test func theProfileOfROS2HoldsItsMessagesAlone() throws {
    let result = try convert(folder.path("walk.mcap"), folder.path("bag.mcap"), "--profile", "ros2")
    #expect(result.errors.contains("/event/annotation"))
    let report = try InfoOutput(of: folder.path("bag.mcap"))
    #expect(report.samples["accelerometer"] == Self.count && report.samples["gyroscope"] == Self.count)
    #expect(report["events"] == nil && report["otherTopics"] == nil)
    #expect(try folder.read("bag.mcap").prefix(64).range(of: Data("ros2".utf8)) != nil)
    // It is read as any bag: the same rates come back.
    let fused = try MotionctlProcess.run("fuse", folder.path("bag.mcap"))
    #expect(fused.code == 0 && fused.cells.count - 1 == Self.count)
  }

  @Test func whatATableHasNoPlaceForIsCounted() throws {
    let result = try convert(folder.path("walk.mcap"), folder.path("out.csv"))
    #expect(result.errors.contains("not written: ") && result.errors.contains("of /event/annotation"))
    _ = try convert(folder.path("walk.mcap"), folder.path("walk.ndjson"))
    let text = try convert(folder.path("walk.ndjson"), folder.path("again.csv"))
    #expect(text.errors.contains("of /event/annotation"))
    let canonical = try convert(folder.path("walk.ndjson"), folder.path("again.mcap"))
    #expect(canonical.code == 0 && !canonical.errors.contains("not written"))
  }

  @Test(arguments: [
    ["out.ndjson", "--with", "ros2"], ["out.csv", "--profile", "ros2"],
    ["out.mcap", "--profile", "ros2", "--with", "foxglove"], ["out.mcap", "--with", "rerun"],
  ])
  func viewsAreForMCAP(arguments: [String]) throws {
    let result = try MotionctlProcess(
      ["convert", folder.path("walk.mcap"), folder.path(arguments[0])] + arguments.dropFirst()
    ).finish()
    #expect(result.code == 64 && result.errors.contains("Error: "))
    #expect(try folder.names == ["walk.mcap"])
  }
}
