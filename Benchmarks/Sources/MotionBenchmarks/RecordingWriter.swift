// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import SimulatedSources

/// Writes a simulated walk in the layout of the PyojinKim logger, to have something of any length to fuse.
enum RecordingWriter {
  /// `seconds` at 100 Hz into `folder`, accelerometer, gyroscope and magnetometer apart as a phone logs them.
  static func write(to folder: URL, seconds: Int) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    guard let trajectory = Scenario(named: "walk")?.trajectory else { return }
    var (accelerometer, gyroscope, magnetometer) = ("", "", "")
    for index in 0..<(seconds * 100) {
      let time = Double(index) / 100
      let state = trajectory.state(at: time)
      let nanoseconds = 1_000_000_000_000 + index * 10_000_000
      func line(_ offset: Int, _ v: Vector3<Device>) -> String {
        String(format: "%lld %.6f %.6f %.6f\n", nanoseconds + offset, v.x, v.y, v.z)
      }
      // The logger's sign and constant: Apple's g times 9.81.
      accelerometer += line(3_750_000, state.specificForce * (-9.81 / standardGravity))
      gyroscope += line(0, state.angularVelocity)
      magnetometer += line(5_000_000, (state.attitude.inverse * Vector3(x: 0, y: 20e-6, z: -45e-6)) * 1e6)
    }
    for (name, text) in [("acce", accelerometer), ("gyro_uncalib", gyroscope), ("magnet_uncalib", magnetometer)] {
      try text.write(to: folder.appendingPathComponent("\(name).txt"), atomically: true, encoding: .utf8)
    }
  }
}
