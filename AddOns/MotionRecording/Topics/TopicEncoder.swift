// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

/// Turns what a source delivers into the messages of a recording or a live stream.
///
/// ```swift
/// var encoder = TopicEncoder(description)
/// for message in encoder.messages(for: .sample(sample, receivedAt: now)) { … }
/// ```
///
/// The family follows the numbers' unit: SI goes to `/sensor/…`, Core Motion's g and µT to `/motion/…`, digit for
/// digit. A unit of another kind (a logger that divided by 9.81) is multiplied out to SI. Gyroscopes, in rad/s
/// everywhere, follow the accelerometer that came before them.
package struct TopicEncoder {
  /// Takes one message: what it is about, when it was measured, and a JSON object.
  package typealias Receiver = (Topic, SensorInstant, [UInt8]) throws(SensorError) -> Void

  private let device: String
  private let isHeadphones: Bool
  private var isAccelerometerOfMotionFamily: Bool
  /// Decided at the first sample, so that one sensor stays on one topic.
  private var isGyroscopeOfMotionFamily: Bool?
  private var text = JSONText(capacity: 1024)
  private var values: [TopicValue] = []

  /// An encoder for one device.
  package init(_ description: RecordingDescription) {
    device = description.device
    isHeadphones = description.info.deviceClass == .headphones
    isAccelerometerOfMotionFamily = description.sign == "apple"
  }

  /// The messages of an item: two for a sample of an inertial chip, else one.
  package mutating func messages(for item: RecordedItem) -> [TopicMessage] {
    var messages: [TopicMessage] = []
    // The receiver throws nothing, so neither does this.
    try? encode(item) { (topic, time, body) throws(SensorError) in
      messages.append(TopicMessage(topic: topic, time: time, receivedAt: item.receivedAt, body: body))
    }
    return messages
  }

  /// Passes the messages of an item to `receiver` one after the other; nothing is allocated for samples.
  package mutating func encode(_ item: RecordedItem, _ receiver: Receiver) throws(SensorError) {
    var text = exchange(&self.text, with: JSONText())
    defer { self.text = text }
    try forEachMessage(of: item) { (topic, time, values) throws(SensorError) in
      text.removeAll()
      text.append(topic.kind.fields, values)
      try receiver(topic, time, text.bytes)
    }
  }

  /// The same before anything is written: the values of each message, in the order of the topic's fields.
  mutating func forEachMessage(
    of item: RecordedItem, _ body: (Topic, SensorInstant, [TopicValue]) throws(SensorError) -> Void
  ) throws(SensorError) {
    // The two readings of an inertial sample are a message each.
    if case .sample(.inertial(let sample), let receivedAt) = item {
      try forEachMessage(of: .sample(.accelerometer(sample.accelerometer), receivedAt: receivedAt), body)
      return try forEachMessage(of: .sample(.gyroscope(sample.gyroscope), receivedAt: receivedAt), body)
    }
    values.removeAll(keepingCapacity: true)
    let kind =
      switch item {
      case .sample(let sample, _): fill(sample)
      case .event(let event, _): fill(event)
      }
    try body(Topic(kind, device: device), item.time, values)
  }

  /// The values of a sample; returns its topic.
  private mutating func fill(_ sample: SensorSample) -> Topic.Kind {
    switch sample {
    case .accelerometer(let sample):
      let isMotion = sample.unit == .reversedGravity
      isAccelerometerOfMotionFamily = isMotion
      fill(sample.time, isMotion ? sample.reading : sample.specificForce, isMotion)
      return isMotion ? .motionAccelerometer : .accelerometer
    case .gyroscope(let sample):
      let isMotion = isGyroscopeOfMotionFamily ?? isAccelerometerOfMotionFamily
      isGyroscopeOfMotionFamily = isMotion
      fill(sample.time, sample.angularVelocity, isMotion)
      return isMotion ? .motionGyro : .gyroscope
    case .inertial: preconditionFailure("taken apart by the caller")
    case .magnetometer(let sample):
      let isMotion = sample.unit == .microtesla
      fill(sample.time, isMotion ? sample.reading : sample.magneticField, isMotion)
      return isMotion ? .motionMagnetometer : .magnetometer
    case .pressure(let sample):
      values += [.integer(sample.time.nanoseconds), .number(sample.pressure), .optional(sample.temperature)]
      return sample.medium == .air ? .pressure : .waterPressure
    case .temperature(let sample):
      values += [.integer(sample.time.nanoseconds), .number(sample.temperature)]
      return .temperature
    case .motion(let sample):
      for leaf in MotionProperty.leaves { values.append(leaf(sample)) }
      return isHeadphones || sample.location != .device ? .headphoneMotion : .deviceMotion
    }
  }

  /// A time and three axes: `/motion/…` is stamped in seconds, `/sensor/…` in nanoseconds.
  private mutating func fill(_ time: SensorInstant, _ vector: Vector3<Device>, _ isMotion: Bool) {
    values.append(isMotion ? .number(time.seconds) : .integer(time.nanoseconds))
    values.append(.number(vector.x))
    values.append(.number(vector.y))
    values.append(.number(vector.z))
  }

  /// The values of an event; returns its topic.
  private mutating func fill(_ event: RecordingEvent) -> Topic.Kind {
    values.append(.integer(event.time.nanoseconds))
    switch event {
    case .connection(_, let device, let isConnected):
      values += [.text(device), .boolean(isConnected)]
      return .connection
    case .error(_, let service, let domain, let code, let message):
      values += [.text(service), .text(domain), .integer(Int64(code)), .text(message)]
      return .error
    case .gap(_, let service, let duration, let lost):
      values += [.text(service), .integer(duration.nanoseconds), lost.map { .integer(Int64($0)) } ?? .absent]
      return .gap
    }
  }
}

