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

  /// Hands the messages of an item to `receiver` one after the other; nothing is allocated for samples.
  public mutating func encode(_ item: RecordedItem, _ receiver: Receiver) throws(SensorError) {
    switch item {
    case .sample(let sample, _): try encode(sample, receiver)
    case .event(let event, _):
      text.removeAll()
      let kind = text.append(event)
      try emit(kind, event.time, receiver)
    case .truth(let pose, _):
      text.removeAll()
      text.append(pose, wallOffset: wallOffset)
      try emit(.truthPose, pose.time, receiver)
    }
  }

  private mutating func encode(_ sample: SensorSample, _ receiver: Receiver) throws(SensorError) {
    switch sample {
    case .accelerometer(let sample): try encode(sample, receiver)
    case .gyroscope(let sample): try encode(sample, receiver)
    case .inertial(let sample):
      try encode(sample.accelerometer, receiver)
      try encode(sample.gyroscope, receiver)
    case .magnetometer(let sample):
      text.removeAll()
      let isMicrotesla = sample.unit == .microtesla
      if isMicrotesla {
        text.append(seconds: sample.time, "magneticField", sample.reading)
      } else {
        text.append(nanoseconds: sample.time, sample.magneticField)
      }
      try emit(isMicrotesla ? .motionMagnetometer : .magnetometer, sample.time, receiver)
    case .pressure(let sample):
      text.removeAll()
      text.appendTime(nanoseconds: sample.time)
      text.append(",\"pressure\":")
      text.append(sample.pressure)
      if let temperature = sample.temperature {
        text.append(",\"temperature\":")
        text.append(temperature)
      }
      text.append("}")
      try emit(sample.medium == .air ? .pressure : .waterPressure, sample.time, receiver)
    case .temperature(let sample):
      text.removeAll()
      text.appendTime(nanoseconds: sample.time)
      text.append(",\"temperature\":")
      text.append(sample.temperature)
      text.append("}")
      try emit(.temperature, sample.time, receiver)
    case .fusedMotion(let sample):
      text.removeAll()
      text.append(sample)
      let isHeadphones = isHeadphones || sample.location != .device
      try emit(isHeadphones ? .headphoneMotion : .deviceMotion, sample.time, receiver)
    }
  }

  private mutating func encode(_ sample: AccelerometerSample, _ receiver: Receiver) throws(SensorError) {
    text.removeAll()
    let isMotion = sample.unit == .reversedGravity
    isAccelerometerOfMotionFamily = isMotion
    if isMotion {
      text.append(seconds: sample.time, "acceleration", sample.reading)
    } else {
      text.append(nanoseconds: sample.time, sample.specificForce)
    }
    try emit(isMotion ? .motionAccelerometer : .accelerometer, sample.time, receiver)
  }

  private mutating func encode(_ sample: GyroscopeSample, _ receiver: Receiver) throws(SensorError) {
    text.removeAll()
    let isMotion = isGyroscopeOfMotionFamily ?? isAccelerometerOfMotionFamily
    isGyroscopeOfMotionFamily = isMotion
    if isMotion {
      text.append(seconds: sample.time, "rotationRate", sample.angularVelocity)
    } else {
      text.append(nanoseconds: sample.time, sample.angularVelocity)
    }
    try emit(isMotion ? .motionGyro : .gyroscope, sample.time, receiver)
  }

  private func emit(_ kind: Topic.Kind, _ time: SensorInstant, _ receiver: Receiver) throws(SensorError) {
    try text.bytes.withUnsafeBufferPointer { (bytes) throws(SensorError) in
      try receiver(Topic(kind, device: device), time, UnsafeRawBufferPointer(bytes))
    }
  }
}
