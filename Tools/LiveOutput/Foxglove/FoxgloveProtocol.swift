// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing

/// What server and client of Foxglove's WebSocket protocol say to each other: operations in JSON, data in binary
/// frames.
///
/// Source: the protocol description of Foxglove's `ws-protocol` (`foxglove.websocket.v1`) and the SDK's documentation
/// (`foxglove.sdk.v1`, the same operations and layout).
enum FoxgloveProtocol {
  /// The present name and that of older clients.
  static let subprotocols = ["foxglove.sdk.v1", "foxglove.websocket.v1"]

  /// How serious a status is.
  enum Level: Int, Encodable, Sendable {
    case info = 0
    case warning = 1
    case error = 2
  }

  /// What the server says; each operation has the members that it needs.
  private struct Operation: Encodable {
    let op: String
    var name, sessionId: String?
    var capabilities: [String]?
    var channels: [Channel]?
    var level: Level?
    var message: String?
  }

  /// A channel with its number among its members.
  private struct Channel: Encodable {
    let id: UInt32
    let channel: LiveChannel

    func encode(to encoder: any Encoder) throws {
      try channel.encode(to: encoder)
      try ["id": id].encode(to: encoder)
    }
  }

  static func serverInfo(name: String, capabilities: [String], sessionID: String) -> String {
    json(Operation(op: "serverInfo", name: name, sessionId: sessionID, capabilities: capabilities))
  }

  static func advertise(_ channels: [(id: UInt32, channel: LiveChannel)]) -> String {
    json(Operation(op: "advertise", channels: channels.map(Channel.init)))
  }

  static func status(_ level: Level, _ message: String) -> String {
    json(Operation(op: "status", level: level, message: message))
  }

  /// The payload of a message: opcode, subscription, log time in ns, body; little endian.
  static func append(message subscription: UInt32, _ logTime: SensorInstant, to bytes: inout [UInt8]) {
    bytes.append(1)
    bytes.append(littleEndian: subscription)
    append(logTime, to: &bytes)
  }

  static let messageHeadBytes = 13

  /// The payload that says how far the time has come, for recordings.
  static func time(_ logTime: SensorInstant) -> [UInt8] {
    var bytes: [UInt8] = [2]
    append(logTime, to: &bytes)
    return bytes
  }

  private static func append(_ time: SensorInstant, to bytes: inout [UInt8]) {
    bytes.append(littleEndian: UInt64(max(0, time.nanoseconds)))
  }

  private static func json(_ operation: Operation) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts and whole numbers always have a JSON form.
    return (try? encoder.encode(operation)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}

/// A client's request, as far as it is understood. Foundation's decoder refuses objects nested more than 512 deep, and
/// a text has been capped before it comes here.
struct FoxgloveRequest {
  struct Wish: Decodable, Equatable {
    let id: UInt32
    let channel: UInt32

    private enum CodingKeys: String, CodingKey {
      case id
      case channel = "channelId"
    }
  }

  enum Operation: Equatable {
    case subscribe([Wish])
    case unsubscribe([UInt32])
    case other(String)
  }

  let operation: Operation

  /// Nil when the text is no request of the protocol.
  init?(_ text: String) {
    struct Form: Decodable {
      let op: String
      let subscriptions: [Wish]?
      let subscriptionIds: [UInt32]?
    }
    guard let form = try? JSONDecoder().decode(Form.self, from: Data(text.utf8)) else { return nil }
    switch (form.op, form.subscriptions, form.subscriptionIds) {
    case ("subscribe", let wishes?, _): operation = .subscribe(wishes)
    case ("unsubscribe", _, let ids?): operation = .unsubscribe(ids)
    case ("subscribe", _, _), ("unsubscribe", _, _): return nil
    default: operation = .other(form.op)
    }
  }
}
