// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
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

/// A logger that was started again writes small times behind large ones: a new part, not damage.
@Suite struct ClockRestartTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let lenient = {
    var options = RecordingOptions()
    options.damage = .skip
    return options
  }()

  private static func rows(_ times: some Sequence<Double>) -> String {
    times.map { "\($0),0.1,0.2,9.8\n" }.joined()
  }
  private static let header = "Time (s),X (m/s^2),Y (m/s^2),Z (m/s^2)\n"
  private static func ramp(from start: Double, count: Int) -> [Double] { (0..<count).map { start + Double($0) * 0.01 } }

  private func table(_ parts: [Double]..., name: String = "Accelerometer.csv") throws -> String {
    try folder.write(name, Self.header + Self.rows(parts.joined()))
  }

  @Test func whatFollowsARestartOfTheClockIsKeptTenSecondsLater() throws {
    let path = try table(Self.ramp(from: 500, count: 300), Self.ramp(from: 3, count: 400))
    let result = try read(path, Self.lenient)
    // One row showed the restart, and is counted.
    #expect(result.samples.count == 699)
    #expect(result.statistics[.clockRestart] == 1 && result.statistics.omitted == 1)
    #expect(result.statistics.omissions[.clockRestart]?.firstPlace.line == 302)
    let times = result.samples.map(\.time.seconds)
    #expect(abs(times[299] - 502.99) < 1e-6 && abs(times[300] - 513) < 1e-6 && abs(times[698] - 516.98) < 1e-6)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func withoutLeaveARestartIsAnErrorWithItsPlace() throws {
    let path = try table(Self.ramp(from: 500, count: 300), Self.ramp(from: 3, count: 400))
    let error = failure(path)
    #expect(error?.place?.line == 302 && error?.message.contains("Time goes backwards here, by 499.99 s") == true)
  }

  /// Many restarts; one row that is too early, and rows that come a little late, are none.
  @Test(
    arguments: [
      ([ramp(from: 50, count: 200), ramp(from: 0, count: 300), ramp(from: 0, count: 250)], 748, 2, 2),
      ([ramp(from: 500, count: 300), [3], ramp(from: 503, count: 100)], 400, 0, 1),
      ([ramp(from: 500, count: 300), [500.5], ramp(from: 503, count: 100)], 400, 0, 1),
      ([ramp(from: 500, count: 300), [502.9], ramp(from: 503, count: 100)], 400, 0, 1),
      ([ramp(from: 500, count: 300), ramp(from: 502, count: 100), ramp(from: 503, count: 100)], 400, 0, 100),
    ] as [([[Double]], Int, Int, Int)])
  func aRestartIsToldFromRowsThatAreLate(parts: [[Double]], samples: Int, restarts: Int, omitted: Int) throws {
    let path = try folder.write("Accelerometer.csv", Self.header + Self.rows(parts.joined()))
    let result = try read(path, Self.lenient)
    #expect(result.samples.count == samples && result.statistics[.clockRestart] == restarts)
    #expect(result.statistics.omitted == omitted && (omitted != 1 || result.statistics[.outOfOrder] == 1))
  }

  @Test func theFilesOfARecordingStayTogether() throws {
    let parts = [Self.ramp(from: 500, count: 300), Self.ramp(from: 3, count: 400)]
    let turn = "Time (s),X (rad/s),Y (rad/s),Z (rad/s)\n" + Self.rows(parts.joined())
    _ = try folder.makeFolder("walk")
    try folder.write("walk/Gyroscope.csv", turn)
    _ = try table(parts[0], parts[1], name: "walk/Accelerometer.csv")
    let result = try read(folder.path + "/walk", Self.lenient)
    #expect(result.statistics[.clockRestart] == 2 && result.samples.count == 2 * 699)
    let times = { (kinds: SensorKinds) in result.samples.filter { $0.kinds == kinds }.map(\.time) }
    #expect(times(.accelerometer) == times(.gyroscope))
  }
}

/// A recording says itself where a sensor paused.
@Suite struct GapWatchTests {
  private static func sample(_ milliseconds: Int64) -> SensorSample {
    .gyroscope(
      GyroscopeSample(
        time: SensorInstant(nanoseconds: milliseconds * 1_000_000), angularVelocity: Vector3(x: 0, y: 0, z: 0)))
  }

  private static func events(_ times: [Int64]) -> [RecordingEvent] {
    var watch = GapWatch()
    return times.compactMap { watch.update(sample($0)) }
  }

  @Test func aPauseSaysWhereItBeganHowLongItWasAndWhatItCost() {
    let expected = RecordingEvent.gap(
      SensorInstant(nanoseconds: 90_000_000), service: "gyroscope", duration: .milliseconds(110), lost: 10)
    #expect(Self.events((0..<10).map { $0 * 10 } + (20..<30).map { $0 * 10 }) == [expected])
  }

