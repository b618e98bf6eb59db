// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import Testing

extension KernelTests {

  /// A user who may not open the device nodes (`Scripts/Guest/run.sh -d hub -u nobody`).
  @Suite(.enabled(if: Guest.isHere && !Guest.isPrivileged, "needs the kernel guest, as nobody (make test-kernel)"))
  struct UnprivilegedTests {
    @Test func theSensorsArePolledAndTheNameSaysSo() async throws {
      let host = try MotionHost("iio:")
      #expect(host.deviceInfo?.name.contains("(polled)") == true)
      let rows = try await host.run {
        let logger = MotionLogger()
        logger.start(interval: 0)
        try await Task.sleep(for: .seconds(2))
        return logger.stop().rows
      }
      let rate = Double(rows.count) / 2
      print("guest: as nobody, polled: \(rate) samples a second, \(Delays(rows))")
      #expect(rate > 20)
    }

    @Test func whoInsistsOnTheBufferIsToldWhatToDo() async throws {
      let host = try MotionHost("iio:?reading=buffered")
      let errors = try await host.run {
        let logger = MotionLogger()
        logger.start(interval: 0)
        try await Task.sleep(for: .seconds(1))
        return logger.stop().errors
      }
      print("guest: as nobody, buffered: \(errors)")
      #expect(errors.count == 1)
      #expect(errors.first?.contains("udev") == true)
    }
  }
}
