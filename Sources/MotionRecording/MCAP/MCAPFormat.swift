// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// MCAP: our own recordings, bit for bit, and those of others as far as they hold ROS 2 messages of sensors.
enum MCAPFormat {
  static let reader = FormatReader(
    format: .mcap, title: "MCAP",
    summary: "a .mcap of OpenCoreMotion, or one with ROS 2 sensor messages", hasDevices: true, plan: plan)

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    guard files.kind == .file, let member = files.members.first, member.isSeekable else {
      throw files.error(.unsupported, "An MCAP recording must be a plain file; unpack it first.")
    }
    let input = try MCAPInput(path: files.path)
    let index = try MCAPIndex(input, options.damage)
    let values = index.metadata.first { $0.name == MCAPWriter.metadataName }?.values ?? []
    var own: [Topic: UInt16] = [:]
    for channel in index.channels.values.sorted(by: { $0.id < $1.id }) where channel.messageEncoding == "json" {
      if let topic = Topic(name: channel.topic), own[topic] == nil { own[topic] = channel.id }
    }
    let hasOwn = own.keys.contains { TopicSelection.sensor(of: $0.kind) != nil }
    let source = hasOwn ? try ownSource(own, options, files) : try foreignSource(index, options, files)
    let info = SensorInfo(name: "", origin: .recording, pacing: .onDemand, channels: source.channels)
    var description = RecordingDescription(metadata: values, info: info)
    description.device = source.device
    if description.isSimulated { description.info.origin = .simulation }
    let stream = MCAPContents(
      path: files.path, index: index, contents: source.contents, wallOffset: description.wallOffset
    ).stream(description.info.channels)
    var plan = RecordingPlan(streams: [stream])
    plan.usesRecordedMotion = source.usesRecordedMotion
    plan.deviceClass = source.isOfHeadphones ? .headphones : description.info.deviceClass
    plan.notes = source.notes
    if description.isSimulated { plan.notes.insert("simulated", at: 0) }
    if !index.isFinished { plan.notes.append("unfinished: its end is missing") }
    if !hasOwn {
      if let warning = Self.unitWarning(stream) { plan.notes.append(warning) }
      // The stamps of ROS count from 1970; those of a simulation from its own beginning.
      let isUnixTime = Self.startsAfter1973(stream)
      (description.clock, description.wallOffset) = isUnixTime ? (.epoch, .zero) : (.none, nil)
      description.sign = "reaction"
      if options.motion == .computed, Self.holdsMotion(index, options, files) {
        plan.unread = [RecordingPlan.unplayedMotion]
      }
    }
    plan.water = description.info.water
    plan.reordering = description.info.reordering
    plan.description = description
    return plan
  }

  /// Some drivers publish g against the rule of the message; it shows in the length of the vector.
  private static func unitWarning(_ stream: SampleStreamPlan) -> String? {
    guard let next = try? stream.open(ReadingContext(.skip)) else { return nil }
    var lengths: [Double] = []
    for _ in 0..<1000 {
      guard let sample = (try? next()) ?? nil else { break }
      if case .accelerometer(let sample) = sample { lengths.append(sample.specificForce.length) }
    }
    lengths.sort()
    guard !lengths.isEmpty, (0.8...1.25).contains(lengths[lengths.count / 2]) else { return nil }
    return "its accelerations look like g, not m/s²"
  }

  private static func startsAfter1973(_ stream: SampleStreamPlan) -> Bool {
    let sample = try? stream.open(ReadingContext(.skip))()
    return sample.map { $0.time.nanoseconds > 100_000_000_000_000_000 } ?? false
  }

  /// Whether the first messages of others hold an orientation that the sender has computed.
  private static func holdsMotion(
    _ index: MCAPIndex, _ options: RecordingOptions, _ files: RecordingFiles
  ) -> Bool {
    var options = options
    options.motion = .recorded
    guard let source = try? foreignSource(index, options, files) else { return false }
    let contents = MCAPContents(path: files.path, index: index, contents: source.contents)
    guard let next = try? contents.stream([]).open(ReadingContext(.skip)) else { return false }
    for _ in 0..<30 {
      guard let sample = (try? next()) ?? nil else { return false }
      if case .motion = sample { return true }
    }
    return false
  }

  private struct Source {
    var contents: [UInt16: MCAPContents.Content] = [:]
    var channels: [SensorInfo.Channel] = []
    var device = ""
    var usesRecordedMotion = false
    var isOfHeadphones = false
    var notes: [String] = []
  }

  private static func ownSource(
    _ own: [Topic: UInt16], _ options: RecordingOptions, _ files: RecordingFiles
  ) throws(SensorError) -> Source {
    let selection = try TopicSelection(Array(own.keys), options, files)
    var source = Source(usesRecordedMotion: selection.usesRecordedMotion, notes: selection.notes)
    source.isOfHeadphones = selection.topics.contains { $0.kind == .headphoneMotion }
    for topic in selection.topics {
      guard let id = own[topic], let sensor = TopicSelection.sensor(of: topic.kind) else { continue }
      source.contents[id] = .topic(topic.kind)
      source.channels.append(.init(kind: sensor))
      source.device = topic.device
    }
    if let topic = selection.connection, let id = own[topic] {
      source.contents[id] = .connection(topic)
      source.channels.append(.init(kind: .connection))
    }
    return source
  }

  /// Whether a topic is a device's: it is called so, or its name begins so.
  private static func isOf(_ device: String, _ topic: String) -> Bool {
    topic == device || topic.split(separator: "/").first.map(String.init) == device
  }

  /// Each kind of sensor from the first channel that holds it, of the device that was asked for.
  private static func foreignSource(
    _ index: MCAPIndex, _ options: RecordingOptions, _ files: RecordingFiles
  ) throws(SensorError) -> Source {
    var source = Source()
    var sensors: SensorKinds = []
    var topics: [String] = []
    for channel in index.channels.values.sorted(by: { $0.id < $1.id }) {
      guard let schema = index.schemas[channel.schema],
        let type = ForeignMessage.type(
          schemaName: schema.name, messageEncoding: channel.messageEncoding, withMotion: options.motion == .recorded)
      else { continue }
      topics.append(channel.topic)
      guard options.device.map({ Self.isOf($0, channel.topic) }) ?? true else { continue }
      guard sensors.isDisjoint(with: type.kinds) else {
        source.notes.append("\(channel.topic) not used")
        continue
      }
      sensors.formUnion(type.kinds)
      source.contents[channel.id] = .foreign(type)
      source.notes.append("\(schema.name) of \(channel.topic)")
      for kind in [SensorKinds.accelerometer, .gyroscope, .magnetometer, .airPressure, .temperature, .motion]
      where type.kinds.contains(kind) {
        source.channels.append(.init(kind: kind))
      }
    }
    if let device = options.device, source.contents.isEmpty, !topics.isEmpty {
      throw files.error(
        .invalidRequest,
        "The recording has no device \(device.debugDescription): name one of the topics \(topics.prefix(12).joined(separator: ", ")), or the first part of its name."
      )
    }
    guard !source.contents.isEmpty else {
      let topics = index.channels.values.map(\.topic).sorted().prefix(12).joined(separator: ", ")
      throw files.error(
        .unsupported,
        "The MCAP file has no supported sensor: its topics are \(topics.isEmpty ? "none" : topics). Supported are OpenCoreMotion's own topics and sensor_msgs Imu, MagneticField, FluidPressure and Temperature."
      )
    }
    source.usesRecordedMotion = sensors.contains(.motion)
    if options.motion == .recorded, !source.usesRecordedMotion {
      throw .noRecordedMotion(in: files, needs: "the topic /motion/device or /motion/headphone, or sensor_msgs Imu")
    }
    return source
  }
}

