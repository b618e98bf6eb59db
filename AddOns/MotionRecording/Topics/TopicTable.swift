// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// A topic: the name of its type, its properties in the order in which they are written, and what a message of it
/// becomes; nil for results of services, which no source delivers. ``TopicEncoder`` appends the values in the same
/// order.
struct TopicForm: Sendable {
  var typeName: String
  var fields: [TopicField]
  var decode: (@Sendable (inout TopicValues) -> RecordedItem?)?

  private init(
    _ name: String, in package: String = "opencoremotion", _ fields: [TopicField],
    decode: (@Sendable (inout TopicValues) -> RecordedItem?)? = nil
  ) {
    (typeName, self.fields, self.decode) = ("\(package).\(name)", fields, decode)
  }

  /// A topic of samples, whose messages begin with their time.
  private static func sample(
    _ name: String, _ fields: [TopicField],
    _ make: @escaping @Sendable (SensorInstant, inout TopicValues) -> SensorSample?
  ) -> TopicForm {
    TopicForm(name, fields) { values in values.instant().flatMap { make($0, &values) }.map { .sample($0) } }
  }

  /// A topic of events, likewise.
  private static func event(
    _ name: String, _ fields: [TopicField],
    _ make: @escaping @Sendable (SensorInstant, inout TopicValues) -> RecordingEvent?
  ) -> TopicForm {
    TopicForm(name, [nanoseconds] + fields) { values in
      values.instant().flatMap { make($0, &values) }.map { .event($0) }
    }
  }
}

/// The table of topics. `/sensor/…` and `/event/…` are SI; `/motion/…` has Core Motion's names, units and signs.
extension TopicForm {
  /// Made once: a writer asks for them at each message.
  fileprivate static let all = sensors.merging(motion) { $1 }.merging(services) { $1 }.merging(others) { $1 }

  private static let sensors: [Topic.Kind: TopicForm] = [
    .accelerometer: sample("Accelerometer", sensor("specific force, m/s^2")) {
      .accelerometer(AccelerometerSample(time: $0, specificForce: $1.vector()))
    },
    .gyroscope: sample("Gyroscope", sensor("rotation rate, rad/s"), rotation),
    .magnetometer: sample("Magnetometer", sensor("magnetic field, uncalibrated, tesla")) {
      .magnetometer(MagnetometerSample(time: $0, magneticField: $1.vector()))
    },
    .pressure: pressure(.air), .waterPressure: pressure(.water),
    .temperature: sample("Temperature", [nanoseconds, .number("temperature", celsius)]) {
      .temperature(TemperatureSample(time: $0, temperature: $1.number()))
    },
    .orientation: TopicForm(
      "Orientation",
      [
        nanoseconds, .number("w", "unit quaternion, device to reference"), .number("x"), .number("y"), .number("z"),
        .string("reference", "arbitrary, east_north_up_magnetic or east_north_up_true"),
      ]),
  ]

  private static let motion: [Topic.Kind: TopicForm] = [
    .motionAccelerometer: acceleration("CMAccelerometerData"),
    .batchedAccelerometer: acceleration("BatchedAccelerometerData", [batch]),
    .motionGyro: sample("CMGyroData", [seconds, TopicField("rotationRate", rates)], rotation),
    .motionMagnetometer: sample("CMMagnetometerData", [seconds, TopicField("magneticField", microteslas)]) {
      .magnetometer(MagnetometerSample(time: $0, reading: $1.vector(), unit: .microtesla))
    },
    .deviceMotion: sample("CMDeviceMotion", MotionProperty.fields, recordedMotion),
    .headphoneMotion: sample("CMDeviceMotion", MotionProperty.fields, recordedMotion),
    .batchedDeviceMotion: sample("BatchedDeviceMotion", MotionProperty.fields + [batch], recordedMotion),
  ]

