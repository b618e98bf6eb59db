// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

@Suite struct SensorLogTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func read(_ text: String, _ options: RecordingOptions = RecordingOptions()) throws -> ReadResult {
    try MotionRecordingTests.read(folder.write("log.csv", text), options)
  }

  @Test func eachGroupHasItsOwnClockAndAllComeInOrder() throws {
    let result = try read(Fixture.sensorLog())
    #expect(result.recording.format == .sensorLog)
    #expect(result.recording.info.name == "recording log.csv (SensorLog)")
    #expect(result.accelerometer.count == 10 && result.gyroscope.count == 10 && result.magnetometer.count == 10)
    #expect(result.fused.isEmpty)
    #expect(zip(result.samples, result.samples.dropFirst()).allSatisfy { $0.time <= $1.time })
    #expect(result.accelerometer[9].time.nanoseconds == 1_138_457_789_000_000)
    #expect(result.gyroscope[9].time.nanoseconds == 1_138_457_789_001_000)
    let reading = result.accelerometer[3]
    #expect(reading.reading == Vector3(x: 0.103, y: -0.25, z: -0.9870452880859375) && reading.unit == .reversedGravity)
    #expect(result.recording.info.channel(.gyroscope)?.rates == [100])
    #expect(result.recording.duration == SensorDuration(nanoseconds: 289_002_000))
  }

  @Test func aRepeatedGroupIsNotANewSample() throws {
    let result = try read(Fixture.sensorLog())
    // Ten rows, two stamps: 101.325 kPa at both, and nothing counted as lost.
    #expect(result.pressure.map(\.pressure) == [101_325, 101_325])
    #expect(result.pressure.map(\.time.nanoseconds) == [1_138_457_500_000_000, 1_138_457_744_000_000])
    #expect(result.statistics.omitted == 0)
  }

  @Test func aGroupWhoseStampIsZeroNeverDelivered() throws {
    let text = Fixture.sensorLog().replacing("1138457.5,", with: "0,").replacing("1138457.744,", with: "0,")
    let result = try read(text)
    #expect(result.pressure.isEmpty)
    #expect(!result.recording.info.kinds.contains(.airPressure))
  }

  @Test func emptyCellsAreAbsentAndHalfAGroupIsDamage() throws {
    let empty = Fixture.sensorLog().replacing(",0.0\(13),0.02,0.03,", with: ",,,,")
    #expect(try read(empty).gyroscope.count == 9)
    let half = Fixture.sensorLog().replacing(",0.0\(13),0.02,0.03,", with: ",0.013,,null,")
    let error = failure(try folder.write("half.csv", half))
    #expect(error?.code == .malformed && error?.place?.line == 5)
    let skipped = try read(half, .skipping)
    #expect(skipped.gyroscope.count == 9 && skipped.statistics[.malformed] == 1)
  }

  @Test(arguments: ["NaN", "nan", "\"NaN\"", "null"])
  func aReadingThatATableSavedAgainCallsNaNIsLeftOutAndCounted(word: String) throws {
    let text = Fixture.sensorLog().replacing(",0.0\(13),0.02,0.03,", with: ",\(word),\(word),\(word),")
    let result = try read(text)
    #expect(result.gyroscope.count == 9 && result.accelerometer.count == 10 && result.statistics.omitted == 1)
    #expect(result.statistics[.nonFinite] == 1)
    let half = Fixture.sensorLog().replacing(",0.0\(13),0.02,0.03,", with: ",0.013,\(word),0.03,")
    #expect(failure(try folder.write("half.csv", half))?.place?.line == 5)
  }

  @Test func recordedMotionKeepsEveryNumber() throws {
    let result = try read(Fixture.sensorLog(), .recorded)
    #expect(result.fused.count == 10)
    let sample = result.fused[2]
    #expect(sample.time.nanoseconds == 1_138_457_719_003_000)
    #expect(sample.w == -0.9 && sample.vector == Vector3(x: 0.1, y: 0.2, z: 0.3))
    #expect(sample.reference == .xArbitraryCorrected)
    #expect(sample.angularVelocity == Vector3(x: 0.1, y: 0.2, z: 0.302))
    #expect(sample.gravity == Vector3(x: 0.5, y: -0.25, z: -0.8125))
    #expect(sample.linearAcceleration == Vector3(x: 0.0625, y: 0.125, z: 0.252))
    #expect(sample.accelerationUnit == .reversedGravity)
    #expect(sample.field == .init(reading: Vector3(x: 20.5, y: -4.25, z: -40.5), unit: .microtesla, accuracy: 2))
    // −1 is Core Motion's "none".
    #expect(sample.heading == nil)
  }

  @Test func withoutRawColumnsTheAccelerometerIsTheSumAndTheNameSaysSo() throws {
    let text = Fixture.sensorLog(without: ["accelerometer", "gyro", "magnetometer"])
    let result = try read(text)
    #expect(result.recording.info.name.contains("accelerometer rebuilt from gravity + user acceleration"))
    #expect(result.recording.info.name.contains("gyroscope from the rotation rate"))
    #expect(result.recording.info.deviceClass == .watch)
    #expect(!result.recording.usesRecordedMotion && result.fused.isEmpty)
    #expect(result.accelerometer.count == 10)
    #expect(result.accelerometer[0].reading == Vector3(x: 0.5625, y: -0.125, z: -0.5625))
    #expect(result.gyroscope[1].angularVelocity == Vector3(x: 0.1, y: 0.2, z: 0.301))
    let both = try read(text, .recorded)
    #expect(both.accelerometer == result.accelerometer && both.fused.count == 10)
  }

  @Test func semicolonsCrlfAByteOrderMarkAndTheOtherMicroSignAreUnderstood() throws {
    let expected = try read(Fixture.sensorLog(), .recorded).samples
    let variants = [
      Fixture.sensorLog(separator: ";"), Fixture.sensorLog(separator: "\t"),
      Fixture.sensorLog().replacing("\n", with: "\r\n"), "\u{FEFF}" + Fixture.sensorLog(),
      Fixture.sensorLog().replacing("µ", with: "\u{3BC}"), Fixture.sensorLog().replacing("(µT)", with: "(T)"),
      Fixture.sensorLog().replacing("2024-05-01T10:00:00.000+0200", with: "\"Wednesday, \"\"May\"\"\""),
    ]
    for (index, text) in variants.enumerated() {
      #expect(try read(text, .recorded).samples == expected, "variant \(index)")
    }
  }

  @Test func columnsAreFoundByNameInAnyOrder() throws {
    let expected = try read(Fixture.sensorLog(), .recorded).samples
    let order = Fixture.sensorLogHeader.indices.reversed()
    let rows = [Fixture.sensorLogHeader] + (0..<10).map { Fixture.sensorLogRow($0) }
    let text = rows.map { row in order.map { row[$0] }.joined(separator: ",") + "\n" }.joined()
    #expect(try read(text, .recorded).samples == expected)
  }

  @Test func anUnknownUnitIsAnErrorThatNamesTheColumn() throws {
    let text = Fixture.sensorLog().replacing("gyroRotationY(rad/s)", with: "gyroRotationY(deg/s)")
    let error = failure(try folder.write("log.csv", text))
    #expect(error?.code == .unsupported && error?.place?.column == "gyroRotationY(deg/s)")
    #expect(error?.message.contains("rad/s") == true)
  }

  @Test func gzipReadsTheSame() throws {
    let expected = try read(Fixture.sensorLog()).samples
    let path = try folder.write("log.csv.gz", Compressor.gzip(Array(Fixture.sensorLog().utf8)))
    #expect(try MotionRecordingTests.read(path).samples == expected)
  }

  @Test func aSensorThatLacksAColumnIsNamedWithIt() throws {
    let text = Fixture.sensorLog().replacing("accelerometerAccelerationZ(G)", with: "other(G)")
    let recording = try Recording.open(path: folder.write("log.csv", text))
    #expect(
      recording.warnings.first
        == "The columns of the accelerometer are not read, because the header lacks accelerometerAccelerationZ(G).")
    let timeless = Fixture.sensorLog().replacing("Timestamp_sinceReboot(s)", with: "Clock(s)")
    let error = failure(try folder.write("timeless.csv", timeless))
    #expect(error?.message.contains("lacks gyroTimestamp_sinceReboot(s)") == true)
  }

  @Test func aThousandRowsOutOfOrderAreLeftToTheReaderOnceSamplesWereFound() throws {
    let rows = Fixture.sensorLog().split(separator: "\n")
    let text = ([rows[0], rows[9]] + Array(repeating: rows[2], count: 1500)).joined(separator: "\n") + "\n"
    let result = try read(text, .skipping)
    #expect(result.accelerometer.count >= 1 && result.statistics[.outOfOrder] > 1000)
    #expect(failure(try folder.write("log.csv", text))?.message.contains("Time goes backwards") == true)
  }

  @Test func whatIsNotPlayedIsNamed() throws {
    let path = try folder.write("log.csv", Fixture.sensorLog())
    let computed = try Recording.open(path: path).unread
    #expect(computed.first == "motion as the device computed it")
    #expect(try Recording.open(path: path, options: .recorded).unread == Array(computed.dropFirst()))
  }
}
