// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The types of Foxglove's published message set that motion can be shown with; the set has none for an inertial unit.
///
/// The schema encoding is `jsonschema` and the message encoding `json`. Source: Foxglove's public schema documentation; the
/// texts here are our own and hold the fields that we write.
public enum FoxgloveType: String, Sendable, Hashable, CaseIterable {
  /// How one coordinate frame lies in another: what 3D panels turn things by.
  case frameTransform = "foxglove.FrameTransform"
  /// Position and orientation in a named frame.
  case poseInFrame = "foxglove.PoseInFrame"
  /// A place on the earth, for map panels.
  case locationFix = "foxglove.LocationFix"

  /// The JSON schema of the type.
  public var schema: String {
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
