// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing
import MotionServices
import Testing

/// Real dives against the depth that the device itself showed (WATER-6). The samples lie in shared/data/mcap, the
/// depths in shared/data/dive.
@Suite(
  .enabled(if: SharedData.has("dive"), "needs the dive logs in shared/data/dive (OPENCOREMOTION_DATA)"))
struct RealDiveTests {
  struct Log: Sendable, CustomTestStringConvertible {
    var file: String
    /// Of the device, kg/m³.
    var density: Double
    /// Pascal; nil = the file says it.
    var surface: Double?
    /// Metres, RMS.
    var bound: Double
    var rows: Int
    var deepest: Double
    var exit: Double
    var testDescription: String { file }
  }

  static let logs = [
    Log(
      file: "garmin_2023-08-17-08-51-59.csv", density: 1025.036, surface: 102_166.99, bound: 0.005, rows: 5000,
      deepest: 51.77, exit: 5611),
    Log(
      file: "suunto_nautic_sidemount.csv", density: 1000.15, surface: nil, bound: 0.025, rows: 2003, deepest: 21.14,
      exit: 1881),
    Log(
      file: "suunto_ocean_air.csv", density: 1020.39, surface: nil, bound: 0.01, rows: 3304, deepest: 23.12, exit: 3015),
  ]

  /// The depths that the device wrote down, by its time; most rows of some logs have none.
  private func deviceDepths(_ file: String) throws -> [Int64: Double] {
    let text = try String(contentsOfFile: SharedData.folder + "/dive/" + file, encoding: .utf8)
    let rows = text.split(separator: "\n").drop { $0.hasPrefix("#") }
    let column = try #require(rows.first?.split(separator: ",").firstIndex(of: "device_depth_m"))
    var depths: [Int64: Double] = [:]
    for row in rows.dropFirst() {
      let fields = row.split(separator: ",", omittingEmptySubsequences: false)
      guard let seconds = Double(fields[0]), let depth = Double(fields[column]) else { continue }
      depths[Int64((seconds * 1e9).rounded())] = depth
    }
    return depths
  }

  @Test(arguments: logs) func depthIsThatOfTheDevice(log: Log) throws {
    let (info, samples) = try SharedData.pressures("mcap/dive_\(log.file.dropLast(4)).mcap")
    #expect(samples.count == log.rows && info.kinds == .waterPressure)
    var parameters = SubmersionEstimator.Parameters()
    parameters.water = try #require(WaterDensity(log.density))
    parameters.maximumDepth = nil
    parameters.surfacePressure = log.surface ?? info.water?.surfacePressure
    let result = WaterLog(samples, parameters: parameters)

    let device = try deviceDepths("\(log.file)")
    var (squares, count, deepest) = (0.0, 0, 0.0)
    for measurement in result.measurements {
      guard let depth = measurement.depth, let shown = device[measurement.time.nanoseconds], shown > 1 else { continue }
      squares += (depth - shown) * (depth - shown)
      count += 1
      deepest = max(deepest, depth)
    }
    let error = (squares / Double(count)).squareRoot()
    print("depth against the device: \(log.file) \(String(format: "%.4f", error)) m RMS over \(count) samples")
    #expect(count > 100 && error <= log.bound, "\(error) m RMS over \(count)")
    #expect(abs(deepest - log.deepest) < 0.02, "deepest \(deepest) m")

    // Two transitions: in from the start, out once.
    #expect(result.events.map(\.state) == [.submerged, .notSubmerged] && result.problems.isEmpty)
    #expect(abs(result.events[1].time.seconds - log.exit) <= 2)
    #expect(result.measurements.allSatisfy { $0.isSurfacePressureKnown })
    #expect(result.states.first == .submergedDeep && result.states.last == .notSubmerged)
  }

  @Test func withoutASurfacePressureTheOffsetIsUnknown() throws {
    let (info, samples) = try SharedData.pressures("mcap/dive_garmin_2023-08-17-08-51-59.mcap")
    #expect(info.water?.surfacePressure == nil)
    let log = WaterLog(Array(samples.prefix(500)))
    #expect(log.events.map(\.state) == [.submerged])
    #expect(log.measurements.allSatisfy { !$0.isSurfacePressureKnown } && !log.measurements.isEmpty)
  }

  @Test(arguments: [6.0, 40]) func theBreathHoldProfileWalksThroughEveryState(maximum: Double) throws {
    let (info, samples) = try SharedData.pressures("mcap/dive_TestDiveSeabearH3_0004SBDT.mcap")
    #expect(samples.count == 984 && info.water?.surfacePressure == 97_100)
    var parameters = SubmersionEstimator.Parameters()
    parameters.maximumDepth = maximum
    parameters.surfacePressure = info.water?.surfacePressure
    let log = WaterLog(samples, parameters: parameters)
    let down = Array(log.states.prefix { $0 != .sensorError })
    #expect(Set(log.states).isSuperset(of: [.submergedShallow, .submergedDeep, .approachingMaximum, .sensorError]))
    #expect(down == down.sorted { $0.rawValue < $1.rawValue })
    #expect(log.problems.isEmpty)
    parameters.maximumDepth = nil
    let deepest = WaterLog(samples, parameters: parameters).measurements.compactMap(\.depth).max() ?? 0
    #expect(abs(deepest - 70.1) < 0.11)
  }
}
