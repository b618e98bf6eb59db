// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HeadphoneSources
import LinuxSources
import MotionSensing
import MotionTools
import Testing

@testable import MotionHost

/// What `motionctl doctor` finds; a folder stands for the root of the file system.
@Suite struct CheckupTests {
  private let root = FileManager.default.temporaryDirectory.appending(path: "checkup-\(UUID().uuidString)").path

  private func write(_ text: String, _ path: String) throws {
    let url = URL(fileURLWithPath: root + path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: url, atomically: false, encoding: .utf8)
  }

  /// A chip with a buffer.
  private func addSensor(enabled: Bool) throws {
    let device = "/sys/bus/iio/devices/iio:device0"
    for (name, value) in ["name": "bmi160", "in_accel_scale": "0.0006", "in_anglvel_scale": "0.001"] {
      try write(value, "\(device)/\(name)")
    }
    for axis in ["x", "y", "z"] {
      try write("0", "\(device)/in_accel_\(axis)_raw")
      try write("0", "\(device)/in_anglvel_\(axis)_raw")
    }
    try write(enabled ? "1" : "0", "\(device)/buffer/enable")
    try write("", "/dev/iio:device0")
  }

  private func checkup(_ variables: [String: String] = [:]) -> Checkup {
    HostEnvironment(variables, root: SystemRoot(root)).checkup()
  }

  @Test func withoutSensorsItSaysWhichModulesAreLoadedAndThatThereIsNoMotion() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    try write("", "/sys/module/hid_playstation/refcnt")
    let checkup = checkup()
    #expect(checkup.findings.map(\.level) == [.warning, .problem] && !checkup.canReadMotion)
    #expect(checkup.findings[0].sentence.contains("Loaded: hid_playstation.") && checkup.findings[0].remedy != nil)
    #expect(self.checkup(["MOTION_SOURCE": "simulate:rest"]).canReadMotion)
    let wrong = self.checkup(["MOTION_SOURCE": "radar:"])
    #expect(!wrong.canReadMotion && wrong.findings.last?.sentence.contains("radar") == true)
  }

  @Test func aBufferThatIsFreeIsWellAndOneThatAnotherProgramHasNamesIt() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    try addSensor(enabled: false)
    let free = checkup()
    #expect(free.findings.map(\.level) == [.ok, .ok] && free.canReadMotion)
    try addSensor(enabled: true)
    try write("iio-sensor-prox\n", "/proc/4711/comm")
    let busy = checkup()
    #expect(busy.findings[0].level == .warning && busy.findings[0].sentence.contains("iio-sensor-proxy"))
    #expect(busy.findings[0].remedy?.contains("systemctl stop") == true && busy.canReadMotion)
    // A program that holds the node is named before one that only runs.
    try write("reader\n", "/proc/4712/comm")
    try FileManager.default.createDirectory(atPath: root + "/proc/4712/fd", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: root + "/proc/4712/fd/3", withDestinationPath: root + "/dev/iio:device0")
    #expect(checkup().findings[0].sentence.contains("reader has switched its buffer on"))
  }

  @Test(.enabled(if: geteuid() != 0, "needs a user whom the system refuses something"))
  func aBufferThatMayNotBeUsedAsksForTheRuleUntilItIsThere() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    try addSensor(enabled: false)
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: root + "/dev/iio:device0")
    let missing = checkup()
    #expect(missing.findings.map(\.level) == [.warning, .warning, .ok] && missing.canReadMotion)
    #expect(missing.findings[1].remedy?.contains("motionctl doctor --rule | sudo tee") == true)
    try write(Checkup.rules, Checkup.rulePath)
    let present = checkup()
    #expect(
      present.findings[1].sentence.contains("no effect yet") && present.findings[1].remedy?.contains("usermod") == true)
  }

  @Test func aRuleThatIsThereIsFoundInTheTextThatIsPrinted() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    try write(Checkup.rules, Checkup.rulePath)
    let rules = checkup().findings.filter { $0.subject == "udev rule" }
    #expect(rules.count == 2 && rules.allSatisfy { $0.level == .ok && $0.sentence.contains(Checkup.rulePath) })
    for rule in [UdevRule.sensors, .controllers, .headTrackers] {
      #expect(Checkup.rules.contains("\n\(rule.text)\n"))
    }
  }

  @Test func aCalibrationThatCannotBeReadIsAProblem() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    try write("nonsense", "/calibrations/bad.json")
    try CalibrationFile(device: "good").write(to: root + "/calibrations/good.json")
    let findings = checkup(["MOTION_CALIBRATION": root + "/calibrations"]).findings
    #expect(findings.first { $0.subject.hasSuffix("bad.json") }?.level == .problem)
    #expect(findings.first { $0.subject.hasSuffix("good.json") }?.level == .ok)
    #expect(checkup(["MOTION_CALIBRATION": "here"]).findings.contains { $0.subject == "MOTION_CALIBRATION" })
  }
}
