// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionNetwork
package import MotionSensing

/// A server that Foxglove and programs like it (Lichtblick) connect to: `ws://localhost:8765`.
///
/// ```swift
/// let server = try FoxgloveServer(name: "motionctl: simulate:handheld", channels: channels)
/// server.send(body, on: channel, time: time, logTime: unixTime)     // from the thread of the source
/// server.stop()
/// ```
///
/// A client subscribes to the topics that it shows, and only those are sent to it. A slow client loses the
/// oldest messages of its own queue and is told so in a status message; the source never waits.
package final class FoxgloveServer: LiveOutput {
  /// The port that clients try by themselves.
  package static let defaultPort: UInt16 = 8765
  /// ns of the shown time between two statements of it.
  private static let timeStep: Int64 = 33_000_000

  private struct Client {
    /// Subscription → channel.
    var subscriptions: [UInt32: UInt32] = [:]
    /// Error messages; a client that only makes mistakes does not get one for each.
    var complaints = 0
  }

  private struct State {
    var channels: [LiveChannel]
    var numbers: [LiveChannel: UInt32]
    var clients: [Int: Client] = [:]
    /// ns of the last stated time.
    var statedTime: Int64?
  }

  /// Where it listens, the port filled in.
  package var address: ListeningAddress { server.address }
  package var place: String { "ws://\(address.text)" }
  private let name: String
  private let sessionID: String
  private let hasTime: Bool
  private let subscriptionLimit: Int
  private let server: WebServer
  private let state: Lock<State>

  /// Listens at once.
  ///
  /// - Parameters:
  ///   - name: what the client shows as the name of the source.
  ///   - channels: the topics that are offered from the beginning; others are added when their first message comes.
  ///   - address: default: port 8765 of this computer, reached by its own programs only.
  ///   - token: what the address of a client must hold as `?token=…`, for servers that other computers reach. Default: nothing.
  ///   - statesTime: whether clients are told the current time of the recording, which is not now.
  ///   - subscriptionLimit: subscriptions of one client. Default: 256.
  /// - Throws: `SensorError` when the address is in use, not this computer's or not permitted.
  package init(
    name: String, channels: [LiveChannel], address: ListeningAddress = ListeningAddress(port: defaultPort),
    token: String? = nil, statesTime: Bool = false,
    limits: WebLimits = WebLimits(),
    subscriptionLimit: Int = 256
  ) throws(SensorError) {
    (self.name, self.subscriptionLimit) = (name, subscriptionLimit)
    hasTime = statesTime
    // A client that comes again keeps its layout's state for the same session only.
    sessionID = String(UInt64.random(in: .min ... .max), radix: 16)
    server = try WebServer(
      address: address,
      security: WebSecurity(
        allowedOrigins: ["https://app.foxglove.dev"], hosts: nil, token: token,
        allowsLocalPages: true),
      subprotocols: FoxgloveProtocol.subprotocols, limits: limits
    ) { dropped in
      FoxgloveProtocol.status(
        .warning,
        "\(dropped) messages were dropped so far, the oldest first, because this client is too slow: close panels or lower --rate."
      )
    }
    var numbers: [LiveChannel: UInt32] = [:]
    for (index, channel) in channels.enumerated() { numbers[channel] = UInt32(index + 1) }
    state = Lock(State(channels: channels, numbers: numbers))
    try server.start(self)
  }

  /// Clients at present.
  package var clientCount: Int { state.withLock { $0.clients.count } }

  /// Whether a client has subscribed to something.
  package var hasAudience: Bool { state.withLock { $0.clients.values.contains { !$0.subscriptions.isEmpty } } }

  package func send(
    _ body: [UInt8], on channel: LiveChannel, time: SensorInstant, logTime: SensorInstant
  ) {
    state.withLock { state in
      let number = number(of: channel, &state)
      var frames: [(client: Int, frame: [UInt8])] = []
      if let time = timeFrame(logTime, &state) {
        for client in state.clients.keys { frames.append((client, time)) }
      }
      for (client, entry) in state.clients {
        for (subscription, subscribed) in entry.subscriptions where subscribed == number {
          var frame: [UInt8] = []
          let size = FoxgloveProtocol.messageHeadBytes + body.count
          frame.reserveCapacity(size + 10)
          WebSocketFrame.appendHead(.binary, count: size, to: &frame)
          FoxgloveProtocol.append(message: subscription, logTime, to: &frame)
          frame += body
          frames.append((client, frame))
        }
      }
      // Under the lock, so that the frames of one client keep the order in which they were sent.
      server.push(frames)
    }
  }

  package func stop(grace: Double) { server.stop(grace: grace) }

  package var summary: String {
    let statistics = server.statistics
    var text =
      "\(statistics.connected) \(statistics.connected == 1 ? "client" : "clients") so far, frames sent: \(statistics.frames), dropped: \(statistics.dropped)"
    if statistics.refused > 0 { text += ", refused clients: \(statistics.refused)" }
    return text
  }

  private func number(of channel: LiveChannel, _ state: inout State) -> UInt32 {
    if let number = state.numbers[channel] { return number }
    let number = UInt32(state.channels.count + 1)
    state.channels.append(channel)
    state.numbers[channel] = number
    let text = FoxgloveProtocol.advertise([(number, channel)])
    for client in state.clients.keys { server.answer(text, to: client) }
    return number
  }

  private func timeFrame(_ logTime: SensorInstant, _ state: inout State) -> [UInt8]? {
    guard hasTime, !state.clients.isEmpty else { return nil }
    // A jump backwards (a recording that starts again) is reported at once.
    if let stated = state.statedTime, (stated..<(stated &+ Self.timeStep)).contains(logTime.nanoseconds) { return nil }
    state.statedTime = logTime.nanoseconds
    return WebSocketFrame.encoded(.binary, FoxgloveProtocol.time(logTime))
  }
}

