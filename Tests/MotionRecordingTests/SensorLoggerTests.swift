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

/// A phone's export with a watch and headphones in it, and the switch that reached them late.
@Suite struct SensorLoggerDeviceTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func read(_ files: [String: String], _ options: RecordingOptions = RecordingOptions()) throws -> ReadResult {
    let folder = try TemporaryFolder()
    return try MotionRecordingTests.read(folder.write(files), options)
  }

  private static let bodyHeader =
    "rotationRateX,rotationRateY,rotationRateZ,gravityX,gravityY,gravityZ,accelerationX,accelerationY,accelerationZ,quaternionW,quaternionX,quaternionY,quaternionZ"

  /// Lying still, face up; `gravity` and 0.1 g along x as they are written.
  private static func body(gravity: Double, acceleration: Double, name: String) -> [String: String] {
    [
      name: Fixture.sensorLoggerTable(bodyHeader, rows: 50) { _ in
        "0.1,0.2,0.3,0,0,\(gravity),\(acceleration),0,0,1,0,0,0"
      }
    ]
  }

  private static func several() -> [String: String] {
    Fixture.sensorLogger()
      .merging(body(gravity: -1, acceleration: 0.1, name: "WristMotion.csv")) { $1 }
      .merging(body(gravity: -9.80665, acceleration: 0.1, name: "Headphone.csv")) { $1 }
  }

  private static func device(_ name: String) -> RecordingOptions {
    var options = RecordingOptions()
    options.device = name
    return options
  }

  @Test func eachDeviceOfAnExportCanBeChosen() throws {
    let phone = try read(Self.several())
    #expect(phone.recording.info.deviceClass == .phone && phone.magnetometer.count == 10)
    #expect(phone.recording.info.name.contains("device=watch or device=headphones"))
    #expect(try read(Self.several(), Self.device("phone")).samples == phone.samples)
    let watch = try read(Self.several(), Self.device("watch"))
    #expect(watch.recording.info.deviceClass == .watch && watch.accelerometer.count == 50 && watch.magnetometer.isEmpty)
    let headphones = try read(Self.several(), Self.device("headphones"))
    #expect(headphones.recording.info.deviceClass == .headphones && headphones.samples.count == 50)
    #expect(headphones.fused.count == 50)
  }

  @Test func aDeviceThatIsNotThereIsRefusedWithThoseThatAre() throws {
    let path = try folder.write(Self.several())
    let error = failure(path, Self.device("foo"))
    #expect(error?.code == .invalidRequest && error?.message.contains("phone, watch, headphones") == true)
    let other = try TemporaryFolder()
    try other.write(Fixture.sensorLogger())
    #expect(failure(other.path, Self.device("watch"))?.message.contains("there is phone") == true)
  }

  @Test func aFormatWithoutDevicesRefusesTheOption() throws {
    let error = failure(try folder.write("log.csv", Fixture.sensorLog()), Self.device("foo"))
    #expect(error?.code == .invalidRequest)
    #expect(error?.message == "The recording has no device \"foo\"; remove the option device.")
  }

  @Test(arguments: ["Headphone.csv", "WristMotion.csv"])
  func beforeTheSwitchReachedThemTheNumbersTellSignAndUnit(name: String) throws {
    let metadata = ["Metadata.csv": Fixture.sensorLoggerMetadata(standardised: true)]
    let turned = try read(
      metadata.merging(Self.body(gravity: 9.80665, acceleration: -0.980665, name: name)) { $1 }, .recorded)
    let plain = name == "Headphone.csv" ? -9.80665 : -1
    let kept = try read(metadata.merging(Self.body(gravity: plain, acceleration: 0.1, name: name)) { $1 }, .recorded)
    for result in [turned, kept] {
      let motion = try #require(result.fused.first)
      let gravity = motion.gravity * (motion.accelerationUnit.scale / -9.80665)
      let acceleration = motion.linearAcceleration * (motion.accelerationUnit.scale / -9.80665)
      #expect(abs(gravity.z + 1) < 1e-12 && abs(acceleration.x - 0.1) < 1e-12)
      #expect(result.recording.warnings == [])
    }
  }

  @Test func headphonesOfTheWrongSignAreNoticedAndTheOptionHelps() throws {
    let files = ["Metadata.csv": Fixture.sensorLoggerMetadata(standardised: false)].merging(
      Self.body(gravity: 9.80665, acceleration: -0.980665, name: "Headphone.csv")
    ) { $1 }
    let wrong = try read(files)
    #expect(wrong.recording.warnings.count == 1 && wrong.recording.warnings[0].contains("180.0° apart"))
    var options = RecordingOptions()
    options.isStandardised = true
    let right = try read(files, options)
    #expect(right.recording.warnings == [] && abs((right.fused.first?.gravity.z ?? 0) - 9.80665) < 1e-12)
    #expect(right.fused.first?.accelerationUnit == .metresPerSecondSquared)
  }
}
