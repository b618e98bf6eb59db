// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import LiveOutput
import MotionHost
import MotionMath
import MotionRecording
import MotionSensing
import MotionServices
import MotionTools

/// Turns what a source delivers into messages on topics and hands them to the outputs: the same bytes as a recording
/// holds.
final class LiveTopics: Sendable {
  private struct State {
    var encoder: TopicEncoder
    var views: FoxgloveViews
    var channels: [Topic: LiveChannel] = [:]
    var count = 0
    /// Seconds of the first and the latest sample.
    var first: Double?
    var last = 0.0
  }

  private let outputs: [any LiveOutput]
  private let wallOffset: SensorDuration
  private let transform: LiveChannel
  private let state: Lock<State>

  /// - Parameter description: of the source; its wall offset makes the time that the outputs show.
  init(_ description: RecordingDescription, outputs: [any LiveOutput]) {
    self.outputs = outputs
    wallOffset = description.wallOffset ?? .zero
    let views = FoxgloveViews(description)
    transform = LiveChannel(views.channels[0])
    state = Lock(State(encoder: TopicEncoder(description), views: views))
  }

  /// What will come from a source with these sensors, so that a client finds it before the first sample: motion, then
  /// the sensors. A topic that is not foreseen is offered when it comes.
  ///
  /// The unit of a recording's numbers decides on which topics they are, so its `beginning` is looked at; live sources
  /// and simulations deliver SI.
  static func expectedChannels(
    _ description: RecordingDescription, kinds: SensorKinds, beginning: [SensorSample]
  ) -> [LiveChannel] {
    let isHeadphones = description.info.deviceClass == .headphones
    let motion = Topic(isHeadphones ? .headphoneMotion : .deviceMotion, device: description.device)
    let hasMotion = HubStream.deviceMotion(usesMagnetometer: false).isServed(by: kinds)
    var topics = hasMotion ? [motion] : []
    var encoder = TopicEncoder(description)
    let raw =
      beginning.isEmpty
      ? sensorTopics.filter { kinds.contains($0.kind) }.map { Topic($0.topic, device: description.device) }
      : beginning.flatMap { encoder.messages(for: .sample($0)).map(\.topic) }
    for topic in raw where !topics.contains(topic) { topics.append(topic) }
    return topics.map { LiveChannel($0) }
      + (hasMotion ? FoxgloveViews(description).channels.map { LiveChannel($0) } : [])
  }

  private static let sensorTopics: [(kind: SensorKinds, topic: Topic.Kind)] = [
    (.accelerometer, .accelerometer), (.gyroscope, .gyroscope), (.magnetometer, .magnetometer),
    (.airPressure, .pressure), (.waterPressure, .waterPressure), (.temperature, .temperature),
  ]

  /// Messages so far, and seconds of sample time.
  var totals: (count: Int, seconds: Double) {
    state.withLock { ($0.count, $0.last - ($0.first ?? $0.last)) }
  }

  /// Sends a sample. False when it is beyond the limit.
  func send(_ sample: SensorSample, limit: Seconds?) -> Bool {
    state.withLock { state in
      let now = sample.time.seconds
      let first = state.first ?? now
      if let limit, limit.isOver(after: now - first) { return false }
      (state.first, state.last) = (first, max(state.last, now))
      send(.sample(sample), &state)
      if case .motion(let motion) = sample {
        for output in outputs { output.show(motion) }
      }
      return true
    }
  }

  private func send(_ item: RecordedItem, _ state: inout State) {
    // The receiver throws nothing, so neither does this.
    try? state.encoder.encode(item) { (topic, time, body) throws(SensorError) in
      let channel: LiveChannel
      if let known = state.channels[topic] {
        channel = known
      } else {
        channel = LiveChannel(topic)
        state.channels[topic] = channel
      }
      for output in outputs { output.send(body, on: channel, time: time, logTime: time + wallOffset) }
      state.count += 1
    }
    for message in state.views.messages(for: item) {
      for output in outputs {
        output.send(message.body, on: transform, time: message.time, logTime: message.time + wallOffset)
      }
      state.count += 1
    }
  }
}

extension LiveChannel {
  fileprivate init(_ topic: Topic) {
    self.init(topic: topic.name, schemaName: topic.typeName, schema: topic.schema)
  }

  fileprivate init(_ channel: TopicViewChannel) {
    self.init(
      topic: channel.topic, encoding: channel.messageEncoding, schemaName: channel.schemaName,
      schemaEncoding: channel.schemaEncoding, schema: String(decoding: channel.schema, as: UTF8.self))
  }
}
