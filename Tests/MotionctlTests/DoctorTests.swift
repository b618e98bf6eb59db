// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `motionctl doctor`; what it finds is held by the host's tests.
@Suite struct DoctorTests {
  @Test func theExitCodeSaysWhetherMotionCanBeRead() throws {
    let well = try MotionctlProcess.run("doctor", environment: ["MOTION_SOURCE": "simulate:rest"])
    #expect(well.code == 0 && well.text.contains("ok       MOTION_SOURCE=simulate:rest: A program gets"))
    let ill = try MotionctlProcess.run("doctor", environment: ["MOTION_SOURCE": "radar:north"])
    #expect(ill.code == 1 && ill.text.contains("problem  MOTION_SOURCE=radar:north: "))
  }

  @Test func theRuleIsPrintedAlone() throws {
    let result = try MotionctlProcess.run("doctor", "--rule")
    #expect(result.code == 0 && result.errors.isEmpty && result.lines.filter { !$0.hasPrefix("#") }.count == 4)
    #expect(result.text.contains(#"SUBSYSTEM=="iio""#) && result.text.contains(#"TAG+="uaccess""#))
    #expect(try MotionctlProcess.run("doctor", "--rule", "--json").code == 64)
  }

  @Test func aMakerIsToldHowAChipIsAnnounced() throws {
    let result = try MotionctlProcess.run("doctor", "--chips")
    #expect(result.code == 0)
    for line in [
      "dtparam=i2c_arm=on", "dtoverlay=i2c-sensor,mpu6050,int_pin=4", "module inv_mpu6050_i2c",
      "echo bmi160 0x69 | sudo tee /sys/bus/i2c/devices/i2c-1/new_device",
    ] { #expect(result.text.contains(line), "\(result.text)") }
    // The MPU-6050's driver refuses a chip without an interrupt, which new_device cannot give.
    #expect(!result.text.contains("echo mpu6050") && result.lines.allSatisfy { $0.count <= 130 })
    let none = try MotionctlProcess.run("doctor", environment: ["MOTION_SOURCE": "simulate:rest"])
    if none.text.contains("knows no motion sensor") { #expect(none.text.contains("motionctl doctor --chips")) }
  }

  @Test func jsonHasEveryFindingWithItsLevel() throws {
    let result = try MotionctlProcess.run("doctor", "--json", environment: ["MOTION_SOURCE": "simulate:rest"])
    let report = try #require(try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    let findings = try #require(report["findings"] as? [[String: Any]])
    #expect(report["canReadMotion"] as? Bool == true && findings.last?["level"] as? String == "ok")
    #expect(findings.allSatisfy { $0["subject"] is String && $0["sentence"] is String })
  }
}

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

/// `motionctl fuse --learn` and `--learned`.
@Suite struct LearnTests {
  private static let source = "simulate:handheld?errors=phone&duration=40"

  @Test func whatOneRunLearnsTheNextOneUses() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("phone.json")
    let plain = try MotionctlProcess.run("fuse", Self.source)
    let first = try MotionctlProcess.run("fuse", Self.source, "--learned", file, "--learn", file)
    #expect(first.code == 0)
    // A file that is not there yet is no knowledge, and learning changes nothing of the run.
    #expect(first.output == plain.output)
    #expect(first.errors.contains("is not there yet"))
    let learned = try folder.read("phone.json")
    let second = try MotionctlProcess.run("fuse", Self.source, "--learned", file)
    #expect(second.code == 0)
    #expect(second.output != plain.output)
    #expect(!second.errors.contains("is not there yet"))
    #expect(try folder.read("phone.json") == learned)
    #expect(try MotionctlProcess.run("fuse", Self.source, "--learned", file).output == second.output)
    let third = try MotionctlProcess.run("fuse", Self.source, "--learned", file, "--learn", file)
    #expect(third.output == second.output)
    #expect(try folder.read("phone.json") != learned)
    #expect(try folder.names == ["phone.json"])
  }

  @Test func somethingElseIsNeitherReadNorWrittenOver() throws {
    let folder = try TemporaryFolder()
    try folder.write("{}", to: "notes.json")
    for option in ["--learned", "--learn"] {
      let result = try MotionctlProcess.run(
        "fuse", "simulate:rest?duration=2", option, folder.path("notes.json"), "-o", folder.path("out.csv"))
      #expect(result.code != 0)
      #expect(result.errors.contains("This is not a file of the format “opencoremotion-learned”."))
      #expect(try folder.names == ["notes.json"])
    }
    #expect(try folder.read("notes.json") == Data("{}".utf8))
  }

  @Test func learningNeedsTheWholeOfASource() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.run("fuse", "simulate:rest", "--for", "2", "--learn", folder.path("x.json"))
    #expect(result.code != 0)
    #expect(result.errors.contains("--learn needs all of a source"))
  }
}
