// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

@testable import MotionRecording

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

  @Test func aClockMayStartAgainManyTimes() throws {
    let path = try table(
      Self.ramp(from: 50, count: 200), Self.ramp(from: 0, count: 300), Self.ramp(from: 0, count: 250))
    let result = try read(path, Self.lenient)
    #expect(result.samples.count == 748 && result.statistics[.clockRestart] == 2 && result.statistics.omitted == 2)
  }

  @Test func withoutLeaveARestartIsAnErrorWithItsPlace() throws {
    let path = try table(Self.ramp(from: 500, count: 300), Self.ramp(from: 3, count: 400))
    let error = failure(path)
    #expect(error?.place?.line == 302 && error?.message.contains("Time goes backwards here, by 499.99 s") == true)
  }

  @Test(arguments: [3.0, 500.5, 502.9]) func oneRowThatIsTooEarlyIsNoRestart(_ time: Double) throws {
    let path = try table(Self.ramp(from: 500, count: 300), [time], Self.ramp(from: 503, count: 100))
    let result = try read(path, Self.lenient)
    #expect(result.samples.count == 400 && result.statistics[.outOfOrder] == 1 && result.statistics.omitted == 1)
  }

  @Test func rowsThatComeALittleLateAreNoRestart() throws {
    let path = try table(
      Self.ramp(from: 500, count: 300), Self.ramp(from: 502, count: 100), Self.ramp(from: 503, count: 100))
    let result = try read(path, Self.lenient)
    #expect(result.samples.count == 400 && result.statistics[.clockRestart] == 0 && result.statistics.omitted == 100)
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