  @Test func jitterAndOneMissingSampleAreNoPause() {
    #expect(Self.events([0, 10, 21, 29, 40, 60, 70]).isEmpty)
  }

  @Test func aLastingChangeOfRateIsOnePauseOrTwoAndNotOnePerSample() {
    let times = (0..<20).map { Int64($0) * 10 } + (1..<50).map { 190 + Int64($0) * 40 }
    #expect((1...2).contains(Self.events(times).count))
  }

  @Test func whatTheRecordingSaysAlreadyIsNotSaidAgain() {
    let log = WriterLog()
    let recorder = Recorder(writer: LoggingWriter(log), waitsForRoom: true)
    for time in 0..<10 { recorder.append(.sample(Self.sample(Int64(time) * 10))) }
    let gap = RecordingEvent.gap(
      SensorInstant(nanoseconds: 90_000_000), service: "source", duration: .seconds(1), lost: nil)
    recorder.append(.event(gap))
    for time in 109..<119 { recorder.append(.sample(Self.sample(Int64(time) * 10))) }
    // This one is the sensor's own.
    recorder.append(.sample(Self.sample(2000)))
    #expect(throws: Never.self) { try recorder.finish() }
    let gaps = log.items.compactMap { item -> String? in
      if case .event(.gap(_, let service, _, _), _) = item { service } else { nil }
    }
    #expect(gaps == ["source", "gyroscope"])
  }
}

/// Gravity tells a wrong unit, a wrong sign and swapped columns (Documentation/Formats.md 2.2, 2.3).
@Suite struct SelfCheckTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func warnings(_ fixture: TableFixture) throws -> [String] {
    try Recording.open(path: folder.write(fixture.file, fixture.text()), options: fixture.options).warnings
  }

  @Test func aSwappedAttitudeIsNoticedWithBothReadings() throws {
    var fixture = TableFixture.tidy
    fixture.header?.swapAt(2, 3)
    let found = try warnings(fixture)
    #expect(
      found.count == 1 && found[0].contains("recorded gravity up is") && found[0].contains("recorded attitude it is"))
    #expect(found[0].contains("° apart") && !found[0].contains(" 0.0° apart"))
  }

  @Test func aWrongSignIsNoticedWhereTheRecordingKnowsGravity() throws {
    var fixture = TableFixture.mapped
    let names = ["gravx", "gravy", "gravz", "userx", "usery", "userz"]
    // The raw accelerometer of another sign family than its gravity.
    fixture.header? += names
    for row in fixture.rows.indices {
      fixture.rows[row] +=
        TableFixture.texts(TableFixture.gravity, scale: -1)
        + TableFixture.texts(TableFixture.userAcceleration)
    }
    fixture.options.map = try ColumnMap(
      "t=Time[ms] ax=Acc X[mg] ay=Acc Y az=Acc Z gx=Gx[deg/s] gy=Gy gz=Gz gravx=gravx[g] gravy=gravy gravz=gravz "
        + "userx=userx[g] usery=usery userz=userz")
    let found = try warnings(fixture)
    #expect(found.count == 1 && found[0].contains("opposite sign") && found[0].contains("180."))
  }

  @Test func aWrongUnitIsNoticedByTheLengthOfGravity() throws {
    var fixture = TableFixture.mapped
    for row in fixture.rows.indices {
      for column in 1...3 { fixture.rows[row][column] = "\(9.81 * (Double(fixture.rows[row][column]) ?? 0))" }
    }
    let found = try warnings(fixture)
    #expect(found.count == 1 && found[0].contains("96.2 m/s²") && found[0].contains("unit"))
  }

  @Test func aRecordingThatMovesIsNoReasonToWarn() throws {
    var fixture = TableFixture.mapped
    // A hand waved about, gravity and half of it again.
    for row in fixture.rows.indices { fixture.rows[row][1] = row.isMultiple(of: 2) ? "500" : "-500" }
    #expect(try warnings(fixture) == [])
  }

  @Test(.enabled(if: SharedData.has("mcap"), "needs the recordings in shared/data/mcap (OPENCOREMOTION_DATA)"))
  func realPhonesFitGravity() throws {
    for name in ["pyojin_iphone_2019_06_10", "pyojin_iphone_2019_06_11", "tyrex_Guillaume_iPhone5_NoDist_AR"] {
      #expect(try Recording.open(path: SharedData.phone(name)).warnings == [], "\(name)")
    }
  }

  @Test func readingsThatNoSensorGivesAreNoticed() throws {
    var fixture = TableFixture.mapped
    fixture.rows[3][1] = "1e30"
    fixture.rows[4][4] = "1e9"
    let found = try warnings(fixture)
    #expect(found.count >= 2 && found[0].contains("of the accelerometer above 9806.65 m/s²"))
    #expect(found[1].contains("of the gyroscope above 1000.0 rad/s: 1 of the first"))
  }
}
