// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionNetwork
package import MotionSensing
import PhoneFormats

/// A phone with the app phyphox whose remote access is on, asked again and again: `phone:phyphox/192.168.1.23:8080`.
///
/// The experiment on the phone decides which sensors there are; one with the raw acceleration (“Acceleration with g”) and the gyroscope
/// is needed. It is started if it does not measure. Times are those of the experiment, whose clock stops while it is paused.
package final class PhyphoxSource: SensorSource {
  package let info = SensorInfo(
    name: "phone (phyphox)", origin: .hardware, pacing: .live, deviceClass: .phone,
    channels: [
      .init(kind: .accelerometer), .init(kind: .gyroscope), .init(kind: .magnetometer, isCalibrated: true),
      .init(kind: .airPressure),
    ], reordering: PhoneStream.reordering)

  /// The server of the app has one thread: its own page asks every 30 ms, and loses rows when it asks for fewer than ten.
  private static let interval = SensorDuration.milliseconds(100)
  private static let retry = SensorDuration.seconds(2)

  private let place: NetworkPlace
  private let announcer: PhoneAnnouncer
  private let state = Lock(PhoneStatistics())

  package init(
    path: String, options: [String: String], announcer: PhoneAnnouncer = PhoneAnnouncer()
  ) throws(SensorError) {
    place = try NetworkPlace(path, port: 8080, of: "phone:phyphox", options: options)
    self.announcer = announcer
  }

  /// What happened in the present or the last run.
  package var statistics: PhoneStatistics { state.withLock { $0 } }

  package func run(_ session: SensorSession) throws {
    var run = PhoneRun(session: session, device: .phone, units: PhoneUnits(platform: .android), announcer: announcer)
    defer {
      state.withLock { $0 = run.statistics }
      run.sayLosses(statistics)
    }
    var said = ""
    while true {
      if session.isStopped { throw SourceStopped() }
      do {
        try measure(session, &run)
        said = ""
      } catch let error as SensorError {
        if said != error.description {
          announcer.warning(error.description + " It is tried again every \(Int(Self.retry.seconds)) s.")
        }
        said = error.description
      }
      try wait(session, Self.retry, &run)
    }
  }

  /// Waits, and delivers what becomes due.
  private func wait(_ session: SensorSession, _ duration: SensorDuration, _ run: inout PhoneRun) throws {
    let end = session.clock.now + duration
    repeat {
      try run.deliver()
      if session.isStopped { throw SourceStopped() }
    } while !session.clock.wait(until: end, wake: session.wake)
  }

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
  private func measure(_ session: SensorSession, _ run: inout PhoneRun) throws {
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
      if let experiment, experiment != answer.session { return }
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
      state.withLock { $0 = run.statistics }
      try wait(session, Self.interval, &run)
    }
  }

  private func parsed<Value>(_ body: () throws(JSONScanner.Failure) -> Value) throws(SensorError) -> Value {
    do throws(JSONScanner.Failure) { return try body() } catch {
      throw SensorError(
        .malformed, "\(error.message): is this phyphox?", at: .init(file: place.host, byte: error.byte))
    }
  }
}
