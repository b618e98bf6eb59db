// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import MotionTesting
import Testing

@testable import MotionNetwork
@testable import NetworkSources

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
    await clock.advance(by: BrowserServer.absence + .milliseconds(1))
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
    #expect(server.statistics.losses == nil)
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
