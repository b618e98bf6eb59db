// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// A topic: the name of its type, its properties in the order in which they are written, and what a message of it becomes; nil for
/// results of services, which no source delivers. ``TopicEncoder`` appends the values in the same order.
struct TopicForm: Sendable {
  var typeName: String
  var fields: [TopicField]
  var decode: (@Sendable (inout TopicValues) -> RecordedItem?)?

  init(
    _ typeName: String, _ fields: [TopicField], decode: (@Sendable (inout TopicValues) -> RecordedItem?)? = nil
  ) {
    (self.typeName, self.fields, self.decode) = (typeName, fields, decode)
  }

  /// A topic of samples, whose messages begin with their time.
  init(
    sample typeName: String, _ fields: [TopicField],
    _ make: @escaping @Sendable (SensorInstant, inout TopicValues) -> SensorSample?
  ) {
    self.init(typeName, fields) { values in
      values.instant().flatMap { make($0, &values) }.map { .sample($0) }
    }
  }

  /// A topic of events, likewise.
  init(
    event typeName: String, _ fields: [TopicField],
    _ make: @escaping @Sendable (SensorInstant, inout TopicValues) -> RecordingEvent?
  ) {
    self.init(typeName, [Self.nanoseconds] + fields) { values in
      values.instant().flatMap { make($0, &values) }.map { .event($0) }
    }
  }

  fileprivate static let nanoseconds = TopicField(
    "timestamp_ns", .integer, "nanoseconds on the recording's monotonic clock")
}

