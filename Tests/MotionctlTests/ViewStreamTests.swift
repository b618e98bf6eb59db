// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionNetwork
import MotionSensing
import Testing

@testable import MotionViewer

/// The way of the samples to pages that read and to one that does not, over real sockets.
@Suite struct ViewStreamTests {
  private final class Door: WebHandler {
    let stream: ViewStream

    init(_ stream: ViewStream) { self.stream = stream }

    func accepts(_ request: HTTPRequest) -> Bool { true }
    func opened(_ client: Int, _ request: HTTPRequest) { stream.add(client) }
    func closed(_ client: Int) { stream.remove(client) }
  }

  /// What a page has received.
  private struct Received {
    var texts: [String] = []
    var numbers: [Int] = []
    var samples = 0

    mutating func take(_ frame: (opcode: UInt8, payload: [UInt8])) {
      guard frame.opcode == 2 else { return texts.append(String(decoding: frame.payload, as: UTF8.self)) }
      numbers.append(frame.payload[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) })
      samples += (frame.payload.count - ViewRecord.headerSize) / 24
    }
  }

  @Test func whatASlowPageLosesIsCountedAndOthersLoseNothing() throws {
    var limits = WebLimits()
    limits.queueBytes = 96 << 10
    let server = try WebServer(address: ListeningAddress(port: 0), security: WebSecurity(), limits: limits)
    let stream = ViewStream()
    stream.connect(to: server)
    try server.start(Door(stream))
    defer { server.stop(grace: 1) }
    func page(_ count: Int) throws -> WebClient {
      let peer = try WebClient(port: server.address.port)
      peer.send(WebClient.handshake(subprotocol: nil, host: "127.0.0.1"))
      #expect(try peer.answer(hasBody: false).status == 101)
      waitUntil { stream.clientCount == count }
      return peer
    }
    var sent = 0
    func append(_ count: Int) {
      for _ in 0..<count {
        stream.append { ViewRecord.append(.gyroscope, .zero, view: 0, seconds: Double(sent), to: &$0) }
        sent += 1
      }
    }
    append(1000)
    let (slow, good) = (try page(1), try page(2))
    var (lossy, whole) = (Received(), Received())
    // Seven megabytes, of which the system holds one or two for a page that does not read.
    for _ in 0..<300 {
      append(1000)
      stream.send(state: Array(#"{"sent":\#(sent)}"#.utf8))
      while whole.texts.last != #"{"sent":\#(sent)}"# { whole.take(try good.readFrame()) }
    }
    stream.send(state: Array("{}".utf8))
    while lossy.texts.last != "{}" { lossy.take(try slow.readFrame()) }
    #expect(whole.samples == sent && whole.numbers == Array(0..<whole.numbers.count))
    #expect(Array(whole.texts.prefix(2)) == [#"{"history":true}"#, #"{"history":false}"#])
    #expect(lossy.numbers == lossy.numbers.sorted() && lossy.numbers.count < whole.numbers.count)
    #expect(lossy.texts.contains(#"{"history":false}"#))
    // What was dropped is said, texts of the state among it.
    let said = lossy.texts.compactMap { $0.hasPrefix(#"{"dropped":"#) ? Int($0.dropFirst(11).dropLast()) : nil }
    let lost = whole.numbers.count + whole.texts.count + 1 - lossy.numbers.count - (lossy.texts.count - said.count)
    #expect(said.last == lost && server.statistics.dropped == lost)
  }
}

/// What a page that joins is given of the time before.
struct ViewHistoryTests {
  private static func at(_ seconds: Double) -> SensorInstant { SensorInstant(nanoseconds: Int64(seconds * 1e9)) }

  @Test func itGoesBackAMinute() {
    var history = ViewHistory()
    for number in 0..<6000 { history.append([UInt8(number & 255)], at: Self.at(Double(number) / 60)) }
    // The last at 99.98 s: from 39.98 s on.
    let frames = history.frames(at: Self.at(99.98))
    #expect(abs(frames.count - 3600) <= 1 && frames.last == [UInt8(5999 & 255)])
    #expect(frames.first == [UInt8((6000 - frames.count) & 255)])
    // A source that has fallen silent.
    #expect(history.frames(at: Self.at(140)).count < 1300)
    #expect(history.frames(at: Self.at(200)).isEmpty && history.bytes == 0)
  }

  @Test func aFastSourceFillsFourMegabytesAndNoMore() {
    var history = ViewHistory()
    for number in 0..<1000 {
      history.append([UInt8](repeating: UInt8(number & 255), count: 16_000), at: Self.at(Double(number) / 1000))
      #expect(history.bytes <= ViewHistory.limit)
    }
    let frames = history.frames(at: Self.at(1))
    #expect(frames.count == ViewHistory.limit / (16_000 + 64) && frames.last?.first == UInt8(999 & 255))
  }
}
