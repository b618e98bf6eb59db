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
  private static let streams: [HubStream] = [
    .accelerometer, .gyroscope, .magnetometer, .airPressure, .waterPressure, .temperature,
  ]

  private let selection: SourceSelection
  private let options: StreamOptions
  private let host: MotionHost
  private let hub: MotionHub
  private let topics: LiveTopics
  private let framing: MotionFraming
  private let outputs: [(name: String, output: any LiveOutput)]
  private let foxglove: FoxgloveServer?
  /// What clients of a server that other computers reach must know.
  private let token: String?
  private let completion: Completion

  /// Opens the outputs. From here on a signal ends the stream, not the program.
  init(_ options: StreamOptions, _ selection: SourceSelection) throws {
    (self.selection, self.options) = (selection, options)
    host = try selection.host(location: options.frame.location)
    guard let hub = host.device else { throw CommandFailure("There is no source.") }
    self.hub = hub
    if hub.info.kinds.isSuperset(of: .inertial) || hub.info.kinds.contains(.motion) {
      try MotionRequirements.check(options.frame.frame ?? .arbitrary, of: selection, on: host)
    }
    completion = .endedBySignals()
    let description = Self.description(of: selection)
    var outputs: [(String, any LiveOutput)] = []
    var foxglove: FoxgloveServer?
    var token: String?
    for target in options.live.targets {
      switch target {
      case .foxglove(let port):
        let address = ListeningAddress(host: options.live.server.listen ?? "127.0.0.1", port: port)
        token = address.isLoopback ? nil : String(UInt64.random(in: .min ... .max), radix: 36)
        let server = try FoxgloveServer(
          name: "\(selection.info.name) (motionctl \(Tool.version))",
          channels: LiveTopics.expectedChannels(
            description, kinds: hub.info.kinds, beginning: Self.beginning(of: selection)), address: address,
          allowedOrigins: options.live.allowedOrigins, token: token,
          statesTime: selection.info.origin == .recording)
        outputs.append(("Foxglove", server))
        foxglove = server
      case .dsu(let port): outputs.append(("DSU", try DSUServer(port: port)))
      case .plotJuggler(let address): outputs.append(("PlotJuggler", try PlotJugglerOutput(address: address)))
      }
    }
    (self.outputs, self.foxglove, self.token) = (outputs, foxglove, token)
    topics = LiveTopics(description, outputs: outputs.map(\.1))
    framing = (options.frame.frame ?? .arbitrary).framing(on: host)
  }

  func callAsFunction() throws {
    announce()
    let used = ProcessUse()
    waitForAudience()
    let subscriptions = completion.isFinished ? [] : subscribe()
    let outcome = completion.run(subscriptions, deadline: selection.timeout(over: options.range.limit?.value)) {
      let (count, seconds) = topics.totals
      var line = "\(Text.duration(seconds)) · \(Text.count(count, "message"))"
      if let foxglove { line += " · \(Text.count(foxglove.clientCount, "client"))" }
      StandardError.shared.show(line)
    }
    var grace = 2.0
    if case .interrupted = outcome { grace = 0.4 }
    for (_, output) in outputs { output.stop(grace: grace) }
    let (count, seconds) = topics.totals
    try selection.finish(
      outcome, hub.statistics,
      summary: ["\(Text.count(count, "message")) over \(Text.duration(seconds))"]
        + outputs.map { "  \($0.name): \($0.output.summary)" }, used: used)
  }

  private func subscribe() -> [Subscription] {
    let kinds = hub.info.kinds
    let streams = Self.streams.filter { $0.isServed(by: kinds) }
    let hasMotion = framing.stream.isServed(by: kinds)
    let interval = options.rate.duration
    let running = Lock(streams.count + (hasMotion ? 1 : 0))
    let (completion, topics, hub, limit) = (completion, topics, hub, options.range.limit)
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
      case .connection, .time: break
      }
    }
    @Sendable func send(_ sample: SensorSample) {
      if !completion.isFinished, !topics.send(sample, limit: limit) { completion.finish(.done) }
    }
    var subscriptions = streams.enumerated().map { index, stream in
      hub.subscribe(stream, interval: interval) { sample, _ in
        send(sample)
      } news: { news, _ in
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
    guard let recording = (selection.entry.source as? ReplaySource)?.recording,
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
    if selection.info.timeLine == .session, !(selection.entry.clock is FreeRunningClock) {
      description.wallOffset = SensorDuration(seconds: Date().timeIntervalSince1970).map {
        $0 - (MonotonicClock().now - SensorInstant(nanoseconds: 0))
      }
    } else if selection.info.timeLine != .session, let replay = selection.entry.source as? ReplaySource {
      description.wallOffset = replay.recording.recordedDescription?.wallOffset
    }
    return description
  }
}

