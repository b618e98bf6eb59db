// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreMotion
import Foundation
import LiveOutput
import MotionHost
import MotionNetwork
import MotionRecording
import MotionSensing
import MotionServices
import MotionTools

/// A source shown in other programs while it runs: every raw sensor, device motion, and the transform for a 3D panel.
///
/// The messages come straight from the hub on the source's thread, as for `fuse`; the outputs never make it wait.
struct LiveRun {
  private let selection: SourceSelection
  private let limit: Seconds?
  private let interval: SensorDuration
  private let hub: MotionHub
  private let topics: LiveTopics
  private let framing: MotionFraming
  private let outputs: [(name: String, output: any LiveOutput)]
  private let foxglove: FoxgloveServer?
  /// What clients of a server that other computers reach must know.
  private let token: String?
  private let completion: Completion

  /// Opens the outputs. From here on a signal ends the stream, not the program.
  init(
    _ live: LiveOptions, _ selection: SourceSelection, frame: FrameOptions? = nil, rate: SampleRate = .fastest,
    limit: Seconds?
  ) throws {
    (self.selection, self.limit, interval) = (selection, limit, rate.duration)
    let host = try selection.host(location: frame?.location)
    let reference = frame?.frame ?? .arbitrary
    guard let hub = host.device else { throw CommandFailure("There is no source.") }
    self.hub = hub
    if hub.info.kinds.isSuperset(of: .inertial) || hub.info.kinds.contains(.motion) {
      try MotionRequirements.check(reference, of: selection, at: host.location)
    }
    completion = .endedBySignals()
    let description = Self.description(of: selection)
    var outputs: [(String, any LiveOutput)] = []
    var foxglove: FoxgloveServer?
    var token: String?
    for target in live.targets {
      let output = try target.open { port in
        let address = ListeningAddress(host: live.server.listen ?? "127.0.0.1", port: port)
        token = address.isLoopback ? nil : String(UInt64.random(in: .min ... .max), radix: 36)
        return try FoxgloveServer(
          name: "\(selection.info.name) (motionctl \(Tool.version))",
          channels: LiveTopics.expectedChannels(
            description, kinds: hub.info.kinds, beginning: Self.beginning(of: selection)), address: address,
          token: token, statesTime: selection.info.origin == .recording)
      }
      outputs.append((target.name, output))
      if let server = output as? FoxgloveServer { foxglove = server }
    }
    (self.outputs, self.foxglove, self.token) = (outputs, foxglove, token)
    topics = LiveTopics(description, outputs: outputs.map(\.1))
    framing = reference.framing(at: host.location)
  }

  func callAsFunction() throws {
    announce()
    let heads = outputs.map(\.output)
    Interruption.onUserSignal { for head in heads { head.recentre() } }
    let used = ProcessUse()
    waitForAudience()
    let subscriptions = completion.isFinished ? [] : subscribe()
    let outcome = completion.run(subscriptions, deadline: selection.timeout(over: limit?.value)) {
      let (count, seconds) = topics.totals
      var line = "\(Text.duration(seconds)) · \(Text.count(count, "message"))"
      if let foxglove { line += " · \(Text.count(foxglove.clientCount, "client"))" }
      StandardError.shared.show(line)
      if selection.entry.pace.clock is MonotonicClock { for (_, output) in outputs { output.tick() } }
    }
    var grace = 2.0
    if case .interrupted = outcome { grace = 0.4 }
    for (_, output) in outputs { output.stop(grace: grace) }
    let (count, seconds) = topics.totals
    try RunReport(outcome, of: hub, selection, used: used).finish(
      ["\(Text.count(count, "message")) over \(Text.duration(seconds))"]
        + outputs.map { "  \($0.name): \($0.output.summary)" }, isEmpty: count == 0)
  }