/// The table of topics. `/sensor/…` and `/event/…` are SI; `/motion/…` has Core Motion's names, units and signs.
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

  var form: TopicForm { Self.forms[self] ?? TopicForm("", []) }

  /// Made once: a writer asks for them at each message.
  private static let forms = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.makeForm()) })

  private func makeForm() -> TopicForm {
    let name = "opencoremotion."
    switch self {
    case .accelerometer:
      return TopicForm(sample: name + "Accelerometer", Self.sensor("specific force, m/s^2")) {
        .accelerometer(AccelerometerSample(time: $0, specificForce: $1.vector()))
      }
    case .gyroscope:
      return TopicForm(sample: name + "Gyroscope", Self.sensor("rotation rate, rad/s"), Self.rotation)
    case .magnetometer:
      return TopicForm(sample: name + "Magnetometer", Self.sensor("magnetic field, uncalibrated, tesla")) {
        .magnetometer(MagnetometerSample(time: $0, magneticField: $1.vector()))
      }
    case .pressure, .waterPressure:
      let fields = [
        TopicForm.nanoseconds, TopicField("pressure", .number, "absolute, pascal"),
        .optional("temperature", .number, "degrees Celsius"),
      ]
      return TopicForm(sample: name + "Pressure", fields) { [self] in
        .pressure(
          PressureSample(
            time: $0, pressure: $1.number(), temperature: $1.optional(), medium: self == .pressure ? .air : .water))
      }
    case .temperature:
      let fields = [TopicForm.nanoseconds, TopicField("temperature", .number, "degrees Celsius")]
      return TopicForm(sample: name + "Temperature", fields) {
        .temperature(TemperatureSample(time: $0, temperature: $1.number()))
      }
    case .orientation:
      return TopicForm(
        name + "Orientation",
        [
          TopicForm.nanoseconds, TopicField("w", .number, "unit quaternion, device to reference"), TopicField("x"),
          TopicField("y"), TopicField("z"),
          TopicField("reference", .string, "arbitrary, east_north_up_magnetic or east_north_up_true"),
        ])
    case .motionAccelerometer, .batchedAccelerometer:
      let isBatched = self == .batchedAccelerometer
      return TopicForm(
        sample: name + (isBatched ? "BatchedAccelerometerData" : "CMAccelerometerData"),
        [Self.seconds, TopicField("acceleration", Self.gravities)] + (isBatched ? [Self.batch] : [])
      ) { .accelerometer(AccelerometerSample(time: $0, reading: $1.vector(), unit: .reversedGravity)) }
    case .motionGyro:
      return TopicForm(
        sample: name + "CMGyroData", [Self.seconds, TopicField("rotationRate", Self.rates)], Self.rotation)
    case .motionMagnetometer:
      return TopicForm(
        sample: name + "CMMagnetometerData", [Self.seconds, TopicField("magneticField", Self.microteslas)]
      ) { .magnetometer(MagnetometerSample(time: $0, reading: $1.vector(), unit: .microtesla)) }
    case .deviceMotion, .headphoneMotion:
      return TopicForm(sample: name + "CMDeviceMotion", Self.motion, Self.recordedMotion)
    case .batchedDeviceMotion:
      return TopicForm(sample: name + "BatchedDeviceMotion", Self.motion + [Self.batch], Self.recordedMotion)
    case .connection:
      let fields = [TopicField("device", .string), TopicField("connected", .boolean)]
      return TopicForm(event: name + "Connection", fields) { time, values in
        values.text().map { .connection(time, device: $0, isConnected: values.boolean()) }
      }
    case .availability:
      let fields = [
        TopicField("service", .string), TopicField("available", .boolean),
        TopicField("authorization", .integer, "raw value of CMAuthorizationStatus"),
      ]
      return TopicForm(event: name + "Availability", fields) { time, values in
        let (service, isAvailable) = (values.text(), values.boolean())
        guard let service, let authorization = values.integer() else { return nil }
        return .availability(time, service: service, isAvailable: isAvailable, authorization: Int(authorization))
      }
    case .error:
      let fields = [
        TopicField("service", .string), TopicField("domain", .string), TopicField("code", .integer),
        TopicField("message", .string),
      ]
      return TopicForm(event: name + "ServiceError", fields) { time, values in
        guard let service = values.text(), let domain = values.text(), let code = values.integer(),
          let message = values.text()
        else { return nil }
        return .error(time, service: service, domain: domain, code: Int(code), message: message)
      }
    case .gap:
      let fields = [
        TopicField("service", .string), TopicField("duration_ns", .integer), .optional("lost", .integer, "samples"),
      ]
      return TopicForm(event: name + "Gap", fields) { time, values in
        guard let service = values.text(), let duration = values.integer() else { return nil }
        return .gap(
          time, service: service, duration: SensorDuration(nanoseconds: duration),
          lost: values.integer().map { Int($0) })
      }
    case .annotation:
      return TopicForm(event: name + "Annotation", [TopicField("text", .string)]) { time, values in
        values.text().map { .annotation(time, text: $0) }
      }
    case .truthPose:
      return TopicForm("foxglove.PoseInFrame", Self.pose) { values in
        guard let time = values.unixInstant(), let frame = values.text() else { return nil }
        let (position, turn) = (values.vector(), values.vector())
        return .truth(
          TruthPose(
            time: time, frame: frame, position: (position.x, position.y, position.z),
            orientation: (values.number(), turn.x, turn.y, turn.z)))
      }
    case .location:
      return TopicForm(
        "foxglove.LocationFix",
        [
          Self.unixTime, TopicField("frame_id", .string), TopicField("latitude", .number, "degrees"),
          TopicField("longitude", .number, "degrees"), TopicField("altitude", .number, "metre"),
        ])
    default: return serviceForm
    }
  }

  /// Results of Core Motion's services.
  private var serviceForm: TopicForm {
    let name = "opencoremotion."
    switch self {
    case .altitude:
      return TopicForm(
        name + "CMAltitudeData",
        [Self.seconds, TopicField("relativeAltitude", .number, "metre"), TopicField("pressure", .number, "kilopascal")])
    case .absoluteAltitude:
      return TopicForm(
        name + "CMAbsoluteAltitudeData",
        [Self.seconds] + ["altitude", "accuracy", "precision"].map { TopicField($0, .number, "metre") })
    case .ambientPressure:
      return TopicForm(
        name + "CMAmbientPressureData",
        [
          Self.seconds, TopicField("pressure", .number, "kilopascal"),
          TopicField("temperature", .number, "degrees Celsius"),
        ])
    case .activity:
      return TopicForm(
        name + "CMMotionActivity",
        [Self.seconds, TopicField("startDate", .number, "Unix seconds")]
          + ["stationary", "walking", "running", "automotive", "cycling", "unknown"].map { TopicField($0, .boolean) }
          + [TopicField("confidence", .integer, "0 low, 1 medium, 2 high")])
    case .pedometer:
      return TopicForm(
        name + "CMPedometerData",
        [
          TopicField("startDate", .seconds, "Unix seconds"), TopicField("endDate", .number, "Unix seconds"),
          TopicField("numberOfSteps", .integer), .optional("distance", .number, "metre"),
          .optional("floorsAscended", .integer), .optional("floorsDescended", .integer),
          .optional("currentPace", .number, "s/m"), .optional("currentCadence", .number, "steps/s"),
          .optional("averageActivePace", .number, "s/m"),
        ])
    case .pedometerEvent:
      return TopicForm(
        name + "CMPedometerEvent", [Self.date, TopicField("type", .integer, "0 pause, 1 resume")])
    case .submersionEvent:
      return TopicForm(name + "CMWaterSubmersionEvent", [Self.date, TopicField("state", .integer)])
    case .submersionMeasurement:
      return TopicForm(
        name + "CMWaterSubmersionMeasurement",
        [
          Self.date, .optional("depth", .number, "metre"), .optional("pressure", .number, "kilopascal"),
          TopicField("surfacePressure", .number, "kilopascal"), TopicField("submersionState", .integer),
        ])
    default:
      return TopicForm(
        name + "CMWaterTemperature",
        [
          Self.date, TopicField("temperature", .number, "degrees Celsius"),
          TopicField("temperatureUncertainty", .number, "degrees Celsius"),
        ])
    }
  }

  private static func sensor(_ remark: String) -> [TopicField] { [TopicForm.nanoseconds] + TopicField.vector(remark) }

  private static let rotation: @Sendable (SensorInstant, inout TopicValues) -> SensorSample? = {
    .gyroscope(GyroscopeSample(time: $0, angularVelocity: $1.vector()))
  }

  private static let recordedMotion: @Sendable (SensorInstant, inout TopicValues) -> SensorSample? = { time, values in
    let (vector, w, rate) = (values.vector(), values.number(), values.vector())
    let (gravity, acceleration) = (values.vector(), values.vector())
    let (reading, accuracy) = (values.vector(), values.integer())
    let (heading, headingAccuracy) = (values.degrees(), values.degrees())
    let (place, frame) = (values.integer() ?? 0, values.integer() ?? 1)
    var field: FusedMotionSample.CalibratedField?
    if !reading.x.isNaN {
      guard let accuracy, (-1...2).contains(accuracy) else { return nil }
      field = FusedMotionSample.CalibratedField(reading: reading, unit: .microtesla, accuracy: Int8(accuracy))
    }
    guard [1, 2, 4, 8].contains(frame),
      let reference = FusedMotionSample.Reference(rawValue: UInt8(frame.trailingZeroBitCount)),
      let location = FusedMotionSample.Location(rawValue: UInt8(clamping: place))
    else { return nil }
    return .fusedMotion(
      FusedMotionSample(
        time: time, w: w, vector: vector, reference: reference, angularVelocity: rate, gravity: gravity,
        linearAcceleration: acceleration, accelerationUnit: .reversedGravity, field: field, heading: heading,
        headingAccuracy: headingAccuracy, location: location, inclinationDeviation: values.degrees(),
        headingDeviation: values.degrees()))
  }

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

  private static let seconds = TopicField("timestamp", .seconds, "seconds on the recording's monotonic clock")
  private static let date = TopicField("date", .seconds, "Unix seconds")
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
