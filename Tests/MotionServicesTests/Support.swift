// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
@_exported import TestSupport

@testable import MotionServices

extension SensorInstant {
  static func milliseconds(_ count: Int64) -> Self { Self(nanoseconds: count * 1_000_000) }
  var milliseconds: Int64 { nanoseconds / 1_000_000 }
}

extension SensorSample {
  static func accelerometer(_ milliseconds: Int64, z: Double = 9.80665) -> Self {
    .accelerometer(
      AccelerometerSample(time: .milliseconds(milliseconds), specificForce: Vector3(x: 0, y: 0, z: z)))
  }
  static func gyroscope(_ milliseconds: Int64, z: Double = 0) -> Self {
    .gyroscope(GyroscopeSample(time: .milliseconds(milliseconds), angularVelocity: Vector3(x: 0, y: 0, z: z)))
  }
  static func magnetometer(_ milliseconds: Int64) -> Self {
    .magnetometer(
      MagnetometerSample(time: .milliseconds(milliseconds), magneticField: Vector3(x: 0, y: 2e-5, z: -4e-5)))
  }
  static func inertial(_ milliseconds: Int64, turning z: Double = 0) -> Self {
    .inertial(
      InertialSample(
        time: .milliseconds(milliseconds), angularVelocity: Vector3(x: 0, y: 0, z: z),
        specificForce: Vector3(x: 0, y: 0, z: 9.80665)))
  }
  static func pressure(_ milliseconds: Int64, _ pascal: Double = 101_325, of medium: PressureSample.Medium = .air)
    -> Self
  {
    .pressure(PressureSample(time: .milliseconds(milliseconds), pressure: pascal, medium: medium))
  }
}

/// A source that delivers what a recipe makes of 0, 1, 2 …, each at its own time, and keeps a record of its runs.
final class RecipeSource: SensorSource {
  struct Record {
    var open = 0
    var mostOpen = 0
    var runs = 0
    var requests: [SensorRequest] = []
    /// Thrown before the next sample and at each start, while set.
    var failure: SensorError?
  }

  let info: SensorInfo
  let record = Lock(Record())
  private let count: Int64
  /// How long the run goes on after the last sample.
  private let linger: SensorDuration
  private let recipe: @Sendable (Int64) -> SensorSample

  init(
    _ kinds: SensorKinds = .inertial, count: Int64 = .max, pacing: SensorInfo.Pacing = .onDemand,
    timeLine: SensorInfo.TimeLine = .session, reordering: SensorDuration = .zero,
    origin: SensorInfo.Origin = .simulation, linger: SensorDuration = .zero,
    recipe: @escaping @Sendable (Int64) -> SensorSample = { .inertial($0 * 10) }
  ) {
    info = SensorInfo(
      name: "recipe", origin: origin, pacing: pacing, timeLine: timeLine, channels: [.init(kind: kinds)],
      reordering: reordering)
    self.count = count
    self.linger = linger
    self.recipe = recipe
  }

  func run(_ session: SensorSession) throws {
    record.withLock { record in
      record.runs += 1
      record.open += 1
      record.mostOpen = max(record.mostOpen, record.open)
    }
    defer { record.withLock { $0.open -= 1 } }
    for index in 0..<count {
      let sample = recipe(index)
      if let last = session.resumeAfter, sample.time <= last { continue }
      try session.wait(until: sample.time)
      let request = session.request
      let failure = record.withLock { record in
        if record.requests.last != request { record.requests.append(request) }
        return record.failure
      }
      if let failure { throw failure }
      try session.deliver(sample)
    }
    if linger > .zero { try session.wait(until: recipe(count - 1).time + linger) }
  }

  var requests: [SensorRequest] { record.withLock { $0.requests } }
}

/// What a subscriber has heard.
final class Ear: Sendable {
  struct Heard {
    var times: [Int64] = []
    var names: [String] = []
    var connections: [ConnectionState] = []
    var failures: [SensorError] = []
    var endings = 0
  }

  private let heard = Lock(Heard())

  private func note(_ name: String, at time: SensorInstant) {
    heard.withLock { heard in
      heard.times.append(time.milliseconds)
      heard.names.append(name)
    }
  }

  func note(_ sample: SensorSample) { note(sample.kinds.names.joined(separator: "+"), at: sample.time) }

  func note(_ motion: DeviceMotion) { note("motion", at: motion.time) }

  func note(_ news: HubNews) {
    heard.withLock { heard in
      switch news {
      case .connection(let connection): heard.connections.append(connection)
      case .time: break
      case .failed(let error): heard.failures.append(error)
      case .ended: heard.endings += 1
      }
    }
  }

  /// Notes all that comes.
  var sink: HubSink {
    HubSink(
      sample: { [self] sample in note(sample) }, motion: { [self] motion in note(motion) },
      news: { [self] news in note(news) })
  }

  var times: [Int64] { heard.withLock { $0.times } }
  var names: Set<String> { heard.withLock { Set($0.names) } }
  var connections: [ConnectionState] { heard.withLock { $0.connections } }
  var failures: [SensorError] { heard.withLock { $0.failures } }
  var endings: Int { heard.withLock { $0.endings } }
}

extension MotionHub {
  /// Subscribes with an ear that only notes what it hears.
  func listen(_ stream: HubStream = .gyroscope, interval: SensorDuration = .zero) -> (Subscription, Ear) {
    let ear = Ear()
    return (subscribe(stream, interval: interval, sink: ear.sink), ear)
  }
}
