// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import MotionRecording

/// Numbers that do not fit where they go: refused or counted, never the end of the process.
@Suite struct HostileNumberTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let motion = """
    timestamp,attitude_x,attitude_y,attitude_z,attitude_w,rotationRate_x,rotationRate_y,rotationRate_z,\
    gravity_x,gravity_y,gravity_z,userAcceleration_x,userAcceleration_y,userAcceleration_z,sensorLocation

    """

  private func csv(_ locations: [String]) throws -> String {
    let rows = locations.enumerated().map { "\($0 + 1).0,0,0,0,1,0,0,0,0,0,-1,0,0,0,\($1)\n" }
    return try folder.write("motion.csv", Self.motion + rows.joined())
  }

  private static let recorded = {
    var options = RecordingOptions()
    options.motion = .recorded
    return options
  }()

  /// 403 bytes ended the process, and with it the program that has `import CoreMotion`.
  @Test(arguments: ["-1", "256", "1e9", "1e99", "-1e99", "1.5", "inf", "x"])
  func aLocationThatIsNoneIsDamageOfItsRow(_ text: String) throws {
    let path = try csv(["0", text, "2"])
    let error = failure(path, Self.recorded)
    #expect(error?.code == .malformed)
    #expect(error?.place?.line == 3 && error?.place?.column == "sensorLocation")
    var options = Self.recorded
    options.damage = .skip
    let result = try read(path, options)
    let motion = result.samples.filter { $0.kinds == .motion }
    #expect(motion.map(\.time.seconds) == [1, 3] && result.statistics[.malformed] > 0)
  }

  @Test func aLocationIsReadAsBefore() throws {
    let result = try read(csv(["0", "1", "2", "2.0", "", "nan", "null", "7", "255"]), Self.recorded)
    let locations = result.samples.compactMap { if case .motion(let motion) = $0 { motion.location } else { nil } }
    #expect(
      locations == [
        .device, .headphoneLeft, .headphoneRight, .headphoneRight, .device, .device, .device, .device, .device,
      ])
  }

  /// phyphox moves times from its stopwatch to the wall clock: the sum of two that are usual need not be.
  @Test func aTimeThatIsMovedBeyondTheClockIsRefused() throws {
    _ = try folder.makeFolder("meta")
    try folder.write("meta/time.csv", "event,experiment time,system time\nSTART,-3900000000,3900000000\n")
    try folder.write("Accelerometer.csv", "Time (s),X (m/s^2),Y (m/s^2),Z (m/s^2)\n0,0,0,9.8\n3900000000,0,0,9.8\n")
    let error = failure(folder.path)
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("hundred years") == true)
  }

  @Test func aShareOfNothingIsPrintedAsZero() {
    var distribution = IntervalDistribution()
    distribution.add(SensorDuration(nanoseconds: .max))
    #expect(distribution.quantiles([0, 0.5, 1]).count == 3)
  }

  /// A zip may have a folder for each of its files, and each file a first line that fills what is looked at.
  @Test func aZipOfManyFoldersIsAnsweredSoon() throws {
    var zip = ZipBuilder()
    let line = [UInt8](repeating: 0x71, count: 64 << 10)
    for index in 0..<4095 { zip.add("\(index)/a.csv", index % 100 == 0 ? line : [0x71]) }
    let path = try folder.write("folders.zip", zip.finish())
    let elapsed = processorTime { #expect(failure(path)?.code == .unsupported) }
    #expect(elapsed < .seconds(30), "\(elapsed)")
  }
}
