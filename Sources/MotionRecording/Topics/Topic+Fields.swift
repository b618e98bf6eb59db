// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The properties of every topic, in the order in which they are written.
extension Topic.Kind {
  /// "opencoremotion.Gyroscope".
  var typeName: String {
    switch self {
    case .accelerometer: "opencoremotion.Accelerometer"
    case .gyroscope: "opencoremotion.Gyroscope"
    case .magnetometer: "opencoremotion.Magnetometer"
    case .pressure, .waterPressure: "opencoremotion.Pressure"
    case .temperature: "opencoremotion.Temperature"
    case .orientation: "opencoremotion.Orientation"
    case .motionAccelerometer: "opencoremotion.CMAccelerometerData"
    case .motionGyro: "opencoremotion.CMGyroData"
    case .motionMagnetometer: "opencoremotion.CMMagnetometerData"
    case .deviceMotion, .headphoneMotion: "opencoremotion.CMDeviceMotion"
    case .batchedAccelerometer: "opencoremotion.BatchedAccelerometerData"
    case .batchedDeviceMotion: "opencoremotion.BatchedDeviceMotion"
    case .altitude: "opencoremotion.CMAltitudeData"
    case .absoluteAltitude: "opencoremotion.CMAbsoluteAltitudeData"
    case .ambientPressure: "opencoremotion.CMAmbientPressureData"
    case .activity: "opencoremotion.CMMotionActivity"
    case .pedometer: "opencoremotion.CMPedometerData"
    case .pedometerEvent: "opencoremotion.CMPedometerEvent"
    case .submersionEvent: "opencoremotion.CMWaterSubmersionEvent"
    case .submersionMeasurement: "opencoremotion.CMWaterSubmersionMeasurement"
    case .waterTemperature: "opencoremotion.CMWaterTemperature"
    case .connection: "opencoremotion.Connection"
    case .availability: "opencoremotion.Availability"
    case .error: "opencoremotion.ServiceError"
    case .gap: "opencoremotion.Gap"
    case .annotation: "opencoremotion.Annotation"
    case .truthPose: "foxglove.PoseInFrame"
    case .location: "foxglove.LocationFix"
    }
  }

  /// The JSON schema of the messages.
  var schema: String {
    var text = JSONText()
    text.appendSchema(title: typeName, fields)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  /// The table of the topic's properties.
  var fields: [TopicField] {
    switch self {
    case .accelerometer: [Self.nanoseconds] + TopicField.vector("specific force, m/s^2")
    case .gyroscope: [Self.nanoseconds] + TopicField.vector("rotation rate, rad/s")
    case .magnetometer: [Self.nanoseconds] + TopicField.vector("magnetic field, uncalibrated, tesla")
    case .pressure, .waterPressure:
      [
        Self.nanoseconds, TopicField("pressure", .number, "absolute, pascal"),
        .optional("temperature", .number, "degrees Celsius"),
      ]
    case .temperature: [Self.nanoseconds, TopicField("temperature", .number, "degrees Celsius")]
    case .orientation:
      [
        Self.nanoseconds, TopicField("w", .number, "unit quaternion, device to reference"), TopicField("x"),
        TopicField("y"), TopicField("z"),
        TopicField("reference", .string, "arbitrary, east_north_up_magnetic or east_north_up_true"),
      ]
    case .connection:
      [Self.nanoseconds, TopicField("device", .string), TopicField("connected", .boolean)]
    case .availability:
      [
        Self.nanoseconds, TopicField("service", .string), TopicField("available", .boolean),
        TopicField("authorization", .integer, "raw value of CMAuthorizationStatus"),
      ]
    case .error:
      [
        Self.nanoseconds, TopicField("service", .string), TopicField("domain", .string), TopicField("code", .integer),
        TopicField("message", .string),
      ]
    case .gap:
      [
        Self.nanoseconds, TopicField("service", .string), TopicField("duration_ns", .integer),
        .optional("lost", .integer, "samples"),
      ]
    case .annotation: [Self.nanoseconds, TopicField("text", .string)]
    case .truthPose: Self.pose
    case .location: Self.locationFix
    default: motionFields
    }
  }

  static let nanoseconds = TopicField("timestamp_ns", .integer, "nanoseconds on the recording's monotonic clock")

  private static let unixTime = TopicField(
    "timestamp", .object([TopicField("sec", .integer), TopicField("nsec", .integer)]))

  private static let pose = [
    unixTime, TopicField("frame_id", .string),
    TopicField(
      "pose",
      .object([
        TopicField("position", .object(TopicField.vector("metre"))),
        TopicField("orientation", .object(TopicField.vector("unit quaternion") + [TopicField("w")])),
      ])),
  ]

  private static let locationFix = [
    unixTime, TopicField("frame_id", .string), TopicField("latitude", .number, "degrees"),
    TopicField("longitude", .number, "degrees"), TopicField("altitude", .number, "metre"),
  ]
}
