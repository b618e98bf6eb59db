// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One property of a topic's JSON objects.
///
/// The tables of fields are the single truth of the topics: messages, the schemas that a recording carries, the columns of tidy
/// tables and the slots that a message is decoded into all follow from them.
struct TopicField: Sendable, Hashable {
  indirect enum Content: Sendable, Hashable {
    /// A whole number of 64 bits, kept exactly.
    case integer
    case number
    case boolean
    case string
    case object([TopicField])
  }

  let name: String
  let content: Content
  let isRequired: Bool
  /// Unit and meaning, for the schema.
  let remark: String
  /// `"name":`, as it stands in a message.
  let key: [UInt8]
  /// How many values it has: 1, or those of its parts.
  let leafCount: Int

  init(_ name: String, _ content: Content = .number, _ remark: String = "", isRequired: Bool = true) {
    self.name = name
    self.content = content
    self.isRequired = isRequired
    self.remark = remark
    key = Array("\"\(name)\":".utf8)
    if case .object(let parts) = content { leafCount = parts.reduce(0) { $0 + $1.leafCount } } else { leafCount = 1 }
  }

  static func optional(_ name: String, _ content: Content = .number, _ remark: String = "") -> TopicField {
    TopicField(name, content, remark, isRequired: false)
  }

  /// x, y and z, in one unit.
  static func vector(_ remark: String) -> [TopicField] {
    [TopicField("x", .number, remark), TopicField("y", .number, remark), TopicField("z", .number, remark)]
  }
}

/// The properties of every topic, in the order in which they are written. `/sensor/…` and `/event/…` are SI; `/motion/…` has Core
/// Motion's names, units and signs.
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
  var fields: [TopicField] { Self.tables[self] ?? [] }

  /// Made once: a writer asks for them at each message.
  private static let tables = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.makeFields()) })

  private func makeFields() -> [TopicField] {
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
    }
  }

  private static let nanoseconds = TopicField(
    "timestamp_ns", .integer, "nanoseconds on the recording's monotonic clock")

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
    TopicField.optional("inclinationDeviation", .number, "degrees, one standard deviation"),
    TopicField.optional("headingDeviation", .number, "degrees, one standard deviation"),
  ]
}

extension JSONText {
  /// A JSON schema (draft 2020-12, the part that viewers read) of an object with these fields.
  mutating func appendSchema(title: String?, _ fields: [TopicField], remark: String = "") {
    append("{")
    if let title {
      append("\"title\":")
      append(quoting: title)
      append(",")
    }
    append("\"type\":\"object\"")
    if !remark.isEmpty {
      append(",\"description\":")
      append(quoting: remark)
    }
    append(",\"required\":[")
    for (index, field) in fields.filter(\.isRequired).enumerated() {
      if index > 0 { append(",") }
      append(quoting: field.name)
    }
    append("],\"properties\":{")
    for (index, field) in fields.enumerated() {
      if index > 0 { append(",") }
      append(quoting: field.name)
      append(":")
      appendSchema(of: field)
    }
    append("}}")
  }

  private mutating func appendSchema(of field: TopicField) {
    switch field.content {
    case .object(let fields): return appendSchema(title: nil, fields, remark: field.remark)
    case .integer: append("{\"type\":\"integer\"")
    case .number: append("{\"type\":\"number\"")
    case .boolean: append("{\"type\":\"boolean\"")
    case .string: append("{\"type\":\"string\"")
    }
    if !field.remark.isEmpty {
      append(",\"description\":")
      append(quoting: field.remark)
    }
    append("}")
  }
}
