// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// Turns what a source delivers into the messages of a recording or a live stream.
///
/// ```swift
/// var encoder = TopicEncoder(description)
/// for message in encoder.messages(for: .sample(sample, receivedAt: now)) { … }
/// ```
///
/// The family follows the numbers' unit: SI goes to `/sensor/…`, Core Motion's g and µT to `/motion/…`, digit for digit. A unit
/// of another kind (a logger that divided by 9.81) is multiplied out to SI. Gyroscopes, in rad/s everywhere, follow the
/// accelerometer that came before them.
public struct TopicEncoder {
  /// Takes one message: what it is about, when it was measured, and a JSON object that is valid during the call.
  public typealias Receiver = (Topic, SensorInstant, UnsafeRawBufferPointer) throws(SensorError) -> Void

  private let device: String
  private let isHeadphones: Bool
  private let wallOffset: SensorDuration
  private var isAccelerometerOfMotionFamily: Bool
  /// Decided at the first sample, so that one sensor stays on one topic.
  private var isGyroscopeOfMotionFamily: Bool?
  private var text = JSONText(capacity: 1024)
  private var values: [TopicValue] = []

  /// An encoder for one device.
  public init(_ description: RecordingDescription) {
    device = description.device
    isHeadphones = description.info.deviceClass == .headphones
    wallOffset = description.wallOffset ?? .zero
    isAccelerometerOfMotionFamily = description.sign == "apple"
  }

  /// The messages of an item: two for a sample of an inertial chip, else one.
  public mutating func messages(for item: RecordedItem) -> [TopicMessage] {
    var messages: [TopicMessage] = []
    // The receiver throws nothing, so neither does this.
    try? encode(item) { (topic, time, body) throws(SensorError) in
      messages.append(TopicMessage(topic: topic, time: time, receivedAt: item.receivedAt, body: Array(body)))
    }
    return messages
  }

  /// Passes the messages of an item to `receiver` one after the other; nothing is allocated for samples.
  public mutating func encode(_ item: RecordedItem, _ receiver: Receiver) throws(SensorError) {
    var text = exchange(&self.text, with: JSONText())
    defer { self.text = text }
    try forEachMessage(of: item) { (topic, time, values) throws(SensorError) in
      text.removeAll()
      text.append(topic.kind.fields, values)
      try text.bytes.withUnsafeBufferPointer { (bytes) throws(SensorError) in
        try receiver(topic, time, UnsafeRawBufferPointer(bytes))
      }
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
    let kind: Topic.Kind
    switch item {
    case .sample(let sample, _): kind = fill(sample)
    case .event(let event, _): kind = values.append(event)
    case .truth(let pose, _):
      values.append(pose, wallOffset: wallOffset)
      kind = .truthPose
    }
    try body(Topic(kind, device: device), item.time, values)
  }

  /// The values of a sample; returns its topic.
  private mutating func fill(_ sample: SensorSample) -> Topic.Kind {
    switch sample {
    case .accelerometer(let sample):
      let isMotion = sample.unit == .reversedGravity
      isAccelerometerOfMotionFamily = isMotion
      fill(isMotion, sample.time, isMotion ? sample.reading : sample.specificForce)
      return isMotion ? .motionAccelerometer : .accelerometer
    case .gyroscope(let sample):
      let isMotion = isGyroscopeOfMotionFamily ?? isAccelerometerOfMotionFamily
      isGyroscopeOfMotionFamily = isMotion
      fill(isMotion, sample.time, sample.angularVelocity)
      return isMotion ? .motionGyro : .gyroscope
    case .inertial: preconditionFailure("taken apart by the caller")
    case .magnetometer(let sample):
      let isMotion = sample.unit == .microtesla
      fill(isMotion, sample.time, isMotion ? sample.reading : sample.magneticField)
      return isMotion ? .motionMagnetometer : .magnetometer
    case .pressure(let sample):
      values.append(nanoseconds: sample.time)
      values.append(.number(sample.pressure))
      values.append(optional: sample.temperature)
      return sample.medium == .air ? .pressure : .waterPressure
    case .temperature(let sample):
      values.append(nanoseconds: sample.time)
      values.append(.number(sample.temperature))
      return .temperature
    case .fusedMotion(let sample):
      values.append(sample)
      return isHeadphones || sample.location != .device ? .headphoneMotion : .deviceMotion
    }
  }

  /// A time and three axes: `/motion/…` is stamped in seconds, `/sensor/…` in nanoseconds.
  private mutating func fill(_ isMotion: Bool, _ time: SensorInstant, _ vector: Vector3<Device>) {
    values.append(isMotion ? .number(time.seconds) : .integer(time.nanoseconds))
    values.append(vector)
  }
}
