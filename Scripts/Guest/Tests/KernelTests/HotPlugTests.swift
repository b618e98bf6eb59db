// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import Testing

extension KernelTests {

  /// What happens to a stream while the world around it changes.
  @Suite(.enabled(if: Guest.isHere && Guest.isPrivileged, "needs the kernel guest (make test-kernel)"))
  struct HotPlugTests {
    /// Waits until the manager has shown a sample that is younger than `time`; nil when none came in ten seconds.
    private func motion(of manager: CMMotionManager, after time: Double) async throws -> CMDeviceMotion? {
      let limit = Guest.now + 10
      while Guest.now < limit {
        if let motion = manager.deviceMotion, motion.timestamp > time { return motion }
        try await Task.sleep(for: .milliseconds(20))
      }
      return nil
    }

    /// The client does nothing: the stream goes on when the device is back, though the kernel may give it another
    /// number.
    @Test func aHubThatIsPulledAndPluggedAgainGoesOn() async throws {
      try Guest.plugHub(["accel", "gyro"], movingFrom: 1e6, options: "-t")
      let host = try MotionHost("iio:?rate=100")
      try await host.run {
        let manager = CMMotionManager()
        manager.startDeviceMotionUpdates()
        let first = try await motion(of: manager, after: 0)
        #expect(first != nil && manager.isDeviceMotionAvailable)
        try Guest.unplugHub()
        try await Task.sleep(for: .milliseconds(1500))
        let last = manager.deviceMotion?.timestamp ?? 0
        try await Task.sleep(for: .milliseconds(300))
        #expect(manager.deviceMotion?.timestamp ?? 0 == last && !manager.isDeviceMotionAvailable)
        // Something else takes the first numbers meanwhile.
        try Guest.run("guestctl plug i2c && guestctl wait lis3dh bmi160")
        try Guest.plugHub(["press", "gyro", "accel"], movingFrom: 1e6, options: "-t")
        let next = try await motion(of: manager, after: last)
        #expect(next != nil && manager.isDeviceMotionAvailable)
        manager.stopDeviceMotionUpdates()
      }
      try Guest.unplugHub()
      try Guest.run("guestctl unplug i2c")
    }

    /// Without MOTION_SOURCE a program that began before the hub was there finds it at its first use.
    @Test func theProcessFindsTheHubByItself() async throws {
      try Guest.plugHub(["accel", "gyro", "magn"], movingFrom: 1e6, options: "-t")
      let manager = CMMotionManager()
      #expect(manager.isDeviceMotionAvailable && manager.isMagnetometerAvailable)
      manager.startDeviceMotionUpdates()
      let motion = try #require(try await motion(of: manager, after: 0))
      #expect(abs(motion.gravity.z + 1) < 0.001)
      manager.stopDeviceMotionUpdates()
      try Guest.unplugHub()
    }

    /// Time stamps are CLOCK_MONOTONIC: somebody who sets the date does not move them.
    @Test(arguments: ["", "-t"]) func aStepOfTheDateLeavesTimeStampsAlone(options: String) async throws {
      try Guest.plugHub(["accel", "gyro"], movingFrom: 1e6, options: options)
      let host = try MotionHost("iio:?rate=100")
      let (rows, errors) = try await host.run {
        let logger = MotionLogger()
        logger.start(interval: 0)
        try await Task.sleep(for: .milliseconds(1500))
        try Guest.run("date -s 2030-01-01 > /dev/null")
        try await Task.sleep(for: .milliseconds(1500))
        try Guest.run("date -s 2020-01-01 > /dev/null")
        try await Task.sleep(for: .milliseconds(1500))
        return logger.stop()
      }
      let times = rows.map(\.timestamp)
      #expect(errors.isEmpty && rows.count > 250)
      #expect(zip(times.dropFirst(), times).allSatisfy { $0 - $1 > 0 && $0 - $1 < 0.5 })
      #expect(abs((times.last ?? 0) - Guest.now) < 1)
      try Guest.unplugHub()
    }

    /// Switched on by another program, a buffer is left alone, and the numbers come all the same.
    @Test func aBufferOfAnotherProgramIsNotTouched() async throws {
      try Guest.plugHub(["accel", "gyro"], movingFrom: 1e6)
      let folder = "/sys/bus/iio/devices/iio:device0"
      try Guest.run("echo 1 > \(folder)/scan_elements/in_accel_x_en; echo 1 > \(folder)/buffer/enable")
      let host = try MotionHost("iio:?rate=50")
      #expect(host.deviceInfo?.name.contains("polled") == true)
      try await host.run {
        let manager = CMMotionManager()
        manager.startDeviceMotionUpdates()
        let first = try await motion(of: manager, after: 0)
        #expect(first != nil)
        manager.stopDeviceMotionUpdates()
      }
      let isStillOn = try Guest.run("[ $(cat \(folder)/buffer/enable) = 1 ]") == 0
      #expect(isStillOn)
      try Guest.unplugHub()
    }
  }
}