/// The value of one leaf of a topic's table of fields. A message is a list of them, depth first; JSON and tidy tables
/// are written from it.
enum TopicValue: Sendable {
  /// The property, or the object that it is the first leaf of, is left out.
  case absent
  case integer(Int64)
  /// `null` in JSON and an empty cell in a table where it is not finite.
  case number(Double)
  /// A time that was decoded, and the nearest nanosecond of its digits; nil = out of range.
  case seconds(Double, nanoseconds: Int64?)
  case boolean(Bool)
  case text(String)

  static func optional(_ number: Double?) -> TopicValue { number.map { .number($0) } ?? .absent }
}

extension JSONText {
  /// A message: an object of the fields with their values.
  mutating func append(_ fields: [TopicField], _ values: [TopicValue]) {
    var next = 0
    append("{")
    append(members: fields, values, &next)
  }

  /// The members of an object that has begun, and its end.
  mutating func append(members fields: [TopicField], _ values: [TopicValue], _ next: inout Int) {
    var isFirst = true
    for field in fields {
      if case .absent = values[next] {
        next += field.leafCount
        continue
      }
      if !isFirst { append(",") }
      isFirst = false
      append(raw: field.key)
      if case .object(let parts) = field.content {
        append("{")
        append(members: parts, values, &next)
      } else {
        append(values[next])
        next += 1
      }
    }
    append("}")
  }

  private mutating func append(_ value: TopicValue) {
    switch value {
    case .absent: append("null")
    case .integer(let value): append(value)
    case .number(let value), .seconds(let value, _): append(value)
    case .boolean(let value): append(value)
    case .text(let text): append(quoting: text)
    }
  }

  /// The same value as a cell of a table, where control characters other than line ends and tabs have no place.
  mutating func append(cell value: TopicValue) {
    switch value {
    case .absent: break
    case .integer(let value): append(value)
    case .number(let value), .seconds(let value, _): if value.isFinite { append(value) }
    case .boolean(let value): append(value)
    case .text(let text):
      append(csv: String(decoding: text.utf8.filter { $0 >= 0x20 || $0 == 0x0A || $0 == 0x09 }, as: UTF8.self))
    }
  }
}
