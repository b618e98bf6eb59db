// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import MotionMath
import Testing

extension KernelTests {

  /// A client over the kernel's own sensor-hub drivers, against a motion that is known at every instant.
  ///
  /// The hub and the signs of its axes are ours: this shows that source, kernel and filter agree with each other, not
  /// that the axes of any real hub are right.
  @Suite(.enabled(if: Guest.isHere && Guest.isPrivileged, "needs the kernel guest (make test-kernel)"))
  struct HubAttitudeTests {
    /// The largest angle between the client's attitude and the truth at each sample's own time, degrees, yaw aligned at
    /// the first sample.
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

    /// What a client sees of a hub at a rate: some rest, then `seconds` of motion.
    private func check(
      _ rate: Double, options: String, seconds: Double = 6, tolerance: Double = 0.5, hasExactStamps: Bool = true
    ) async throws {
      let start = Guest.now + 4
      try Guest.plugHub(["accel", "gyro"], movingFrom: start, options: options)
      let host = try MotionHost("iio:?rate=\(Int(rate))")
      let processorTime = clock()
      let (rows, errors) = try await host.run {
        let logger = MotionLogger()
        #expect(logger.manager.isDeviceMotionAvailable)
        logger.start(interval: 0)
        while Guest.now < start + seconds { try await Task.sleep(for: .milliseconds(100)) }
        return logger.stop()
      }
      let share = Double(clock() - processorTime) / 1e6 / (rows.last.map { $0.timestamp - rows[0].timestamp } ?? 1)
      let error = Self.largestError(rows, KnownMotion(start: start))
      let times = rows.map(\.timestamp)
      let steps = zip(times.dropFirst(), times).map { $0 - $1 }
      let span = (times.last ?? 0) - (times.first ?? 0)
      print(
        "guest: \(Int(rate)) Hz \(options): \(rows.count) samples in \(span.rounded(3)) s, largest error \(error.rounded(3))°, "
          + "steps \(((steps.min() ?? 0) * 1e3).rounded(3))…\(((steps.max() ?? 0) * 1e3).rounded(3)) ms, "
          + "\(Delays(rows)), \((share * 100).rounded(1)) % of a processor")
      #expect(errors.isEmpty)
      #expect(error < tolerance)
      #expect(steps.allSatisfy { $0 > 0 })
      // Not one is missing: with stamps of the device's own clock every step is a period; without, their number shows
      // it.
      if hasExactStamps { #expect(steps.allSatisfy { $0 < 1.5 / rate }) }
      #expect(abs(Double(rows.count - 1) - span * rate) <= (hasExactStamps ? 1 : 3))
      #expect(host.deviceInfo != nil && host.droppedSampleCount == 0)
      let first = try #require(rows.first { $0.timestamp < start })
      #expect(abs(first.gravity.z + 1) < 0.001 && abs(first.gravity.x) < 0.002 && abs(first.gravity.y) < 0.002)
      try Guest.unplugHub()
    }

    @Test(arguments: [100, 200, 500]) func aClientSeesTheMotionOfAHubWithADeviceClock(rate: Double) async throws {
      try await check(rate, options: "-t")
    }

    @Test func aDeviceClockThatBeganElsewhereIsAnchored() async throws { try await check(200, options: "-t -o 1000") }

    /// The kernel stamps a report when it arrives, and in an emulated machine that is some milliseconds late now and
    /// then.
    @Test func aHubWithoutADeviceClockIsStampedByTheKernel() async throws {
      try await check(100, options: "", tolerance: 2, hasExactStamps: false)
    }

    @Test(.enabled(if: Guest.isPatient, "takes a minute (KERNEL_TEST_PATIENCE=1)"))
    func aMinuteAtAThousandHertzLosesNothing() async throws { try await check(1000, options: "-t", seconds: 60) }
  }
}
