// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionNetwork
import MotionSensing
import Testing

@testable import NetworkSources

/// The source as a whole, over a socket of this computer.
struct BrowserSourceTests {
  /// A run on a thread of its own, until `body` has ended and `count` samples have come; returns them.
  private static func run(
    _ source: BrowserSource, clock: HandClock, count: Int, _ body: () throws -> Void
  ) throws -> [SensorSample] {
    let samples = Lock([SensorSample]())
    let session = SensorSession(
      clock: clock, request: SensorRequest(kinds: .inertial, interval: .zero)
    ) { sample, _ in samples.withLock { $0.append(sample) } }
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      do { try source.run(session) } catch {}
      ended.signal()
    }
    defer {
      session.stop()
      ended.wait()
    }
    try body()
    // What was answered has been handed over; the source's thread takes it from there.
    _ = waitUntil { samples.withLock { $0.count >= count } }
    return samples.withLock { $0 }
  }

  /// The first address in what was announced.
  private static func address(_ notices: borrowing Lock<[String]>) throws -> (port: UInt16, path: String) {
    _ = waitUntil { notices.withLock { !$0.isEmpty } }
    let text = try #require(notices.withLock { $0.first })
    let match = try #require(text.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)(\/\w+\/)/))
    return (try #require(UInt16(match.1)), String(match.2))
  }

  @Test func samplesOfThePageAreDeliveredAndAPageGoesOnInTheNextRun() throws {
    var options = BrowserOptions()
    (options.isSecure, options.port) = (false, 0)
    let notices = Lock([String]())
    let source = try BrowserSource(
      options, announcer: PhoneAnnouncer(notice: { text in notices.withLock { $0.append(text) } }))
    #expect(source.phone == nil)
    var phone = BrowserPhone(sign: -1)
    let clock = HandClock()
    for round in 1...2 {
      let samples = try Self.run(source, clock: clock, count: 50) {
        let (port, path) = try Self.address(notices)
        let client = try #require(PlainClient(port: port), "The server listens.")
        if round == 1 {
          // What a person at the computer is told, step by step.
          #expect(source.phone?.address == "http://127.0.0.1:\(port)\(path)")
          #expect(source.phone?.waiting?.contains("No phone yet") == true)
          #expect(PlainClient(port: port)?.send("GET", path, []).hasPrefix("HTTP/1.1 200") == true)
          #expect(source.phone?.waiting?.contains("tap “Send motion”") == true)
        }
        for _ in 0..<10 {
          let body = BrowserPhone.body(session: 5, first: phone.number, (0..<5).map { _ in phone.next() })
          phone.number += 5
          if phone.number == 10 { #expect(source.phone?.waiting?.contains("signs of its browser") == true) }
          #expect(client.post(path + "motion", body).hasPrefix("HTTP/1.1 200 OK"))
          // The clock is settled after half a second of arrivals.
          clock.advance(by: .milliseconds(60))
        }
        #expect(client.post("/motion", []).hasPrefix("HTTP/1.1 403"))
        #expect(source.phone != nil && source.phone?.waiting == nil)
        clock.advance(by: .seconds(4))
        #expect(source.phone?.waiting?.contains("has sent nothing for 4 s") == true)
      }
      #expect(samples.count == 50)
      #expect(source.statistics.samples == 50 * round)
      guard case .inertial(let sample) = try #require(samples.last) else { throw SourceStopped() }
      #expect((sample.specificForce - phone.truth.force).length < 0.1)
    }
    #expect(notices.withLock { $0.count { $0.contains("Waiting for a phone") } } == 1)
    #expect(notices.withLock { $0.contains { $0.contains("signs of iOS") } })
    #expect(source.statistics.losses == nil)
  }

  @Test func httpIsRefusedWhereOtherComputersCouldUseIt() {
    var options = BrowserOptions()
    (options.isSecure, options.host) = (false, "192.0.2.7")
    let error = #expect(throws: SensorError.self) { try BrowserSource(options) }
    #expect(error?.message.contains("secure pages only") == true)
  }

  @Test(arguments: [
    ["token": "short"], ["token": "has/slash123"], ["listen": "localhost"], ["tls": "maybe"], ["rate": "60"],
  ])
  func optionsThatMakeNoSenseAreRefused(options: [String: String]) {
    #expect(throws: SensorError.self) { try BrowserOptions(options) }
  }

  @Test func theNameOfTheSourceStatesWhatABrowserCanGive() throws {
    let info = try BrowserSource(BrowserOptions()).info
    #expect(info.name.contains("60 Hz") && info.name.contains("0.1 m/s²"))
    #expect(info.channels == [SensorInfo.Channel(kind: .inertial, rates: [60])])
    #expect(info.identity == nil)
  }
}

/// One connection to a server of this computer, a request after the other.
private final class PlainClient {
  private let descriptor: Int32

  /// Nil when nothing listens.
  init?(port: UInt16) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var connected: Int32?
    _ = waitUntil {
      let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if result == 0 { connected = socket } else { close(socket) }
      return connected != nil
    }
    guard let connected else { return nil }
    descriptor = connected
  }

  deinit { close(descriptor) }

  /// The answer's head, or what there is of it.
  func post(_ path: String, _ body: [UInt8]) -> String { send("POST", path, body) }

  func send(_ method: String, _ path: String, _ body: [UInt8]) -> String {
    let head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(body.count)\r\n\r\n"
    let request = Array(head.utf8) + body
    _ = Foundation.send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
    var answer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &answer, answer.count, 0)
    return String(decoding: answer.prefix(max(0, count)), as: UTF8.self)
  }
}
