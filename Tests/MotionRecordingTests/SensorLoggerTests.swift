// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

@Suite struct SensorLoggerTests {
  private func read(_ files: [String: String], _ options: RecordingOptions = RecordingOptions()) throws -> ReadResult {
    let folder = try TemporaryFolder()
    return try MotionRecordingTests.read(folder.write(files), options)
  }

  @Test func columnsStandZYXAndTimesKeepTheirNanoseconds() throws {
    let result = try read(Fixture.sensorLogger())
    #expect(result.recording.format == .sensorLogger)
    let sample = result.accelerometer[4]
    #expect(sample.time.nanoseconds == 1_698_501_144_441_773_123)
    #expect(sample.reading == Vector3(x: 0.0103827476501464844, y: 0.02, z: -0.984) && sample.unit == .reversedGravity)
    #expect(result.gyroscope[0].angularVelocity == Vector3(x: 0.1, y: 0.2, z: 0.3))
    #expect(result.magnetometer[2].reading == Vector3(x: 20.2, y: -4.25, z: -40.5))
    #expect(result.pressure[1].pressure == 1013.251 * 100)
    #expect(result.fused.isEmpty)
  }

  @Test(
    arguments: [
      ("ios", nil, .reversedGravity), ("ios", false, .reversedGravity), ("ios", true, .metresPerSecondSquared),
      ("android", nil, .metresPerSecondSquared), ("android", true, .metresPerSecondSquared),
    ] as [(String, Bool?, AccelerationUnit)])
  func unitAndSignFollowPlatformAndStandardisation(platform: String, standardised: Bool?, unit: AccelerationUnit) throws
  {
    let metadata = Fixture.sensorLoggerMetadata(platform: platform, standardised: standardised)
    #expect(try read(Fixture.sensorLogger(metadata: metadata)).accelerometer.first?.unit == unit)
  }

