// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

/// What is particular to each data set: clocks, units, frames, and what the phone had computed.
@Suite struct OpenDataSetTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func result(
    _ fixture: TableFixture, _ options: RecordingOptions = RecordingOptions(), name: String? = nil
  ) throws -> ReadResult {
    try read(folder.write(name ?? fixture.file, fixture.text()), options)
  }

  // S13, S14: the attitude is the fixture's, whether written as angles or as a quaternion.
  @Test(arguments: [
    TableFixture.oxIOD, .namedOxIOD, .motionSense, .sensingKit, .ridi, .tidy, .mhealthtools,
  ])
  func recordedMotionIsTheFixturesOwn(fixture: TableFixture) throws {
    let result = try result(fixture, .recorded)
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

  @Test(arguments: [TableFixture.oxIOD, .namedOxIOD, .motionSense, .sensingKit, .tidy, .mhealthtools])
  func gravityPlusUserAccelerationIsTheAccelerometerBitForBit(fixture: TableFixture) throws {
    let result = try result(fixture)
    let expected = Vector3<Device>(
      x: TableFixture.userAcceleration[0] + TableFixture.gravity[0],
      y: TableFixture.userAcceleration[1] + TableFixture.gravity[1],
      z: TableFixture.userAcceleration[2] + TableFixture.gravity[2])
    #expect(result.accelerometer.allSatisfy { $0.reading == expected && $0.unit == .reversedGravity })
    #expect(result.gyroscope.allSatisfy { $0.angularVelocity == Vector3(x: 0.01, y: 0.02, z: -0.03) })
    #expect(result.recording.info.name.contains("accelerometer rebuilt from gravity + user acceleration"))
    #expect(result.recording.info.name.contains("bias already removed"))
  }

  @Test(arguments: [
    ("seconds", "1508927412.%02d"), ("hundredths", "1509927412%02d"), ("milliseconds", "1508927412%02d0"),
    ("nanoseconds", "1508927412%02d0000000"),
  ])
  func oxIODTimesAreInTheUnitThatMakesThem100Hz(unit: String, form: String) throws {
    var fixture = TableFixture.oxIOD
    for row in fixture.rows.indices {
      fixture.rows[row][0] = form.replacing("%02d", with: row < 10 ? "0\(row)" : "\(row)")
    }
    let result = try result(fixture)
    #expect(result.recording.duration == .milliseconds(110), "\(unit)")
    #expect(!result.recording.info.name.contains("row number"))
  }

  @Test func oxIODTimesThatASpreadsheetRoundedGiveWayToTheRowNumber() throws {
    var fixture = TableFixture.oxIOD
    for row in fixture.rows.indices { fixture.rows[row][0] = "1.50E+11" }
    let result = try result(fixture)
    #expect(result.accelerometer.map(\.time.nanoseconds) == (0..<12).map { $0 * 10_000_000 })
    #expect(result.recording.info.name.contains("row number at 100 Hz"))
  }

  @Test func motionSenseRunsAt50HzAndABadRowKeepsItsTime() throws {
    var fixture = TableFixture.motionSense
    #expect(try result(fixture).accelerometer[11].time.nanoseconds == 220_000_000)
    fixture.rows[3][4] = "oops"
    let result = try result(fixture, .skipping)
    let expected = (0..<12 as Range<Int64>).filter { $0 != 3 }.map { $0 * 20_000_000 }
    #expect(result.accelerometer.map(\.time.nanoseconds) == expected)
  }

  @Test func motionSensesRawFilesAreNamedByTheirFolder() throws {
    let text = ",x,y,z\n0,0.5,0.25,-0.75\n1,0.5,0.25,-0.75\n"
    _ = try folder.makeFolder("B_Accelerometer_data")
    _ = try folder.makeFolder("C_Gyroscope_data")
    let accelerometer = try read(folder.write("B_Accelerometer_data/sub_1.csv", text))
    #expect(accelerometer.recording.format == .motionSense && accelerometer.accelerometer.count == 2)
    #expect(try read(folder.write("C_Gyroscope_data/sub_1.csv", text)).gyroscope.count == 2)
    #expect(
      failure(try folder.write("sub_1.csv", text))?.message.contains("sensor of these columns is unknown") == true)
    let set = try folder.makeFolder("dws_1")
    try folder.write("dws_1/sub_1.csv", TableFixture.motionSense.text())
    #expect(try read(set).accelerometer.count == 12)
    try folder.write("dws_1/sub_2.csv", TableFixture.motionSense.text())
    #expect(failure(set)?.message.contains("2 recordings here (sub_1.csv, sub_2.csv)") == true)
  }

  @Test func sensingKitFilesOfAFolderAreOneRecordingAndPressureIsCoarse() throws {
    let raw = "timestamp,timeIntervalSince1970,x,y,z\n\"2017\",1493632800.123456,0.1,0.2,-0.97\n"
    try folder.write("Accelerometer.csv", raw)
    try folder.write("Gyroscope.csv", raw)
    try folder.write("Magnetometer.csv", raw)
    try folder.write(
      "Altimeter.csv", "timestamp,timeIntervalSince1970,relativeAltitude,pressure\n\"2017\",1493632800.5,0,101\n")
    try folder.write(
      "Activity.csv", "timestamp,timeIntervalSince1970,createDate,stationary\n\"2017\",1493632800.5,\"x\",1\n")
    try folder.write("DeviceMotion.csv", TableFixture.sensingKit.text())
    let result = try read(folder.path)
    #expect(result.accelerometer.count == 1 && result.gyroscope.count == 1 && result.magnetometer.count == 1)
    #expect(result.pressure.map(\.pressure) == [101_000] && result.recording.info.name.contains("pressure coarse"))
    #expect(!result.recording.info.name.contains("rebuilt"))
    #expect(try read(folder.path, .recorded).fused.count == 12)
    #expect(failure(folder.path + "/Activity.csv")?.message.contains("no motion sensor") == true)
  }

  @Test func advioIsAFolderOrOneOfItsFiles() throws {
    try folder.write(TableFixture.advio)
    let result = try read(folder.path)
    #expect(result.recording.format == .advio && result.recording.warnings == [])
    #expect(result.accelerometer.count == 12 && result.gyroscope.count == 12 && result.magnetometer.count == 12)
    #expect(result.pressure.first?.pressure == 101_300)
    #expect(try read(folder.path + "/gyro.csv").gyroscope.count == 12)
    #expect(failure(folder.path, .recorded)?.message.contains("raw sensors only") == true)
    try folder.write("barometer.csv", "100.5,1013.25,0\n")
    #expect(failure(folder.path)?.place?.column == "pressure")
  }

  @Test func iosLoggerJoinsItsMotionFiles() throws {
    try folder.write(TableFixture.iosLogger)
    let raw = try read(folder.path)
    #expect(raw.recording.format == .iosLogger && raw.recording.warnings == [])
    #expect(raw.gyroscope[0].angularVelocity == Vector3(x: 0.5, y: 0.25, z: 0.125) && raw.magnetometer.count == 12)
    let recorded = try read(folder.path, .recorded)
    #expect(recorded.fused.count == 12 && recorded.fused[0].heading == AngleReading(270.5, .degree))
    #expect(recorded.fused[0].field?.reading == Vector3(x: 20.5, y: -4.25, z: -40.5))
    #expect(recorded.fused[0].angularVelocity == Vector3(x: 0.01, y: 0.02, z: -0.03))
    let output = try TemporaryFolder()
    try output.write(TableFixture.iosLogger.filter { $0.key.hasPrefix("Mot") })
    let rebuilt = try read(output.path)
    #expect(rebuilt.accelerometer.map(\.reading) == raw.accelerometer.map(\.reading))
    #expect(rebuilt.recording.info.name.contains("rebuilt"))
  }

  @Test func xIMU3GivesRadiansAndMicroseconds() throws {
    let sample = try #require(try result(.xIMU3).gyroscope.last)
    #expect(sample.time.nanoseconds == 1_027_500_000)
    #expect((sample.angularVelocity.y + .pi / 2).magnitude < 1e-15)
    #expect(try result(.xIMU3).accelerometer.first?.unit == .gravity)
  }

  @Test func anXIMU3FolderHasAMagnetometerInArbitraryUnitsAndAnAttitude() throws {
    let q = TableFixture.attitude
    try folder.write("Inertial.csv", TableFixture.xIMU3.text())
    try folder.write("Magnetometer.csv", "Timestamp (us),X (a.u.),Y (a.u.),Z (a.u.)\n1000000,1,0,-0.5\n")
    try folder.write("Quaternion.csv", "Timestamp (us),W,X,Y,Z\n1001000,\(q.w),\(q.x),\(q.y),\(q.z)\n")
    try folder.write("Temperature.csv", "Timestamp (us),Temperature (degC)\n1000000,25\n")
    let result = try read(folder.path, .recorded)
    #expect(result.recording.warnings == [])
    #expect((try #require(result.magnetometer.first).magneticField.x - 50e-6).magnitude < 1e-18)
    #expect(result.recording.info.name.contains("arbitrary units"))
    let motion = try #require(result.fused.first)
    #expect((motion.gravity.z * motion.accelerationUnit.scale + TableFixture.gravity[2] * 9.80665).magnitude < 1e-12)
    #expect(motion.angularVelocity.x == 1.5 * (.pi / 180))
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