  /// Results of Core Motion's services.
  private static let services: [Topic.Kind: TopicForm] = [
    .altitude: TopicForm(
      "CMAltitudeData", [seconds, .number("relativeAltitude", "metre"), .number("pressure", "kilopascal")]),
    .absoluteAltitude: TopicForm(
      "CMAbsoluteAltitudeData", [seconds] + ["altitude", "accuracy", "precision"].map { .number($0, "metre") }),
    .ambientPressure: TopicForm(
      "CMAmbientPressureData", [seconds, .number("pressure", "kilopascal"), .number("temperature", celsius)]),
    .activity: TopicForm(
      "CMMotionActivity",
      [seconds, .number("startDate", "Unix seconds")]
        + ["stationary", "walking", "running", "automotive", "cycling", "unknown"].map { .boolean($0) }
        + [.integer("confidence", "0 low, 1 medium, 2 high")]),
    .pedometer: TopicForm(
      "CMPedometerData",
      [
        TopicField("startDate", .seconds, "Unix seconds"), .number("endDate", "Unix seconds"),
        .integer("numberOfSteps"), .optional("distance", .number, "metre"), .optional("floorsAscended", .integer),
        .optional("floorsDescended", .integer), .optional("currentPace", .number, "s/m"),
        .optional("currentCadence", .number, "steps/s"), .optional("averageActivePace", .number, "s/m"),
      ]),
    .pedometerEvent: TopicForm("CMPedometerEvent", [date, .integer("type", "0 pause, 1 resume")]),
    .submersionEvent: TopicForm("CMWaterSubmersionEvent", [date, .integer("state")]),
    .submersionMeasurement: TopicForm(
      "CMWaterSubmersionMeasurement",
      [
        date, .optional("depth", .number, "metre"), .optional("pressure", .number, "kilopascal"),
        .number("surfacePressure", "kilopascal"), .integer("submersionState"),
      ]),
    .waterTemperature: TopicForm(
      "CMWaterTemperature", [date, .number("temperature", celsius), .number("temperatureUncertainty", celsius)]),
  ]

  private static let others: [Topic.Kind: TopicForm] = [
    .connection: event("Connection", [.string("device"), .boolean("connected")]) { time, values in
      values.text().map { .connection(time, device: $0, isConnected: values.boolean()) }
    },
    .availability: event(
      "Availability",
      [
        .string("service"), .boolean("available"), .integer("authorization", "raw value of CMAuthorizationStatus"),
      ]
    ) { time, values in
      let (service, isAvailable) = (values.text(), values.boolean())
      guard let service, let authorization = values.integer() else { return nil }
      return .availability(time, service: service, isAvailable: isAvailable, authorization: Int(authorization))
    },
    .error: event(
      "ServiceError", [.string("service"), .string("domain"), .integer("code"), .string("message")]
    ) { time, values in
      guard let service = values.text(), let domain = values.text(), let code = values.integer(),
        let message = values.text()
      else { return nil }
      return .error(time, service: service, domain: domain, code: Int(code), message: message)
    },
    .gap: event(
      "Gap", [.string("service"), .integer("duration_ns"), .optional("lost", .integer, "samples")]
    ) { time, values in
      guard let service = values.text(), let duration = values.integer() else { return nil }
      let lost = values.integer().map { Int(claimed: $0) }
      return .gap(time, service: service, duration: SensorDuration(nanoseconds: duration), lost: lost)
    },
    .annotation: event("Annotation", [.string("text")]) { time, values in
      values.text().map { .annotation(time, text: $0) }
    },
    .truthPose: TopicForm("PoseInFrame", in: "foxglove", pose) { values in
      guard let time = values.unixInstant(), let frame = values.text() else { return nil }
      let (position, turn) = (values.vector(), values.vector())
      return .truth(
        TruthPose(
          time: time, frame: frame, position: (position.x, position.y, position.z),
          orientation: (values.number(), turn.x, turn.y, turn.z)))
    },
    .location: TopicForm(
      "LocationFix", in: "foxglove",
      [
        unixTime, .string("frame_id"), .number("latitude", "degrees"), .number("longitude", "degrees"),
        .number("altitude", "metre"),
      ]),
  ]

