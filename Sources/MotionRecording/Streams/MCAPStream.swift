// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// The chosen channels of an MCAP file as one stream, in the order in which the messages were received: late samples are late
/// again when it is played.
struct MCAPStreamPlan: SampleStreamPlan {
  enum Content: Sendable {
    case topic(Topic.Kind)
    /// Tells whether the device is connected.
    case connection(Topic)
    case foreign(ForeignMessage)
  }

  var path: String
  var index: MCAPIndex
  var contents: [UInt16: Content]
  var channels: [SensorInfo.Channel]
  var wallOffset: SensorDuration?

  var places: [String] { [path] }
  /// Its tail is cheap to reach (``lastInstant()``); so this is asked only where that failed.
  var storedBytes: Int64 { index.blocks.reduce(0) { $0 + Int64($1.length) } }

  func open(_ context: ReadingContext) throws(SensorError) -> any SampleStream {
    let input = try MCAPInput(path: path)
    return MCAPStream(
      try MCAPReader(input, index, channels: Set(contents.keys), context), self, context)
  }

  /// The latest sample of the last two blocks.
  func lastInstant() -> SensorInstant? {
    var tail = index
    tail.blocks = index.blocks.suffix(2)
    tail.problems = []
    let context = ReadingContext(skipsErrors: true)
    guard let input = try? MCAPInput(path: path),
      let reader = try? MCAPReader(input, tail, channels: Set(contents.keys), context)
    else { return nil }
    let stream = MCAPStream(reader, self, context)
    var last: SensorInstant?
    while let sample = try? stream.next() { last = max(last ?? sample.time, sample.time) }
    return last
  }
}

private final class MCAPStream: SampleStream {
  private let reader: MCAPReader
  private let plan: MCAPStreamPlan
  private let context: ReadingContext
  private var decoder: TopicDecoder
  /// By kind: the time of the sample before.
  private var previous: [SensorKinds: Int64] = [:]
  /// Further samples of the message just read.
  private var waiting: ArraySlice<SensorSample> = []

  init(_ reader: MCAPReader, _ plan: MCAPStreamPlan, _ context: ReadingContext) {
    self.reader = reader
    self.plan = plan
    self.context = context
    decoder = TopicDecoder(wallOffset: plan.wallOffset)
  }

  func next() throws(SensorError) -> SensorSample? {
    while true {
      while let sample = waiting.popFirst() {
        if try isNew(sample) { return sample }
      }
      guard let message = try reader.next() else { return nil }
      do throws(SensorError) {
        switch plan.contents[message.channel] {
        case .topic(let kind):
          if case .sample(let sample, _) = try decode(kind, message), try isNew(sample) { return sample }
        case .connection(let topic):
          if case .event(let event, _) = try decode(topic.kind, message) { context.take(event, topic: topic) }
        case .foreign(let type):
          waiting = try type.decode(message.body).map { sample in
            // Some drivers leave the header's time empty: when it was received is the next best.
            guard sample.time.nanoseconds == 0, let time = Int64(exactly: message.logTime) else { return sample }
            return sample.moved(to: SensorInstant(nanoseconds: time))
          }[...]
        case nil: continue
        }
      } catch {
        guard error.code == .malformed || error.code == .limitExceeded else { throw error }
        var error = error
        error.place = error.place ?? SensorError.Place(file: plan.path)
        try context.report(.malformed, error)
      }
    }
  }

  private func decode(_ kind: Topic.Kind, _ message: MCAPMessage) throws(SensorError) -> RecordedItem? {
    let offset = plan.wallOffset ?? .zero
    let time = Int64(exactly: message.publishTime).map { SensorInstant(nanoseconds: $0) - offset }
    return try message.body.withUnsafeBufferPointer { (body) throws(SensorError) in
      try decoder.decode(kind, UnsafeRawBufferPointer(body), time: time, at: SensorError.Place(file: plan.path))
    }
  }

  private func isNew(_ sample: SensorSample) throws(SensorError) -> Bool {
    guard sample.isFinite, sample.time.nanoseconds.magnitude <= UInt64(InputLimits.nanoseconds) else {
      let error = SensorError(
        .malformed, "A sample holds a number that is not finite, or a time beyond all clocks; \(SensorError.skipHint)",
        at: .init(file: plan.path))
      try context.report(.nonFinite, error)
      return false
    }
    return try context.isNew(
      sample.time.nanoseconds, after: &previous[sample.kinds, default: .min],
      place: SensorError.Place(file: plan.path))
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
    case .fusedMotion(let sample):
      sample.w.isFinite && sample.vector.isFinite && sample.angularVelocity.isFinite && sample.gravity.isFinite
        && sample.linearAcceleration.isFinite
    }
  }
}
