// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// A topic: the name of its type, its properties in the order in which they are written, and what a message of it
/// becomes. ``TopicEncoder`` appends the values in the same order; the first is the time.
struct TopicForm: Sendable {
  /// Takes the values behind the time; nil where one of them cannot be.
  typealias Maker<Value> = @Sendable (SensorInstant, inout TopicValues) -> Value?

  enum Content: Sendable { case sample(Maker<SensorSample>), event(Maker<RecordingEvent>) }

  let typeName: String
  let fields: [TopicField]
  let content: Content

  private init(_ name: String, _ fields: [TopicField], _ content: Content) {
    (typeName, self.fields, self.content) = ("opencoremotion.\(name)", fields, content)
  }

  private static func sample(
    _ name: String, _ fields: [TopicField], _ make: @escaping Maker<SensorSample>
  ) -> TopicForm {
    TopicForm(name, fields, .sample(make))
  }

  private static func event(
    _ name: String, _ fields: TopicField..., make: @escaping Maker<RecordingEvent>
  ) -> TopicForm {
    TopicForm(name, [nanoseconds] + fields, .event(make))
  }
}

/// The table of topics. `/sensor/…` and `/event/…` are SI; `/motion/…` has Core Motion's names, units and signs.
extension TopicForm {
  /// Made once: a writer asks for them at each message.
  fileprivate static let all: [Topic.Kind: TopicForm] = [
    .accelerometer: sample("Accelerometer", sensor("specific force, m/s^2")) {
      .accelerometer(AccelerometerSample(time: $0, specificForce: $1.vector()))
    },
    .gyroscope: sample("Gyroscope", sensor("rotation rate, rad/s"), rotation),
    .magnetometer: sample("Magnetometer", sensor("magnetic field, uncalibrated, tesla")) {
      .magnetometer(MagnetometerSample(time: $0, magneticField: $1.vector()))
    },
    .pressure: pressure(.air), .waterPressure: pressure(.water),
    .temperature: sample("Temperature", [nanoseconds, TopicField("temperature", .number, celsius)]) {
      .temperature(TemperatureSample(time: $0, temperature: $1.number()))
    },
    .motionAccelerometer: sample("CMAccelerometerData", [seconds, TopicField("acceleration", gravities)]) {
      .accelerometer(AccelerometerSample(time: $0, reading: $1.vector(), unit: .reversedGravity))
    },
    .motionGyro: sample("CMGyroData", [seconds, TopicField("rotationRate", rates)], rotation),
    .motionMagnetometer: sample("CMMagnetometerData", [seconds, TopicField("magneticField", microteslas)]) {
      .magnetometer(MagnetometerSample(time: $0, reading: $1.vector(), unit: .microtesla))
    },
    .deviceMotion: sample("CMDeviceMotion", MotionProperty.fields, recordedMotion),
    .headphoneMotion: sample("CMDeviceMotion", MotionProperty.fields, recordedMotion),
    .connection: event("Connection", .string("device"), TopicField("connected", .boolean)) { time, values in
      values.text().map { .connection(time, device: $0, isConnected: values.boolean()) }
    },
    .error: event(
      "ServiceError", .string("service"), .string("domain"), .integer("code"), .string("message")
    ) { time, values in
      guard let service = values.text(), let domain = values.text(), let code = values.integer(),
        let message = values.text()
      else { return nil }
      return .error(time, service: service, domain: domain, code: Int(code), message: message)
    },
    .gap: event("Gap", .string("service"), .integer("duration_ns"), .optional("lost", .integer, "samples")) {
      time, values in
      guard let service = values.text(), let duration = values.integer() else { return nil }
      let lost = values.integer().map { Int(claimed: $0) }
      return .gap(time, service: service, duration: SensorDuration(nanoseconds: duration), lost: lost)
    },
  ]

  private static func sensor(_ remark: String) -> [TopicField] { [nanoseconds] + TopicField.vector(remark) }

  private static func pressure(_ medium: PressureSample.Medium) -> TopicForm {
    let fields: [TopicField] = [
      nanoseconds, TopicField("pressure", .number, "absolute, pascal"), .optional("temperature", .number, celsius),
    ]
    return sample("Pressure", fields) {
      .pressure(PressureSample(time: $0, pressure: $1.number(), temperature: $1.optional(), medium: medium))
    }
  }

  private static let rotation: Maker<SensorSample> = {
    .gyroscope(GyroscopeSample(time: $0, angularVelocity: $1.vector()))
  }

  private static let recordedMotion: Maker<SensorSample> = { time, values in
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

  private static let nanoseconds = TopicField.integer("timestamp_ns", "nanoseconds on the recording's monotonic clock")
  static let seconds = TopicField("timestamp", .seconds, "seconds on the recording's monotonic clock")
  private static let celsius = "degrees Celsius"
  static let gravities = TopicField.Content.object(TopicField.vector("g, -1 on z at rest face up"))
  static let rates = TopicField.Content.object(TopicField.vector("rad/s"))
  private static let microteslas = TopicField.Content.object(TopicField.vector("microtesla"))
}

extension Topic.Kind {
  /// Its row in the table of topics.
  var form: TopicForm {
    guard let form = TopicForm.all[self] else { preconditionFailure("The table of topics lacks \(rawValue).") }
    return form
  }

  /// The properties of the messages.
  var fields: [TopicField] { form.fields }
}

extension Topic {
  /// The name of the messages' type: "opencoremotion.Gyroscope".
  package var typeName: String { kind.form.typeName }

  /// The JSON schema of the messages.
  package var schema: String {
    var text = JSONText()
    text.appendSchema(title: typeName, kind.fields)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  /// What its messages are made of.
  var channel: TopicViewChannel {
    TopicViewChannel(
      topic: name, messageEncoding: "json", schemaName: typeName, schemaEncoding: "jsonschema",
      schema: Array(schema.utf8))
  }
}