  @Test func withoutMetadataAnAccelerometerNeedsThePlatformAndAGyroscopeDoesNot() throws {
    let all = Fixture.sensorLogger()
    let error = #expect(throws: SensorError.self) {
      try read(all.filter { $0.key.hasPrefix("AccelerometerUncalibrated") })
    }
    #expect(error?.code == .invalidRequest && error?.message.contains("?platform=ios") == true)
    var options = RecordingOptions()
    options.platform = .android
    #expect(
      try read(all.filter { $0.key.hasPrefix("AccelerometerUncalibrated") }, options).accelerometer[0].unit
        == .metresPerSecondSquared)
    #expect(try read(all.filter { $0.key.hasPrefix("GyroscopeUncalibrated") }).gyroscope.count == 10)
  }

  @Test func oneCsvIsRecognisedByItsHeaderAndNamedByItsFile() throws {
    let folder = try TemporaryFolder()
    try folder.write(Fixture.sensorLogger())
    let result = try MotionRecordingTests.read(folder.path + "/AccelerometerUncalibrated.csv")
    // Metadata.csv beside it is used.
    #expect(
      result.accelerometer.count == 10 && result.samples.count == 10 && result.accelerometer[0].unit == .reversedGravity
    )
    let error = failure(folder.path + "/Accelerometer.csv")
    #expect(error?.message.contains("Gravity.csv") == true)
    let text = try #require(Fixture.sensorLogger()["Gyroscope.csv"])
    #expect(
      failure(try folder.write("mystery.csv", text))?.message.contains("the file name must contain the sensor") == true)
  }

  @Test func withoutRawFilesTheAccelerometerIsJoinedFromTwo() throws {
    let files = Fixture.sensorLogger().filter { !$0.key.contains("Uncalibrated") }
    let result = try read(files)
    #expect(result.recording.info.name.contains("rebuilt from gravity + user acceleration"))
    #expect(result.recording.info.name.contains("bias was already removed"))
    #expect(result.accelerometer[0].reading == Vector3(x: 0.0625 + 0.75, y: -0.375, z: -9.25))
    // m/s², Apple's sign.
    #expect(result.accelerometer[0].unit == .reversedMetresPerSecondSquared)
  }

  @Test func recordedMotionIsJoinedOnTime() throws {
    let result = try read(Fixture.sensorLogger(), .recorded)
    #expect(result.fused.count == 10)
    let sample = result.fused[3]
    #expect(sample.w == 0.93 && sample.vector == Vector3(x: 0.1, y: 0.2, z: 0.3) && sample.reference == .xTrueNorth)
    #expect(
      sample.gravity == Vector3(x: 0.753, y: -0.5, z: -9.5)
        && sample.accelerationUnit == .reversedMetresPerSecondSquared)
    #expect(sample.angularVelocity == Vector3(x: 0.13, y: 0.22, z: 0.33))
  }

  @Test func anAndroidAttitudeIsTurnedFromEastNorthUpToNorthWestUp() throws {
    let metadata = Fixture.sensorLoggerMetadata(platform: "android")
    // The third row's is nearest to length one.
    let sample = try #require(try read(Fixture.sensorLogger(metadata: metadata), .recorded).fused.dropFirst(2).first)
    let recorded = try #require(Rotation<Device, EastNorthUp>(w: 0.92, x: 0.1, y: 0.2, z: 0.3))
    let attitude = try #require(sample.attitude)
    for axis in [Vector3<Device>(x: 1, y: 0, z: 0), Vector3(x: 0, y: 1, z: 0), Vector3(x: 0, y: 0, z: 1)] {
      let earth = recorded * axis
      let expected = Vector3<NorthWestUp>(x: earth.y, y: -earth.x, z: earth.z)
      #expect((attitude * axis).isApproximatelyEqual(to: expected, tolerance: 1e-15))
    }
    #expect(sample.reference == .xMagneticNorth && sample.accelerationUnit == .metresPerSecondSquared)
  }

  @Test func theUnitVariantOfTheHeaderIsReadAndAnUnknownUnitRefused() throws {
    var files = Fixture.sensorLogger()
    files["AccelerometerUncalibrated.csv"] = Fixture.sensorLoggerTable(
      "ACCELEROMETER Z (m/s²),ACCELEROMETER Y (m/s²),ACCELEROMETER X (m/s²)"
    ) { "-9.\($0),0.2,0.1" }
    files["MagnetometerUncalibrated.csv"] = Fixture.sensorLoggerTable(
      "MAGNETIC FIELD Z (μT),MAGNETIC FIELD Y (μT),MAGNETIC FIELD X (μT)"
    ) { "-40.\($0),0.2,0.1" }
    let result = try read(files)
    #expect(
      result.accelerometer[1].reading == Vector3(x: 0.1, y: 0.2, z: -9.1)
        && result.accelerometer[1].unit == .reversedMetresPerSecondSquared)
    #expect(result.magnetometer[1].unit == .microtesla)
    files["GyroscopeUncalibrated.csv"] = Fixture.sensorLoggerTable(
      "GYROSCOPE Z (°/s),GYROSCOPE Y (°/s),GYROSCOPE X (°/s)"
    ) {
      "\($0),1,1"
    }
    let error = #expect(throws: SensorError.self) { try read(files) }
    #expect(error?.code == .unsupported && error?.place?.column == "GYROSCOPE X (°/s)")
    #expect(error?.message == "The unit \"°/s\" is unknown here; expected rad/s.")
  }

  private static let bodyHeader =
    "rotationRateX,rotationRateY,rotationRateZ,gravityX,gravityY,gravityZ,accelerationX,accelerationY,accelerationZ,quaternionW,quaternionX,quaternionY,quaternionZ"

  @Test func aWatchsMotionGivesItsRawSensorsBackAndIsPassedOnWhenAsked() throws {
    let wrist = Fixture.sensorLoggerTable(Self.bodyHeader) { "0.1,0.2,0.3,0,0,-1,0.01,0.02,0.0\($0),0.9,0.1,0.2,0.3" }
    let files = ["Metadata.csv": Fixture.sensorLoggerMetadata(), "WristMotion.csv": wrist]
    let raw = try read(files)
    #expect(raw.accelerometer.count == 10 && raw.gyroscope.count == 10 && raw.fused.isEmpty)
    #expect(
      raw.accelerometer[5].reading == Vector3(x: 0.01, y: 0.02, z: -1 + 0.05)
        && raw.accelerometer[5].unit == .reversedGravity)
    #expect(raw.recording.info.name.contains("rebuilt from gravity + user acceleration"))
    let result = try read(files, .recorded)
    #expect(result.recording.usesRecordedMotion && result.recording.info.deviceClass == .watch)
    #expect(result.recording.info.name.contains("motion as recorded"))
    #expect(result.fused.count == 10 && result.samples.count == 30)
    #expect(result.fused[5].linearAcceleration == Vector3(x: 0.01, y: 0.02, z: 0.05))
    #expect(result.fused[5].accelerationUnit == .reversedGravity)
  }

  @Test func headphonesMixUnitsAndNameTheirSide() throws {
    let headphone = Fixture.sensorLoggerTable(Self.bodyHeader + ",devicelocation") {
      "0.1,0.2,0.3,0,0,-9.80665,0.01,0.02,0.0\($0),0.9,0.1,0.2,0.3,\($0 == 0 ? "left" : "right")"
    }
    let result = try read(["Metadata.csv": Fixture.sensorLoggerMetadata(), "Headphone.csv": headphone])
    #expect(result.recording.info.deviceClass == .headphones)
    #expect(abs(result.fused[0].gravity.z + 1) < 1e-15 && result.fused[0].linearAcceleration.x == 0.01)
    #expect(result.fused[0].location == .headphoneLeft && result.fused[1].location == .headphoneRight)
  }

  @Test func zipsReadLikeFoldersStoredDeflatedZip64AndWithDataDescriptors() throws {
    let files = Fixture.sensorLogger()
    let expected = try read(files, .recorded).samples
    let folder = try TemporaryFolder()
    for variant in 0..<8 {
      var zip = ZipBuilder()
      zip.usesZip64 = variant & 2 != 0
      zip.usesDataDescriptors = variant & 4 != 0
      zip.add("__MACOSX/Gravity.csv", Array("rubbish".utf8))
      for (name, text) in files.sorted(by: { $0.key > $1.key }) {
        zip.add("2024-05-01/\(name)", Array(text.utf8), isDeflated: variant & 1 == 1)
      }
      let path = try folder.write("export.zip", zip.finish())
      #expect(try MotionRecordingTests.read(path, .recorded).samples == expected, "variant \(variant)")
    }
  }

  @Test func filesThatAreNotPlayedAreNamed() throws {
    var files = Fixture.sensorLogger()
    files["Location.csv"] = Fixture.sensorLoggerTable("latitude,longitude") { _ in "0,0" }
    let unread = try read(files).recording.unread
    #expect(unread == ["motion as the device computed it", "Location.csv"])
    #expect(try read(files, .recorded).recording.unread == ["Location.csv"])
  }

  @Test func aRowWithoutItsCounterpartIsCountedNotInvented() throws {
    var files = Fixture.sensorLogger()
    files["AccelerometerUncalibrated.csv"] = nil
    let lines = try #require(files["Gravity.csv"]).split(separator: "\n")
    files["Gravity.csv"] = (lines[..<3] + lines[4...]).joined(separator: "\n") + "\n"
    let result = try read(files)
    #expect(result.accelerometer.count == 9 && result.statistics[.unmatched] == 1)
  }
}
