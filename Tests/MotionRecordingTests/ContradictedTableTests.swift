// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import Testing

@testable import MotionRecording

/// Units, signs and axes of a gyroscope, against what gravity does when the device turns (Documentation/Formats.md 2.2).
@Suite struct ContradictedTableTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private struct Row {
    var time: Double
    /// m/s².
    var force: Vector3<Device>
    /// rad/s.
    var rate: Vector3<Device>
  }

  /// A minute of a hand that turns a phone about all axes, 50 Hz.
  private static let rows: [Row] = {
    var random = SeededRandom(seed: 51)
    func noise(_ size: Double) -> Vector3<Device> {
      func one() -> Double { Double.random(in: -size...size, using: &random) }
      return Vector3(x: one(), y: one(), z: one())
    }
    func rate(_ time: Double) -> Vector3<Device> {
      Vector3(
        x: 1.2 * Foundation.sin(1.1 * time), y: 1.2 * Foundation.sin(0.7 * time + 1),
        z: 1.2 * Foundation.sin(0.9 * time + 2))
    }
    var attitude = Rotation<Device, EastNorthUp>.identity
    return (0..<3000).map { index in
      let time = Double(index) / 50
      let up = attitude.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: standardGravity)
      defer {
        attitude = attitude * Rotation<Device, Device>(rotationVector: rate(time + 0.01) * 0.02)
      }
      return Row(time: time, force: up + noise(0.3), rate: rate(time) + noise(0.01))
    }
  }()

  private func table(_ header: String, _ cells: (Row) -> [String]) throws -> String {
    let lines = Self.rows.map { (["\($0.time)"] + cells($0)).joined(separator: ",") }
    return try folder.write("log.csv", ([header] + lines).joined(separator: "\n") + "\n")
  }

  private static func text(_ vector: Vector3<Device>, _ scale: Double = 1) -> [String] {
    [vector.x, vector.y, vector.z].map { String(format: "%.6f", $0 * scale) }
  }

  private static let stated =
    "t [s],ax [m/s^2],ay [m/s^2],az [m/s^2],gx [rad/s],gy [rad/s],gz [rad/s]"

  private func isRight(_ result: ReadResult) -> Bool {
    result.gyroscope.count == Self.rows.count
      && zip(result.gyroscope, Self.rows).allSatisfy {
        ($0.angularVelocity - $1.rate).length < 0.002
      }
  }

  @Test func aStatedUnitThatIsNotPossibleIsRefusedWithTwoCommandsThatRun() throws {
    let path = try table(Self.stated) { Self.text($0.force) + Self.text($0.rate, 180 / .pi) }
    let message = try #require(failure(path)?.message)
    #expect(message.contains("57.3 times slower") && message.contains("motionctl fuse '\(path)'"))
    let commands = message.split(separator: "\n").filter { $0.contains("--map") }
    try #require(
      commands.count == 2 && message.contains("As it says:")
        && message.contains("As it was measured:"))
    let results = try commands.map { command in
      var options = RecordingOptions()
      options.map = try ColumnMap(String(command.split(separator: "\"")[1]))
      options.sign = .reaction
      return try read(path, options)
    }
    // A map is a person's word: it is read, with a warning.
    #expect(
      !isRight(results[0])
        && results[0].recording.warnings.contains { $0.contains("57.3 times slower") })
    #expect(isRight(results[1]) && results[1].recording.warnings.isEmpty)
  }

  @Test(arguments: [(-1, -2, -3), (2, 1, 3), (2, 3, 1), (1, -2, 3)])
  func axesThatNoHeaderStatesAreTakenAsMeasuredWithAWarning(x: Int, y: Int, z: Int) throws {
    let path = try table(Self.stated) { row in
      let rate = [row.rate.x, row.rate.y, row.rate.z]
      let (a, b, c) = (rate[abs(x) - 1], rate[abs(y) - 1], rate[abs(z) - 1])
      return Self.text(row.force)
        + Self.text(Vector3(x: x < 0 ? -a : a, y: y < 0 ? -b : b, z: z < 0 ? -c : c))
    }
    let result = try read(path)
    #expect(isRight(result))
    #expect(
      result.recording.warnings.count == 1
        && result.recording.warnings[0].contains("It is read with these axes"))
  }

  @Test(arguments: [("mdeg/s", 180_000 / Double.pi), ("mrad/s", 1000)])
  func thousandthsAreKnownByTheTurningOfGravity(unit: String, factor: Double) throws {
    let path = try table("time_s,ax_mg,ay_mg,az_mg,gx,gy,gz") { row in
      let force = row.force * (1000 / standardGravity)
      return ([force, row.rate * factor]).flatMap {
        [$0.x, $0.y, $0.z].map { "\(Int($0.rounded()))" }
      }
    }
    let result = try read(path)
    #expect(isRight(result) && result.recording.warnings.isEmpty)
    #expect(
      result.recording.assumptions.contains { $0.contains("is \(unit) by the turning of gravity") })
  }

  @Test func aDirectionIsNoRate() throws {
    let path = try table("t,ax,ay,az,gx,gy,gz") { row in
      Self.text(row.force) + Self.text(row.force.normalized ?? .zero)
    }
    let message = try #require(failure(path)?.message)
    #expect(message.contains("gx, gy, gz are no gyroscope") && message.contains("a direction"))
    let map = try #require(message.split(separator: "\"").dropFirst().first)
    var options = RecordingOptions()
    (options.map, options.sign) = (try ColumnMap(String(map)), .reaction)
    #expect(try read(path, options).accelerometer.count == Self.rows.count)
  }
}
