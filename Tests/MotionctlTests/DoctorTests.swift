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
