// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// One message of a recording or a live stream: a topic and a JSON object, the same bytes wherever it goes (MCAP, NDJSON, WebSocket).
public struct TopicMessage: Sendable, Hashable {
  /// What it is about.
  public var topic: Topic
  /// The sample's own instant, on the recording's clock.
  public var time: SensorInstant
  /// When the recorder received it, on the same clock; nil = not known.
  public var receivedAt: SensorInstant?
  /// A JSON object in UTF-8, keys in the order of the topic's fields, no spaces.
  public var body: [UInt8]

  /// A message.
  public init(topic: Topic, time: SensorInstant, receivedAt: SensorInstant? = nil, body: [UInt8]) {
    self.topic = topic
    self.time = time
    self.receivedAt = receivedAt
    self.body = body
  }
}
