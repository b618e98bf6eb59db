// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The properties of `/motion/…`: Core Motion's names, units and signs.
extension Topic.Kind {
  var motionFields: [TopicField] {
    switch self {
    case .motionAccelerometer: [Self.seconds, TopicField("acceleration", Self.gravities)]
    case .motionGyro: [Self.seconds, TopicField("rotationRate", Self.rates)]
    case .motionMagnetometer: [Self.seconds, TopicField("magneticField", Self.microteslas)]
    case .deviceMotion, .headphoneMotion: Self.motion
    case .batchedAccelerometer: [Self.seconds, TopicField("acceleration", Self.gravities), Self.batch]
    case .batchedDeviceMotion: Self.motion + [Self.batch]
    case .altitude:
      [Self.seconds, TopicField("relativeAltitude", .number, "metre"), TopicField("pressure", .number, "kilopascal")]
    case .absoluteAltitude:
      [
        Self.seconds, TopicField("altitude", .number, "metre"), TopicField("accuracy", .number, "metre"),
        TopicField("precision", .number, "metre"),
      ]
    case .ambientPressure:
      [
        Self.seconds, TopicField("pressure", .number, "kilopascal"),
        TopicField("temperature", .number, "degrees Celsius"),
      ]
    case .activity:
      [Self.seconds, TopicField("startDate", .number, "Unix seconds")]
        + ["stationary", "walking", "running", "automotive", "cycling", "unknown"].map { TopicField($0, .boolean) }
        + [TopicField("confidence", .integer, "0 low, 1 medium, 2 high")]
    case .pedometer:
      [
        TopicField("startDate", .number, "Unix seconds"), TopicField("endDate", .number, "Unix seconds"),
        TopicField("numberOfSteps", .integer), .optional("distance", .number, "metre"),
        .optional("floorsAscended", .integer), .optional("floorsDescended", .integer),
        .optional("currentPace", .number, "s/m"), .optional("currentCadence", .number, "steps/s"),
        .optional("averageActivePace", .number, "s/m"),
      ]
    case .pedometerEvent: [Self.date, TopicField("type", .integer, "0 pause, 1 resume")]
    case .submersionEvent: [Self.date, TopicField("state", .integer)]
    case .submersionMeasurement:
      [
        Self.date, .optional("depth", .number, "metre"), .optional("pressure", .number, "kilopascal"),
        TopicField("surfacePressure", .number, "kilopascal"), TopicField("submersionState", .integer),
      ]
    case .waterTemperature:
      [
        Self.date, TopicField("temperature", .number, "degrees Celsius"),
        TopicField("temperatureUncertainty", .number, "degrees Celsius"),
      ]
    default: []
    }
  }

  private static let seconds = TopicField("timestamp", .number, "seconds on the recording's monotonic clock")
  private static let date = TopicField("date", .number, "Unix seconds")
  private static let batch = TopicField("batch", .integer, "index of the delivered array")
  private static let gravities = TopicField.Content.object(TopicField.vector("g, -1 on z at rest face up"))
  private static let rates = TopicField.Content.object(TopicField.vector("rad/s"))
  private static let microteslas = TopicField.Content.object(TopicField.vector("microtesla"))

  private static let motion = [
    seconds,
    TopicField("attitude", .object(TopicField.vector("unit quaternion, device to reference") + [TopicField("w")])),
    TopicField("rotationRate", rates), TopicField("gravity", gravities), TopicField("userAcceleration", gravities),
    TopicField.optional(
      "magneticField",
      .object(TopicField.vector("microtesla") + [TopicField("accuracy", .integer, "-1 uncalibrated, 0 low, 1, 2 high")])
    ),
    TopicField.optional("heading", .number, "degrees, 0 to 360"),
    TopicField.optional("headingAccuracy", .number, "degrees"),
    TopicField.optional("sensorLocation", .integer, "0 default, 1 left headphone, 2 right headphone"),
    TopicField.optional("attitudeReferenceFrame", .integer, "raw value of CMAttitudeReferenceFrame: 1, 2, 4, 8"),
  ]
}
