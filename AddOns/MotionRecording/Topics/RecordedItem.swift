// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// One sample or event of a recording, and when the recorder received it.
///
/// `receivedAt` is on the recording's clock, like the samples' own times; nil if it is not known (an imported file).
/// The difference of the two is the delay of the sensor, the bus and the driver.
public enum RecordedItem: Sendable, Hashable {
  case sample(SensorSample, receivedAt: SensorInstant? = nil)
  case event(RecordingEvent, receivedAt: SensorInstant? = nil)
  case truth(TruthPose, receivedAt: SensorInstant? = nil)

  /// When it was measured or happened.
  public var time: SensorInstant {
    switch self {
    case .sample(let sample, _): sample.time
    case .event(let event, _): event.time
    case .truth(let pose, _): pose.time
    }
  }

  /// When the recorder received it; nil = not known.
  public var receivedAt: SensorInstant? {
    switch self {
    case .sample(_, let instant), .event(_, let instant), .truth(_, let instant): instant
    }
  }
}

/// The true pose of a device, from a simulator or motion capture.
public struct TruthPose: Sendable, Hashable {
  /// The time of the pose.
  public var time: SensorInstant
  /// The name of the reference frame of the pose: "east_north_up".
  public var frame: String
  /// Metres in that frame: x, y, z.
  public var position: (x: Double, y: Double, z: Double)
  /// Unit quaternion, device → frame.
  public var orientation: (w: Double, x: Double, y: Double, z: Double)

  /// A pose; omit the position if only the attitude is known.
  public init(
    time: SensorInstant, frame: String, position: (x: Double, y: Double, z: Double) = (0, 0, 0),
    orientation: (w: Double, x: Double, y: Double, z: Double)
  ) {
    (self.time, self.frame, self.position, self.orientation) = (time, frame, position, orientation)
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.time == b.time && a.frame == b.frame && a.position == b.position && a.orientation == b.orientation
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(time)
    hasher.combine(frame)
    for number in [position.x, position.y, position.z, orientation.w, orientation.x, orientation.y, orientation.z] {
      hasher.combine(number)
    }
  }
}

/// An event during the recording that is not a measurement: it explains the samples.
public enum RecordingEvent: Sendable, Hashable {
  /// A device was connected or disconnected; `device` says which of its sensors reports: "default", "left", "right".
  case connection(SensorInstant, device: String, isConnected: Bool)
  /// A service became available or unavailable; `authorization` is the raw value of `CMAuthorizationStatus`, 0…3.
  case availability(SensorInstant, service: String, isAvailable: Bool, authorization: Int)
  /// A service failed: domain, code and text as an app sees them.
  case error(SensorInstant, service: String, domain: String, code: Int, message: String)
  /// Samples are missing: from `time` on for `duration`; `lost` is their number if it is known.
  case gap(SensorInstant, service: String, duration: SensorDuration, lost: Int?)
  /// A note of the user about this moment.
  case annotation(SensorInstant, text: String)

  /// A report of the connection as an event.
  public init(_ state: ConnectionState, at time: SensorInstant) {
    let device =
      switch state.location {
      case .device: "default"
      case .headphoneLeft: "left"
      case .headphoneRight: "right"
      }
    self = .connection(time, device: device, isConnected: state.isConnected)
  }

  /// The connection state of the event; nil for other events and for a sensor of an unknown name.
  public var connection: ConnectionState? {
    guard case .connection(_, let device, let isConnected) = self else { return nil }
    switch device {
    case "default": return ConnectionState(isConnected: isConnected)
    case "left": return ConnectionState(isConnected: isConnected, location: .headphoneLeft)
    case "right": return ConnectionState(isConnected: isConnected, location: .headphoneRight)
    default: return nil
    }
  }

  /// When it happened, on the recording's clock.
  public var time: SensorInstant {
    switch self {
    case .connection(let time, _, _), .availability(let time, _, _, _), .error(let time, _, _, _, _),
      .gap(let time, _, _, _), .annotation(let time, _):
      time
    }
  }
}

/// One message of a recording or a live stream: a topic and a JSON object, the same bytes wherever it goes (MCAP,
/// NDJSON, WebSocket).
package struct TopicMessage: Sendable, Hashable {
  /// What it is about.
  package var topic: Topic
  /// The sample's own instant, on the recording's clock.
  package var time: SensorInstant
  /// When the recorder received it, on the same clock; nil = not known.
  package var receivedAt: SensorInstant?
  /// A JSON object in UTF-8, keys in the order of the topic's fields, no spaces.
  package var body: [UInt8]

  /// A message.
  package init(topic: Topic, time: SensorInstant, receivedAt: SensorInstant? = nil, body: [UInt8]) {
    (self.topic, self.time, self.receivedAt, self.body) = (topic, time, receivedAt, body)
  }
}
