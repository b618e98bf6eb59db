// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// One topic of a live output: its name and the format of its messages.
package struct LiveChannel: Sendable, Hashable, Encodable {
  /// "/motion/device".
  package var topic: String
  /// "json" or "cdr".
  package var encoding: String
  /// "opencoremotion.CMDeviceMotion".
  package var schemaName: String
  /// "jsonschema" or "ros2msg".
  package var schemaEncoding: String
  /// The schema's text.
  package var schema: String

  /// A channel; JSON by default.
  package init(
    topic: String, encoding: String = "json", schemaName: String, schemaEncoding: String = "jsonschema", schema: String
  ) {
    self.topic = topic
    self.encoding = encoding
    self.schemaName = schemaName
    self.schemaEncoding = schemaEncoding
    self.schema = schema
  }

  /// By the topic alone: channels are looked up at every message, and a schema is long.
  package func hash(into hasher: inout Hasher) { hasher.combine(topic) }
}

/// A program that receives motion live.
///
/// An output never waits: it is called on the thread of a sensor. What cannot be sent at once is queued up to a limit,
/// then dropped and counted.
package protocol LiveOutput: Sendable {
  /// Sends one message. Default: does nothing, for programs that want the state of motion only.
  ///
  /// - Parameters:
  ///   - body: the message in the encoding of its channel.
  ///   - time: the sample's own instant, on the source's clock.
  ///   - logTime: the same on the time line that the output shows, Unix time where it is known.
  func send(_ body: [UInt8], on channel: LiveChannel, time: SensorInstant, logTime: SensorInstant)
  /// Shows a state of motion, beside the message that says the same. Default: does nothing.
  func show(_ motion: MotionRow)
  /// The device has come (headphones are put on) or gone. Default: does nothing.
  func note(isConnected: Bool)
  /// Straight ahead is where the device points now. Default: does nothing.
  func recentre()
  /// Called some five times a second, of a source in real time. Default: does nothing.
  func tick()
  /// Lets what is queued go out for at most `grace` seconds, and ends. Nothing may be sent afterwards. Default: nothing
  /// is queued.
  func stop(grace: Double)
  /// Where it sends or listens, for the user: "UDP to 127.0.0.1:9870".
  var place: String { get }
  /// One line for the user: who receives, what was sent, what was lost.
  var summary: String { get }
}

extension LiveOutput {
  /// The same with two seconds, for clients that shall get everything.
  package func stop() { stop(grace: 2) }

  package func stop(grace: Double) {}
  package func send(_ body: [UInt8], on channel: LiveChannel, time: SensorInstant, logTime: SensorInstant) {}
  package func show(_ motion: MotionRow) {}
  package func note(isConnected: Bool) {}
  package func recentre() {}
  package func tick() {}
}
