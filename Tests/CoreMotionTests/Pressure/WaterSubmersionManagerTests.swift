// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

/// T61, T62; S81–S86, D13, D14, D16, D22.
@Suite struct WaterSubmersionManagerTests {
  enum Call {
    case event(CMWaterSubmersionEvent)
    case measurement(CMWaterSubmersionMeasurement)
    case temperature(CMWaterTemperature)
    case error(UInt32)
  }

  /// A client's delegate, all four methods.
  final class Diver: NSObject, CMWaterSubmersionManagerDelegate {
    let calls = Box<[Call]>([])
    let onMain = Box(false)

    private func note(_ call: Call) {
      // Not the thread: a program without a run loop drains the main queue on any thread.
      if OperationQueue.current === OperationQueue.main { onMain.with { $0 = true } }
      calls.with { $0.append(call) }
    }

    func manager(_ manager: CMWaterSubmersionManager, didUpdate event: CMWaterSubmersionEvent) { note(.event(event)) }
    func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterSubmersionMeasurement) {
      note(.measurement(measurement))
    }
    func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterTemperature) {
      note(.temperature(measurement))
    }
    func manager(_ manager: CMWaterSubmersionManager, errorOccurred error: any Error) {
      note(.error(NSError.motionCode(error) ?? 0))
    }

    var states: [CMWaterSubmersionEvent.State] {
      calls.value.compactMap { if case .event(let event) = $0 { event.state } else { nil } }
    }
    var measurements: [CMWaterSubmersionMeasurement] {
      calls.value.compactMap { if case .measurement(let measurement) = $0 { measurement } else { nil } }
    }
    var temperatures: [CMWaterTemperature] {
      calls.value.compactMap { if case .temperature(let temperature) = $0 { temperature } else { nil } }
    }
    var errors: [UInt32] { calls.value.compactMap { if case .error(let code) = $0 { code } else { nil } } }
  }

  /// D16: one that implements a single method, and one that implements none.
  final class EventDiver: NSObject, CMWaterSubmersionManagerDelegate {
    let events = Box(0)
    func manager(_ manager: CMWaterSubmersionManager, didUpdate event: CMWaterSubmersionEvent) {
      events.with { $0 += 1 }
    }
  }
  final class SilentDiver: NSObject, CMWaterSubmersionManagerDelegate {}

  struct Pool {
    let clock = VirtualClock()
    let source: SimulatedSource
    let host: MotionHost
    let manager: CMWaterSubmersionManager

    init(_ options: [String: String] = [:], policy: HostPolicy = HostPolicy()) throws {
      source = try SimulatedSource(scenario: "dive", options: options)
      let host = MotionHost(device: source, clock: clock, policy: policy)
      self.host = host
      manager = host.run { CMWaterSubmersionManager() }
    }
  }

  private static func policy(_ change: (inout HostPolicy) -> Void) -> HostPolicy {
    var policy = HostPolicy()
    change(&policy)
    return policy
  }

  @Test func s82OnlyASourceOfWaterPressureIsAvailable() throws {
    #expect(try Pool().host.run { CMWaterSubmersionManager.waterSubmersionAvailable })
    #expect(!MotionHost().run { CMWaterSubmersionManager.waterSubmersionAvailable })
    let barometer = MotionHost(device: try SimulatedSource(scenario: "stairs", options: [:]))
    #expect(!barometer.run { CMWaterSubmersionManager.waterSubmersionAvailable })
  }

  @Test func s81AssigningTheDelegateSendsThePresentStateAndStarts() async throws {
    let pool = try Pool()
    let diver = Diver()
    await pool.clock.advance(by: .seconds(5))
    #expect(pool.host.device?.isRunning == false)
    pool.manager.delegate = diver
    #expect(pool.manager.delegate === diver)
    await pool.clock.settle()
    #expect(diver.states == [.unknown])
    await pool.clock.advance(by: .seconds(10))
    #expect(diver.states == [.unknown, .notSubmerged] && !diver.onMain.value)

    // Another delegate hears at once what holds now; the first hears no more.
    let next = Diver()
    let count = diver.calls.value.count
    pool.manager.delegate = next
    await pool.clock.settle()
    #expect(next.states == [.notSubmerged])
    await pool.clock.advance(by: .seconds(5))
    #expect(diver.calls.value.count == count && !next.measurements.isEmpty)

    pool.manager.delegate = nil
    await pool.clock.settle()
    let last = next.calls.value.count
    await pool.clock.advance(by: .seconds(5))
    #expect(next.calls.value.count == last && pool.host.device?.isRunning == false)
  }

  @Test func s83S84ADiveFromAirToAir() async throws {
    let pool = try Pool()
    let diver = Diver()
    pool.manager.delegate = diver
    await pool.clock.advance(by: SensorDuration(seconds: Dive().duration + 30) ?? .zero)
    #expect(diver.states == [.unknown, .notSubmerged, .submerged, .notSubmerged] && diver.errors.isEmpty)

    let above = diver.measurements.filter { $0.submersionState == .notSubmerged }
    #expect(!above.isEmpty && above.allSatisfy { $0.depth == nil && $0.pressure == nil })
    // The simulated sensor reads 1.5 kPa too much, in air and water alike.
    #expect(above.allSatisfy { abs($0.surfacePressure.value - 102.8) < 0.2 })

    let under = diver.measurements.filter { $0.submersionState != .notSubmerged }
    #expect(under.allSatisfy { $0.depth != nil && $0.pressure != nil })
    #expect(Set(under.map(\.submersionState)) == [.submergedShallow, .submergedDeep, .approachingMaxDepth])
    let depths: [Double] = under.compactMap { $0.depth?.value }
    let deepest = try #require(depths.max())
    #expect(abs(deepest - 5.5) < 0.1)
    let span = try #require(under.last).date.timeIntervalSince(try #require(under.first).date)
    #expect(abs(span / Double(under.count - 1) - 1.0 / 3) < 0.002)

    // D14, S86: a temperature with each measurement under water but the first two, its uncertainty covering the 15 °C
    // of the water.
    #expect(diver.temperatures.count == under.count - 2)
    let covered = diver.temperatures.count { abs($0.temperature.value - 15) <= $0.temperatureUncertainty.value }
    #expect(Double(covered) >= 0.95 * Double(under.count))
  }

  @Test(
    arguments: [(.shallowDepth, 6), (.fullDepth, 40), ([.shallowDepth, .fullDepth], 40)]
      as [(HostPolicy.Entitlements, Double)])
  func s85TheEntitlementSetsTheMaximumDepth(entitlements: HostPolicy.Entitlements, metres: Double) throws {
    let pool = try Pool(policy: Self.policy { $0.entitlements = entitlements })
    #expect(pool.manager.maximumDepth == Measurement(value: metres, unit: .meters))
  }

  @Test func d13BeyondATenthThereIsNoDepth() async throws {
    let pool = try Pool(["depth": "8"])
    let diver = Diver()
    pool.manager.delegate = diver
    await pool.clock.advance(by: .seconds(100))
    let last = try #require(diver.measurements.last)
    #expect(last.submersionState == .sensorDepthError && last.depth == nil && last.pressure == nil)
    let past = diver.measurements.filter { $0.submersionState == .pastMaxDepth }.compactMap { $0.depth?.value }
    #expect(!past.isEmpty && past.allSatisfy { $0 > 5.8 && $0 < 6.75 })
  }

  @Test func withoutTheEntitlementThereIsError110AndNothingElse() async throws {
    let pool = try Pool(policy: Self.policy { $0.entitlements = [] })
    let diver = Diver()
    pool.manager.delegate = diver
    await pool.clock.advance(by: .seconds(10))
    #expect(diver.errors == [CMErrorNotEntitled.rawValue] && diver.calls.value.count == 1)
    #expect(pool.manager.maximumDepth == nil)
  }

  @Test func s81DeniedIsError111AndAllowedLaterItBegins() async throws {
    let pool = try Pool(policy: Self.policy { $0.authorization = .denied })
    #expect(pool.host.run { CMWaterSubmersionManager.authorizationStatus } == .denied)
    #expect(pool.manager.maximumDepth == nil)
    let diver = Diver()
    pool.manager.delegate = diver
    await pool.clock.advance(by: .seconds(10))
    #expect(diver.errors == [CMErrorNotAuthorized.rawValue] && diver.calls.value.count == 1)
    pool.host.policy.authorization = .authorized
    await pool.clock.advance(by: .seconds(10))
    #expect(diver.states == [.notSubmerged])
  }

  @Test(arguments: [HostPolicy.Authorization.authorized, .denied])
  func s81MakingAManagerAsksThePerson(answer: HostPolicy.Authorization) throws {
    let pool = try Pool(
      policy: Self.policy {
        $0.authorization = .notDetermined
        $0.authorizationAnswer = answer
      })
    let status = pool.host.run { CMWaterSubmersionManager.authorizationStatus }
    #expect(status == (answer == .authorized ? .authorized : .denied))
  }

  @Test func aSensorThatLeavesIsToldOnceAndComesBack() async throws {
    let pool = try Pool(
      ["depth": "20", "disconnectAt": "60", "reconnectAfter": "20"],
      policy: Self.policy { $0.entitlements = [.fullDepth] })
    let diver = Diver()
    pool.manager.delegate = diver
    await pool.clock.advance(by: .seconds(75))
    #expect(diver.errors == [CMErrorNotAvailable.rawValue])
    #expect(diver.states == [.unknown, .notSubmerged, .submerged, .unknown])
    #expect(!pool.host.run { CMWaterSubmersionManager.waterSubmersionAvailable })
    let surface = try #require(diver.measurements.last).surfacePressure
    await pool.clock.advance(by: .seconds(15))
    #expect(diver.errors.count == 1)
    #expect(diver.states == [.unknown, .notSubmerged, .submerged, .unknown, .submerged])
    // The pressure of the air was kept: the depth is right from the first measurement on.
    let last = try #require(diver.measurements.last)
    let truth = try #require(pool.source.waterTruth(at: pool.clock.now)).column
    let depth = try #require(last.depth).value
    #expect(last.surfacePressure == surface && abs(depth - truth) < 0.15)
    #expect(diver.calls.value.count > 100)
  }

  @Test(arguments: ["freezeAt", "garbageAt"]) func aMadSensorIsToldOnceAndHeals(fault: String) async throws {
    let pool = try Pool(
      ["depth": "20", "faultFor": "45", fault: "60"], policy: Self.policy { $0.entitlements = [.fullDepth] })
    let diver = Diver()
    pool.manager.delegate = diver
    await pool.clock.advance(by: .seconds(103))
    #expect(diver.errors == [CMErrorNotAvailable.rawValue])
    #expect(diver.measurements.last?.submersionState == .sensorDepthError && diver.measurements.last?.depth == nil)
    await pool.clock.advance(by: .seconds(12))
    #expect(diver.errors.count == 1 && diver.measurements.last?.depth != nil)
    #expect(diver.states == [.unknown, .notSubmerged, .submerged])
  }

  /// An accelerometer that goes on, and a sensor of water at 3 m that says nothing from the 60th to the 80th second.
  private struct Wrist: SensorSource {
    let info = SensorInfo(
      name: "simulated wrist", origin: .simulation, pacing: .onDemand,
      channels: [.init(kind: .accelerometer), .init(kind: .waterPressure)])

    func run(_ session: SensorSession) throws {
      var time = session.clock.now
      while true {
        try session.wait(until: time)
        let seconds = time.seconds
        try session.deliver(
          .accelerometer(AccelerometerSample(time: time, specificForce: Vector3(x: 0, y: 0, z: 9.80665))))
        if !(60..<80).contains(seconds) {
          let depth = max(0, min(3, (seconds - 20) * 2)) + 0.001 * sin(seconds * 7)
          try session.deliver(
            .pressure(PressureSample(time: time, pressure: 101_325 + depth * 10_000, temperature: 15, medium: .water)))
        }
        time = time + .milliseconds(100)
      }
    }
  }

  @Test func aSensorThatFallsSilentBesideOthersIsToldOnceAndComesBack() async throws {
    let clock = VirtualClock()
    let host = MotionHost(device: Wrist(), clock: clock)
    let manager = host.run { CMWaterSubmersionManager() }
    // Another subscriber keeps the accelerometer, and with it the source, running.
    let motion = host.run { CMMotionManager() }
    host.run { motion.startAccelerometerUpdates() }
    let diver = Diver()
    manager.delegate = diver
    await clock.advance(by: .milliseconds(64_000))
    #expect(diver.errors.isEmpty && diver.measurements.last?.submersionState == .submergedDeep)
    await clock.advance(by: .seconds(14))
    #expect(diver.errors == [CMErrorNotAvailable.rawValue])
    #expect(diver.measurements.last?.submersionState == .sensorDepthError && diver.measurements.last?.depth == nil)
    await clock.advance(by: .seconds(5))
    #expect(diver.errors.count == 1 && diver.states == [.unknown, .notSubmerged, .submerged])
    #expect(abs(try #require(diver.measurements.last?.depth).value - 3) < 0.02)
    motion.stopAccelerometerUpdates()
  }

  @Test func theHostsDensityIsTheDensityOfTheDepth() async throws {
    var depths: [Double] = []
    for density in [WaterDensity.fresh, .salt] {
      let pool = try Pool(["waves": "0"], policy: Self.policy { $0.waterDensity = density })
      let diver = Diver()
      pool.manager.delegate = diver
      await pool.clock.advance(by: .seconds(90))
      depths.append(try #require(diver.measurements.last?.depth).value)
    }
    #expect(abs(depths[0] / depths[1] - 1.025) < 0.002)
  }

  @Test func theHostIsToldOfASubmersionIfItWants() async throws {
    let pool = try Pool()
    let count = Box(0)
    pool.host.submersionHook = { count.with { $0 += 1 } }
    let diver = Diver()
    pool.manager.delegate = diver
    await pool.clock.advance(by: .seconds(20))
    #expect(count.value == 0)
    await pool.clock.advance(by: .seconds(40))
    #expect(count.value == 1 && diver.states.last == .submerged)
  }

  @Test func d16ADelegateMayImplementAsLittleAsItLikes() async throws {
    let pool = try Pool()
    let (some, none) = (EventDiver(), SilentDiver())
    pool.manager.delegate = some
    await pool.clock.advance(by: .seconds(5))
    #expect(some.events.value == 2)
    pool.manager.delegate = none
    await pool.clock.advance(by: .seconds(40))
    #expect(pool.host.device?.isRunning == true)
  }

  @Test func theDelegateIsHeldWeaklyAndItsEndStopsTheSensor() async throws {
    let pool = try Pool()
    do {
      let diver = Diver()
      pool.manager.delegate = diver
      await pool.clock.advance(by: .seconds(5))
    }
    #expect(pool.manager.delegate == nil)
    await pool.clock.advance(by: .seconds(3))
    await pool.clock.settle()
    #expect(pool.host.device?.isRunning == false)
  }

  /// D43.
  @Test func withoutWaterPressureADelegateHearsOneError() async throws {
    let clock = VirtualClock()
    let host = MotionHost(device: try SimulatedSource(scenario: "stairs", options: [:]), clock: clock)
    let manager = host.run { CMWaterSubmersionManager() }
    let diver = Diver()
    manager.delegate = diver
    await clock.advance(by: .seconds(10))
    #expect(diver.calls.value.count == 1 && host.device?.isRunning == false)
  }
}
