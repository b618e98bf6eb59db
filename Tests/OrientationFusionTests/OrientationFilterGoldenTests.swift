// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import OrientationFusion
import SimulatedSources
import Testing

/// The filter's output over six simulated motions equals the reviewed output in the files.
///
/// An intended change of the filter changes the files. Write them again, review the difference and commit it:
///
/// ```sh
/// OPENCOREMOTION_WRITE_GOLDEN=1 swift test --filter OrientationFilterGoldenTests
/// ```
///
/// The files are those of double precision. In single precision (`--traits SinglePrecision`) the attitudes have to
/// follow them within 0.01° (0.1° at 50 Hz, 0.3° on a drive); `Scripts/test-single-precision.sh` runs that.
@Suite struct OrientationFilterGoldenTests {
  enum Motion: String, CaseIterable {
    case rest, handheld, everyday, coning, drive, turnedField

    var log: SensorLog {
      switch self {
      case .rest: return SensorLog(Rest(), seconds: Self.seconds, rate: 50)
      case .handheld: return SensorLog(Handheld(), seconds: Self.seconds, rate: 50)
      case .everyday:
        return SensorLog(OrientationFilterRobustnessTests.everydayMotion(), seconds: Self.seconds)
      case .coning:
        var motion = SimulatedMotion()
        motion.sampleRate = 50
        motion.rate = { t in t < 3 ? .zero : Vector3(x: Scalar.cos(8 * t), y: Scalar.sin(8 * t), z: 0.1) }
        return SensorLog(motion, seconds: Self.seconds)
      case .drive: return SensorLog(Drive(), rest: 5, seconds: Self.seconds, rate: 50)
      case .turnedField:
        return SensorLog(OrientationFilterHeadingTests.handheld(), seconds: Self.seconds)
          .fieldTurned(forSeconds: 5)
      }
    }

    private static var seconds: Double { 30 }
  }

  /// What a row of a file holds, each number with the deviation that is allowed.
  static let columns: [(name: String, tolerance: Double)] = [
    ("seconds", 1e-6),
    // Attitude with magnetometer and without. Other libraries of sin and cos differ in the last bit; nothing amplifies
    // it.
    ("w9", 2e-6), ("x9", 2e-6), ("y9", 2e-6), ("z9", 2e-6), ("w6", 2e-6), ("x6", 2e-6), ("y6", 2e-6), ("z6", 2e-6),
    // Bias, rad/s; standard deviations, rad.
    ("bx", 1e-6), ("by", 1e-6), ("bz", 1e-6), ("inclination", 1e-5), ("heading", 1e-5),
  ]

  static func trace(_ motion: Motion) -> [[Double]] {
    let log = motion.log
    var six = OrientationFilter(parameters: log.parameters, usesMagnetometer: false)
    var nine = OrientationFilter(parameters: log.parameters, usesMagnetometer: true)
    var sixes: [Rotation<Device, EastNorthUp>] = []
    log.run(&six) { filter, _ in sixes.append(filter.attitude ?? .identity) }
    var rows: [[Double]] = []
    var number = 0
    log.run(&nine) { filter, row in
      defer { number += 1 }
      // The last sample before each whole second; by the fourth the filter has settled, so the beginning is seen as
      // well.
      let next = number + 1 < log.rows.count ? log.seconds(log.rows[number + 1]) : .infinity
      guard number == 0 || next.rounded(.down) > log.seconds(row).rounded(.down) else { return }
      let (bias, a, b) = (filter.gyroscopeBias, filter.attitude ?? .identity, sixes[number])
      rows.append([
        log.seconds(row), a.w, a.x, a.y, a.z, b.w, b.x, b.y, b.z, bias.x, bias.y, bias.z,
        filter.inclinationStandardDeviation, filter.headingStandardDeviation,
      ])
    }
    return rows
  }

  static func file(_ motion: Motion) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden/\(motion.rawValue).txt")
  }

  static func text(_ motion: Motion, _ rows: [[Double]]) -> String {
    let head =
      "# The filter over the simulated motion \"\(motion.rawValue)\"; written by OrientationFilterGoldenTests.\n# "
      + columns.map(\.name).joined(separator: " ") + "\n"
    return rows.reduce(into: head) { text, row in
      text += row.map { String(format: "%.8f", $0) }.joined(separator: " ") + "\n"
    }
  }

  static let writes = ProcessInfo.processInfo.environment["OPENCOREMOTION_WRITE_GOLDEN"] == "1"

  @Test(arguments: Motion.allCases) func theOutputIsThatOfTheFile(motion: Motion) throws {
    let rows = Self.trace(motion)
    if Self.writes {
      try Self.text(motion, rows).write(to: Self.file(motion), atomically: true, encoding: .utf8)
    }
    let lines = try String(contentsOf: Self.file(motion), encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
    try #require(lines.count == rows.count)
    #if SinglePrecision
    var largest = 0.0
    for (line, row) in zip(lines, rows) {
      let golden = line.split(separator: " ").compactMap { Double($0) }
      for start in [1, 5] {
        let angle = try #require(Self.attitude(golden, start)).angle(to: #require(Self.attitude(row, start)))
        largest = max(largest, Angle(radians: angle).degrees)
      }
    }
    print("single against double precision, \(motion.rawValue): largest \(largest)°")
    // At 50 Hz five intervals of 0.02 s fill a block of 0.1 s in Double and are a little less in Float: other samples
    // then end the blocks. On a drive, whose hold and travel begin at limits, that is more.
    let limits: [Motion: Double] = [.everyday: 0.01, .turnedField: 0.01, .drive: 0.3]
    #expect(largest < limits[motion] ?? 0.1)
    #else
    for (line, row) in zip(lines, rows) {
      var golden = line.split(separator: " ").compactMap { Double($0) }
      try #require(golden.count == Self.columns.count)
      // A quaternion and its negative are the same rotation.
      for start in [1, 5]
      where zip(golden[start..<start + 4], row[start..<start + 4]).reduce(0, { $0 + $1.0 * $1.1 }) < 0 {
        for index in start..<start + 4 { golden[index] = -golden[index] }
      }
      for (column, numbers) in zip(Self.columns, zip(golden, row)) {
        #expect(
          abs(numbers.0 - numbers.1) <= column.tolerance, "\(motion.rawValue), \(row[0]) s, column \(column.name)")
      }
    }
    #endif
  }

  private static func attitude(_ row: [Double], _ start: Int) -> Rotation<Device, EastNorthUp>? {
    Rotation(w: row[start], x: row[start + 1], y: row[start + 2], z: row[start + 3])
  }

  @Test(arguments: Motion.allCases) func theFilesAreGoodAsWell(motion: Motion) {
    // A file that was written by a broken filter would hold it broken.
    let errors = motion.log.errors(usesMagnetometer: true, from: motion == .turnedField ? 25 : 5)
    print("golden \(motion.rawValue): \(errors)")
    // A car that pulls away tips the vertical (OrientationFilterVehicleTests).
    #expect(errors.total < (motion == .drive ? 11 : 0.8))
  }
}
