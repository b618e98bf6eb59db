// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import Testing

extension Guest {
  /// Plugs a DualSense in that lies flat until `start` and then moves on the known path; waits until its node exists.
  fileprivate static func plugDualSense(movingFrom start: Double) throws {
    try run("guestctl unplug dualsense 2>/dev/null; usleep 300000; guestctl plug dualsense -m \(start)")
    guard try run("guestctl wait Sensors") == 0 else { throw Failure(description: "No motion sensor.") }
  }

  fileprivate static func unplugDualSense() throws { try run("guestctl unplug dualsense; usleep 300000") }
}

extension KernelTests {

  /// A client over the kernel's own hid-playstation, against a motion that is known at every instant.
  ///
  /// The controller is simulated and the signs of its axes are ours: source, kernel and filter agree with each other;
  /// nothing is shown of a real one.
  @Suite(.enabled(if: Guest.isHere && Guest.isPrivileged, "needs the kernel guest (make test-kernel)"))
  struct DualSenseTests {
    @Test func aClientSeesTheMotionOfAControllerAndLosesNoSample() async throws {
      let start = Guest.now + 4
      try Guest.plugDualSense(movingFrom: start)
      let host = try MotionHost("evdev:dualsense")
      let (rows, errors) = try await host.run {
        let logger = MotionLogger()
        #expect(logger.manager.isDeviceMotionAvailable && !logger.manager.isMagnetometerAvailable)
        logger.start(interval: 0)
        while Guest.now < start + 6 { try await Task.sleep(for: .milliseconds(100)) }
        return logger.stop()
      }
      try Guest.unplugDualSense()
      let error = HubAttitudeTests.largestError(rows, KnownMotion(start: start))
      let times = rows.map(\.timestamp)
      let steps = zip(times.dropFirst(), times).map { $0 - $1 }
      let span = (times.last ?? 0) - (times.first ?? 0)
      print(
        "guest: DualSense: \(rows.count) samples in \(span.rounded(3)) s, largest error \(error.rounded(3))°, "
          + "steps \(((steps.min() ?? 0) * 1e3).rounded(3))…\(((steps.max() ?? 0) * 1e3).rounded(3)) ms, \(Delays(rows))"
      )
      #expect(errors.isEmpty)
      #expect(error < 0.5)
      // Not one is missing: by the controller's own time every step is a period. In the first ones its clock is still
      // being laid over ours, which shortens them.
      #expect(steps.allSatisfy { $0 > 0.001 && $0 < 0.005 })
      let settled = times.drop { $0 < times[0] + 1 }
      #expect(settled.count > 1500)
      #expect(abs(Double(settled.count - 1) - ((settled.last ?? 0) - (settled.first ?? 0)) * 250) <= 1)
      #expect(host.deviceInfo != nil && host.droppedSampleCount == 0)
      let first = try #require(rows.first { $0.timestamp < start })
      #expect(abs(first.gravity.z + 1) < 0.001 && abs(first.gravity.x) < 0.002 && abs(first.gravity.y) < 0.002)
    }

    /// The client does nothing: one error, silence, and the stream goes on when the controller is back.
    @Test func aControllerThatIsPulledAndPluggedAgainGoesOn() async throws {
      try Guest.plugDualSense(movingFrom: 1e6)
      let host = try MotionHost("evdev:")
      let (pulled, back, rows, errors) = try await host.run {
        let logger = MotionLogger()
        logger.start(interval: 0)
        try await Task.sleep(for: .milliseconds(1500))
        try Guest.unplugDualSense()
        let pulled = Guest.now
        try await Task.sleep(for: .milliseconds(1000))
        let back = Guest.now
        try Guest.plugDualSense(movingFrom: 1e6)
        try await Task.sleep(for: .milliseconds(2000))
        let (rows, errors) = logger.stop()
        return (pulled, back, rows, errors)
      }
      try Guest.unplugDualSense()
      #expect(rows.contains { $0.timestamp < pulled } && rows.contains { $0.timestamp > back })
      #expect(!rows.contains { pulled < $0.timestamp && $0.timestamp < back })
      #expect(errors.count == 1)
      let times = rows.map(\.timestamp)
      #expect(zip(times.dropFirst(), times).allSatisfy { $0 > $1 })
    }
  }

  /// A user who may not read the controller (`Scripts/Guest/run.sh -d dualsense -u nobody`).
  @Suite(
    .enabled(
      if: Guest.isHere && !Guest.isPrivileged && FileManager.default.fileExists(atPath: "/dev/input/event0"),
      "needs the kernel guest with a controller, as nobody"))
  struct UnprivilegedControllerTests {
    @Test func thePersonIsToldTheRule() async throws {
      let errors = try await MotionHost("evdev:").run {
        let logger = MotionLogger()
        logger.start(interval: 0)
        try await Task.sleep(for: .seconds(1))
        return logger.stop().errors
      }
      print("guest: as nobody, a controller: \(errors)")
      #expect(errors.count == 1 && errors.first?.contains("60-opencoremotion-controllers.rules") == true)
    }
  }
}
