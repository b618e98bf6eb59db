// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing
@_exported import TestSupport
import Testing

@testable import LiveOutput
@testable import MotionNetwork

/// A Foxglove server over loopback, asked by clients that are right, wrong, slow or hostile.
@Suite struct FoxgloveServerTests {
  private static let channel = LiveChannel(
    topic: "/motion/device", schemaName: "opencoremotion.CMDeviceMotion", schema: #"{"type":"object"}"#)
  private static let other = LiveChannel(
    topic: "/sensor/gyroscope", schemaName: "opencoremotion.Gyroscope", schema: "{}")

  private static func server(
    limits: WebLimits = WebLimits(), statesTime: Bool = false
  ) throws -> FoxgloveServer {
    try FoxgloveServer(
      name: "test", channels: [channel], address: ListeningAddress(port: 0),
      statesTime: statesTime, limits: limits)
  }

  private static func send(
    _ server: FoxgloveServer, _ text: String, _ channel: LiveChannel = channel, at time: Int64 = 1234
  ) {
    server.send(
      Array(text.utf8), on: channel, time: SensorInstant(nanoseconds: time), logTime: SensorInstant(nanoseconds: time))
  }

  private static func operation(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func aMessageHasThePublishedBytes() {
    // Subscription 30 at time 1234: the example of the format's own encoders.
    var bytes: [UInt8] = []
    FoxgloveProtocol.append(message: 30, SensorInstant(nanoseconds: 1234), to: &bytes)
    #expect(bytes == [1, 0x1E, 0, 0, 0, 0xD2, 0x04, 0, 0, 0, 0, 0, 0])
    #expect(FoxgloveProtocol.time(SensorInstant(nanoseconds: 1234)) == [2, 0xD2, 0x04, 0, 0, 0, 0, 0, 0])
    #expect(
      FoxgloveProtocol.status(.warning, "a “b”\n") == #"{"level":1,"message":"a “b”\n","op":"status"}"#)
  }

  @Test(arguments: FoxgloveProtocol.subprotocols) func aClientIsToldWhatThereIsAndGetsWhatItAsksFor(subprotocol: String)
    throws
  {
    let server = try Self.server()
    defer { server.stop() }
    let client = try WebClient(to: server, subprotocol: subprotocol)
    let info = try Self.operation(client.readText())
    #expect(info["op"] as? String == "serverInfo" && info["name"] as? String == "test")
    #expect((info["capabilities"] as? [String]) == [] && (info["sessionId"] as? String)?.isEmpty == false)
    let advertised = try Self.operation(client.readText())
    let channel = try #require((advertised["channels"] as? [[String: Any]])?.first)
    #expect(channel["id"] as? Int == 1 && channel["topic"] as? String == "/motion/device")
    #expect(channel["encoding"] as? String == "json" && channel["schemaEncoding"] as? String == "jsonschema")
    #expect(channel["schema"] as? String == #"{"type":"object"}"#)

    Self.send(server, #"{"unheard":1}"#)
    client.subscribe(30, to: 1)
    try client.settle()
    #expect(server.hasAudience)
    Self.send(server, #"{"w":1}"#)
    let frame = try client.readFrame()
    #expect(frame.opcode == 2)
    #expect(frame.payload == [1, 0x1E, 0, 0, 0, 0xD2, 4, 0, 0, 0, 0, 0, 0] + Array(#"{"w":1}"#.utf8))

    client.say(#"{"op":"unsubscribe","subscriptionIds":[30]}"#)
    try client.settle()
    Self.send(server, #"{"w":2}"#)
    try client.settle()
    #expect(!server.hasAudience && server.summary.hasPrefix("1 client so far, frames sent: 1, dropped: 0"))
  }

  @Test func aTopicThatComesLaterIsOfferedThen() throws {
    let server = try Self.server()
    defer { server.stop() }
    let client = try WebClient(to: server)
    _ = try (client.readText(), client.readText())
    try client.settle()
    Self.send(server, "{}", Self.other)
    let advertised = try Self.operation(client.readText())
    let channel = try #require((advertised["channels"] as? [[String: Any]])?.first)
    #expect(channel["id"] as? Int == 2 && channel["topic"] as? String == "/sensor/gyroscope")
    // And to every later client.
    let second = try WebClient(to: server)
    _ = try second.readText()
    #expect((try Self.operation(second.readText())["channels"] as? [Any])?.count == 2)
  }

  @Test func aRecordingStatesItsTime() throws {
    let server = try Self.server(statesTime: true)
    defer { server.stop() }
    let client = try WebClient(to: server)
    #expect(try Self.operation(client.readText())["capabilities"] as? [String] == ["time"])
    _ = try client.readText()
    client.subscribe(1, to: 1)
    try client.settle()
    // 0 and 40 ms are stated, 10 ms is not; a jump back is.
    for time: Int64 in [0, 10_000_000, 40_000_000, 5_000_000] { Self.send(server, "{}", at: time) }
    var kinds: [UInt8] = []
    while kinds.count < 7 { kinds.append(try client.readFrame().payload[0]) }
    #expect(kinds == [2, 1, 1, 2, 1, 2, 1])
  }

  @Test func wrongRequestsAreAnsweredAndChangeNothing() throws {
    let server = try Self.server()
    defer { server.stop() }
    let client = try WebClient(to: server)
    _ = try (client.readText(), client.readText())
    for request in [
      "no json", "[]", #"{"op":"subscribe"}"#, #"{"op":"subscribe","subscriptions":[{"id":-1,"channelId":1}]}"#,
      #"{"op":"subscribe","subscriptions":[{"id":1,"channelId":99}]}"#,
      #"{"op":"subscribe","subscriptions":[{"id":1,"channelId":0}]}"#,
      #"{"op":"getParameters"}"#, String(repeating: "[", count: 60_000),
    ] {
      client.say(request)
      #expect(try Self.operation(client.readText())["op"] as? String == "status", "\(request.prefix(60))")
    }
    client.send(WebClient.frame(0x82, [1, 2, 3]))
    #expect(try Self.operation(client.readText())["op"] as? String == "status")
    #expect(!server.hasAudience)
    client.subscribe(1, to: 1)
    client.subscribe(1, to: 1)
    #expect(try Self.operation(client.readText())["message"] as? String == "The subscription 1 is in use.")
  }

  @Test func theSubscriptionAfterTheLastOneIsRefused() throws {
    let server = try Self.server()
    defer { server.stop() }
    let client = try WebClient(to: server)
    _ = try (client.readText(), client.readText())
    let wishes = (1...257).map { #"{"id":\#($0),"channelId":1}"# }.joined(separator: ",")
    client.say(#"{"op":"subscribe","subscriptions":[\#(wishes)]}"#)
    #expect(try Self.operation(client.readText())["message"] as? String == "A client may have 256 subscriptions.")
    Self.send(server, "{}")
    for _ in 0..<256 { #expect(try client.readFrame().opcode == 2) }
    try client.settle()
    #expect(server.summary.contains("frames sent: 256,"))
  }

  @Test func theClientAfterTheLastOneGets503AndItsPlaceWhenOneGoes() throws {
    var limits = WebLimits()
    limits.clients = 2
    let server = try Self.server(limits: limits)
    defer { server.stop() }
    var clients = try (0..<2).map { _ in try WebClient(to: server) }
    for client in clients { try client.settle() }
    let third = try WebClient(port: server.address.port)
    third.send(WebClient.handshake())
    #expect(try third.readHead().hasPrefix("HTTP/1.1 503 "))
    let last = clients.removeLast()
    last.send(WebClient.frame(0x88, [3, 0xE8]))
    #expect(try last.readCloseCode() == 1000)
    _ = try WebClient(to: server)
  }

  @Test func refusalsReachTheirClient() throws {
    let server = try Self.server()
    defer { server.stop() }
    for (request, status) in [
      (WebClient.handshake(origin: "https://evil.example"), "403"),
      (WebClient.handshake(subprotocol: "mqtt"), "400"),
      ("GET / HTTP/1.1\r\n\r\n", "426"), ("\r\n\r\n", "400"),
      ("GET /" + String(repeating: "a", count: 9000) + " HTTP/1.1\r\n", "431"),
      (WebClient.handshake(origin: "https://app.foxglove.dev"), "101"),
    ] {
      let client = try WebClient(port: server.address.port)
      client.send(request)
      #expect(try client.readHead().hasPrefix("HTTP/1.1 \(status) "))
    }
    #expect(server.summary.hasSuffix("refused clients: 5"))
  }

  @Test(
    arguments: [
      ([0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], 1002), ([0x09, 0x80, 0, 0, 0, 0], 1002),
      ([0x81, 0x81, 0, 0, 0, 0, 0xFF], 1007), ([0x82, 0xFF, 0x7F] + [UInt8](repeating: 0xFF, count: 7), 1009),
      ([0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 1], 1009),
    ] as [([UInt8], Int)])
  func hostileFramesEndTheirConnectionOnly(bytes: [UInt8], code: Int) throws {
    let server = try Self.server()
    defer { server.stop() }
    let good = try WebClient(to: server)
    let bad = try WebClient(to: server)
    bad.send(bytes)
    #expect(try bad.readCloseCode() == code)
    #expect(try bad.isEnded())
    try good.settle()
    #expect(server.clientCount == 1)
  }

  @Test func randomBytesDoNoHarm() throws {
    let server = try Self.server()
    defer { server.stop() }
    var random = SeededRandom(seed: 7)
    for round in 0..<20 {
      let bytes = (0..<10_000).map { _ in UInt8.random(in: 0...255, using: &random) }
      let client = round % 2 == 0 ? try WebClient(port: server.address.port) : try WebClient(to: server)
      client.send(bytes)
    }
    let good = try WebClient(to: server)
    try good.settle()
  }

  @Test func aSlowClientLosesTheOldestIsToldAndSlowsNobody() throws {
    var limits = WebLimits()
    limits.queueBytes = 1 << 20
    let server = try Self.server(limits: limits)
    defer { server.stop() }
    let slow = try WebClient(to: server, window: 256 << 10)
    let quick = try WebClient(to: server)
    for client in [slow, quick] {
      _ = try (client.readText(), client.readText())
      client.subscribe(1, to: 1)
      try client.settle()
    }
    // 16 MiB: more than the queue and what the system holds for a client, so that a source that waited would wait for
    // ever.
    let body = String(repeating: "x", count: 16_000)
    for number in 1...1000 {
      Self.send(server, body, at: Int64(number))
      // The quick one keeps up.
      #expect(try quick.readFrame().payload[5...6].elementsEqual([UInt8(number & 0xFF), UInt8(number >> 8)]))
    }
    // It is told at most once a second, so the first notice need not name all.
    var (times, notice): ([Int], String) = ([], "")
    var lost: Int { 1000 - times.count }
    while times.last != 1000 || !notice.contains("\"\(lost) messages were dropped") {
      let (opcode, payload) = try slow.readFrame()
      if opcode == 1 {
        notice = String(decoding: payload, as: UTF8.self)
      } else {
        times.append(Int(payload[5]) | Int(payload[6]) << 8)
      }
    }
    // In order, the beginning (which the system held) and the end; the oldest of the queue are gone, and counted.
    #expect(times == times.sorted() && times.first == 1)
    #expect(lost > 100)
    #expect(server.summary.contains("dropped: \(lost)"))
  }

  @Test func aClientThatAsksWithoutReadingIsSentAway() throws {
    var limits = WebLimits()
    // Less than those of one turn.
    limits.answerBytes = 5000
    let server = try Self.server(limits: limits)
    defer { server.stop() }
    let rude = try WebClient(to: server)
    let ping = WebClient.frame(0x89, [UInt8](repeating: 0, count: 125))
    // In one piece, so that the answers of many come together.
    rude.send((0..<400).flatMap { _ in ping })
    #expect(try rude.readCloseCode() == 1008)
  }

  @Test func stoppingSaysGoodbyeAfterWhatWasLeftToSay() throws {
    let server = try Self.server()
    let client = try WebClient(to: server)
    _ = try (client.readText(), client.readText())
    client.subscribe(1, to: 1)
    try client.settle()
    let silent = try WebClient(port: server.address.port)
    for number in 0..<500 { Self.send(server, "{}", at: Int64(number)) }
    Thread.detachNewThread { server.stop() }
    for _ in 0..<500 { #expect(try client.readFrame().opcode == 2) }
    #expect(try client.readCloseCode() == 1001)
    client.send(WebClient.frame(0x88, [3, 0xE9]))
    #expect(try client.isEnded())
    // One that has never said anything is not waited for.
    #expect(try silent.isEnded())
  }

  @Test func aPortInUseIsSaidSo() throws {
    let server = try Self.server()
    defer { server.stop() }
    let error = #expect(throws: SensorError.self) {
      try FoxgloveServer(name: "second", channels: [], address: server.address)
    }
    #expect(error?.code == .busy)
    #expect(throws: SensorError.self) {
      try FoxgloveServer(name: "name", channels: [], address: ListeningAddress(host: "localhost", port: 0))
    }
  }
}

extension WebClient {
  /// Connects and shakes hands as a client should.
  fileprivate convenience init(
    to server: FoxgloveServer, subprotocol: String = "foxglove.sdk.v1", window: Int32? = nil
  ) throws {
    try self.init(port: server.address.port, window: window)
    send(Self.handshake(subprotocol: subprotocol))
    guard try readHead().hasPrefix("HTTP/1.1 101") else { throw Silence() }
  }

  fileprivate func subscribe(_ id: UInt32, to channel: UInt32) {
    say(#"{"op":"subscribe","subscriptions":[{"id":\#(id),"channelId":\#(channel)}]}"#)
  }
}