/// Message types of other programs that hold sensor samples, by the names of their schemas. To read a further type: add
/// it here.
struct ForeignMessage: Sendable {
  /// What may come out.
  var kinds: SensorKinds
  /// The samples of a message; their times are Unix times.
  var decode: @Sendable (ArraySlice<UInt8>) throws(SensorError) -> [SensorSample]

  /// The type with this schema and encoding; nil = not read.
  ///
  /// `withMotion`: also the motion that the sender has fused itself, where the type carries it.
  static func type(schemaName: String, messageEncoding: String, withMotion: Bool) -> ForeignMessage? {
    guard messageEncoding == "cdr", let type = ROS2MessageType(schemaName: schemaName) else { return nil }
    let hasMotion = withMotion && type == .imu
    return ForeignMessage(kinds: hasMotion ? [kinds(type), .motion] : kinds(type)) { (bytes) throws(SensorError) in
      let message = try ROS2Message(type, decoding: bytes)
      // A sensor a sample, as each has a time line of its own.
      var samples = message.samples.flatMap { sample -> [SensorSample] in
        guard case .inertial(let pair) = sample else { return [sample] }
        return [.accelerometer(pair.accelerometer), .gyroscope(pair.gyroscope)]
      }
      if hasMotion, let motion = message.motion() { samples.append(.motion(motion)) }
      return samples
    }
  }