/// Where `stream --to` sends: `foxglove[:PORT]`, `plotjuggler[:HOST:PORT]`, `dsu[:PORT]`.
enum LiveTarget: ExpressibleByArgument, Equatable {
  /// A server that clients connect to; 0 = the system chooses the port.
  case foxglove(port: UInt16)
  /// A receiver of datagrams.
  case plotJuggler(ListeningAddress)

  /// A server that emulators of game consoles ask for motion.
  case dsu(port: UInt16)

  init?(argument: String) {
    let name = argument.prefix { $0 != ":" }.lowercased()
    let rest = argument.dropFirst(name.count).dropFirst()
    switch name {
    case "foxglove":
      guard let port = rest.isEmpty ? FoxgloveServer.defaultPort : UInt16(rest) else { return nil }
      self = .foxglove(port: port)
    case "plotjuggler":
      guard let address = Self.address(rest) else { return nil }
      self = .plotJuggler(address)
    case "dsu":
      guard let port = rest.isEmpty ? DSUServer.defaultPort : UInt16(rest) else { return nil }
      self = .dsu(port: port)
    default: return nil
    }
  }

  static var allValueStrings: [String] { ["foxglove[:PORT]", "plotjuggler[:HOST:PORT]", "dsu[:PORT]"] }

  /// Nothing, a port, a host or both; an IPv6 address stands in brackets.
  private static func address(_ text: Substring) -> ListeningAddress? {
    var address = ListeningAddress(port: PlotJugglerOutput.defaultPort)
    guard !text.isEmpty else { return address }
    if let port = UInt16(text) {
      address.port = port
    } else if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      address.host = String(text[text.index(after: text.startIndex)..<end])
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
      guard let port = rest.isEmpty ? address.port : UInt16(rest.dropFirst()) else { return nil }
      address.port = port
    } else {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count <= 2, !parts[0].isEmpty else { return nil }
      guard let port = parts.count == 1 ? address.port : UInt16(parts[1]) else { return nil }
      (address.host, address.port) = (String(parts[0]), port)
    }
    return address.port == 0 ? nil : address
  }
}

/// Options of a stream that is shown elsewhere.
struct LiveOptions: ParsableArguments {
  @Option(
    name: .customLong("to"),
    help: ArgumentHelp(
      "Show all topics live in another program: foxglove[:PORT] (default 8765), plotjuggler[:HOST:PORT] (UDP, default 127.0.0.1:9870), dsu[:PORT] (motion for emulators, default 26760). May be given more than once.",
      valueName: "program"))
  var targets: [LiveTarget] = []

  @OptionGroup var server: ListenOption

  @Option(
    name: .customLong("allow-origin"),
    help: ArgumentHelp(
      "Let pages of this web site connect, such as https://viewer.example.org. May be given more than once.",
      valueName: "origin"))
  var allowedOrigins: [String] = []

  func validate() throws {
    let serves = targets.contains { if case .foxglove = $0 { true } else { false } }
    if server.listen != nil, !serves { throw ValidationError("--listen is for --to foxglove.") }
    if !allowedOrigins.isEmpty, !serves { throw ValidationError("--allow-origin is for --to foxglove.") }
  }
}
