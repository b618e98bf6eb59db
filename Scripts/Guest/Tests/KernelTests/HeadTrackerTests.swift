// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import MotionMath
import MotionSensing
import Testing

extension KernelTests {

  /// A client of the headphones over the kernel's node of a head tracker, against a motion that is known at every instant.
  @Suite(.enabled(if: Guest.isHere && Guest.isPrivileged, "needs the kernel guest (make test-kernel)"))
  struct HeadTrackerTests {
    private struct Pose {
      var time: Double
      var attitude: Rotation<Device, NorthWestUp>
    }

    /// Plugs the headphones in, and waits for the node.
    private func plug(movingFrom start: Double) async throws {
      try Guest.run("guestctl plug headtracker -m \(start)")
      for _ in 0..<250 {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []
        if names.contains(where: { $0.hasPrefix("hidraw") }) {
          try await Task.sleep(for: .milliseconds(200))
          return
        }
        try await Task.sleep(for: .milliseconds(20))
      }
      throw Guest.Failure(description: "No hidraw in /dev.")
    }

    private func unplug() async throws {
      try Guest.run("guestctl unplug headtracker")
      try await Task.sleep(for: .milliseconds(300))
    }

    /// What the pull side of a client shows until an instant.
    private func poses(of manager: CMHeadphoneMotionManager, until end: Double) async throws -> [Pose] {
      var poses: [Pose] = []
      while Guest.now < end {
        if let motion = manager.deviceMotion, motion.timestamp != poses.last?.time {
          let q = motion.attitude.quaternion
          if let attitude = Rotation<Device, NorthWestUp>(w: q.w, x: q.x, y: q.y, z: q.z) {
            poses.append(Pose(time: motion.timestamp, attitude: attitude))
          }
        }
        try await Task.sleep(for: .milliseconds(5))
      }
      return poses
    }

    /// Degrees: between a pose and the nearest one that the head had within 25 ms, and at the pose's own time. The
    /// reports have no time of their own, so the delay of the emulated machine is in the second.
    private func errors(_ poses: [Pose], _ motion: KnownMotion) -> (path: Double, stamp: Double) {
      var worst = (path: 0.0, stamp: 0.0)
      for pose in poses {
        let near = (-250...250).map { pose.attitude.angle(to: motion.attitude(at: pose.time + Double($0) * 1e-4)) }
        worst.path = max(worst.path, (near.min() ?? .infinity) * 180 / .pi)
        worst.stamp = max(worst.stamp, pose.attitude.angle(to: motion.attitude(at: pose.time)) * 180 / .pi)
      }
      return worst
    }

    @Test func aClientSeesTheMotionOfTheHead() async throws {
      let start = Guest.now + 3
      try await plug(movingFrom: start)
      let entry = try SourceCatalog().open(try SourceURI("headtracker:"))
      let host = MotionHost(headphones: entry.source)
      let poses = try await host.run {
        let manager = CMHeadphoneMotionManager()
        #expect(manager.isDeviceMotionAvailable)
        manager.startDeviceMotionUpdates()
        defer { manager.stopDeviceMotionUpdates() }
        return try await self.poses(of: manager, until: start + 5)
      }
      let errors = errors(poses, KnownMotion(start: start))
      let door = try #require(SourceCatalog().listings().first { $0.address.hasPrefix("headtracker:") }?.summary)
      print(
        "guest: head tracker: \(poses.count) poses, off the path by \(errors.path.rounded(3))°, at their own times by "
          + "\(errors.stamp.rounded(3))°; \(door)")
      #expect(poses.count > 200 && errors.path < 0.1 && errors.stamp < 5)
      #expect(door.contains("hidraw"))
      try await unplug()
    }

    /// Switching the sensor hub off is the person's to do.
    @Test func headphonesThatTheSensorHubKeepsSayWhatToDo() async throws {
      try Guest.run("guestctl plug headtracker-hub -m 1e6")
      try await Task.sleep(for: .seconds(1))
      let listing = try #require(SourceCatalog().listings().first { $0.address.hasPrefix("headtracker:") })
      #expect(listing.problem?.message.contains("blacklist hid_sensor_hub") == true)
      try Guest.run("guestctl unplug headtracker-hub")
    }

    /// The client does nothing: the motion goes on when the headphones are back.
    @Test func headphonesThatGoAndComeBackGoOn() async throws {
      try await plug(movingFrom: 1e6)
      let host = MotionHost(headphones: try SourceCatalog().open(try SourceURI("headtracker:")).source)
      try await host.run {
        let manager = CMHeadphoneMotionManager()
        manager.startDeviceMotionUpdates()
        defer { manager.stopDeviceMotionUpdates() }
        #expect(try await poses(of: manager, until: Guest.now + 2).count > 20)
        for _ in 0..<4 {
          try await unplug()
          try await Task.sleep(for: .seconds(1))
          let last = manager.deviceMotion?.timestamp ?? 0
          try await plug(movingFrom: 1e6)
          let again = try await poses(of: manager, until: Guest.now + 4).filter { $0.time > last }
          #expect(again.count > 20)
        }
        // It goes while it is read and stays away, and then the client stops.
        try await unplug()
      }
      // The kernel has come to no harm.
      #expect(try Guest.run("dmesg | grep -E 'BUG:|Oops|divide error|general protection'") == 1)
    }
  }
}
