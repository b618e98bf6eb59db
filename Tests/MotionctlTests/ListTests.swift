// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `motionctl list`.
@Suite struct ListTests {
  @Test func simulatedDevicesAreNamedAsSimulationsWithTheirRates() throws {
    let result = try MotionctlProcess.run("list")
    #expect(result.code == 0)
    for name in ["rest", "spin", "handheld"] { #expect(result.lines.contains("simulate:\(name)")) }
    #expect(result.text.contains("    simulation: "))
    #expect(result.text.contains("accelerometer 100 Hz, gyroscope 100 Hz, magnetometer 50 Hz"))
  }

  @Test(.enabled(if: !FileManager.default.fileExists(atPath: "/sys/bus/iio/devices/iio:device0"), "needs no sensors"))
  func aComputerWithoutSensorsIsToldSo() throws {
    #expect(try MotionctlProcess.run("list").text.contains("Sensors of this computer: none"))
  }

  @Test func theSourceOfTheEnvironmentComesFirst() throws {
    let result = try MotionctlProcess.run("list", environment: ["MOTION_SOURCE": "simulate:spin"])
    #expect(result.lines.first == "simulate:spin")
    #expect(result.text.contains("simulation: named by MOTION_SOURCE"))
  }

  @Test func aSourceThatCannotBeOpenedSaysWhy() throws {
    let result = try MotionctlProcess.run("list", environment: ["MOTION_SOURCE": "radar:north"])
    #expect(result.code == 0)
    #expect(result.lines.first == "radar:north")
    #expect(result.text.contains("cannot be opened: There is no kind of motion source called “radar”"))
  }

  @Test func jsonIsAnArrayOfObjectsWithOriginAndChannels() throws {
    let result = try MotionctlProcess.run("list", "--json", environment: ["MOTION_SOURCE": "radar:\"north\""])
    let listed = try #require(try JSONSerialization.jsonObject(with: result.output) as? [[String: Any]])
    #expect(listed.first?["address"] as? String == "radar:\"north\"")
    #expect(listed.first?["problem"] is String)
    let rest = try #require(listed.first { $0["address"] as? String == "simulate:rest" })
    #expect(rest["origin"] as? String == "simulation")
    let channels = try #require(rest["channels"] as? [[String: Any]])
    #expect(channels.contains { $0["kind"] as? String == "gyroscope" && $0["rates"] as? [Double] == [100] })
  }
}
