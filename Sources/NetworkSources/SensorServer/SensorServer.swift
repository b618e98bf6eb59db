// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionNetwork
import MotionSensing
import PhoneFormats

/// An Android phone with the app SensorServer, whose WebSocket is read: `phone:sensorserver/192.168.1.23:8080`.
///
/// The rate is set in the app, by default 5 Hz: a rate that is too low for motion is said. A phone that lacks a sensor
/// is asked again without it.
struct SensorServer: PhoneServer {
  static let app = "SensorServer"
  static let deliversMeanwhile = false
  /// The sensors that are asked for; further down for phones that do not have them all.
  private static let wishes = [
    ["accelerometer", "gyroscope", "magnetic_field", "pressure"], ["accelerometer", "gyroscope", "magnetic_field"],
    ["accelerometer", "gyroscope", "pressure"], ["accelerometer", "gyroscope"],
  ]
  /// Hz: below it an attitude is not worth much.
  static let slowest = 45.0

  private let place: NetworkPlace
  private var wish = 0

  init(_ place: NetworkPlace) { self.place = place }

  mutating func read(
    _ session: SensorSession, _ run: inout PhoneRun, _ announcer: PhoneAnnouncer, publish: (PhoneRun) -> Void
  ) throws -> String? {
    while true {
      if session.isStopped { throw SourceStopped() }
      let code = try connection(session, &run, announcer, publish: publish)
      // 4001: the phone lacks a sensor.
      guard code == 4001, wish + 1 < Self.wishes.count else { return Self.sentence(code) }
      wish += 1
    }
  }

  /// One connection; returns the code with which the server closed it.
  private func connection(
    _ session: SensorSession, _ run: inout PhoneRun, _ announcer: PhoneAnnouncer, publish: (PhoneRun) -> Void
  ) throws -> UInt16? {
    let types = Self.wishes[wish].map { "%22android.sensor.\($0)%22" }.joined(separator: ",")
    let client = try WebSocketClient(
      host: place.host, port: place.port, target: "/sensors/connect?types=%5B\(types)%5D", wake: session.wake)
    defer { client.close() }
    var meter = RateMeter()
    run.begin("connection \(session.clock.now.nanoseconds)")
    while true {
      if session.isStopped { throw SourceStopped() }
      let limit = run.deadline.map { max(.zero, $0 - session.clock.now) } ?? .seconds(60)
      do {
        switch try client.next(limit: limit) {
        case .text(let text): try take(text, session, &run, &meter, announcer)
        case .close(let code): return code
        default: break
        }
      } catch ClientConnection.Interruption.woken {
        session.wake.drain()
      }
      try run.deliver()
      publish(run)
    }
  }

  private func take(
    _ text: String, _ session: SensorSession, _ run: inout PhoneRun, _ meter: inout RateMeter,
    _ announcer: PhoneAnnouncer
  ) throws(SourceStopped) {
    let reading: PhoneReading?
    do throws(JSONScanner.Failure) {
      reading = try AndroidSensorMessage.reading(Array(text.utf8))
    } catch {
      return run.countMalformed()
    }
    guard let reading else { return }
    if reading.sensor == .accelerometer, let rate = meter.rate(after: reading.stamp), rate < Self.slowest {
      announcer.warning(
        "SensorServer sends \(Int(clamping: rate.rounded())) samples a second: set its sampling period to 10000 µs or less in the app's settings."
      )
    }
    try run.receive(readings: [reading], at: session.clock.now)
  }

  /// What a close code of the app means, and what to do.
  static func sentence(_ code: UInt16?) -> String {
    switch code {
    case 4001: "The phone has no accelerometer or no gyroscope that SensorServer can read."
    case 4004: "The server was stopped on the phone: start it again in SensorServer."
    case 4005: "This connection was closed on the phone, in SensorServer's list of connections."
    case 4007: "SensorServer wants two types of sensors at least: this is a mistake of this program."
    case .some(let code): "SensorServer has closed the connection with the code \(code)."
    case nil: "SensorServer has closed the connection."
    }
  }
}

/// The rate of a sensor, once, after three seconds.
private struct RateMeter {
  private var first: Int64?
  private var count = 0
  private var isDone = false

  mutating func rate(after stamp: Int64) -> Double? {
    guard !isDone, let first else {
      self.first = self.first ?? stamp
      return nil
    }
    count += 1
    guard stamp - first > 3_000_000_000 else { return nil }
    isDone = true
    return Double(count) / (Double(stamp - first) / 1e9)
  }
}
