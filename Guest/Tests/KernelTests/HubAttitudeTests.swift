// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import MotionMath
import Testing

/// A client over the kernel's own sensor-hub drivers, against a motion that is known at every instant (issue 8).
///
/// The hub and the signs of its axes are ours: this shows that source, kernel and filter agree with each other, not that the axes of
/// any real hub are right.
@Suite(.serialized, .enabled(if: Guest.isHere, "needs the kernel guest (make test-kernel)"))
struct HubAttitudeTests {
  /// The largest angle between the client's attitude and the truth at each sample's own time, degrees, yaw aligned at the first sample.
  static func largestError(_ rows: [MotionLogger.Row], _ motion: KnownMotion) -> Double {
    var align: Rotation<NorthWestUp, NorthWestUp>?
    var largest = 0.0
    for row in rows {
      let q = row.attitude
      guard let attitude = Rotation<Device, NorthWestUp>(w: q.w, x: q.x, y: q.y, z: q.z) else { return .infinity }
      let truth = motion.attitude(at: row.timestamp)
      if align == nil {
        let difference = (truth * attitude.inverse).rotationVector
        align = Rotation(aboutZ: difference.z)
      }
      guard let align else { return .infinity }
      largest = max(largest, (align * attitude).angle(to: truth))
    }
    return largest * 180 / .pi
  }

  /// What a client sees of a hub at a rate: 2 s of rest, then 8 s of motion.
  private func check(_ rate: Double, options: String, offset: Double = 0, tolerance: Double = 0.5) async throws {
    let start = Guest.now + 5
    try Guest.plugHub(["accel", "gyro"], movingFrom: start, options: options)
    let host = try MotionHost("iio:?rate=\(Int(rate))")
    let (rows, errors) = try await host.run {
      let logger = MotionLogger()
      #expect(logger.manager.isDeviceMotionAvailable)
      logger.start(interval: 1 / rate)
      while Guest.now < start + 8 { try await Task.sleep(for: .milliseconds(100)) }
      return logger.stop()
    }
    let motion = KnownMotion(start: start)
    let error = Self.largestError(rows, motion)
    let times = rows.map(\.timestamp)
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }
    let span = (times.last ?? 0) - (times.first ?? 0)
    let delays = rows.map { $0.arrival - $0.timestamp }.sorted()
    print(
      "guest \(options) \(rate) Hz: \(rows.count) samples in \(span) s, largest error \(error)°, step \(steps.min() ?? 0)…\(steps.max() ?? 0) s, delay median \(delays[delays.count / 2] * 1e3) ms, 99 % \(delays[delays.count * 99 / 100] * 1e3) ms"
    )
    #expect(errors.isEmpty)
    #expect(error < tolerance)
    #expect(steps.allSatisfy { $0 > 0 })
    #expect(abs(Double(rows.count - 1) - span * rate) < 2)
    let first = try #require(rows.first { $0.timestamp < start })
    #expect(abs(first.gravity.z + 1) < 0.001 && abs(first.gravity.x) < 0.002 && abs(first.gravity.y) < 0.002)
    try Guest.unplugHub()
  }

  @Test(arguments: [100, 200, 500]) func theClientSeesTheMotionOfAHubWithADeviceClock(rate: Double) async throws {
    try await check(rate, options: "-t")
  }

  @Test func aDeviceClockThatStartedElsewhereIsAnchored() async throws {
    try await check(200, options: "-t -o 1000")
  }

  @Test func aHubWithoutADeviceClockIsStampedByTheKernel() async throws {
    try await check(100, options: "", tolerance: 2)
  }
}
