// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import Testing

extension KernelTests {

  /// A walk over the kernel's sensor hub, stored by `motionctl history record` and read by this process, which has no
  /// part in it.
  @Suite(.enabled(if: Guest.isHere && Guest.isPrivileged, "needs the kernel guest (make test-kernel)"))
  struct RecorderTests {
    private static let steps = 60

    /// Steps and metres as the pedometer of this process answers; nil where it has no answer.
    private func query(_ pedometer: CMPedometer, from start: Date) async -> (steps: Int, metres: Double)? {
      await withCheckedContinuation { done in
        pedometer.queryPedometerData(from: start, to: Date()) { data, _ in
          done.resume(returning: data.map { ($0.numberOfSteps.intValue, $0.distance?.doubleValue ?? 0) })
        }
      }
    }

    @Test func anotherProcessReadsTheStepsOfAWalk() async throws {
      // Rest before and after the walk, as everywhere.
      let start = Guest.now + 10
      let begun = Date()
      try Guest.plugHub(["accel", "gyro"], movingFrom: start, options: "-t -w \(Self.steps)")
      try Guest.run(
        "/host/motionctl history record > /tmp/recorder.log 2>&1 & echo $! > /tmp/recorder.pid")
      // MOTION_STORE names the file for both; the sensors stay with the recorder.
      let end = start + Double(Self.steps) / 2
      while Guest.now < end + 15 { try await Task.sleep(for: .milliseconds(200)) }
      let pedometer = CMPedometer()
      #expect(CMPedometer.isStepCountingAvailable())
      let (counted, metres) = try #require(await query(pedometer, from: begun))
      let log = try String(contentsOfFile: "/tmp/recorder.log", encoding: .utf8)
      print("guest: \(counted) steps of \(Self.steps), \(metres.rounded(1)) m; the recorder: \(log)")
      #expect(abs(counted - Self.steps) <= 2 && metres > 20, "\(log)")
      // And its accelerometer, in batches of ten seconds.
      let list = CMSensorRecorder().accelerometerData(from: begun, to: Date())
      var iterator = NSFastEnumerationIterator(try #require(list))
      var samples: [CMRecordedAccelerometerData] = []
      while let sample = iterator.next() as? CMRecordedAccelerometerData { samples.append(sample) }
      #expect(samples.count >= 2000 && samples.count % 500 == 0)
      #expect(samples.map(\.identifier) == samples.map(\.identifier).sorted())
      try Guest.run(
        "kill -TERM $(cat /tmp/recorder.pid); while kill -0 $(cat /tmp/recorder.pid); do usleep 100000; done")
      try Guest.unplugHub()
    }
  }
}
