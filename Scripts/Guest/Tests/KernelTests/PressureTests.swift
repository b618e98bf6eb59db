// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import Testing

extension KernelTests {
  /// Altimeter clients over the kernel's pressure drivers.
  @Suite(.enabled(if: Guest.isHere && Guest.isPrivileged, "needs the kernel guest (make test-kernel)"))
  struct PressureTests {
    /// Relative heights and pressures of some seconds.
    private func heights(of host: MotionHost, seconds: Double) async throws -> [(height: Double, kilopascals: Double)] {
      try await host.run {
        let altimeter = CMAltimeter()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let log = Log()
        altimeter.startRelativeAltitudeUpdates(to: queue) { data, _ in
          guard let data else { return }
          log.rows.append((data.relativeAltitude.doubleValue, data.pressure.doubleValue))
        }
        try await Task.sleep(for: .seconds(seconds))
        altimeter.stopRelativeAltitudeUpdates()
        await withCheckedContinuation { done in queue.addBarrierBlock { done.resume() } }
        return log.rows
      }
    }

    private final class Log: @unchecked Sendable {  // touched on one serial queue, then after it has finished
      var rows: [(height: Double, kilopascals: Double)] = []
    }

    /// The hub counts its pressure down from 101.325 kPa by 0.1 Pa a sample.
    @Test func aHubWithABarometerServesTheAltimeter() async throws {
      try Guest.plugHub(["press"], movingFrom: 1e6)
      let rows = try await heights(of: MotionHost("iio:press"), seconds: 4.5)
      #expect(rows.count >= 2 && rows.first?.height == 0)
      #expect(rows.allSatisfy { abs($0.kilopascals - 101.32) < 0.01 && abs($0.height) < 1 })
      try Guest.unplugHub()
    }

    /// The registers hold the example of the data sheet: 100 653.27 Pa.
    @Test func aChipWithoutABufferIsPolled() async throws {
      try Guest.run("guestctl plug i2c && guestctl wait bmp280")
      let host = try MotionHost("iio:bmp280")
      #expect(host.deviceInfo?.name.contains("(polled)") == true)
      let rows = try await heights(of: host, seconds: 4.5)
      #expect(rows.count >= 2)
      #expect(rows.allSatisfy { abs($0.kilopascals - 100.653) < 0.001 && abs($0.height) < 0.01 })
      try Guest.run("guestctl unplug i2c")
    }
  }
}
