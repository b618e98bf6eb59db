// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

@Suite struct SensorLogWriterTests {
  private func write(
    _ samples: [SensorSample], _ description: RecordingDescription, deviceName: String = "opencoremotion"
  ) throws -> String {
    let sink = MemoryByteSink()
    try WriterKit.write(samples, with: SensorLogWriter(sink, description: description, deviceName: deviceName))
    return sink.text
  }

  @Test func itIsTheAppsLayoutForTheGroupsThatThereAre() throws {
    let offset = SensorDuration(nanoseconds: 1_708_560_000_000_000_000)
    let text = try write(WriterKit.raw, WriterKit.description(wallOffset: offset), deviceName: "my,phone")
    #expect(
      text == """
        loggingTime(txt),loggingSample(N),accelerometerTimestamp_sinceReboot(s),accelerometerAccelerationX(G),accelerometerAccelerationY(G),accelerometerAccelerationZ(G),gyroTimestamp_sinceReboot(s),gyroRotationX(rad/s),gyroRotationY(rad/s),gyroRotationZ(rad/s),magnetometerTimestamp_sinceReboot(s),magnetometerX(µT),magnetometerY(µT),magnetometerZ(µT),deviceID(txt)
        2024-02-22T00:00:01.500+00:00,1,1.5,0.01,0.02,-0.99,1.5,0.0123,-0.0045,0.001,1.5,22.1,5.0,-41.2,"my,phone"
        2024-02-22T00:00:01.510+00:00,2,1.510000001,0.1,-0.2,-1.1,1.510000001,1e-05,0.0,0.25,1.510000001,22.5,5.25,-41.0,"my,phone"

        """)
  }

  /// An unknown date is left empty.
  @Test func withoutAWallClockTheDatesStayEmpty() throws {
    let text = try write(WriterKit.raw, WriterKit.description())
    let rows = text.split(separator: "\n").dropFirst()
    #expect(rows.count == 2 && rows.allSatisfy { $0.hasPrefix(",") } && !text.contains("1970"))
    let folder = try TemporaryFolder()
    let result = try read(folder.write("log.csv", text))
    #expect(result.samples == WriterKit.raw && result.recording.recordedDescription?.wallOffset == nil)
  }

  @Test func whatWasWrittenReadsBackToTheSameSamples() throws {
    let samples: [SensorSample] =
      WriterKit.raw + [.pressure(PressureSample(time: SensorInstant(nanoseconds: 1_510_000_001), pressure: 101_325.4))]
    let text = try write(samples, WriterKit.description([.accelerometer, .gyroscope, .magnetometer, .airPressure]))
    let folder = try TemporaryFolder()
    let result = try read(folder.write("log.csv", text))
    #expect(result.samples == samples)
  }

  @Test func aSecondPassGivesTheSameBytes() throws {
    let folder = try TemporaryFolder()
    let description = WriterKit.description([.accelerometer, .gyroscope, .magnetometer, .motion, .airPressure])
    // Rates that do not go into each other, and a sensor that begins late.
    var samples: [SensorSample] = []
    for step in 0..<400 {
      let time = Int64(step) * 5_000_000 + 1_000_000_000
      let value = Double(step).squareRoot() - 7
      samples.append(WriterKit.accelerometer(time, value / 10, 0.1, -1))
      if step % 2 == 0 { samples.append(WriterKit.gyroscope(time + 1_000_001, value, 0.3, 1 / 3)) }
      if step % 7 == 3 { samples.append(WriterKit.magnetometer(time + 1_500_000, value, 20, -40)) }
      if step % 40 == 9 {
        samples.append(
          .pressure(PressureSample(time: SensorInstant(nanoseconds: time + 2_000_000), pressure: 101_300 + value)))
      }
      if step % 3 == 0 { samples.append(.motion(WriterKit.motion(time + 2_500_000))) }
    }
    let first = try write(samples, description)
    let again = try read(folder.write("log.csv", first), .recorded)
    #expect(again.samples.count == samples.count)
    #expect(try write(again.samples, description) == first)
  }

  @Test func aSensorThatIsFasterThanTheRowsLosesNothing() throws {
    let samples =
      [WriterKit.accelerometer(1_000_000, 0, 0, -1)]
      + (1...9).map { WriterKit.gyroscope(Int64($0) * 1_000_000, 0, 0, Double($0)) }
    let folder = try TemporaryFolder()
    let text = try write(samples, WriterKit.description([.accelerometer, .gyroscope]))
    let result = try read(folder.write("log.csv", text))
    #expect(result.samples == samples)
  }

  @Test func deviceMotionKeepsItsNumbersFrameAndAngles() throws {
    let folder = try TemporaryFolder()
    let motion = WriterKit.motion(2_000_000_000)
    let text = try write([.motion(motion)], WriterKit.description([.motion]))
    #expect(text.contains(",XMagneticNorthZVertical,0.5,-0.5,0.5,0.5,"))
    let result = try read(folder.write("log.csv", text), .recorded)
    guard case .motion(var found)? = result.samples.last else {
      Issue.record("no motion came back")
      return
    }
    // The layout has no columns for them.
    #expect(found.headingAccuracy == nil && found.inclinationDeviation == nil && found.headingDeviation == nil)
    found.headingAccuracy = motion.headingAccuracy
    (found.inclinationDeviation, found.headingDeviation) = (motion.inclinationDeviation, motion.headingDeviation)
    #expect(found == motion)
    // Yaw, roll, pitch, in this order (S11–S14): q = (w 0.5, x 0.5, y −0.5, z 0.5).
    let row = try #require(text.split(separator: "\n").last).split(separator: ",", omittingEmptySubsequences: false)
    #expect(row[3...5].compactMap { Double($0) } == [Double.pi / 2, -Double.pi / 2, 0])
  }

  @Test func anSIReadingIsWrittenInCoreMotionsUnitAndSign() throws {
    let text = try write(
      [WriterKit.accelerometer(1, 0, 0, 9.80665, unit: .metresPerSecondSquared)],
      WriterKit.description([.accelerometer]))
    #expect(text.contains(",0.000000001,-0.0,-0.0,-1.0,"))
  }

  @Test func aRecordingWithoutTheseSensorsIsRefused() {
    #expect(throws: SensorError.self) {
      try SensorLogWriter(MemoryByteSink(), description: WriterKit.description([.waterPressure]))
    }
  }
}
