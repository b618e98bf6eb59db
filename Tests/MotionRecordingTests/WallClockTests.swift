// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording
import MotionSensing
import Testing

@testable import MotionRecording

/// What recordings of other programs say of the time of day.
@Suite struct WallClockTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let header =
    "loggingTime(txt),accelerometerTimestamp_sinceReboot(s),accelerometerAccelerationX(G),accelerometerAccelerationY(G),accelerometerAccelerationZ(G),gyroTimestamp_sinceReboot(s),gyroRotationX(rad/s),gyroRotationY(rad/s),gyroRotationZ(rad/s)\n"

  /// Rows every 10 ms and a bit, each written `late` ms after its sample.
  private static func sensorLog(late: (Int) -> Int = { _ in 0 }, time: (Int) -> String) -> String {
    header
      + (0..<200).map { row in
        let own = "50\(row / 100).\(row % 100 < 10 ? "0" : "")\(row % 100)0\(row % 7)"
        return "\(time(row * 10 + late(row))),\(own),0,0,-1,\(own),0,0.01,0\n"
      }.joined()
  }

  private static func text(_ milliseconds: Int, zone: String = "+01:00", mark: String = "T") -> String {
    let second = milliseconds / 1000
    let rest = "\(1000 + milliseconds % 1000)".dropFirst()
    return "2023-11-14\(mark)23:13:2\(second).\(rest)\(zone)"
  }

  @Test func sensorLogsClockIsSetByTheLeastDelay() throws {
    let table = Self.sensorLog(late: { $0 % 9 }) { Self.text($0) }
    let description = try #require(
      try Recording.open(path: folder.write("log.csv", table)).recordedDescription)
    #expect(description.clock == .device && description.sign == "apple")
    #expect(description.wallOffset == SensorDuration(nanoseconds: 1_700_000_000_000_000_000 - 500_000_000_000))
  }

  @Test func textsWithoutAZoneAreUniversalTimeAndItIsSaid() throws {
    let table = Self.sensorLog { String(Self.text($0, zone: "", mark: " ").prefix(19)) }
    let recording = try Recording.open(path: folder.write("log.csv", table))
    #expect(recording.info.name.contains("no time zone"))
    let offset = try #require(recording.recordedDescription?.wallOffset)
    // Whole seconds, and yet as near as the rows are: 22:13:20 here is 3600 s later than above.
    let expected = SensorDuration(nanoseconds: 1_700_003_600_000_000_000 - 500_000_000_000)
    #expect(abs((offset - expected).nanoseconds) <= 10_000_000)
  }

  @Test func sensorLoggerCountsFrom1970() throws {
    let recording = try Recording.open(path: folder.write(Fixture.sensorLogger()))
    let description = try #require(recording.recordedDescription)
    #expect(description.clock == .epoch && description.wallOffset == .zero && description.sign == "apple")
  }

  @Test(
    arguments: [
      ("2023-11-14T22:13:20.000+00:00", 1_700_000_000_000_000_000), ("2023-11-14T22:13:20Z", 1_700_000_000_000_000_000),
      ("2023-11-14 22:13:20", 1_700_000_000_000_000_000), ("2023-11-15T03:43:20.25+05:30", 1_700_000_000_250_000_000),
      ("2024-02-29 12:00:00.001 -0100", 1_709_211_600_001_000_000), ("1970-01-01T00:00:00Z", 0),
    ] as [(String, Int64)])
  func datesAreRead(text: String, nanoseconds: Int64) {
    #expect(WallTime(text)?.nanoseconds == nanoseconds)
  }

  @Test(arguments: [
    "", "2023-11-14", "2023-13-14T22:13:20Z", "2023-11-14T22:13:20X", "2023-11-14T22:13:20+9", "14.11.2023 22:13:20 ",
  ])
  func whatIsNoDateIsNone(text: String) { #expect(WallTime(text) == nil) }
}
