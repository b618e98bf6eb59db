// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// Second starts, stops and queues of a service that runs.
enum RestartStatements {
  #if os(macOS)
  static let all: [Statement] = []
  #else
  static let all: [Statement] = [
    restart("S37", "A second start replaces queue and handler.") {
      [.equal("calls of the first handler after it has been replaced", $0.lateCallsOfFirst, 0)]
        + [.inside("calls of the second", Double($0.second.count), 5...1e6)]
    },
    restart("D5", "A second start loses and repeats nothing, and applies the new interval.") {
      RestartChecks.seamless($0)
    },
    ManagerStatements.manager("D6", "Nothing is enqueued after stop.") { manager in
      let calls = Collector<Double>()
      manager.startDeviceMotionUpdates(to: serialQueue()) { sample, _ in calls.add(sample?.timestamp ?? 0) }
      let before = await calls.wait(for: 10, seconds: 3).count
      manager.stopDeviceMotionUpdates()
      await pause(0.2)
      let after = calls.count
      await pause(0.5)
      return [
        .inside("calls before the stop", Double(before), 10...1e6), .equal("calls later", calls.count - after, 0),
      ]
    },
    ManagerStatements.manager("D28", "A new interval applies at once to an active service.") { manager in
      manager.deviceMotionUpdateInterval = 0.02
      let times = Collector<Double>()
      manager.startDeviceMotionUpdates(to: serialQueue()) { sample, _ in
        if let sample { times.add(sample.timestamp) }
      }
      let slow = await times.wait(for: 30, seconds: 3)
      manager.deviceMotionUpdateInterval = 0.05
      await pause(0.2)
      times.removeAll()
      let fast = await times.wait(for: 20, seconds: 3)
      manager.stopDeviceMotionUpdates()
      return [IntervalChecks.step(slow, 0.02), IntervalChecks.step(fast, 0.05)]
    },
  ]

  /// A start with 50 Hz, and a second one with 20 Hz while the first runs.
  static func restart(
    _ code: String, _ sentence: String, _ check: @escaping @Sendable (Restart) -> [Finding]
  ) -> Statement {
    ManagerStatements.manager(code, sentence) { manager in
      let first = Collector<Double>()
      let second = Collector<Double>()
      manager.deviceMotionUpdateInterval = 0.02
      manager.startDeviceMotionUpdates(to: serialQueue()) { sample, _ in
        if let sample { first.add(sample.timestamp) }
      }
      _ = await first.wait(for: 25, seconds: 3)
      manager.deviceMotionUpdateInterval = 0.05
      manager.startDeviceMotionUpdates(to: serialQueue()) { sample, _ in
        if let sample { second.add(sample.timestamp) }
      }
      await pause(0.3)
      let early = first.count
      _ = await second.wait(for: 20, seconds: 3)
      let restart = Restart(first: first.all, lateCallsOfFirst: first.count - early, second: second.all)
      manager.stopDeviceMotionUpdates()
      try need(!restart.first.isEmpty && !restart.second.isEmpty, "One of the starts brought no sample.")
      return check(restart)
    }
  }
  #endif
}

/// The time stamps of two handlers, the second of which replaced the first.
struct Restart: Sendable {
  var first: [Double]
  var lateCallsOfFirst: Int
  var second: [Double]
}

enum RestartChecks {
  static func seamless(_ restart: Restart) -> [Finding] {
    let seam = (restart.second.first ?? .nan) - (restart.first.last ?? .nan)
    return [
      .inside("first of the second − last of the first, s", seam, 0.001...0.11),
      IntervalChecks.step(restart.first, 0.02), IntervalChecks.step(restart.second, 0.05),
    ]
  }
}
