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

/// A client over the kernel's own hid-playstation, against a motion that is known at every instant (issue 8).
///
/// The controller is simulated and the signs of its axes are ours: source, kernel and filter agree with each other; nothing is shown of
/// a real one.
@Suite(.serialized, .enabled(if: Guest.isHere, "needs the kernel guest (make test-kernel)"))
struct DualSenseTests {
  @Test func theClientSeesTheMotionOfAControllerAndLosesNoSample() async throws {
    let start = Guest.now + 5
    try Guest.plugDualSense(movingFrom: start)
    let host = try MotionHost("evdev:dualsense")
    let (rows, errors) = try await host.run {
      let logger = MotionLogger()
      #expect(logger.manager.isDeviceMotionAvailable)
      logger.start(interval: 1 / 250)
      while Guest.now < start + 8 { try await Task.sleep(for: .milliseconds(100)) }
      return logger.stop()
    }
    try Guest.unplugDualSense()
    let error = HubAttitudeTests.largestError(rows, KnownMotion(start: start))
    let times = rows.map(\.timestamp)
    // The kernel's queue holds 50 ms: it may overflow while the emulated processor starts the client for the first time.
    let settled = times.filter { $0 > start - 1.5 }
    let steps = zip(settled.dropFirst(), settled).map { $0 - $1 }
    let delays = rows.map { $0.arrival - $0.timestamp }.sorted()
    print(
      "guest DualSense: \(rows.count) samples in \((times.last ?? 0) - (times.first ?? 0)) s, largest error \(error)°, step \(steps.min() ?? 0)…\(steps.max() ?? 0) s, delay median \(delays[delays.count / 2] * 1e3) ms, 99 % \(delays[delays.count * 99 / 100] * 1e3) ms"
    )
    #expect(errors.isEmpty)
    #expect(error < 0.5)
    #expect(zip(times.dropFirst(), times).allSatisfy { $0 > $1 })
    #expect(steps.count > 2000 && steps.allSatisfy { abs($0 - 0.004) < 0.0035 })
    let first = try #require(rows.first { $0.timestamp < start })
    #expect(abs(first.gravity.z + 1) < 0.001 && abs(first.gravity.x) < 0.002 && abs(first.gravity.y) < 0.002)
  }

  @Test func unplugAndReplugAreSeenAndTheStreamGoesOn() async throws {
    let start = Guest.now + 3600
    try Guest.plugDualSense(movingFrom: start)
    let host = try MotionHost("evdev:")
    let (before, replug, rows, errors) = try await host.run {
      let logger = MotionLogger()
      logger.start(interval: 1 / 100)
      try await Task.sleep(for: .seconds(2))
      #expect(logger.manager.isDeviceMotionActive && logger.manager.deviceMotion != nil)
      try Guest.unplugDualSense()
      let before = Guest.now
      try await Task.sleep(for: .seconds(1))
      try Guest.plugDualSense(movingFrom: start)
      let replug = Guest.now
      try await Task.sleep(for: .seconds(2))
      let (rows, errors) = logger.stop()
      return (before, replug, rows, errors)
    }
    try Guest.unplugDualSense()
    #expect(rows.contains { $0.timestamp < before } && rows.contains { $0.timestamp > replug })
    #expect(!rows.contains { $0.timestamp > before + 0.1 && $0.timestamp < replug - 1 })
    #expect(errors.count == 1)
    print(
      "guest DualSense: back \((rows.first { $0.timestamp > before + 0.1 }?.timestamp ?? .nan) - replug) s after the replug"
    )
  }
}
