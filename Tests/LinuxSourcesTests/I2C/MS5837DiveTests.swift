// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import MotionServices
import MotionTesting
import Testing

@testable import I2CSources

/// A whole dive on a simulated chip, from the bus to the delegate of `CMWaterSubmersionManager`.
@Suite struct MS5837DiveTests {
  /// A client's delegate.
  private final class Diver: NSObject, CMWaterSubmersionManagerDelegate {
    struct Log {
      var states: [CMWaterSubmersionEvent.State] = []
      var measurements: [CMWaterSubmersionMeasurement] = []
      var temperatures: [CMWaterTemperature] = []
      var errors: [String] = []
    }
    let log = Lock(Log())

    func manager(_ manager: CMWaterSubmersionManager, didUpdate event: CMWaterSubmersionEvent) {
      log.withLock { $0.states.append(event.state) }
    }
    func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterSubmersionMeasurement) {
      log.withLock { $0.measurements.append(measurement) }
    }
    func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterTemperature) {
      log.withLock { $0.temperatures.append(measurement) }
    }
    func manager(_ manager: CMWaterSubmersionManager, errorOccurred error: any Error) {
      log.withLock { $0.errors.append("\(error)") }
    }
  }

  /// Metres of a profile: 30 s in the air, half a metre a second down to 5.5 m, a minute there, and up again; 3 cm of
  /// swell.
  private static func depth(at time: SensorInstant) -> Double {
    let t = time.seconds
    let profile = [(0.0, 0.0), (30, 0), (41, 5.5), (101, 5.5), (115, 0), (1000, 0)]
    var depth = 0.0
    for (a, b) in zip(profile, profile.dropFirst()) where (a.0..<b.0).contains(t) {
      depth = a.1 + (b.1 - a.1) * (t - a.0) / (b.0 - a.0)
    }
    return depth > 0.1 ? depth + 0.015 * sin(2 * .pi * t / 4) : depth
  }

  private static let surface = 98_700.0

  private static func truth(_ time: SensorInstant) -> (pressure: Double, temperature: Double) {
    // A trace of noise, the same at each run.
    let noise = 3 * sin(time.seconds * 971)
    return (surface + noise + WaterDensity.fresh.pascalsPerMetre * depth(at: time), 14)
  }

  private struct Pool {
    let clock = VirtualClock()
    let chip: SimulatedMS5837
    let host: MotionHost
    let manager: CMWaterSubmersionManager
    let diver = Diver()

    init(_ model: MS5837Model) throws {
      chip = SimulatedMS5837(model, clock: clock, truth: MS5837DiveTests.truth)
      let source = try MS5837Source(path: "1", options: MS5837Options(), buses: chip.buses)
      var policy = HostPolicy()
      policy.waterDensity = .fresh
      let host = MotionHost(device: source, clock: clock, policy: policy)
      self.host = host
      manager = host.run { CMWaterSubmersionManager() }
      manager.delegate = diver
    }
  }

  /// S81–S86: states in order, depths by the truth, temperature with its uncertainty; at a lake 220 m above the sea,
  /// which nothing has told it.
  @Test(arguments: MS5837Model.allCases) func aDiveFromTheBusToTheDelegate(model: MS5837Model) async throws {
    let pool = try Pool(model)
    #expect(pool.host.run { CMWaterSubmersionManager.waterSubmersionAvailable })
    await pool.clock.advance(by: .seconds(75))
    let middle = pool.diver.log.withLock { $0 }
    let deep = try #require(middle.measurements.last)
    #expect(deep.submersionState == .approachingMaxDepth)
    #expect(abs(deep.surfacePressure.value - Self.surface / 1000) < 0.02)
    #expect(abs(try #require(deep.depth).value - 5.5) < 0.03)

    await pool.clock.advance(by: .seconds(60))
    let log = pool.diver.log.withLock { $0 }
    #expect(log.states == [.unknown, .notSubmerged, .submerged, .notSubmerged] && log.errors.isEmpty)
    let depths = log.measurements.compactMap { $0.depth?.value }
    #expect(abs((depths.max() ?? 0) - 5.515) < 0.02)
    // D14: all but the first two.
    #expect(log.temperatures.count == depths.count - 2)
    #expect(log.temperatures.allSatisfy { abs($0.temperature.value - 14) <= $0.temperatureUncertainty.value })
    pool.manager.delegate = nil
    await pool.clock.settle()
    #expect(pool.host.device?.isRunning == false)
  }

  /// The cable comes off under water for twenty seconds: one error, and the depth is right again when it is back.
  @Test func aCableThatComesOffIsToldOnceAndTheDepthComesBack() async throws {
    let pool = try Pool(.thirtyBar)
    await pool.clock.advance(by: .seconds(55))
    pool.chip.fault = .absent(EREMOTEIO)
    await pool.clock.advance(by: .seconds(20))
    var log = pool.diver.log.withLock { $0 }
    #expect(log.errors.count == 1 && log.states == [.unknown, .notSubmerged, .submerged, .unknown])
    #expect(!pool.host.run { CMWaterSubmersionManager.waterSubmersionAvailable })
    #expect(pool.host.device?.failure?.code == .disconnected)
    pool.chip.fault = .none
    await pool.clock.advance(by: .seconds(15))
    log = pool.diver.log.withLock { $0 }
    #expect(log.errors.count == 1 && log.states.last == .submerged)
    #expect(abs(try #require(log.measurements.last?.depth).value - 5.5) < 0.03)
  }
}
