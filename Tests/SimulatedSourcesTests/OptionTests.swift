// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import SimulatedSources

@Suite struct OptionTests {
  private func source(_ options: [String: String], _ name: String = "rest") throws(SensorError) -> SimulatedSource {
    try SimulatedSource(scenario: name, options: options)
  }

  private func failure(_ options: [String: String], _ name: String = "rest") -> SensorError? {
    do throws(SensorError) {
      _ = try source(options, name)
      return nil
    } catch {
      return error
    }
  }

  @Test func withoutOptionsTheConfigurationIsTheDefault() throws {
    #expect(try source([:]).configuration == SimulatedSource.Configuration())
    #expect(try source([:]).info.name == "simulated device (rest)")
    #expect(try source([:], "headNod").info.deviceClass == .headphones)
  }

  @Test func anUnknownScenarioIsNotFoundAndTheOthersAreNamed() throws {
    let error = try #require(failure([:], "levitate"))
    #expect(error.code == .notFound)
    for scenario in Scenario.all { #expect(error.message.contains(scenario.name)) }
  }

  @Test func anUnknownOptionIsRefusedAndTheOthersAreNamed() throws {
    let error = try #require(failure(["volume": "11"]))
    #expect(error.code == .invalidRequest)
    #expect(error.message.contains("volume"))
    for option in SimulationSettings.table.options { #expect(error.message.contains(option.name)) }
  }

  @Test func ratesAndPresenceOfSensors() throws {
    let configuration = try source([
      "rate": "200", "magnetometer": "25", "pressure": "no", "temperature": "yes",
    ]).configuration
    #expect(configuration.inertial == .together(.init(rate: 200)))
    #expect(configuration.magnetometer == .init(rate: 25))
    #expect(configuration.pressure == nil)
    #expect(configuration.temperature == .init(rate: 1))
    let slow = try source(["rate": "800", "gyroscope": "200"])
    #expect(slow.info.channel(.accelerometer)?.rates == [800] && slow.info.channel(.gyroscope)?.rates == [200])
    let noGyroscope = try source(["gyroscope": "no", "magnetometer": "no"])
    #expect(noGyroscope.info.kinds == [.accelerometer, .airPressure, .temperature])
  }

  @Test func errorsBiasAndHardIron() throws {
    #expect(try source(["errors": "phone"]).configuration.errors == .phone)
    #expect(try source(["errors": "controller"]).configuration.errors == .controller)
    let errors = try source(["errors": "ideal", "bias": "0.01:-0.02:0.03", "hardIron": "20:-5:1e1"]).configuration
      .errors
    #expect(errors.gyroscope.bias == Vector3(x: 0.01, y: -0.02, z: 0.03))
    #expect(
      errors.magnetometer.hardIron.isApproximatelyEqual(to: Vector3(x: 20e-6, y: -5e-6, z: 10e-6), tolerance: 1e-18))
    #expect(try source(["bias": "0.5"]).configuration.errors.gyroscope.bias == Vector3(x: 0.5, y: 0.5, z: 0.5))
  }

  @Test func seedDurationAndFaults() throws {
    let configuration = try source([
      "seed": "42", "duration": "2.5", "disconnectAt": "3", "reconnectAfter": "1", "stallAt": "9",
    ]).configuration
    #expect(configuration.seed == 42)
    #expect(configuration.duration == 2.5)
    #expect(configuration.faults.faults == [Fault(.stall, at: 9), Fault(.disconnect(reconnectAfter: 1), at: 3)])
  }

  @Test func theHostsOptionsChangeNothing() throws {
    #expect(try source(["speed": "2", "loop": "yes", "gate": "no"]).configuration == SimulatedSource.Configuration())
  }

  @Test(arguments: [
    ("rate", "fast"), ("rate", "0"), ("rate", "-5"), ("rate", "nan"), ("rate", "1e9"), ("gyroscope", "maybe"),
    ("gyroscope", "0"), ("magnetometer", "loud"), ("pressure", "-1"), ("temperature", ""), ("seed", "-1"),
    ("seed", "1.5"), ("duration", "-1"), ("duration", "inf"), ("errors", "awful"), ("bias", "1:2"), ("bias", "x"),
    ("bias", "1:2:3:4"), ("bias", "nan"), ("hardIron", "1"), ("hardIron", "1:2:"), ("disconnectAt", "soon"),
    ("reconnectAfter", "1"), ("stallAt", "1e10"),
  ])
  func aValueThatMakesNoSenseIsRefusedByTheNameOfItsOption(option: String, value: String) throws {
    let error = try #require(failure([option: value]))
    #expect(error.code == .invalidRequest)
    #expect(error.message.contains("“\(option)”"))
  }
}
