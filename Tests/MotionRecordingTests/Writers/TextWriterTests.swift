// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import TestSupport
import Testing

@Suite struct TextWriterTests {
  private let sink = MemoryByteSink()

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
