// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording
import MotionSensing
import Testing

@testable import MotionServices

/// Real walks with counted steps. The files lie in shared/data/mcap; Benchmarks/steps.py measures all of them.
@Suite(
  .enabled(if: SharedData.has("mcap"), "needs the walks in shared/data/mcap (OPENCOREMOTION_DATA)"))
struct RealWalkTests {
  @Test(arguments: [
    ("user1_backpocket_1506422470497", 343), ("user2_frontpocket_1506422217391", 343),
    ("user2_bag_1506422838474", 361),
  ])
  func aWalkIsCountedWithinFivePercentAndIsWalkingThroughout(file: String, steps: Int) throws {
    let reader = try Recording.open(path: "\(SharedData.folder)/mcap/oxford_\(file).mcap").makeReader()
    var samples: [SensorSample] = []
    while let sample = try reader.next() { samples.append(sample) }
    let told = Told(samples)
    #expect(abs(Double(told.steps - steps)) <= 0.05 * Double(steps), "\(told.steps) of \(steps)")
    #expect(told.changes.contains { $0.activity == .walking })
    #expect(!told.changes.contains { [.running, .cycling, .automotive].contains($0.activity) })
  }
}
