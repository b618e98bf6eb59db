// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import Testing

@testable import MotionNetwork
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
    #expect(source.page == nil)
    var phone = BrowserPhone(sign: -1)
    let clock = HandClock()
    for round in 1...2 {
      let samples = try Self.run(source, clock: clock, count: 50) {
        let (port, path) = try Self.address(notices)
        var connected: WebClient?
        waitUntil {
          connected = try? WebClient(port: port)
          return connected != nil
        }
        let client = try #require(connected, "The server listens.")
        if round == 1 {
          // What a person at the computer is told, step by step.
          #expect(source.page?.address == "http://127.0.0.1:\(port)\(path)")
          #expect(source.page?.waiting?.contains("No phone yet") == true)
          #expect(try WebClient(port: port).request("GET", path).status == 200)
          #expect(source.page?.waiting?.contains("tap “Send motion”") == true)
        }
        for _ in 0..<10 {
          let body = BrowserPhone.body(session: 5, first: phone.number, (0..<5).map { _ in phone.next() })
          phone.number += 5
          if phone.number == 10 { #expect(source.page?.waiting?.contains("signs of its browser") == true) }
          #expect(try client.request("POST", path + "motion", body).status == 200)
          // The clock is settled after half a second of arrivals.
          clock.advance(by: .milliseconds(60))
        }
        #expect(try client.request("POST", "/motion").status == 403)
        #expect(source.page != nil && source.page?.waiting == nil)
        clock.advance(by: .seconds(4))
        #expect(source.page?.waiting?.contains("has sent nothing for 4 s") == true)
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

/// The page's server without a network: who may send, and what the page is told.
struct BrowserServerTests {
  private let clock = VirtualClock()
  private let server = BrowserServer()
  private let session: SensorSession

  init() {
    session = SensorSession(clock: clock, request: SensorRequest(kinds: .inertial, interval: .zero)) { _, _ in }
    server.attach(session)
  }

  private func ask(
    _ method: String, _ path: String, _ body: [UInt8] = [], peer: String = "192.168.1.20"
  ) throws -> (status: Int, text: String) {
    let head = try #require(HTTPRequestHead("\(method) \(path) HTTP/1.1\r\nHost: x".utf8))
    var request = HTTPRequest(head, target: path[...], peer: peer)
    request.body = body
    let response = server.respond(to: request)
    return (response.status, String(decoding: response.body, as: UTF8.self))
  }

  /// A batch of five whose page is `id`.
  private func body(_ id: UInt64, first: UInt32 = 0, sign: Double = 1) -> [UInt8] {
    var phone = BrowserPhone(sign: sign)
    return BrowserPhone.body(session: id, first: first, (0..<10).map { _ in phone.next() })
  }

  @Test(arguments: ["/", "/page.js", "/page.css", "/motion.js"])
  func thePageIsPartOfTheProgram(path: String) throws {
    let (status, text) = try ask("GET", path)
    #expect(status == 200)
    // REUSE-IgnoreStart
    #expect(text.contains("SPDX-License-Identifier: Apache-2.0"))
    // REUSE-IgnoreEnd
    #expect(try ask("GET", path + "x").status == 404)
  }

  @Test func aPageIsToldItsSigns() async throws {
    #expect(try ask("POST", "/motion", body(1)).text.contains(#""sign":"standard""#))
    await clock.advance(by: .seconds(6))
    #expect(try ask("POST", "/motion", body(2, sign: -1)).text.contains(#""sign":"iOS""#))
  }

  @Test func aSecondPhoneIsRefusedUntilTheFirstIsGone() async throws {
    #expect(try ask("POST", "/motion", body(1)).status == 200)
    let (status, text) = try ask("POST", "/motion", body(2), peer: "192.168.1.21")
    #expect(status == 409)
    #expect(text.contains("Another phone"))
    #expect(server.statistics.otherPhones == 1)
    #expect(try ask("POST", "/goodbye", BrowserPhone.body(session: 1, first: 0, [])).status == 200)
    #expect(try ask("POST", "/motion", body(2), peer: "192.168.1.21").status == 200)
    #expect(try ask("POST", "/motion", body(1)).status == 409)
    await clock.advance(by: PhoneHearing.silence + .milliseconds(1))
    #expect(try ask("POST", "/motion", body(1)).status == 200)
  }

  @Test func aPageThatIsOpenedAnewReplacesTheOldOne() throws {
    #expect(try ask("POST", "/motion", body(1)).status == 200)
    #expect(try ask("POST", "/motion", body(2)).status == 200)
    let (status, text) = try ask("POST", "/motion", body(1))
    #expect(status == 410)
    #expect(text.contains("load it again"))
    #expect(server.statistics.replacedPages == 1)
  }

  @Test func aGoodbyeBringsTheLastSamplesAndMakesRoom() throws {
    #expect(try ask("POST", "/motion", body(1)).status == 200)
    #expect(try ask("POST", "/goodbye", body(1, first: 10)).status == 200)
    #expect(server.statistics.messages == 2)
    // The clock is not settled yet.
    #expect(server.statistics.waiting == 20 && server.statistics.omissions.isEmpty)
    #expect(try ask("POST", "/motion", body(2), peer: "192.168.1.21").status == 200)
  }

  @Test func bytesThatAreNoBatchAreRefusedAndCounted() throws {
    #expect(try ask("POST", "/motion", Array("{}".utf8)).status == 400)
    #expect(try ask("POST", "/goodbye", [1, 2, 3]).status == 400)
    #expect(try ask("POST", "/other").status == 405)
    #expect(server.statistics.malformedMessages == 2)
  }

  @Test func withoutARunNothingIsTaken() throws {
    server.detach()
    #expect(try ask("POST", "/motion", body(1)).status == 503)
    #expect(server.statistics.messages == 0)
  }
}

/// A clock that a test sets by hand, for sources that wait for the network: time stands still while a message is under
/// way, so what is measured does not depend on the load of the machine. (Sources that wait for the clock alone are
/// better on a `VirtualClock`.)
final class HandClock: SensorClock {
  private struct State {
    var now = SensorInstant(nanoseconds: 1_000_000_000_000)
    var waiting: [ObjectIdentifier: WakeSignal] = [:]
  }

  private let state = Lock(State())

  var now: SensorInstant { state.withLock { $0.now } }

  func wait(until deadline: SensorInstant, wake: WakeSignal) -> Bool {
    let isReached = state.withLock { state in
      if deadline > state.now { state.waiting[ObjectIdentifier(wake)] = wake }
      return deadline <= state.now
    }
    guard !isReached else { return true }
    _ = wake.wait(limit: nil)
    return state.withLock { state in
      state.waiting[ObjectIdentifier(wake)] = nil
      return deadline <= state.now
    }
  }

  func beginWork() {}
  func endWork() {}

  /// Moves time, and wakes who waits for it.
  func advance(by duration: SensorDuration) {
    let waiting = state.withLock { state in
      state.now = state.now + duration
      return Array(state.waiting.values)
    }
    for wake in waiting { wake.signal() }
  }
}
