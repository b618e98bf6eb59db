// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionNetwork
import MotionSensing
import PhoneFormats
import Testing

@testable import NetworkSources

/// A phone with SensorServer: a WebSocket server on the loopback that sends what it is told.
private final class AndroidPhone: WebHandler {
  struct State {
    var clients: [Int] = []
    var targets: [String] = []
  }

  let state = Lock(State())
  let web: WebServer

  init(port: UInt16 = 0) throws {
    web = try WebServer(address: ListeningAddress(port: port), security: WebSecurity(hosts: nil))
    try web.start(self)
  }

  func accepts(_ request: HTTPRequest) -> Bool { request.path == "/sensors/connect" }
  func opened(_ client: Int, _ request: HTTPRequest) {
    state.withLock { state in
      state.clients.append(client)
      state.targets.append(request.query["types"] ?? "")
    }
  }

  /// 100 Hz of accelerometer and gyroscope, four messages a time.
  func send(_ range: Range<Int64>) {
    guard let client = state.withLock({ $0.clients.last }) else { return }
    for number in range {
      let time = 3_925_657_519_043_709 + number * 10_000_000
      web.answer(
        #"{"type":"android.sensor.accelerometer","values":[0.5,\#(Double(number) * 1e-6),9.75],"timestamp":\#(time),"accuracy":2}"#,
        to: client)
      web.answer(
        #"{"accuracy":3,"timestamp":\#(time),"values":[0.01,-0.02,0.03],"type":"android.sensor.gyroscope"}"#, to: client
      )
    }
  }
}

@Suite(.serialized) struct SensorServerTests {
  @Test func everySampleComesThroughWithItsTime() throws {
    let phone = try AndroidPhone()
    defer { phone.web.stop(grace: 0) }
    let said = Lock<[String]>([])
    let source = try PhoneServerSource(
      SensorServer.self, path: "127.0.0.1:\(phone.web.address.port)", options: [:],
      announcer: PhoneAnnouncer(warning: { text in said.withLock { $0.append(text) } }))
    let clock = HandClock()
    let run = RunningSource(source, clock: clock)
    #expect(waitUntil { phone.state.withLock { !$0.clients.isEmpty } })
    #expect(phone.state.withLock { $0.targets.first }?.contains("android.sensor.magnetic_field") == true)
    for batch in 0..<20 as Range<Int64> {
      phone.send(batch * 10..<(batch + 1) * 10)
      #expect(waitUntil { source.statistics.messages == Int(batch + 1) * 20 })
      clock.advance(by: .milliseconds(100))
    }
    #expect(waitUntil { run.samples.count == 400 })
    run.stop()
    let own = run.samples.map(\.sample).only(.accelerometer)
    #expect(own.count == 200)
    for (number, sample) in own.enumerated() {
      guard case .accelerometer(let sample) = sample else { continue }
      #expect(sample.unit == .metresPerSecondSquared && sample.reading.y == Double(number) * 1e-6)
    }
    #expect(Set(zip(own, own.dropFirst()).map { ($1.time - $0.time).nanoseconds }) == [10_000_000])
    #expect(said.withLock { $0 } == [] && source.statistics.losses == nil)
  }

  @Test func aServerThatIsNotThereIsSaidOnceAndFoundLater() throws {
    let first = try AndroidPhone()
    let port = first.web.address.port
    first.web.stop(grace: 0)
    let said = Lock<[String]>([])
    let source = try PhoneServerSource(
      SensorServer.self, path: "127.0.0.1:\(port)", options: [:],
      announcer: PhoneAnnouncer(warning: { text in said.withLock { $0.append(text) } }))
    let run = RunningSource(source)
    #expect(waitUntil { said.withLock { $0.contains { $0.contains("Nothing answers") } } })
    let phone = try AndroidPhone(port: port)
    #expect(waitUntil { phone.state.withLock { !$0.clients.isEmpty } })
    // It ends, and comes back.
    phone.web.stop(grace: 0)
    #expect(waitUntil { said.withLock { $0.contains { $0.contains("connection") } } })
    run.stop()
    #expect((run.error as? SourceStopped) != nil)
    #expect(said.withLock { $0.count { $0.contains("Nothing answers") } } >= 1)
  }

  @Test(
    arguments: [
      (4001, "no accelerometer"), (4004, "stopped on the phone"), (4005, "list of connections"), (4711, "4711"),
    ] as [(UInt16, String)])
  func closeCodesAreSentences(code: UInt16, sentence: String) {
    #expect(SensorServer.sentence(code).contains(sentence))
  }

  @Test(arguments: ["", "1.2.3.4:", "1.2.3.4:0", "1.2.3.4:99999", "a b", "[::1", "host/path"])
  func anAddressThatIsNoneIsRefused(path: String) {
    #expect(throws: SensorError.self) { try PhoneServerSource(SensorServer.self, path: path, options: [:]) }
  }

  @Test func placesAreReadAsTheyAreWritten() throws {
    #expect(try NetworkPlace("phone.local", port: 8080) == NetworkPlace("phone.local:8080", port: 1))
    let place = try NetworkPlace("[fe80::1%wlan0]:81", port: 80)
    #expect(place.host == "fe80::1%wlan0" && place.port == 81)
  }
}

extension PhoneServerSource: BlockingSource {}
