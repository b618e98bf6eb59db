// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import TestSupport
import Testing

@Suite struct TidyWriterTests {
  private final class Files {
    var sinks: [String: MemoryByteSink] = [:]
    func text(_ name: String) -> String? { sinks[name]?.text }
  }

  private let files = Files()

  private func writer(_ description: RecordingDescription = WriterKit.description()) -> TidyWriter {
    let files = files
    return TidyWriter(description: description) { name in
      let sink = MemoryByteSink()
      files.sinks[name] = sink
      return sink
    }
  }

  @Test func eachTopicIsATableAndTheColumnsAreExplained() throws {
    let pressure = PressureSample(time: SensorInstant(nanoseconds: 9), pressure: 101_325.5)
    try WriterKit.write(WriterKit.raw + [.pressure(pressure)], with: writer())
    #expect(
      files.text("motion.accelerometer.csv") == """
        timestamp,acceleration_x,acceleration_y,acceleration_z
        1.5,0.01,0.02,-0.99
        1.510000001,0.1,-0.2,-1.1

        """)
    // Absent = an empty cell.
    #expect(files.text("sensor.pressure.csv") == "timestamp_ns,pressure,temperature\n9,101325.5,\n")
    let columns = try #require(files.text("columns.csv")).split(separator: "\n")
    #expect(columns.first == "topic,column,unit,description")
    #expect(columns.contains { $0.hasPrefix("/motion/magnetometer,magneticField_z,µT,") })
    #expect(columns.contains { $0.hasPrefix("/sensor/pressure,temperature,°C,") })
    #expect(columns.contains { $0.hasPrefix("/motion/accelerometer,acceleration_x,g,\"") })
    #expect(files.sinks.count == 5 && files.sinks.values.allSatisfy { $0.isFinished })
  }

  @Test func deviceMotionHasTheColumnsOfFuse() throws {
    var bare = WriterKit.motion(1_500_000_000)
    (bare.field, bare.heading, bare.headingAccuracy) = (nil, nil, nil)
    (bare.inclinationDeviation, bare.headingDeviation) = (nil, nil)
    try WriterKit.write(
      [.motion(bare), .motion(WriterKit.motion(1_600_000_000))],
      with: writer(WriterKit.description([.motion])))
    #expect(
      files.text("motion.device.csv") == """
        timestamp,attitude_x,attitude_y,attitude_z,attitude_w,rotationRate_x,rotationRate_y,rotationRate_z,gravity_x,gravity_y,gravity_z,userAcceleration_x,userAcceleration_y,userAcceleration_z,magneticField_x,magneticField_y,magneticField_z,magneticField_accuracy,heading,headingAccuracy,sensorLocation,attitudeReferenceFrame,inclinationDeviation,headingDeviation
        1.5,0.5,-0.5,0.5,0.5,0.1,-0.2,0.3,0.0,0.0,-1.0,0.01,0.02,-0.03,,,,,,,0,4,,
        1.6,0.5,-0.5,0.5,0.5,0.1,-0.2,0.3,0.0,0.0,-1.0,0.01,0.02,-0.03,20.0,-5.0,-41.5,2,271.25,3.5,0,4,0.75,1.75

        """)
  }

  @Test func whatIsNotFiniteIsAnEmptyCellAndTextIsQuoted() throws {
    let writer = writer()
    try writer.write(WriterKit.accelerometer(1, .nan, 1, .infinity, unit: .metresPerSecondSquared))
    try writer.write(
      .event(
        .error(SensorInstant(nanoseconds: 2), service: "s", domain: "d", code: -1, message: "turn, \"left\"\nnow")))
    try writer.finish()
    #expect(files.text("sensor.accelerometer.csv") == "timestamp_ns,x,y,z\n1,,1.0,\n")
    let table = "timestamp_ns,service,domain,code,message\n2,s,d,-1,\"turn, \"\"left\"\"\nnow\"\n"
    #expect(files.text("event.error.csv") == table)
  }

  @Test func severalDevicesHaveTablesOfTheirOwn() throws {
    try WriterKit.write([WriterKit.gyroscope(1, 0, 0, 1)], with: writer(WriterKit.description(device: "left")))
    try WriterKit.write([WriterKit.gyroscope(1, 0, 0, 2)], with: writer(WriterKit.description(device: "right")))
    #expect(files.text("left.sensor.gyroscope.csv") == "timestamp_ns,x,y,z\n1,0.0,0.0,1.0\n")
    #expect(files.text("right.sensor.gyroscope.csv") == "timestamp_ns,x,y,z\n1,0.0,0.0,2.0\n")
  }
}
