// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

@Suite struct TextWriterTests {
  private let sink = MemoryByteSink()

  @Test func aTUMLineHasNineDecimalsAndTheScalarLast() throws {
    let writer = try TUMWriter(sink, description: WriterKit.description([.motion]))
    try WriterKit.write(
      [
        .motion(WriterKit.motion(1_500_000_000)),
        .motion(WriterKit.motion(1_510_000_001, w: 0.6, x: 0, y: 0.8, z: 0)),
      ],
      with: writer)
    #expect(
      sink.text == """
        # timestamp tx ty tz qx qy qz qw
        # device to XMagneticNorthZVertical, z up
        1.500000000 0 0 0 0.5 -0.5 0.5 0.5
        1.510000001 0 0 0 0.0 0.8 0.0 0.6

        """)
    #expect(sink.isFinished && writer.counts.rows == 2)
  }

  @Test func aTUMLineIsInUnixTimeWhereTheRecordingKnowsIt() throws {
    let offset = SensorDuration(nanoseconds: 1_700_000_000_123_456_789)
    let writer = try TUMWriter(sink, description: WriterKit.description([.motion], wallOffset: offset))
    try WriterKit.write([.motion(WriterKit.motion(1_000_000_000))], with: writer)
    #expect(sink.lines[2].hasPrefix("1700000001.123456789 0 0 0 "))
  }

  @Test func whatATrajectoryCannotHoldIsCounted() throws {
    let writer = try TUMWriter(sink, description: WriterKit.description())
    try WriterKit.write(WriterKit.raw + [.motion(WriterKit.motion(1, w: .nan))], with: writer)
    #expect(writer.counts.rows == 0 && writer.counts.unsupported == 6 && writer.counts.nonFinite == 1)
  }

  @Test func aGyroflowLogIsThatOfTheFormatsPage() throws {
    let offset = SensorDuration(nanoseconds: 1_644_159_992_000_000_000)
    let writer = try GyroflowWriter(sink, description: WriterKit.description(wallOffset: offset))
    try WriterKit.write(WriterKit.raw, with: writer)
    #expect(
      sink.text == """
        GYROFLOW IMU LOG
        version,1.3
        id,opencoremotion
        orientation,XYZ
        note,
        fwversion,
        timestamp,1644159993
        vendor,
        videofilename,
        lensprofile,
        tscale,0.000001
        gscale,1
        ascale,1
        mscale,0.01
        t,gx,gy,gz,ax,ay,az,mx,my,mz
        0,0.0123,-0.0045,0.001,0.01,0.02,-0.99,22.1,5.0,-41.2
        10000.001,1e-05,0.0,0.25,0.1,-0.2,-1.1,22.5,5.25,-41.0

        """)
    // Gyroflow looks for the header in the first 500 bytes.
    #expect(sink.lines.prefix(15).reduce(0) { $0 + $1.utf8.count + 1 } < 500)
  }

  @Test func theVideosStartIsTimeZeroAndRowsBeforeItAreNegative() throws {
    var options = GyroflowWriter.Options()
    options.videoStart = SensorInstant(nanoseconds: 1_510_000_001)
    options.orientation = "xzY"
    let writer = try GyroflowWriter(
      sink, description: WriterKit.description([.accelerometer, .gyroscope]), options: options)
    try WriterKit.write(WriterKit.raw.filter { $0.kinds != .magnetometer }, with: writer)
    #expect(sink.lines.contains("orientation,xzY") && !sink.text.contains("mscale"))
    #expect(sink.lines.suffix(3).map { $0.prefix { $0 != "," } } == ["-10000.001", "0", ""])
  }

  @Test(arguments: ["XY", "XXZ", "abc", ""])
  func anOrientationThatIsNoneIsRefused(orientation: String) {
    var options = GyroflowWriter.Options()
    options.orientation = orientation
    #expect(throws: SensorError.self) {
      try GyroflowWriter(MemoryByteSink(), description: WriterKit.description(), options: options)
    }
  }

  @Test func rowsOfAGyroflowLogBeginWhenEverySensorHasSpoken() throws {
    let writer = try GyroflowWriter(sink, description: WriterKit.description([.accelerometer, .gyroscope]))
    try WriterKit.write(
      [
        WriterKit.gyroscope(1000, 0, 0, 1), WriterKit.gyroscope(2000, 0, 0, 2), WriterKit.accelerometer(3000, 0, 0, -1),
        WriterKit.accelerometer(3500, 0, 0, -2), WriterKit.gyroscope(4000, 0, 0, 3),
      ], with: writer)
    #expect(sink.lines.suffix(2) == ["0,0.0,0.0,3.0,0.0,0.0,-2.0", ""])
    // Two rows without an acceleration, one acceleration without a row.
    #expect(writer.counts.rows == 1 && writer.counts.superseded == 3)
  }

  @Test func anNDJSONLineIsTheTopicAndThenItsMessage() throws {
    let writer = NDJSONWriter(sink, description: WriterKit.description())
    try WriterKit.write(
      Array(WriterKit.raw.prefix(3)) + [
        WriterKit.accelerometer(1_520_000_000, 0.5, 0, 9.5, unit: .metresPerSecondSquared)
      ], with: writer)
    #expect(
      sink.text == """
        {"topic":"/motion/accelerometer","timestamp":1.5,"acceleration":{"x":0.01,"y":0.02,"z":-0.99}}
        {"topic":"/motion/gyro","timestamp":1.5,"rotationRate":{"x":0.0123,"y":-0.0045,"z":0.001}}
        {"topic":"/motion/magnetometer","timestamp":1.5,"magneticField":{"x":22.1,"y":5.0,"z":-41.2}}
        {"topic":"/sensor/accelerometer","timestamp_ns":1520000000,"x":0.5,"y":0.0,"z":9.5}

        """)
  }

  @Test func oneOfSeveralDevicesIsNamedAndSoIsTheTimeOfReceipt() throws {
    let offset = SensorDuration(nanoseconds: 1_700_000_000_000_000_000)
    let writer = NDJSONWriter(sink, description: WriterKit.description(device: "left_wrist", wallOffset: offset))
    try writer.write(.sample(WriterKit.gyroscope(5, 0, 0, 1), receivedAt: SensorInstant(nanoseconds: 7)))
    #expect(
      sink.text
        == "{\"topic\":\"/sensor/gyroscope\",\"device\":\"left_wrist\",\"log_time\":1700000000000000007,\"timestamp_ns\":5,\"x\":0.0,\"y\":0.0,\"z\":1.0}\n"
    )
  }
}
