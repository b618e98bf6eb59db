// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// An MCAP file as messages on channels.
struct MessageFile: Sendable {
  /// What a file declares about one of its channels.
  struct Channel: Sendable {
    var id: UInt16
    var topic: String
    /// The name of the messages' type.
    var schema: String
    /// "cdr", "json".
    var encoding: String
  }

  /// What is played of a channel.
  enum Content: Sendable {
    case topic(Topic)
    case foreign(ROS2MessageType, withMotion: Bool)
  }

  let path: String
  private let index: MCAPIndex
  let channels: [Channel]
  /// What is played, by channel.
  var contents: [UInt16: Content] = [:]

  init(_ path: String, _ index: MCAPIndex) {
    (self.path, self.index) = (path, index)
    channels = index.channels.values.sorted { $0.id < $1.id }.map {
      Channel(id: $0.id, topic: $0.topic, schema: index.schemas[$0.schema]?.name ?? "", encoding: $0.messageEncoding)
    }
  }

  var storedBytes: Int64 { index.blocks.reduce(0) { $0 &+ Int64(clamping: $1.length) } }
  /// Of all channels, as the file says itself; nil where it does not.
  var messageCount: UInt64? { index.stated?.messages }

  /// The messages that are played, in the order of receipt; `isTail`: a look at the last ones.
  fileprivate func open(_ context: ReadingContext, isTail: Bool) throws(SensorError) -> MCAPReader {
    let index = isTail ? index.tail(2) : index
    return MCAPReader(
      try MCAPInput(path: path, budget: index.budget), index, channels: Set(contents.keys), context)
  }
}

/// The chosen channels of one file, or of several that follow each other, as one stream, in the order in which the
/// messages were received: late samples are late again when it is played.
struct MessageContents: Sendable {
  var files: [MessageFile]
  var wallOffset: SensorDuration?
  /// How many messages another file states that these hold, and which file.
  var stated: (messages: UInt64, by: String)?

  func stream(_ channels: [SensorInfo.Channel]) -> SampleStreamPlan {
    SampleStreamPlan(
      channels: channels, places: files.map(\.path),
      // Its tail is cheap to reach; so this is asked only where that failed.
      storedBytes: files.reduce(0) { $0 + $1.storedBytes },
      lastInstant: {
        // The latest sample of the end of the last file.
        let end = MessageContents(files: files.suffix(1), wallOffset: wallOffset)
        let stream = MessageStream(end, ReadingContext(.skip), isTail: true)
        var last: SensorInstant?
        while let sample = try? stream.next() { last = max(last ?? sample.time, sample.time) }
        return last
      },
      open: { context in MessageStream(self, context, isTail: false).next })
  }
}

private final class MessageStream {
  private let plan: MessageContents
  private let context: ReadingContext
  private let isTail: Bool
  private var decoder = TopicDecoder()
  private var orders: [SensorKinds: TimeOrder] = [:]
  /// The number of the file that is read, and its messages.
  private var number = -1
  private var messages: MCAPReader?
  private var contents: [UInt16: MessageFile.Content] = [:]
  /// Messages of the files so far: those that were met, or more where a file states more.
  private var accounted: UInt64 = 0
  private var isCompared = false
  /// Further samples of the message just read.
  private var waiting: ArraySlice<SensorSample> = []

  init(_ plan: MessageContents, _ context: ReadingContext, isTail: Bool) {
    (self.plan, self.context, self.isTail) = (plan, context, isTail)
  }

  private var file: MessageFile { plan.files[number] }

  /// The next message of any of the files.
  private func nextMessage() throws(SensorError) -> MCAPMessage? {
    while true {
      if let message = try messages?.next() { return message }
      if let messages {
        // A count is a claim: the sum of any fits.
        accounted += UInt64(Int(claimed: max(messages.met, file.messageCount ?? 0)))
      }
      messages = nil
      guard number + 1 < plan.files.count else {
        if !isTail, let (count, place) = plan.stated, !isCompared {
          isCompared = true
          context.compare(accounted, with: count, at: .init(file: place))
        }
        return nil
      }
      number += 1
      contents = file.contents
      messages = try file.open(context, isTail: isTail)
    }
  }

  func next() throws(SensorError) -> SensorSample? {
    while true {
      while let sample = waiting.popFirst() {
        if let sample = try placed(sample) { return sample }
      }
      guard let message = try nextMessage() else { return nil }
      do throws(SensorError) {
        switch contents[message.channel] {
        case .topic(let topic):
          switch try decode(topic.kind, message) {
          case .sample(let sample, _): if let sample = try placed(sample) { return sample }
          case .event(let event, _): context.receive(event, topic: topic, at: .init(file: file.path))
          }
        case .foreign(let type, let withMotion):
          waiting = try type.samples(of: message.body, withMotion: withMotion).map { sample in
            // Some drivers leave the header's time empty: the time of receipt is the best substitute.
            guard sample.time.nanoseconds == 0, let time = Int64(exactly: message.logTime) else { return sample }
            return sample.moved(to: SensorInstant(nanoseconds: time))
          }[...]
          if waiting.isEmpty { context.statistics.count(.nonFinite, at: .init(file: file.path)) }
        case nil: continue
        }
      } catch {
        guard error.code == .malformed || error.code == .limitExceeded else { throw error }
        var error = error
        error.place = error.place ?? SensorError.Place(file: file.path)
        try context.report(.malformed, error)
      }
    }
  }

  private func decode(_ kind: Topic.Kind, _ message: MCAPMessage) throws(SensorError) -> RecordedItem {
    let offset = plan.wallOffset ?? .zero
    let time = Int64(exactly: message.publishTime).map { SensorInstant(nanoseconds: $0) - offset }
    return try decoder.decode(kind, message.body, time: time, at: SensorError.Place(file: file.path))
  }

  private func placed(_ sample: SensorSample) throws(SensorError) -> SensorSample? {
    guard sample.isFinite, sample.time.nanoseconds.magnitude <= UInt64(InputLimits.nanoseconds) else {
      try context.report(
        .nonFinite, "A sample has a number that is not finite, or a time out of range", at: .init(file: file.path))
      return nil
    }
    return try context.place(
      sample, in: &orders[sample.kinds, default: TimeOrder()], at: SensorError.Place(file: file.path))
  }
}

extension SensorSample {
  /// No NaN and nothing infinite in what a source delivers.
  var isFinite: Bool {
    switch self {
    case .accelerometer(let sample): sample.reading.isFinite
    case .gyroscope(let sample): sample.angularVelocity.isFinite
    case .inertial(let sample): sample.specificForce.isFinite && sample.angularVelocity.isFinite
    case .magnetometer(let sample): sample.reading.isFinite
    case .pressure(let sample): sample.pressure.isFinite && sample.temperature?.isFinite ?? true
    case .temperature(let sample): sample.temperature.isFinite
    case .motion(let sample):
      sample.w.isFinite && sample.vector.isFinite && sample.angularVelocity.isFinite && sample.gravity.isFinite
        && sample.linearAcceleration.isFinite
    }
  }
}