extension FoxgloveServer: WebHandler {
  package func respond(to request: HTTPRequest) -> HTTPResponse { .webSocketsOnly }
  package func accepts(_ request: HTTPRequest) -> Bool { true }

  package func opened(_ client: Int, _ request: HTTPRequest) {
    state.withLock { state in
      state.clients[client] = Client()
      server.answer(
        FoxgloveProtocol.serverInfo(name: name, capabilities: hasTime ? ["time"] : [], sessionID: sessionID), to: client
      )
      server.answer(
        FoxgloveProtocol.advertise(state.channels.enumerated().map { (UInt32($0 + 1), $1) }), to: client)
    }
  }

  package func closed(_ client: Int) { state.withLock { $0.clients[client] = nil } }

  package func received(_ event: WebSocketEvent, from client: Int) {
    state.withLock { state in
      guard var entry = state.clients[client] else { return }
      for complaint in handle(event, &entry, channelCount: state.channels.count) {
        entry.complaints += 1
        // Each answer to a mistake costs more than the mistake.
        if entry.complaints <= 100 { server.answer(complaint, to: client) }
      }
      state.clients[client] = entry
    }
  }

  /// Does what a client asks for; returns what there is to say about it.
  private func handle(_ event: WebSocketEvent, _ client: inout Client, channelCount: Int) -> [String] {
    guard case .text(let text) = event else {
      return [FoxgloveProtocol.status(.warning, "This server accepts no messages.")]
    }
    guard let request = FoxgloveRequest(text) else {
      return [FoxgloveProtocol.status(.error, "The request is not a JSON object of the protocol.")]
    }
    switch request.operation {
    case .subscribe(let wishes): return wishes.compactMap { subscribe($0, &client, channelCount) }
    case .unsubscribe(let ids):
      for id in ids { client.subscriptions[id] = nil }
      return []
    case .other(let name):
      return [FoxgloveProtocol.status(.warning, "This server has no operation “\(name.prefix(40))”.")]
    }
  }

  private func subscribe(_ wish: FoxgloveRequest.Wish, _ client: inout Client, _ channelCount: Int) -> String? {
    guard wish.channel >= 1, wish.channel <= channelCount else {
      return FoxgloveProtocol.status(.error, "There is no channel \(wish.channel).")
    }
    guard client.subscriptions[wish.id] == nil else {
      return FoxgloveProtocol.status(.error, "The subscription \(wish.id) is in use.")
    }
    guard client.subscriptions.count < subscriptionLimit else {
      return FoxgloveProtocol.status(.error, "A client may have \(subscriptionLimit) subscriptions.")
    }
    client.subscriptions[wish.id] = wish.channel
    return nil
  }
}
