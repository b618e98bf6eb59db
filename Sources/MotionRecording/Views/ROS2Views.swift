// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// The samples as ROS 2 programs want them: `sensor_msgs` on `/imu/…`, in CDR.
///
/// An `Imu` message joins what comes apart: one leaves for each gyroscope sample, with the accelerometer's latest
/// reading and, where fused motion is among the items, its attitude at the same time, turned to east-north-up. What is
/// missing or older than 50 ms is marked as not measured.
package struct ROS2Views: TopicView {
  /// How far the parts of one message may be apart in time.
  private static let tolerance = SensorDuration.milliseconds(50)

  /// A channel that the view may have.
  private struct Slot {
    let topic: String
    let type: ROS2MessageType
    /// Has the channel where the recording has one of these.
    let kinds: SensorKinds

    static let imu = Slot(topic: "/imu/data", type: .imu, kinds: [.accelerometer, .gyroscope, .motion])
    static let magneticField = Slot(topic: "/imu/mag", type: .magneticField, kinds: .magnetometer)
    static let pressure = Slot(topic: "/imu/pressure", type: .fluidPressure, kinds: .airPressure)
    static let waterPressure = Slot(topic: "/imu/water_pressure", type: .fluidPressure, kinds: .waterPressure)
    static let temperature = Slot(topic: "/imu/temperature", type: .temperature, kinds: .temperature)
    static let all = [imu, magneticField, pressure, waterPressure, temperature]
  }

  package let channels: [TopicViewChannel]
  private let slots: [Slot]
  private let kinds: SensorKinds
  private let frameID: String
  private let wallOffset: SensorDuration
  private var accelerometer: AccelerometerSample?
  private var attitude: (time: SensorInstant, rotation: Rotation<Device, EastNorthUp>)?
  /// A gyroscope sample that waits for the attitude of its own time.
  private var waiting: (sample: GyroscopeSample, receivedAt: SensorInstant?)?

  /// Views of one device's recording: a channel for each sensor that it has. Stamps are Unix time where the description
  /// knows it.
  package init(_ description: RecordingDescription) {
    let device = description.device
    let kinds = description.info.kinds
    let slots = Slot.all.filter { !$0.kinds.isDisjoint(with: kinds) }
    channels = slots.map { slot in
      TopicViewChannel(
        topic: device.isEmpty ? slot.topic : "/\(device)\(slot.topic)", messageEncoding: "cdr",
        schemaName: slot.type.schemaName, schemaEncoding: "ros2msg", schema: Array(slot.type.schema.utf8),
        // The profile `ros2` demands the key; empty = the defaults.
        metadata: ["offered_qos_profiles": ""])
    }
    (self.kinds, self.slots) = (kinds, slots)
    frameID = device.isEmpty ? "imu" : "\(device)_imu"
    wallOffset = description.wallOffset ?? .zero
  }

  /// The messages that follow from an item: at most two, in the order of their times.
  package mutating func messages(for item: RecordedItem) -> [TopicViewMessage] {
    guard case .sample(let sample, let receivedAt) = item else { return [] }
    switch sample {
    case .inertial(let sample):
      accelerometer = sample.accelerometer
      return update(sample.gyroscope, receivedAt)
    case .gyroscope(let sample): return update(sample, receivedAt)
    case .accelerometer(let sample):
      accelerometer = sample
      guard !kinds.contains(.gyroscope) else { return [] }
      return message(.imu, sample.time, receivedAt) {
        .imu($0, attitude: nil, angularVelocity: nil, specificForce: sample.specificForce)
      }
    case .motion(let sample): return update(sample, receivedAt)
    case .magnetometer(let sample):
      return message(.magneticField, sample.time, receivedAt) { .magneticField($0, sample.magneticField) }
    case .pressure(let sample):
      return message(sample.medium == .air ? .pressure : .waterPressure, sample.time, receivedAt) {
        .fluidPressure($0, sample.pressure)
      }
    case .temperature(let sample):
      return message(.temperature, sample.time, receivedAt) { .temperature($0, sample.temperature) }
    }
  }

  /// The last gyroscope sample, if it still waits for its attitude.
  package mutating func finish() -> [TopicViewMessage] { release() }

  private mutating func update(_ sample: GyroscopeSample, _ receivedAt: SensorInstant?) -> [TopicViewMessage] {
    let before = release()
    waiting = (sample, receivedAt)
    // Where nothing is fused nothing is waited for.
    return before + (attitude == nil ? release() : [])
  }

  private mutating func update(_ sample: MotionRow, _ receivedAt: SensorInstant?) -> [TopicViewMessage] {
    let rotation = sample.attitude.map { ROS2Frames.eastNorthUp * $0 }
    attitude = rotation.map { (sample.time, $0) }
    guard kinds.isDisjoint(with: .inertial) else {
      return waiting.map { $0.sample.time <= sample.time } == true ? release() : []
    }
    let force = (sample.gravity + sample.linearAcceleration) * sample.accelerationUnit.scale
    return message(.imu, sample.time, receivedAt) {
      .imu($0, attitude: rotation, angularVelocity: sample.angularVelocity, specificForce: force)
    }
  }

  private mutating func release() -> [TopicViewMessage] {
    guard let (sample, receivedAt) = waiting else { return [] }
    waiting = nil
    func isNear(_ time: SensorInstant) -> Bool {
      max(time - sample.time, sample.time - time) <= Self.tolerance
    }
    let force = accelerometer.flatMap { isNear($0.time) ? $0.specificForce : nil }
    let rotation = attitude.flatMap { isNear($0.time) ? $0.rotation : nil }
    return message(.imu, sample.time, receivedAt) {
      .imu($0, attitude: rotation, angularVelocity: sample.angularVelocity, specificForce: force)
    }
  }

  /// None for a sensor that the description does not know, and beyond the years that a ROS time can write.
  private func message(
    _ slot: Slot, _ time: SensorInstant, _ receivedAt: SensorInstant?, _ make: (ROS2Header) -> ROS2Message
  ) -> [TopicViewMessage] {
    guard let channel = slots.firstIndex(where: { $0.topic == slot.topic }), let stamp = ROS2Time(time + wallOffset)
    else { return [] }
    let body = make(ROS2Header(stamp: stamp, frameID: frameID)).encoded()
    return [TopicViewMessage(channel: channel, time: time, receivedAt: receivedAt, body: body)]
  }
}