  private static func kinds(_ type: ROS2MessageType) -> SensorKinds {
    switch type {
    case .imu: .inertial
    case .magneticField: .magnetometer
    case .fluidPressure: .airPressure
    case .temperature: .temperature
    }
  }
}

/// The chosen channels of an MCAP file as one stream, in the order in which the messages were received: late samples
/// are late again when it is played.
struct MCAPContents: Sendable {
  enum Content: Sendable {
    case topic(Topic.Kind)
    /// Tells whether the device is connected.
    case connection(Topic)
    case foreign(ForeignMessage)
  }

  var path: String
  var index: MCAPIndex
  /// By channel.
  var contents: [UInt16: Content]
  var wallOffset: SensorDuration?

  func stream(_ channels: [SensorInfo.Channel]) -> SampleStreamPlan {
    SampleStreamPlan(
      channels: channels, places: [path],
      // Its tail is cheap to reach; so this is asked only where that failed.
      storedBytes: index.blocks.reduce(0) { $0 + Int64($1.length) },
      lastInstant: {
        // The latest sample of the last two blocks.
        guard let stream = try? open(index.tail(2), ReadingContext(.skip)) else { return nil }
        var last: SensorInstant?
        while let sample = try? stream.next() { last = max(last ?? sample.time, sample.time) }
        return last
      },
      open: { (context) throws(SensorError) in try open(index, context).next })
  }

  private func open(_ index: MCAPIndex, _ context: ReadingContext) throws(SensorError) -> MCAPStream {
    let reader = try MCAPReader(MCAPInput(path: path), index, channels: Set(contents.keys), context)
    return MCAPStream(reader, self, context)
  }
}

private final class MCAPStream {
  private let reader: MCAPReader
  private let plan: MCAPContents
  private let context: ReadingContext
  private var decoder: TopicDecoder
  private var orders: [SensorKinds: TimeOrder] = [:]
  /// Further samples of the message just read.
  private var waiting: ArraySlice<SensorSample> = []

  init(_ reader: MCAPReader, _ plan: MCAPContents, _ context: ReadingContext) {
    self.reader = reader
    self.plan = plan
    self.context = context
    decoder = TopicDecoder(wallOffset: plan.wallOffset)
  }

  func next() throws(SensorError) -> SensorSample? {
    while true {
      while let sample = waiting.popFirst() {
        if let sample = try placed(sample) { return sample }
      }
      guard let message = try reader.next() else { return nil }
      do throws(SensorError) {
        switch plan.contents[message.channel] {
        case .topic(let kind):
          if case .sample(let sample, _) = try decode(kind, message), let sample = try placed(sample) {
            return sample
          }
        case .connection(let topic):
          if case .event(let event, _) = try decode(topic.kind, message) { context.receive(event, topic: topic) }
        case .foreign(let type):
          waiting = try type.decode(message.body).map { sample in
            // Some drivers leave the header's time empty: the time of receipt is the best substitute.
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

  private func placed(_ sample: SensorSample) throws(SensorError) -> SensorSample? {
    guard sample.isFinite, sample.time.nanoseconds.magnitude <= UInt64(InputLimits.nanoseconds) else {
      try context.report(
        .nonFinite, "A sample has a number that is not finite, or a time out of range", at: .init(file: plan.path))
      return nil
    }
    return try context.place(
      sample, in: &orders[sample.kinds, default: TimeOrder()], at: SensorError.Place(file: plan.path))
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
