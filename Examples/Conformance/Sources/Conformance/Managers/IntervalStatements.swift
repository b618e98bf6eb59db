// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// Update intervals.
enum IntervalStatements {
  #if os(macOS)
  static let all: [Statement] = []
  #else
  static let all: [Statement] = [
    ManagerStatements.manager("D2", "The default interval of every service is 0.01 s.") { manager in
      [
        .near("accelerometer", manager.accelerometerUpdateInterval, 0.01, within: 1e-9),
        .near("gyroscope", manager.gyroUpdateInterval, 0.01, within: 1e-9),
        .near("magnetometer", manager.magnetometerUpdateInterval, 0.01, within: 1e-9),
        .near("device motion", manager.deviceMotionUpdateInterval, 0.01, within: 1e-9),
      ]
    },
    ManagerStatements.manager("D3", "The getter returns what was set.") { manager in
      var findings: [Finding] = []
      for interval in [0.0001, 0.0123, 5] {
        manager.deviceMotionUpdateInterval = interval
        manager.accelerometerUpdateInterval = interval
        findings.append(.near("device motion", manager.deviceMotionUpdateInterval, interval, within: 1e-9))
        findings.append(.near("accelerometer", manager.accelerometerUpdateInterval, interval, within: 1e-9))
      }
      return findings
    },
    ManagerStatements.manager("S39", "The interval is kept, as the time stamps show.") { manager in
      [IntervalChecks.step(await times(manager, interval: 0.05, count: 30), 0.05)]
    },
    ManagerStatements.manager("D18", "An interval of 0 gives the fastest rate; others follow a schedule.") { manager in
      let fastest = median(IntervalChecks.steps(await times(manager, interval: 0.0001, count: 60)))
      let none = await times(manager, interval: 0, count: 60)
      let sixty = await times(manager, interval: 1.0 / 60, count: 90)
      return [
        IntervalChecks.step(none, fastest),
        .near("mean step at 1/60 s", IntervalChecks.mean(sixty), 1.0 / 60, within: 0.0004),
      ]
    },
    ManagerStatements.manager("D21", "100 Hz is no limit.") { manager in
      let steps = IntervalChecks.steps(await times(manager, interval: 0.001, count: 100))
      return [.inside("step at an interval of 0.001 s", median(steps), 0.0001...0.0095)]
    },
    ManagerStatements.manager("S41", "Several managers do not change each other's rate.") { manager in
      let other = CMMotionManager()
      let slow = Collector<Double>()
      other.deviceMotionUpdateInterval = 0.1
      other.startDeviceMotionUpdates(to: serialQueue()) { sample, _ in
        if let sample { slow.add(sample.timestamp) }
      }
      let fast = await times(manager, interval: 0.02, count: 75)
      other.stopDeviceMotionUpdates()
      return [IntervalChecks.step(fast, 0.02), IntervalChecks.step(slow.all, 0.1)]
    },
  ]

  private static func times(_ manager: CMMotionManager, interval: Double, count: Int) async -> [Double] {
    let times = Collector<Double>()
    manager.deviceMotionUpdateInterval = interval
    manager.startDeviceMotionUpdates(to: serialQueue()) { sample, _ in
      if let sample { times.add(sample.timestamp) }
    }
    let heard = await times.wait(for: count, seconds: 5)
    manager.stopDeviceMotionUpdates()
    return heard
  }
  #endif
}

/// Time stamps against an interval.
enum IntervalChecks {
  static func steps(_ times: [Double]) -> [Double] { zip(times, times.dropFirst()).map { $1 - $0 } }

  static func mean(_ times: [Double]) -> Double {
    guard let first = times.first, let last = times.last, times.count > 1 else { return .nan }
    return (last - first) / Double(times.count - 1)
  }

  static func step(_ times: [Double], _ interval: Double) -> Finding {
    .near("median step at \(interval) s", median(steps(times)), interval, within: interval * 0.1)
  }
}
