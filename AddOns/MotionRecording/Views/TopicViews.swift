// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

/// A second look at the same items for other programs, in their message types: ROS 2 messages, Foxglove's transforms.
///
/// A writer asks for the channels once, then for the messages of each item; a view that needs several items for one
/// message (orientation with rates) keeps what it needs.
package protocol TopicView {
  /// Everything that the view may ever send; messages name a channel by its place in this list.
  var channels: [TopicViewChannel] { get }
  /// The messages that follow from an item, usually none or one.
  mutating func messages(for item: RecordedItem) -> [TopicViewMessage]
  /// What the view still keeps, once nothing more will come; nothing unless a view says otherwise.
  mutating func finish() -> [TopicViewMessage]
}

extension TopicView {
  package mutating func finish() -> [TopicViewMessage] { [] }
}

/// What a view's messages are made of.
package struct TopicViewChannel: Sendable, Hashable {
  /// "/imu/data".
  package var topic: String
  /// "cdr" or "json".
  package var messageEncoding: String
  /// "sensor_msgs/msg/Imu".
  package var schemaName: String
  /// "ros2msg" or "jsonschema".
  package var schemaEncoding: String
  /// The schema's text in UTF-8.
  package var schema: [UInt8]
  /// Further facts, such as ROS 2's `offered_qos_profiles`.
  package var metadata: [String: String] = [:]
}

/// One message of a view.
package struct TopicViewMessage: Sendable, Hashable {
  /// Which of ``TopicView/channels``, from 0.
  package var channel: Int
  /// The instant that it is about, on the recording's clock.
  package var time: SensorInstant
  /// When the recorder received what it was made of; nil = not known.
  package var receivedAt: SensorInstant?
  /// The encoded message.
  package var body: [UInt8]
}

/// Motion as Foxglove's 3D panel shows it: `/tf`, a transform from the device to the reference frame for each state of
/// motion.
///
/// Foxglove's message set has no type for an inertial unit; the numbers themselves are shown by the recording's own
/// topics.
package struct FoxgloveViews: TopicView {
  package let channels: [TopicViewChannel]
  private let child: String
  private let wallOffset: SensorDuration
  private var text = JSONText(capacity: 320)

  /// Views of one device's recording; time stamps are Unix time where the description knows it.
  package init(_ description: RecordingDescription) {
    let device = description.device
    child = device.isEmpty ? "device" : device
    wallOffset = description.wallOffset ?? .zero
    channels = [
      TopicViewChannel(
        topic: device.isEmpty ? "/tf" : "/\(device)/tf", messageEncoding: "json", schemaName: Self.typeName,
        schemaEncoding: "jsonschema", schema: Array(Self.schema.utf8))
    ]
  }

  /// A transform for fused motion whose four numbers are an attitude; nothing for anything else.
  package mutating func messages(for item: RecordedItem) -> [TopicViewMessage] {
    guard case .sample(.motion(let sample), let receivedAt) = item, let attitude = sample.attitude else {
      return []
    }
    text.removeAll()
    // Times before the epoch, which Foxglove's JSON cannot write, are the epoch.
    let (sec, nsec) = max(0, (sample.time + wallOffset).nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
    text.append(raw: "{\"timestamp\":{\"sec\":\(sec),\"nsec\":\(nsec)},\"parent_frame_id\":")
    text.append(quoting: sample.reference.frameName)
    text.append(",\"child_frame_id\":")
    text.append(quoting: child)
    text.append(",\"translation\":{\"x\":0,\"y\":0,\"z\":0},\"rotation\":{")
    let rotation: KeyValuePairs = ["x": attitude.x, "y": attitude.y, "z": attitude.z, "w": attitude.w]
    for (index, (name, value)) in rotation.enumerated() {
      text.append(raw: "\(index == 0 ? "" : ",")\"\(name)\":")
      text.append(value)
    }
    text.append("}}")
    return [TopicViewMessage(channel: 0, time: sample.time, receivedAt: receivedAt, body: text.bytes)]
  }
}

extension MotionRow.Reference {
  /// The frame's name for programs that know frames by name.
  var frameName: String {
    switch self {
    case .xArbitrary: "arbitrary"
    case .xArbitraryCorrected: "arbitrary_corrected"
    case .xMagneticNorth: "magnetic_north"
    case .xTrueNorth: "true_north"
    }
  }
}

extension FoxgloveViews {
  static let typeName = "foxglove.FrameTransform"

  /// The JSON schema of a transform, with the fields that we write. Source: Foxglove's public schema documentation.
  static let schema = object(
    [
      ("timestamp", object(["sec", "nsec"].map { ($0, #"{"type":"integer"}"#) }, title: "time")),
      ("parent_frame_id", #"{"type":"string"}"#), ("child_frame_id", #"{"type":"string"}"#),
      ("translation", numbers(["x", "y", "z"], title: "foxglove.Vector3")),
      ("rotation", numbers(["x", "y", "z", "w"], title: "foxglove.Quaternion")),
    ], title: typeName)

  private static func numbers(_ names: [String], title: String) -> String {
    object(names.map { ($0, #"{"type":"number"}"#) }, title: title)
  }

  private static func object(_ fields: [(name: String, schema: String)], title: String) -> String {
    let properties = fields.map { #""\#($0.name)":\#($0.schema)"# }.joined(separator: ",")
    return #"{"title":"\#(title)","type":"object","properties":{\#(properties)}}"#
  }
}

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
