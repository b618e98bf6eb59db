// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionNetwork
import MotionSensing
import MotionTesting
import PhoneFormats
import Testing

@testable import NetworkSources

/// A phone with phyphox: 100 Hz of acceleration and gyroscope, whose buffers grow while it measures.
private final class PhyphoxPhone: WebHandler {
  struct State {
    var isMeasuring = false
    var rows = 0
    var session = "1a2b3c"
    var requests: [String] = []
  }

  static let configuration =
    #"{"crc32":"0","title":"x","buffers":[{"name":"accX","size":0}],"inputs":[{"source":"linear_acceleration","outputs":[{"x":"linX"},{"y":"linY"},{"z":"linZ"},{"t":"lin_time"}]},{"source":"accelerometer","outputs":[{"x":"accX"},{"y":"accY"},{"z":"accZ"},{"t":"acc_time"}]},{"source":"gyroscope","outputs":[{"x":"gyrX"},{"y":"gyrY"},{"z":"gyrZ"},{"t":"gyr_time"}]},{"source":"location","outputs":[{"lat":"lat"}]}]}"#

  let state = Lock(State())
  let web: WebServer

  init() throws {
    web = try WebServer(address: ListeningAddress(port: 0), security: WebSecurity(hosts: nil))
    try web.start(self)
  }

  func respond(to request: HTTPRequest) -> HTTPResponse {
    state.withLock { state in
      state.requests.append(request.head.target)
      switch request.path {
      case "/config": return .json(Array(Self.configuration.utf8))
      case "/control":
        if request.query["cmd"] == "start" { state.isMeasuring = true }
        return .json(Array(#"{"result":true}"#.utf8))
      case "/get":
        let buffers = request.query.map { name, wish -> String in
          #""\#(name)":{"size":0,"updateMode":"partial","buffer":[\#(Self.buffer(name, wish, state.rows))]}"#
        }
        return .json(
          Array(
            #"{"buffer":{\#(buffers.joined(separator: ","))},"status":{"session":"\#(state.session)","measuring":\#(state.isMeasuring),"timedRun":false,"countDown":0}}"#
              .utf8))
      default: return .text(404, "?")
      }
    }
  }

  /// Row `n` was measured at n/100 s; the buffers of z are one row behind the others.
  private static func buffer(_ name: String, _ wish: String, _ rows: Int) -> String {
    let end = name.hasSuffix("Z") ? max(0, rows - 1) : rows
    if wish.isEmpty { return end > 0 ? "\(Double(end - 1) / 100)" : "" }
    let limit = Double(wish.prefix { $0 != "|" }) ?? -1
    return (0..<end).filter { Double($0) / 100 > limit + 1e-9 }.map { row in
      name.hasSuffix("_time")
        ? "\(Double(row) / 100)" : row == 150 ? "null" : "\(Double(row) + (name.hasSuffix("Y") ? 0.5 : 0))"
    }.joined(separator: ",")
  }
}

@Suite(.serialized) struct PhyphoxTests {
  @Test func everyRowComesOnceWhateverTheBuffersLengths() async throws {
    let phone = try PhyphoxPhone()
    defer { phone.web.stop(grace: 0) }
    let source = try PhoneServerSource(PhyphoxServer.self, path: "127.0.0.1:\(phone.web.address.port)", options: [:])
    let clock = VirtualClock()
    let run = RunningSource(source, clock: clock)
    // It starts the experiment itself.
    await clock.settle()
    #expect(phone.state.withLock { $0.isMeasuring })
    for rows in 1...200 {
      phone.state.withLock { $0.rows = rows }
      await clock.advance(by: .milliseconds(10))
    }
    phone.state.withLock { $0.rows = 201 }
    await clock.advance(by: .milliseconds(200))
    run.stop()
    #expect(run.samples.count == 398 && source.statistics.unreadable == 2)
    let own = run.samples.map(\.sample).only(.accelerometer)
    let rows = own.compactMap { sample -> Double? in
      guard case .accelerometer(let sample) = sample else { return nil }
      #expect(sample.reading.y == sample.reading.x + 0.5 && sample.unit == .metresPerSecondSquared)
      return sample.reading.x
    }
    #expect(rows == (0..<200).filter { $0 != 150 }.map(Double.init))
    let distances = Set(zip(own, own.dropFirst()).map { ($1.time - $0.time).nanoseconds })
    #expect(distances == [10_000_000, 20_000_000])
    // Each answer brings what is new.
    #expect(phone.state.withLock { $0.requests.count { $0.contains("accX=full") } } <= 2)
  }

  @Test func anExperimentWithoutMotionIsASentence() throws {
    let said = Lock<[String]>([])
    let web = try WebServer(address: ListeningAddress(port: 0), security: WebSecurity(hosts: nil))
    struct Silent: WebHandler {
      func respond(to request: HTTPRequest) -> HTTPResponse { .json(Array(#"{"inputs":[]}"#.utf8)) }
    }
    try web.start(Silent())
    defer { web.stop(grace: 0) }
    let source = try PhoneServerSource(
      PhyphoxServer.self, path: "127.0.0.1:\(web.address.port)", options: [:],
      announcer: PhoneAnnouncer(warning: { text in said.withLock { $0.append(text) } }))
    let run = RunningSource(source)
    #expect(waitUntil { said.withLock { $0.contains { $0.contains("Acceleration with g") } } })
    run.stop()
  }

  @Test(arguments: [
    "", "[]", "{\"buffer\":", "{\"buffer\":{\"a\":{\"buffer\":[1,}}}", "{\"status\":{\"measuring\":1}}",
  ])
  func whatIsNoAnswerIsNotRead(text: String) {
    #expect(throws: JSONScanner.Failure.self) { try PhyphoxAnswer(Array(text.utf8)) }
  }
}
