// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import MotionSensing
import MotionServices
import Testing

@Suite struct ReplayDeterminismTests {
  /// Two seconds of a phone that is picked up and turned.
  private static func writeRecording() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("determinism-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let header = "timestamp_ns,x,y,z\n"
    var (accelerometer, gyroscope, magnetometer) = (header, header, header)
    for index in 0..<200 {
      let time = 5_000_000_000 + index * 10_007_000
      let angle = 0.9 * sin(Double(index) / 40)
      accelerometer += "\(time + 3_000_000),\(-9.81 * sin(angle)),\(0.01 * cos(Double(index))),\(9.81 * cos(angle))\n"
      gyroscope += "\(time),0.01,\(0.9 / 40 * 100 * cos(Double(index) / 40)),-0.02\n"
      magnetometer += "\(time + 1_000_000),\(20e-6 * cos(angle)),5e-6,\(-40e-6 * sin(angle) - 10e-6)\n"
    }
    for (name, text) in [("accelerometer", accelerometer), ("gyroscope", gyroscope), ("magnetometer", magnetometer)] {
      try text.write(to: folder.appendingPathComponent("walk.sensor.\(name).csv"), atomically: true, encoding: .utf8)
    }
    return folder
  }

  @Test func theSameRecordingGivesTheSameBitsAtEverySpeed() async throws {
    let folder = try Self.writeRecording()
    defer { try? FileManager.default.removeItem(at: folder) }
    var runs: [RecordedRun] = []
    for speed in ["max", "max", "50", "1"] {
      let host = try MotionHost("replay:\(folder.path)?speed=\(speed)", gate: .manual)
      runs.append(try await RecordedRun.collect(host, frame: .xMagneticNorthZVertical))
    }
    #expect(runs[0].motions.count >= 195)
    for run in runs.dropFirst() { #expect(run.motions == runs[0].motions) }
  }
  /// D29: twenty runs at each speed on a plain, concurrent queue, side by side, give what one run on a serial queue
  /// gives.
  @Test(arguments: ["1", "10", "max"]) func twentyRunsOnAConcurrentQueueGiveTheSameBits(_ speed: String) async throws {
    let folder = try Self.writeRecording()
    defer { try? FileManager.default.removeItem(at: folder) }
    let expected = try await RecordedRun.collect(replay: folder.path, frame: .xMagneticNorthZVertical)
    let runs = try await withThrowingTaskGroup(of: RecordedRun.self) { group in
      for _ in 0..<20 {
        group.addTask {
          let host = try MotionHost("replay:\(folder.path)?speed=\(speed)", gate: .manual)
          return try await RecordedRun.collect(host, frame: .xMagneticNorthZVertical, on: OperationQueue())
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(runs.count == 20 && expected.motions.count >= 195 && expected.accelerations.count >= 195)
    for run in runs {
      #expect(run.motions == expected.motions && run.errors == expected.errors)
      #expect(run.accelerations.map(\.timestamp) == expected.accelerations.map(\.timestamp))
      #expect(run.accelerations.map(\.value) == expected.accelerations.map(\.value))
    }
  }
}
