// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionNetwork
import MotionSensing
import Testing

@testable import MotionTools
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

/// The bytes that the page reads, as `ViewRecord` describes them.
struct ViewRecordTests {
  private func number<Number>(_ bytes: [UInt8], at offset: Int, as type: Number.Type) -> Number {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }

  @Test func aMotionIs64BytesWithItsNumbersWhereTheyBelong() {
    var sample = MotionRow(
      time: SensorInstant(nanoseconds: 5_000_000_000), w: 0.5, vector: Vector3(x: 0.5, y: -0.5, z: 0.5),
      reference: .xMagneticNorth, angularVelocity: Vector3(x: 1, y: 2, z: 3), gravity: Vector3(x: 0, y: 0, z: -1),
      linearAcceleration: Vector3(x: 0.25, y: -0.5, z: 4), accelerationUnit: .reversedGravity,
      location: .headphoneRight)
    sample.field = .init(reading: Vector3(x: 20.04, y: -30.06, z: 9999), unit: .microtesla, accuracy: 2)
    sample.heading = AngleReading(123.45, .degree)
    sample.inclinationDeviation = AngleReading(0.5, .degree)
    sample.isAtRest = true
    var bytes: [UInt8] = []
    ViewRecord.append(sample, view: 1, seconds: 1.25, isGhost: true, to: &bytes)
    #expect(bytes.count == 64)
    // View 1, right bud; at rest, field, ghost, frame 2; accuracy high.
    #expect(Array(bytes[..<4]) == [1, 0x21, 128 | 2 << 4 | 2 | 1, 2])
    #expect(number(bytes, at: 4, as: UInt16.self) == .max && number(bytes, at: 6, as: UInt16.self) == 50)
    #expect(number(bytes, at: 8, as: Double.self) == 1.25)
    let floats = (0..<10).map { number(bytes, at: 16 + 4 * $0, as: Float.self) }
    #expect(floats == [0.5, 0.5, -0.5, 0.5, 1, 2, 3, 0.25, -0.5, 4])
    // A field beyond the record's range is the largest one, not another one.
    #expect((0..<3).map { number(bytes, at: 56 + 2 * $0, as: Int16.self) } == [200, -301, 32_767])
    #expect(number(bytes, at: 62, as: UInt16.self) == 12_345)
  }

  @Test func sensorsHaveCoreMotionsSignsAndUnits() {
    let time = SensorInstant(nanoseconds: 0)
    func record(_ sample: SensorSample) -> [UInt8] {
      var bytes: [UInt8] = []
      ViewRecord.append(sample, view: 0, seconds: 2, to: &bytes)
      #expect(number(bytes, at: 4, as: Double.self) == 2)
      return bytes
    }
    let force = record(.accelerometer(AccelerometerSample(time: time, specificForce: Vector3(x: 0, y: 0, z: 9.80665))))
    #expect(force.count == 24 && abs(number(force, at: 20, as: Float.self) + 1) < 1e-6)
    let field = record(.magnetometer(MagnetometerSample(time: time, magneticField: Vector3(x: 5e-5, y: 0, z: 0))))
    #expect(field[2] == 2 && abs(number(field, at: 12, as: Float.self) - 50) < 1e-4)
    let pressure = record(.pressure(PressureSample(time: time, pressure: 101_325)))
    #expect(pressure.count == 24 && pressure[2] == 3 && number(pressure, at: 12, as: Float.self) == 101.325)
    let water = record(.pressure(PressureSample(time: time, pressure: 200_000, medium: .water)))
    #expect(water[2] == 4)
  }

  /// However long it is, a track ends up with at most the limit, evenly thinned, and its first record.
  @Test(arguments: [10, ThinnedRecords.limit, ThinnedRecords.limit * 3 + 5])
  func aLongTrackIsThinnedEvenly(count: Int) {
    var records = ThinnedRecords()
    for index in 0..<count {
      records.append { bytes in withUnsafeBytes(of: UInt32(index)) { bytes += $0 } }
    }
    let kept = records.bytes.count / 4
    #expect(kept <= ThinnedRecords.limit && kept == (count + records.step - 1) / records.step)
    let values = records.bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
    #expect(values == stride(from: UInt32(0), to: UInt32(count), by: records.step).map { $0 })
  }

  @Test func pagesMayAskForTwoThingsOnly() {
    func request(_ text: String) -> ViewRequest? { try? JSONDecoder().decode(ViewRequest.self, from: Data(text.utf8)) }
    #expect(request(#"{"command":"record"}"#)?.command == .record)
    #expect(request(#"{"command":"frame","view":1,"frame":"true"}"#)?.frame == .true)
    for text in ["", "[]", "{", #"{"command":"quit"}"#, #"{"command":"frame","view":0,"frame":"x"}"#] {
      #expect(request(text) == nil)
    }
  }
}
