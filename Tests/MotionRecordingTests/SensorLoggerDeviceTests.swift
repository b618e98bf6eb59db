// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

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
