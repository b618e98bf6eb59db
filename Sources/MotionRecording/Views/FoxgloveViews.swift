// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

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
    let type = FoxgloveType.frameTransform
    channels = [
      TopicViewChannel(
        topic: device.isEmpty ? "/tf" : "/\(device)/tf", messageEncoding: "json", schemaName: type.rawValue,
        schemaEncoding: "jsonschema", schema: Array(type.schema.utf8))
    ]
  }

  /// A transform for fused motion whose four numbers are an attitude; nothing for anything else.
  package mutating func messages(for item: RecordedItem) -> [TopicViewMessage] {
    guard case .sample(.motion(let sample), let receivedAt) = item, let attitude = sample.attitude else {
      return []
    }
    text.removeAll()
    text.append("{\"timestamp\":")
    text.append(foxgloveTime: sample.time + wallOffset)
    text.append(",\"parent_frame_id\":")
    text.append(quoting: sample.reference.frameName)
    text.append(",\"child_frame_id\":")
    text.append(quoting: child)
    text.append(",\"translation\":{\"x\":0,\"y\":0,\"z\":0},\"rotation\":{\"x\":")
    text.append(attitude.x)
    text.append(",\"y\":")
    text.append(attitude.y)
    text.append(",\"z\":")
    text.append(attitude.z)
    text.append(",\"w\":")
    text.append(attitude.w)
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

extension JSONText {
  /// A time as Foxglove's JSON writes it; times before the epoch, which it cannot write, are the epoch.
  mutating func append(foxgloveTime time: SensorInstant) {
    let nanoseconds = max(0, time.nanoseconds)
    append("{\"sec\":")
    append(nanoseconds / 1_000_000_000)
    append(",\"nsec\":")
    append(nanoseconds % 1_000_000_000)
    append("}")
  }
}

/// The types of Foxglove's published message set that motion can be shown with; the set has none for an inertial unit.
///
/// The schema encoding is `jsonschema` and the message encoding `json`. Source: Foxglove's public schema documentation;
/// the texts here are our own and hold the fields that we write.
package enum FoxgloveType: String, Sendable, Hashable, CaseIterable {
  /// How one coordinate frame lies in another: what 3D panels turn things by.
  case frameTransform = "foxglove.FrameTransform"
  /// Position and orientation in a named frame.
  case poseInFrame = "foxglove.PoseInFrame"
  /// A place on the earth, for map panels.
  case locationFix = "foxglove.LocationFix"

  /// The JSON schema of the type.
  package var schema: String {
    switch self {
    case .frameTransform:
      Self.object(
        [
          ("timestamp", Self.time), ("parent_frame_id", Self.string), ("child_frame_id", Self.string),
          ("translation", Self.vector), ("rotation", Self.quaternion),
        ], title: rawValue)
    case .poseInFrame: Topic(.truthPose).schema
    case .locationFix: Topic(.location).schema
    }
  }

  private static let string = #"{"type":"string"}"#
  private static let number = #"{"type":"number"}"#
  private static let time = object(
    [("sec", #"{"type":"integer"}"#), ("nsec", #"{"type":"integer"}"#)], title: "time")
  private static let vector = object(["x", "y", "z"].map { ($0, number) }, title: "foxglove.Vector3")
  private static let quaternion = object(["x", "y", "z", "w"].map { ($0, number) }, title: "foxglove.Quaternion")

  private static func object(_ fields: [(name: String, schema: String)], title: String) -> String {
    let properties = fields.map { #""\#($0.name)":\#($0.schema)"# }.joined(separator: ",")
    return #"{"title":"\#(title)","type":"object","properties":{\#(properties)}}"#
  }
}
