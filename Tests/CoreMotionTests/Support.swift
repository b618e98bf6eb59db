// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionMath
import MotionSensing
import SimulatedSources
@_exported import TestSupport
import Testing

@testable import CoreMotion
@testable import MotionServices

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
    .enabled(
      if: ["1", "ci"].contains(ProcessInfo.processInfo.environment["OPENCOREMOTION_DEVELOP"]),
      "OPENCOREMOTION_DEVELOP=1 builds the client programs (make test)")
  }
}

/// States of motion as the hub hands them to the façade, written down instead of estimated.
enum MotionStates {
  /// A device that lies flat with its top edge at `azimuth` degrees clockwise from north, at `milliseconds`.
  static func flat(
    azimuth: Double = 0, at milliseconds: Int64, accuracy: Int8? = 2, hasHeading: Bool = true
  ) -> DeviceMotion {
    let time = SensorInstant(nanoseconds: milliseconds * 1_000_000)
    let solution = DeviceMotion.Solution(
      attitude: Rotation(aboutZ: -azimuth * .pi / 180), angularVelocity: .zero, hasHeading: hasHeading,
      inclinationStandardDeviation: 0.01, headingStandardDeviation: 0.02)
    let force = Vector3<Device>(x: 0, y: 0, z: standardGravity)
    return DeviceMotion(
      time: time, accelerometer: AccelerometerSample(time: time, specificForce: force), sixAxis: solution,
      nineAxis: solution,
      field: accuracy.map { DeviceMotion.Field(magneticField: Vector3(x: 0, y: 20e-6, z: -40e-6), accuracy: $0) },
      isAtRest: true)
  }

  static func translator(
    _ frame: CMAttitudeReferenceFrame, host: MotionHost = MotionHost(), showsDisplay: Bool = false
  ) -> DeviceMotionTranslator {
    var settings = DeviceMotionSettings()
    settings.showsDeviceMovementDisplay = showsDisplay
    return DeviceMotionTranslator(frame: frame, host: host, settings: Lock(settings))
  }
}

/// What a client has received.
struct Received {
  var samples: [CMDeviceMotion] = []
  var errors: [UInt32] = []

  /// Plays states into a service that is set up like CMMotionManager's own.
  static func from(_ states: [DeviceMotion], through translator: DeviceMotionTranslator) -> Received {
    var received = Received()
    for state in states {
      let (row, error) = translator.translate(state)
      if let error { received.errors.append(UInt32(error.code)) }
      if let row { received.samples.append(CMDeviceMotion(row)) }
    }
    return received
  }

  var yawDegrees: [Double] { samples.map { $0.attitude.yaw * 180 / .pi } }
}

/// A solution with a given attitude.
enum DeviceMotionSolution {
  static func make(_ attitude: Rotation<Device, EastNorthUp>) -> DeviceMotion.Solution {
    DeviceMotion.Solution(
      attitude: attitude, angularVelocity: .zero, hasHeading: true, inclinationStandardDeviation: 0.01,
      headingStandardDeviation: 0.02)
  }
}

/// A person with a phone who walks and stands by the second, on virtual time.
struct Walker {
  /// Steps per second.
  static let cadence = 2.0

  let bench: Bench

  /// `walks`: spans of seconds in which the person walks. `steps` before a second are `truth(at:)`.
  init(walks: [Range<Double>], kinds: SensorKinds = [.inertial], policy: HostPolicy = HostPolicy()) {
    bench = Bench(
      ScriptedSource(kinds: kinds, rate: 50) { _, time in
        let seconds = time.seconds
        var force = Vector3<Device>(x: 0, y: 0, z: standardGravity)
        var rate = Vector3<Device>.zero
        if let walk = walks.first(where: { $0.contains(seconds) }) {
          // A bounce at each step, with the harmonic that makes the impact, and a sway at half the rate.
          let phase = 2 * .pi * Self.cadence * (seconds - walk.lowerBound)
          force.z += 3 * sin(phase) + 1.2 * sin(2 * phase + 0.5)
          force.x += 0.8 * sin(phase / 2)
          rate.y = 0.5 * sin(phase / 2)
        }
        var samples = [SensorSample.inertial(InertialSample(time: time, angularVelocity: rate, specificForce: force))]
        if kinds.contains(.airPressure) { samples.append(.pressure(PressureSample(time: time, pressure: 101_325))) }
        return samples
      }, policy: policy)
  }

  static func steps(_ walks: [Range<Double>]) -> Int {
    Int(walks.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) * cadence })
  }
}
