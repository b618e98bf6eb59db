// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

/// A recording in several files.
@Suite struct RotationTests {
  private static let items = (0..<1000).map { index in
    RecordedItem.sample(
      .gyroscope(
        GyroscopeSample(
          time: SensorInstant(nanoseconds: Int64(index) * 10_000_000),
          angularVelocity: Vector3(x: Double(index), y: 0, z: 0))))
  }

  private static func write(_ items: [RecordedItem], every duration: SensorDuration) throws -> [WriterLog] {
    let logs = Lock<[WriterLog]>([])
    let writer = try RotatingWriter(every: duration) { (number) throws(SensorError) in
      let log = WriterLog()
      let begun = logs.withLock { logs in
        logs.append(log)
        return logs.count
      }
      guard begun == number else { throw SensorError(.system, "The files are counted wrongly.") }
      return LoggingWriter(log)
    }
    for item in items { try writer.write(item) }
    try writer.finish()
    return logs.withLock { $0 }
  }

  @Test func theFilesTogetherAreTheRecording() throws {
    let logs = try Self.write(Self.items, every: .seconds(3))
    #expect(logs.count == 4)
    #expect(logs.flatMap(\.items) == Self.items)
    #expect(logs.allSatisfy { $0.isFinished && !$0.items.isEmpty })
  }

  /// A file that did not say whether the headphones are on could not be read alone.
  @Test func eachFileSaysTheStateOfTheConnection() throws {
    let start = RecordedItem.event(.connection(Self.items[0].time, device: "left", isConnected: true))
    let logs = try Self.write([start] + Self.items, every: .seconds(5))
    #expect(logs.count == 2)
    for log in logs {
      guard case .event(.connection(_, let device, let isConnected), _) = log.items.first else {
        Issue.record("The file does not begin with the connection.")
        continue
      }
      #expect(device == "left" && isConnected)
    }
    #expect(logs.flatMap(\.samples).count == Self.items.count)
  }

  @Test(arguments: [
    ("walk.mcap", 1, "walk-0001.mcap"), ("a.b/walk", 12, "a.b/walk-0012"),
    ("/x/day.1.mcap", 10_000, "/x/day.1-10000.mcap"),
    (".mcap", 2, ".mcap-0002"),
  ])
  func theNumberStandsBeforeTheEnding(path: String, number: Int, expected: String) {
    #expect(RotatingWriter.path(path, number: number) == expected)
  }
}
