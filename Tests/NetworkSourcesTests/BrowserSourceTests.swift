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
