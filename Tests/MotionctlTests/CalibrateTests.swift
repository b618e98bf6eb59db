// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `motionctl calibrate` and what it leaves, with simulated devices.
@Suite struct CalibrateTests {
  private let path = FileManager.default.temporaryDirectory.appending(path: "calibrate-\(UUID().uuidString).json").path

  private func section(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let file = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    return try #require(file[name] as? [String: Any])
  }

  @Test func theGyroscopesBiasIsMeasuredWrittenAndApplied() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let address = "simulate:rest?bias=0.01:-0.02:0.03&speed=max"
    let result = try MotionctlProcess.run("calibrate", "gyro", address, "--output", path)
    #expect(result.code == 0 && result.text.contains("gyroscope: error 0.0374 rad/s before"))
    #expect(result.errors.contains("do not touch it") && result.text.contains("written to \(path)"))
    let offset = try #require(try section("gyroscope")["offset"] as? [Double])
    for (value, truth) in zip(offset, [0.01, -0.02, 0.03]) { #expect(abs(value - truth) < 1e-12) }
    // Read with it, the device turns no more.
    let stream = try MotionctlProcess.run(
      "stream", "\(address)&calibration=\(path)", "--service", "gyro", "--format", "csv", "--for", "0.5")
    #expect(stream.code == 0 && stream.errors.contains("calibrated on ") && stream.cells.count == 51)
    for row in stream.cells.dropFirst() { #expect(row.suffix(3).allSatisfy { abs(Double($0) ?? 1) < 1e-12 }) }
    let fused = try MotionctlProcess.run("fuse", "\(address)&calibration=\(path)", "--for", "2")
    #expect(fused.code == 0 && fused.errors.contains("calibrated on "))
  }

  @Test func aBetterCalibrationIsReplacedOnlyWhenSomebodySaysSo() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let good = "simulate:rest?bias=0.01&speed=max"
    let poor = "simulate:rest?errors=controller&speed=max"
    #expect(try MotionctlProcess.run("calibrate", "gyro", good, "--output", path).code == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let refused = try MotionctlProcess.run("calibrate", "gyro", poor, "--output", path)
    #expect(refused.code == 1 && refused.errors.contains("is better") && refused.errors.contains("--yes"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    let forced = try MotionctlProcess.run("calibrate", "gyro", poor, "--output", path, "--yes")
    #expect(forced.code == 0 && forced.errors.contains("It is replaced, as you said."))
    // A better one says what it replaces, and asks nothing.
    let again = try MotionctlProcess.run("calibrate", "gyro", good, "--output", path)
    #expect(again.code == 0 && again.errors.contains("is replaced."))
  }

  @Test func aDeviceThatMovesGivesNoFileButAReason() throws {
    for address in ["simulate:handheld?speed=max", "simulate:spin?speed=max"] {
      let result = try MotionctlProcess.run("calibrate", "gyro", address, "--for", "15", "--output", path)
      #expect(result.code == 1 && result.errors.contains("of rest") && result.output.isEmpty)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func sixSidesGiveTheAccelerometersBiasAndScale() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let result = try MotionctlProcess.run(
      "calibrate", "accel", "simulate:sixSides?errors=controller&speed=max", "--output", path)
    #expect(result.code == 0 && result.errors.contains("Next: flat on its face."))
    let part = try section("accelerometer")
    let offset = try #require(part["offset"] as? [Double])
    for (value, truth) in zip(offset, [-0.15, 0.1, 0.2]) { #expect(abs(value - truth) < 0.02) }
    let matrix = try #require(part["matrix"] as? [Double])
    for (index, scale) in [(0, 1.008), (4, 0.994), (8, 1.01)] { #expect(abs(matrix[index] * scale - 1) < 0.002) }
    // Four of six: it says which is next.
    let poses = try MotionctlProcess.run(
      "calibrate", "accel", "simulate:rest?speed=max", "--for", "20", "--output", path + ".not.json")
    #expect(poses.code == 1 && poses.errors.contains("1 of 6 positions. Next: flat on its face."))
  }

  @Test func mistakesAreSaidBeforeAnythingIsMeasured() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let homeless = try MotionctlProcess.run("calibrate", "gyro", "simulate:rest")
    #expect(homeless.code == 1 && homeless.errors.contains("--output"))
    let missing = try MotionctlProcess.run("calibrate", "gyro", "simulate:rest?gyroscope=no", "--output", path)
    #expect(missing.code == 1 && missing.errors.contains("has no gyroscope"))
    try "nonsense".write(toFile: path, atomically: false, encoding: .utf8)
    let bad = try MotionctlProcess.run("calibrate", "gyro", "simulate:rest", "--output", path)
    #expect(bad.code == 1 && bad.errors.contains("is not a file of the format"))
    #expect(try MotionctlProcess.run("calibrate", "accel", "simulate:rest", "--positions", "7").code == 64)
  }
}