  private func subscribe() -> [Subscription] {
    let kinds = hub.info.kinds
    let streams = HubStream.sensors.filter { $0.isServed(by: kinds) }
    let hasMotion = framing.stream.isServed(by: kinds)
    let running = Lock(streams.count + (hasMotion ? 1 : 0))
    let (completion, topics, hub, limit, interval) = (completion, topics, hub, limit, interval)
    let outputs = outputs.map(\.output)
    @Sendable func hear(_ news: HubNews, isFirst: Bool) {
      switch news {
      case .ended:
        let isLast = running.withLock { left in
          left -= 1
          return left == 0
        }
        if isLast { completion.finish(.done) }
      case .failed(let error) where hub.hasEnded: completion.finish(.failed(error))
      // The others come back by themselves: the hub tries again.
      case .failed(let error): if isFirst { StandardError.shared.say("\(error)") }
      case .connection(let connection): for output in outputs { output.note(isConnected: connection.isConnected) }
      case .time: break
      }
    }
    @Sendable func send(_ sample: SensorSample) {
      if !completion.isFinished, !topics.send(sample, limit: limit) { completion.finish(.done) }
    }
    var subscriptions = streams.enumerated().map { index, stream in
      hub.subscribe(stream, interval: interval) { sample in
        send(sample)
      } news: { news in
        hear(news, isFirst: index == 0)
      }
    }
    if hasMotion {
      let isFirst = streams.isEmpty
      subscriptions.append(
        hub.subscribe(in: framing, interval: interval, news: { hear($0, isFirst: isFirst) }) { row, _ in
          if let row { send(.motion(row)) }
        })
    }
    return subscriptions
  }

  /// A recording begins with the first client: one that connects later would miss its beginning.
  private func waitForAudience() {
    guard let foxglove, selection.info.origin == .recording, outputs.count == 1 else { return }
    StandardError.shared.say("The recording begins when the first client has connected.")
    var looks = 0
    completion.pause {
      // A client that subscribes to nothing yet waits for topics that come with the samples.
      looks = foxglove.clientCount > 0 ? looks + 1 : 0
      return !foxglove.hasAudience && looks < 5
    }
  }

  private func announce() {
    StandardError.shared.say(selection.headline)
    for (name, output) in outputs {
      let token = output is FoxgloveServer ? token : nil
      StandardError.shared.say("\(name): \(output.place)\(token.map { "/?token=\($0)" } ?? "")")
      guard token != nil else { continue }
      StandardError.shared.say(
        "Programs of other computers can connect with this token, which is for this run only; nothing is encrypted.")
    }
  }

  /// The first samples of a recording, until each of its sensors has spoken; empty for anything else.
  private static func beginning(of selection: SourceSelection) -> [SensorSample] {
    guard let recording = selection.replay?.recording,
      let reader = try? recording.makeReader()
    else { return [] }
    var samples: [SensorSample] = []
    var kinds: SensorKinds = []
    // A sensor that comes later than ten thousand samples is offered when it comes; damage is for the run to report.
    for _ in 0..<10_000 {
      guard !kinds.isSuperset(of: recording.info.kinds.subtracting(.connection)), let sample = try? reader.next() else {
        break
      }
      if !sample.kinds.isSubset(of: kinds) { samples.append(sample) }
      kinds.formUnion(sample.kinds)
    }
    return samples
  }

  /// Samples of the computer's own clock are shown in Unix time; a recording's too where it knows that, else on its own
  /// time line.
  private static func description(of selection: SourceSelection) -> RecordingDescription {
    var description = RecordingDescription(info: selection.info)
    if selection.info.timeLine == .session, !(selection.entry.pace.clock is FreeRunningClock) {
      description.wallOffset = SensorDuration(seconds: Date().timeIntervalSince1970).map {
        $0 - (MonotonicClock().now - SensorInstant(nanoseconds: 0))
      }
    } else if selection.info.timeLine != .session, let replay = selection.replay {
      description.wallOffset = replay.recording.recordedDescription?.wallOffset
    }
    return description
  }
}

/// Options of a stream that is shown elsewhere.
struct LiveOptions: ParsableArguments {
  @Option(
    name: .customLong("to"), parsing: .singleValue,
    help: ArgumentHelp(
      "Show it live in another program: \(LiveTarget.forms.joined(separator: ", ")). May be given more than once.",
      discussion: """
        foxglove (port 8765) shows every topic, dsu (26760) is motion for emulators. opentrack (4242, its input “UDP over network”) and \
        osc: are sent where a head points; MESSAGE is scenerotator (8000), sparta (9000), tascar:OBJECT (9877), mach1 (9901), or your own: \
        "/ADDRESS yaw -pitch rollRad qw …" (9000).
        """, valueName: "program"))
  var targets: [LiveTarget] = []

  @OptionGroup var server: ListenOption

  func validate() throws {
    let serves = targets.contains(where: \.isFoxglove)
    if Set(targets).count != targets.count { throw ValidationError("The same --to is given twice.") }
    if server.listen != nil, !serves { throw ValidationError("--listen is for --to foxglove.") }
  }
}