  private static func sensor(_ remark: String) -> [TopicField] { [nanoseconds] + TopicField.vector(remark) }

  private static func pressure(_ medium: PressureSample.Medium) -> TopicForm {
    let fields: [TopicField] = [
      nanoseconds, .number("pressure", "absolute, pascal"), .optional("temperature", .number, celsius),
    ]
    return sample("Pressure", fields) {
      .pressure(PressureSample(time: $0, pressure: $1.number(), temperature: $1.optional(), medium: medium))
    }
  }

  private static func acceleration(_ name: String, _ more: [TopicField] = []) -> TopicForm {
    sample(name, [seconds, TopicField("acceleration", gravities)] + more) {
      .accelerometer(AccelerometerSample(time: $0, reading: $1.vector(), unit: .reversedGravity))
    }
  }

  private static let rotation: @Sendable (SensorInstant, inout TopicValues) -> SensorSample? = {
    .gyroscope(GyroscopeSample(time: $0, angularVelocity: $1.vector()))
  }

  private static let recordedMotion: @Sendable (SensorInstant, inout TopicValues) -> SensorSample? = { time, values in
    let (vector, w, rate) = (values.vector(), values.number(), values.vector())
    let (gravity, acceleration) = (values.vector(), values.vector())
    let (reading, accuracy) = (values.vector(), values.integer())
    let (heading, headingAccuracy) = (values.degrees(), values.degrees())
    let (place, frame) = (values.integer() ?? 0, values.integer() ?? 1)
    var field: MotionRow.CalibratedField?
    if !reading.x.isNaN {
      guard let accuracy, (-1...2).contains(accuracy) else { return nil }
      field = MotionRow.CalibratedField(reading: reading, unit: .microtesla, accuracy: Int8(accuracy))
    }
    guard [1, 2, 4, 8].contains(frame),
      let reference = MotionRow.Reference(rawValue: UInt8(frame.trailingZeroBitCount)),
      let location = MotionRow.Location(rawValue: UInt8(clamping: place))
    else { return nil }
    return .motion(
      MotionRow(
        time: time, w: w, vector: vector, reference: reference, angularVelocity: rate, gravity: gravity,
        linearAcceleration: acceleration, accelerationUnit: .reversedGravity, field: field, heading: heading,
        headingAccuracy: headingAccuracy, location: location, inclinationDeviation: values.degrees(),
        headingDeviation: values.degrees()))
  }

  private static let unixTime = TopicField("timestamp", .object([.integer("sec"), .integer("nsec")]))

  private static let pose = [
    unixTime, .string("frame_id"),
    TopicField(
      "pose",
      .object([
        TopicField("position", .object(TopicField.vector("metre"))),
        TopicField("orientation", .object(TopicField.vector("unit quaternion") + [.number("w")])),
      ])),
  ]

  private static let nanoseconds = TopicField.integer("timestamp_ns", "nanoseconds on the recording's monotonic clock")
  static let seconds = TopicField("timestamp", .seconds, "seconds on the recording's monotonic clock")
  private static let date = TopicField("date", .seconds, "Unix seconds")
  private static let batch = TopicField.integer("batch", "index of the delivered array")
  private static let celsius = "degrees Celsius"
  static let gravities = TopicField.Content.object(TopicField.vector("g, -1 on z at rest face up"))
  static let rates = TopicField.Content.object(TopicField.vector("rad/s"))
  private static let microteslas = TopicField.Content.object(TopicField.vector("microtesla"))
}

extension Topic.Kind {
  /// "opencoremotion.Gyroscope".
  var typeName: String { form.typeName }

  /// The properties of the messages.
  var fields: [TopicField] { form.fields }

  /// The JSON schema of the messages.
  var schema: String {
    var text = JSONText()
    text.appendSchema(title: typeName, fields)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  /// Its row in the table of topics.
  var form: TopicForm {
    guard let form = TopicForm.all[self] else { preconditionFailure("The table of topics lacks \(rawValue).") }
    return form
  }
}
