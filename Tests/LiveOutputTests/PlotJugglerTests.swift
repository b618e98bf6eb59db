// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing
import Testing

@testable import LiveOutput
@testable import MotionNetwork

/// Datagrams for PlotJuggler.
@Suite struct PlotJugglerTests {
  private static let channel = LiveChannel(topic: "/motion/device", schemaName: "x", schema: "{}")

  private static func text(_ topic: String, _ body: String, seconds: Double = 1.25) -> String {
    var bytes: [UInt8] = []
    PlotJugglerOutput.append(
      topic: topic, time: SensorInstant(nanoseconds: Int64(seconds * 1e9)), body: Array(body.utf8), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func theTopicBecomesThePathOfTheSeries() {
    #expect(
      Self.text("/motion/device", #"{"timestamp":1.25,"attitude":{"w":1.0}}"#)
        == #"{"timestamp":1.25,"device":{"attitude":{"w":1.0}}}"#)
    #expect(
      Self.text("/left_wrist/sensor/gyroscope", #"{"timestamp_ns":1250000000,"x":0.5}"#)
        == #"{"timestamp":1.25,"left_wrist":{"gyroscope":{"x":0.5}}}"#)
    // A time of another form stays.
    #expect(
      Self.text("/tf", #"{"timestamp":{"sec":1,"nsec":2}}"#)
        == #"{"timestamp":1.25,"tf":{"timestamp":{"sec":1,"nsec":2}}}"#)
    #expect(Self.text("/sensor/temperature", "{}") == #"{"timestamp":1.25,"temperature":{}}"#)
  }

  /// A socket that listens as PlotJuggler does.
  private final class Receiver {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    private(set) var port: UInt16 = 0

    init() {
      var limit = timeval(tv_sec: 120, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = bind(descriptor, $0, size)
          _ = getsockname(descriptor, $0, &size)
        }
      }
      port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    /// With PlotJuggler's buffer: what is longer is cut off.
    func receive() -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 2048)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      return Array(bytes[..<max(0, count)])
    }
  }

  @Test func datagramsArriveWholeAndAreJSON() throws {
    let receiver = Receiver()
    let output = try PlotJugglerOutput(address: ListeningAddress(port: receiver.port))
    for number in 0..<50 {
      let body = #"{"timestamp":\#(number),"gravity":{"x":0.1,"y":-2e-07,"z":-0.9}}"#
      output.send(
        Array(body.utf8), on: Self.channel, time: SensorInstant(nanoseconds: Int64(number) * 1_000_000_000),
        logTime: SensorInstant(nanoseconds: 0))
      let bytes = receiver.receive()
      let object = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
      #expect(object["timestamp"] as? Double == Double(number))
      let gravity = (object["device"] as? [String: Any])?["gravity"] as? [String: Double]
      #expect(gravity == ["x": 0.1, "y": -2e-07, "z": -0.9])
    }
    #expect(output.summary == "datagrams sent: 50")
  }

  @Test func whatDoesNotFitIsLeftOutAndCounted() throws {
    let receiver = Receiver()
    let output = try PlotJugglerOutput(address: ListeningAddress(port: receiver.port))
    let frame = Self.text("/motion/device", #"{"a":""}"#, seconds: 0).utf8.count
    for count in [2047 - frame, 2048 - frame, 5000] {
      let body = #"{"a":"\#(String(repeating: "x", count: count))"}"#
      output.send(
        Array(body.utf8), on: Self.channel, time: SensorInstant(nanoseconds: 0), logTime: SensorInstant(nanoseconds: 0))
    }
    #expect(receiver.receive().count == 2047)
    #expect(output.summary == "datagrams sent: 1, skipped (longer than 2047 bytes): 2")
  }

  @Test func nobodyThereIsNoFailure() throws {
    let port = Receiver().port
    let output = try PlotJugglerOutput(address: ListeningAddress(port: port))
    for _ in 0..<100 {
      output.send([], on: Self.channel, time: SensorInstant(nanoseconds: 0), logTime: SensorInstant(nanoseconds: 0))
    }
    #expect(output.summary.contains("no receiver at 127.0.0.1:\(port)"))
  }
}
