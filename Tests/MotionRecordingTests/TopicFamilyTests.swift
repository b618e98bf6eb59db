// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

/// The sensors of a recording stay in one family of topics, and a tidy table comes back in the one that it was written
/// in.
@Suite struct TopicFamilyTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func topics(_ result: ReadResult) -> Set<String> {
    let recording = result.recording
    var encoder = TopicEncoder(recording.recordedDescription ?? RecordingDescription(info: recording.info))
    return Set(result.samples.flatMap { encoder.messages(for: .sample($0, receivedAt: nil)) }.map(\.topic.name))
  }

  @Test func aMagnetometerGoesWithItsAccelerometer() throws {
    var fixture = TableFixture.mapped
    fixture.options.sign = .reaction
    let result = try read(folder.write(fixture.file, fixture.text()), fixture.options)
    #expect(topics(result).allSatisfy { $0.hasPrefix("/sensor/") })
    #expect(result.magnetometer.allSatisfy { $0.unit == .tesla && $0.reading.length < 1e-3 })
  }

  @Test(arguments: [("android", "/sensor/magnetometer"), ("ios", "/motion/magnetometer")])
  func soItDoesInSensorLogger(platform: String, topic: String) throws {
    let files = Fixture.sensorLogger(metadata: Fixture.sensorLoggerMetadata(platform: platform))
    let result = try read(folder.write(files))
    #expect(topics(result).contains(topic) && result.magnetometer.count == 10)
    #expect(abs(result.magnetometer[2].magneticField.x - 20.2e-6) < 1e-18)
  }

  @Test func aGyroscopesTableAloneKeepsItsFamily() throws {
    let rows = (0..<5).map { "100.0\($0),0.1,0.2,0.3\n" }.joined()
    let text = "timestamp,rotationRate_x,rotationRate_y,rotationRate_z\n" + rows
    // The columns file is what a folder of such tables is known by.
    try folder.write("walk.columns.csv", "topic,column,unit,description\n")
    let result = try read(folder.write("walk.motion.gyro.csv", text))
    #expect(topics(result) == ["/motion/gyro"])
  }

  @Test func temperaturesHaveATableOfTheirOwn() throws {
    try folder.write("walk.columns.csv", "topic,column,unit,description\n")
    try folder.write("walk.sensor.temperature.csv", "timestamp_ns,temperature\n1000,21.5\n2000,21.75\n")
    try folder.write("walk.sensor.gyroscope.csv", "timestamp_ns,x,y,z\n1000,0.1,0.2,0.3\n2000,0.1,0.2,0.3\n")
    try folder.write("walk.motion.activity.csv", "timestamp,walking\n1,1\n")
    let result = try read(folder.path)
    #expect(result.recording.unread == ["walk.motion.activity.csv"])
    #expect(result.samples.count == 4 && topics(result) == ["/sensor/temperature", "/sensor/gyroscope"])
    let temperatures = result.samples.compactMap { if case .temperature(let s) = $0 { s.temperature } else { nil } }
    #expect(temperatures == [21.5, 21.75])
  }

  @Test func headphonesPassAsRecordedWhereNoRawSensorsStandBeside() throws {
    let columns =
      ["attitude_x", "attitude_y", "attitude_z", "attitude_w"]
      + ["rotationRate", "gravity", "userAcceleration"].flatMap { name in ["x", "y", "z"].map { "\(name)_\($0)" } }
    let header = "timestamp,\(columns.joined(separator: ",")),sensorLocation,attitudeReferenceFrame\n"
    let rows = (0..<5).map { "100.0\($0),0,0,0,1,0.1,0.2,0.3,0,0,-1,0.01,0,0,2,1\n" }.joined()
    try folder.write("head.columns.csv", "topic,column,unit,description\n")
    try folder.write("head.motion.headphone.csv", header + rows)
    let result = try read(folder.path)
    #expect(result.recording.usesRecordedMotion && result.recording.info.deviceClass == .headphones)
    #expect(result.fused.count == 5 && result.samples.count == 5 && topics(result) == ["/motion/headphone"])
    #expect(result.fused.allSatisfy { $0.location == .headphoneRight && $0.gravity.z == -1 })
    // A table from before there were deviations.
    #expect(result.fused.allSatisfy { $0.inclinationDeviation == nil && $0.headingDeviation == nil })
  }
}
