// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

/// Tidy CSVs: topics, units, frames, and what the device had computed.
@Suite struct TidyTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func result(
    _ fixture: TableFixture, _ options: RecordingOptions = RecordingOptions(), name: String? = nil
  ) throws -> ReadResult {
    try read(folder.write(name ?? fixture.file, fixture.text()), options)
  }

  @Test func recordedMotionIsTheFixturesOwn() throws {
    let result = try result(.tidy, .recorded)
    #expect(result.recording.usesRecordedMotion && result.fused.count == 12)
    let motion = try #require(result.fused.first)
    let attitude = try #require(motion.attitude)
    for axis in [Vector3<Device>(x: 1, y: 0, z: 0), Vector3(x: 0, y: 1, z: 0), Vector3(x: 0, y: 0, z: 1)] {
      #expect((attitude * axis).isApproximatelyEqual(to: TableFixture.attitude * axis, tolerance: 1e-12))
    }
    let gravity = motion.gravity * motion.accelerationUnit.scale
    let expected = Vector3<Device>(
      x: TableFixture.gravity[0], y: TableFixture.gravity[1], z: TableFixture.gravity[2])
    #expect(gravity.isApproximatelyEqual(to: expected * -9.80665, tolerance: 1e-12))
    #expect(motion.angularVelocity == Vector3(x: 0.01, y: 0.02, z: -0.03))
  }

  @Test func gravityPlusUserAccelerationIsTheAccelerometerBitForBit() throws {
    let result = try result(.tidy)
    let expected = Vector3<Device>(
      x: TableFixture.userAcceleration[0] + TableFixture.gravity[0],
      y: TableFixture.userAcceleration[1] + TableFixture.gravity[1],
      z: TableFixture.userAcceleration[2] + TableFixture.gravity[2])
    #expect(result.accelerometer.allSatisfy { $0.reading == expected && $0.unit == .reversedGravity })
    #expect(result.gyroscope.allSatisfy { $0.angularVelocity == Vector3(x: 0.01, y: 0.02, z: -0.03) })
    #expect(result.recording.info.name.contains("accelerometer rebuilt from gravity + user acceleration"))
    #expect(result.recording.info.name.contains("bias already removed"))
  }

  @Test func rawSensorsComeInTimeOrderAndTheirRatesAreMeasured() throws {
    let result = try read(folder.write(Fixture.walk()))
    let info = result.recording.info
    #expect(info.kinds == [.accelerometer, .gyroscope, .magnetometer] && result.samples.count == 30)
    #expect(zip(result.samples, result.samples.dropFirst()).allSatisfy { $0.time <= $1.time })
    #expect(result.accelerometer[3].reading == Vector3(x: 0.01, y: -0.02, z: 9.703))
    #expect(result.recording.duration == SensorDuration(nanoseconds: 90_000_001))
    #expect(info.origin == .recording && info.pacing == .onDemand && info.deviceClass == .unknown)
    #expect(info.name.hasPrefix("recording ") && info.name.hasSuffix("(tidy CSV)"))
    #expect(info.timeLine == .recorded(start: SensorInstant(nanoseconds: 2_713_980_000_000)))
    #expect(info.channel(.accelerometer)?.rates == [100] && info.channel(.magnetometer)?.isCalibrated == false)
  }

  @Test func recordedMotionComesOnlyWhenAskedForBesideTheRawSensors() throws {
    let path = try folder.write(Fixture.walk())
    #expect(try read(path).fused.isEmpty)
    let result = try read(path, .recorded)
    #expect(result.recording.usesRecordedMotion && result.recording.info.name.contains("motion as recorded"))
    #expect(result.accelerometer.count == 10 && result.gyroscope.count == 10 && result.fused.count == 10)
    let sample = result.fused[4]
    #expect(sample.time.nanoseconds == 2_713_980_000_000 + 45_000_000)
    #expect(sample.w == 0.9 && sample.vector == Vector3(x: 0.1, y: 0.2, z: 0.34))
    #expect(sample.heading == AngleReading(274.5, .degree))
  }

  @Test func aTidySetIsReadByItsTopics() throws {
    let rows = "timestamp_ns,x,y,z\n1000,1,2,9.5\n2000,1,2,9.5\n"
    try folder.write("walk.sensor.accelerometer.csv", rows)
    try folder.write("walk.sensor.gyroscope.csv", rows)
    try folder.write("walk.sensor.magnetometer.csv", rows)
    try folder.write("walk.sensor.pressure.csv", "timestamp_ns,pressure,temperature\n1500,101325,\n")
    try folder.write("walk.columns.csv", "topic,column,unit,description\n")
    let result = try read(folder.path)
    #expect(result.recording.format == .tidy && result.samples.count == 7)
    #expect(result.accelerometer[1].unit == .metresPerSecondSquared && result.magnetometer[1].unit == .tesla)
    #expect(result.pressure.map(\.pressure) == [101_325] && result.pressure[0].temperature == nil)
    #expect(try read(folder.path + "/walk.sensor.gyroscope.csv").gyroscope.count == 2)
    try folder.write("run.sensor.gyroscope.csv", rows)
    #expect(failure(folder.path)?.message.contains("2 recordings here (run, walk)") == true)
  }

  @Test func tidyMotionKeepsFrameFieldAndHeading() throws {
    let motion = try result(.tidy, .recorded).fused
    #expect(motion[0].reference == .xMagneticNorth && motion[0].heading == AngleReading(123.5, .degree))
    #expect(motion[0].headingAccuracy == AngleReading(4.5, .degree) && motion[0].field?.accuracy == 2)
    #expect(motion[6].field == nil && motion[6].heading == nil)
  }
}
