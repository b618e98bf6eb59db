// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

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
