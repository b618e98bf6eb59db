// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import PhoneFormats
@_exported import TestSupport

@testable import NetworkSources

/// A phone that pushes at the real pace, or in virtual time: each batch when its last sample has been measured.
final class PushingPhone: Sendable {
  struct Settings: Sendable {
    var rate: Int64 = 200
    var batch = SensorDuration.milliseconds(50)
    var session = "live"
    /// What the phone's clock shows more than ours, ns.
    var epoch: Int64 = 1_790_000_000_000_000_000
  }

  struct State {
    var sent = 0
    var refused: [Int: String] = [:]
    /// The first sample's time on our clock, ns.
    var origin: Int64 = 0
  }

  private let state = Lock(State())
  private let isStopped = Lock(false)
  private let done = DispatchSemaphore(value: 0)

  /// Samples a sensor pushed so far.
  var sent: Int { state.withLock { $0.sent } }
  /// Answers that were not 200: the number of the message, and the text.
  var refused: [Int: String] { state.withLock { $0.refused } }
  var origin: Int64 { state.withLock { $0.origin } }

  /// Begins to push accelerometer, gyroscope and magnetometer for so many seconds.
  init(to push: String, seconds: Int64, _ settings: Settings = Settings()) throws {
    nonisolated(unsafe) var pushes = try Pushes(to: push, settings, clock: MonotonicClock())
    Thread.detachNewThread { [self] in
      let wake = WakeSignal()
      while pushes.hasMore(in: seconds) {
        _ = MonotonicClock().wait(until: pushes.due, wake: wake)
        guard !isStopped.withLock({ $0 }), (try? pushes.next(into: state)) != nil else { break }
      }
      done.signal()
    }
  }

  /// Pushes them in virtual time: each batch is handled before time goes on.
  init(to push: String, seconds: Int64, _ settings: Settings = Settings(), on clock: VirtualClock) async throws {
    var pushes = try Pushes(to: push, settings, clock: clock)
    while pushes.hasMore(in: seconds) {
      await clock.advance(by: pushes.due - clock.now)
      try pushes.next(into: state)
    }
    await clock.settle()
    done.signal()
  }

  func stop() {
    isStopped.withLock { $0 = true }
    done.wait()
    done.signal()
  }

  func wait() {
    done.wait()
    done.signal()
  }

  /// The batches, one after the other.
  private struct Pushes {
    /// Opened with the first batch: the server closes one that asks for nothing.
    var connection: WebClient?
    let port: UInt16
    let path: String
    let settings: Settings
    let origin: Int64
    let period: Int64
    var phone = SensorLoggerPhone()
    var number: Int64 = 0

    init(to push: String, _ settings: Settings, clock: some SensorClock) throws {
      let parts = push.split(separator: "/")
      guard parts.count == 4, let port = parts[1].split(separator: ":").last.flatMap({ UInt16($0) }) else {
        throw WebClient.Silence()
      }
      path = "/\(parts[2])/\(parts[3])"
      self.port = port
      self.settings = settings
      period = 1_000_000_000 / settings.rate
      // Half a period before the batches' ends is where the mean phone measures its last sample.
      origin = clock.now.nanoseconds + period / 2
      (phone.session, phone.epoch) = (settings.session, settings.epoch)
    }

    func hasMore(in seconds: Int64) -> Bool { number < seconds * 1_000_000_000 / settings.batch.nanoseconds }

    /// When the next batch is complete.
    var due: SensorInstant {
      SensorInstant(nanoseconds: origin - period / 2 + (number + 1) * settings.batch.nanoseconds)
    }

    mutating func next(into state: borrowing Lock<State>) throws {
      let batch = settings.batch.nanoseconds
      let (first, last) = (number * batch / period, (number + 1) * batch / period)
      let samples = (first..<last).flatMap {
        PushingPhone.samples($0, time: SensorInstant(nanoseconds: origin + $0 * period))
      }
      let body = phone.body(samples, number: Int(number))
      let connection = try connection ?? WebClient(port: port)
      self.connection = connection
      let answer = try connection.request("POST", path, body)
      state.withLock { state in
        state.origin = origin
        state.sent = Int(last)
        if answer.status != 200 { state.refused[Int(number)] = "\(answer.status) \(answer.text)" }
      }
      number += 1
    }
  }

  /// The sample's number stands in the numbers.
  private static func samples(_ number: Int64, time: SensorInstant) -> [SensorSample] {
    let small = Double(number) * 1e-9
    return [
      .accelerometer(
        AccelerometerSample(time: time, reading: Vector3(x: small, y: 0, z: -1), unit: .reversedGravity)),
      .gyroscope(GyroscopeSample(time: time, angularVelocity: Vector3(x: small, y: 0, z: 0))),
      .magnetometer(MagnetometerSample(time: time, reading: Vector3(x: 20, y: small, z: -40), unit: .microtesla)),
    ]
  }
}

/// A source whose run blocks its thread: it must not take one of the few of Swift's tasks.
protocol BlockingSource: SensorSource {
  func run(_ session: SensorSession) throws
}

extension SensorLoggerSource: BlockingSource {}

/// A source that runs on a thread of its own, and what it has delivered.
final class RunningSource: Sendable {
  private struct State {
    var samples: [(sample: SensorSample, at: SensorInstant)] = []
    var connections: [ConnectionState] = []
    var error: (any Error)?
  }

  private let state = Lock(State())
  private let session: SensorSession
  private let done = DispatchSemaphore(value: 0)

  init(_ source: any BlockingSource, clock: any SensorClock = MonotonicClock()) {
    let state = state
    session = SensorSession(
      clock: clock, request: SensorRequest(kinds: source.info.kinds, interval: .zero),
      connectionSink: { (connection, _) in state.withLock { $0.connections.append(connection) } },
      sink: { (sample, session) in
        let now = session.clock.now
        state.withLock { $0.samples.append((sample, now)) }
      })
    clock.beginWork()
    Thread.detachNewThread { [session, done] in
      do { try source.run(session) } catch { state.withLock { $0.error = error } }
      clock.endWork()
      done.signal()
    }
  }

  var samples: [(sample: SensorSample, at: SensorInstant)] { state.withLock { $0.samples } }
  var connections: [ConnectionState] { state.withLock { $0.connections } }
  var error: (any Error)? { state.withLock { $0.error } }

  func stop() {
    session.stop()
    done.wait()
    done.signal()
  }
}
