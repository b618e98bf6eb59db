// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionRecording
import MotionSensing
import TestSupport

/// A recording in the temporary folder: a device that turns, with a magnetometer, at 100 Hz and 50 Hz.
struct RecordingFile: ~Copyable {
  static let count = 300
  let path: String

  /// `change` damages the bytes of the file.
  init(_ change: (inout [UInt8]) -> Void = { _ in }) throws {
    path = NSTemporaryDirectory() + "recording-\(UUID().uuidString).ndjson"
    let info = SensorInfo(
      name: "made up", origin: .recording, pacing: .onDemand,
      channels: [.init(kind: .inertial, rates: [100]), .init(kind: .magnetometer, rates: [50])])
    let bytes = MemoryByteSink()
    let writer = NDJSONWriter(bytes, description: RecordingDescription(info: info))
    for index in 0..<Self.count {
      let time = SensorInstant(nanoseconds: 50_000_000_000 + Int64(index) * 10_000_000)
      let angle = 0.8 * sin(Double(index) / 40)
      let field = Vector3<Device>(x: 2e-5 * cos(angle), y: 0.5e-5, z: -4e-5 + 2e-5 * sin(angle))
      if index % 2 == 0 { try writer.write(.magnetometer(MagnetometerSample(time: time, magneticField: field))) }
      try writer.write(
        .inertial(
          InertialSample(
            time: time, angularVelocity: Vector3(x: 0.02, y: 2 * cos(Double(index) / 40), z: 0.1),
            specificForce: Vector3(x: -9.8 * sin(angle), y: 0.01, z: 9.8 * cos(angle)))))
    }
    try writer.finish()
    var damaged = bytes.bytes
    change(&damaged)
    try Data(damaged).write(to: URL(fileURLWithPath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
