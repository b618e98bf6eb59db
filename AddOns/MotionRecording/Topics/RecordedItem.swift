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

  /// When it was measured or happened.
  public var time: SensorInstant {
    switch self {
    case .sample(let sample, _): sample.time
    case .event(let event, _): event.time
    }
  }

  /// When the recorder received it; nil = not known.
  public var receivedAt: SensorInstant? {
    switch self {
    case .sample(_, let instant), .event(_, let instant): instant
    }
  }
}

/// An event during the recording that is not a measurement: it explains the samples.
public enum RecordingEvent: Sendable, Hashable {
  /// A device was connected or disconnected; `device` says which of its sensors reports: "default", "left", "right".
  case connection(SensorInstant, device: String, isConnected: Bool)
  /// A service failed: domain, code and text as an app sees them.
  case error(SensorInstant, service: String, domain: String, code: Int, message: String)
  /// Samples are missing: from `time` on for `duration`; `lost` is their number if it is known.
  case gap(SensorInstant, service: String, duration: SensorDuration, lost: Int?)

  private static let devices: KeyValuePairs<String, MotionRow.Location> = [
    "default": .device, "left": .headphoneLeft, "right": .headphoneRight,
  ]

  /// A report of the connection as an event.
  public init(_ state: ConnectionState, at time: SensorInstant) {
    let device = Self.devices.first { $0.value == state.location }?.key ?? "default"
    self = .connection(time, device: device, isConnected: state.isConnected)
  }

  /// The connection state of the event; nil for other events and for a sensor of an unknown name.
  public var connection: ConnectionState? {
    guard case .connection(_, let device, let isConnected) = self,
      let location = Self.devices.first(where: { $0.key == device })?.value
    else { return nil }
    return ConnectionState(isConnected: isConnected, location: location)
  }

  /// When it happened, on the recording's clock.
  public var time: SensorInstant {
    switch self {
    case .connection(let time, _, _), .error(let time, _, _, _, _), .gap(let time, _, _, _): time
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
