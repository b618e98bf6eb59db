// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionNetwork
import MotionSensing
import PhoneFormats

/// A phone with the app phyphox whose remote access is on, asked again and again: `phone:phyphox/192.168.1.23:8080`.
///
/// The experiment on the phone decides which sensors there are; one with the raw acceleration (“Acceleration with g”)
/// and the gyroscope is needed. It is started if it does not measure. Times are those of the experiment, whose clock
/// stops while it is paused.
struct PhyphoxServer: PhoneServer {
  static let app = "phyphox"
  static let deliversMeanwhile = true
  /// The server of the app has one thread: its own page asks every 30 ms, and loses rows when it asks for fewer than
  /// ten.
  private static let interval = SensorDuration.milliseconds(100)

  private let place: NetworkPlace

  init(_ place: NetworkPlace) { self.place = place }

  private func get(_ target: String, _ session: SensorSession) throws -> [UInt8] {
    while true {
      if session.isStopped { throw SourceStopped() }
      do {
        return try HTTPClient.get(host: place.host, port: place.port, target: target, wake: session.wake)
      } catch ClientConnection.Interruption.woken {
        // A request of the subscribers changes nothing here.
        session.wake.drain()
      }
    }
  }

  /// One experiment; returns when the phone has begun another one.
  mutating func read(
    _ session: SensorSession, _ run: inout PhoneRun, _ announcer: PhoneAnnouncer, publish: (PhoneRun) -> Void
  ) throws -> String? {
    let text = try get("/config", session)
    let configuration = try parsed { () throws(JSONScanner.Failure) in try PhyphoxConfiguration(text) }
    guard configuration.inputs.contains(where: { $0.sensor == .accelerometer || $0.sensor == .correctedGyroscope })
    else {
      throw SensorError(
        .notFound,
        "The experiment on the phone has neither “Acceleration with g” nor the gyroscope: open one that has them in phyphox.",
        at: .init(file: place.host))
    }
    // What was measured before is not asked for.
    let before = try get(configuration.timesOnly, session)
    var lasts = try parsed { () throws(JSONScanner.Failure) in try PhyphoxAnswer(before) }.buffers
      .compactMapValues { $0.last.flatMap { $0.isFinite ? "\($0)" : nil } }
    var experiment: String?
    var hasStarted = false
    while true {
      let text = try get(configuration.target(after: lasts), session)
      let now = session.clock.now
      let answer = try parsed { () throws(JSONScanner.Failure) in try PhyphoxAnswer(text) }
      if let experiment, experiment != answer.session { return nil }
      if experiment == nil { run.begin("experiment \(answer.session)") }
      experiment = answer.session
      if !answer.isMeasuring, !hasStarted {
        hasStarted = true
        _ = try get("/control?cmd=start", session)
      }
      var readings: [PhoneReading] = []
      var unreadable = 0
      for input in configuration.inputs {
        readings += answer.readings(input, unreadable: &unreadable)
        if let last = answer.lastTime(input) { lasts[input.time] = "\(last)" }
      }
      run.countUnreadable(unreadable)
      if !readings.isEmpty { try run.receive(readings: readings, at: now) }
      try run.deliver()
      publish(run)
      try run.wait(Self.interval)
    }
  }

  private func parsed<Value>(_ body: () throws(JSONScanner.Failure) -> Value) throws(SensorError) -> Value {
    do throws(JSONScanner.Failure) { return try body() } catch {
      throw SensorError(
        .malformed, "\(error.message): is this phyphox?", at: .init(file: place.host, byte: error.byte))
    }
  }
}
