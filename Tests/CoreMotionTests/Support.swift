// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import MotionTesting
@_exported import TestSupport
import Testing

/// A sensor whose n-th samples are taken at n periods, by a recipe.
final class ScriptedSource: SensorSource {
  typealias Recipe = @Sendable (_ index: Int64, _ time: SensorInstant) -> [SensorSample]

  struct Record {
    var open = 0
    var mostOpen = 0
    var runs = 0
    /// Thrown before the next sample, and at every start, while set.
    var failure: SensorError?
  }

  let info: SensorInfo
  private let period: SensorDuration
  private let count: Int64
  private let recipe: Recipe
  let record = Lock(Record())

  init(
    kinds: SensorKinds = .inertial, rate: Double = 100, count: Int64 = .max, pacing: SensorInfo.Pacing = .onDemand,
    recipe: @escaping Recipe = { _, time in [.inertial(.faceUp(at: time))] }
  ) {
    info = SensorInfo(
      name: "scripted device", origin: .simulation, pacing: pacing, channels: [.init(kind: kinds, rates: [rate])])
    period = SensorDuration(nanoseconds: Int64((1e9 / rate).rounded()))
    self.count = count
    self.recipe = recipe
  }

  func run(_ session: SensorSession) throws {
    record.withLock { record in
      record.runs += 1
      record.open += 1
      record.mostOpen = max(record.mostOpen, record.open)
    }
    defer { record.withLock { $0.open -= 1 } }
    // As a device does: what was not read while nothing listened is lost.
    var index = (session.clock.now.nanoseconds + period.nanoseconds - 1) / period.nanoseconds
    if let last = session.resumeAfter { index = max(index, last.nanoseconds / period.nanoseconds + 1) }
    while index < count {
      let time = SensorInstant(nanoseconds: index * period.nanoseconds)
      try session.wait(until: time)
      if let failure = record.withLock({ $0.failure }) { throw failure }
      for sample in recipe(index, time) { try session.deliver(sample) }
      index += 1
    }
  }
}

extension InertialSample {
  /// At rest, face up: +1 g of specific force on z.
  static func faceUp(at time: SensorInstant) -> InertialSample {
    InertialSample(time: time, angularVelocity: .zero, specificForce: Vector3(x: 0, y: 0, z: standardGravity))
  }
}

/// A host on virtual time with one scripted device.
struct Bench {
  let clock = VirtualClock()
  let source: ScriptedSource
  let host: MotionHost

  /// With the manual gate the source starts at `host.play()`, so that several clients hear its very first sample.
  init(
    _ source: ScriptedSource = ScriptedSource(), gate: MotionHub.Gate = .open, policy: HostPolicy = HostPolicy()
  ) {
    self.source = source
    host = MotionHost(device: source, clock: clock, gate: gate, policy: policy)
  }

  func manager() -> CMMotionManager { host.run { CMMotionManager() } }

  /// A manager of a host without any sensor.
  static func managerWithoutSensors() -> CMMotionManager { MotionHost().run { CMMotionManager() } }

  var runs: Int { source.record.withLock { $0.runs } }
}

extension NSError {
  /// The code of a Core Motion error; nil for any other error.
  static func motionCode(_ error: (any Error)?) -> UInt32? {
    guard let error = error as NSError?, error.domain == CMErrorDomain else { return nil }
    return UInt32(exactly: error.code)
  }
}

extension Trait where Self == ConditionTrait {
  /// The programs of `Tests/Fixtures` are built: the condition of `Package.swift`.
  static var clientProgramsBuilt: Self {
    let environment = ProcessInfo.processInfo.environment
    return .enabled(
      if: environment["CLIENTS"] != nil || environment["TEST_TARGETS"]?.contains("CoreMotionTests") == true,
      "CLIENTS=1 builds the client programs (make test)")
  }
}
