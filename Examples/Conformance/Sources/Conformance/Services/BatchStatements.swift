// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// Batches of a watch.
enum BatchStatements {
  #if os(Linux) || os(watchOS)
  static let all: [Statement] = [
    batches("S77", "A batch of about 800 accelerations comes each second.") { manager in
      BatchChecks.batches(try await accelerations(manager, count: 3))
    },
    batches("S78", "Frequencies are reported; batches are nil before the first.") { manager in
      [
        .equal("accelerometer, Hz", manager.accelerometerDataFrequency, 800),
        .equal("device motion, Hz", manager.deviceMotionDataFrequency, 200),
        .holds("no batch of accelerations", manager.accelerometerBatch == nil),
        .holds("no batch of motion", manager.deviceMotionBatch == nil),
      ]
    },
    stream("S79", "The sequence of batches brings batches.") { manager, heard in
      for try await batch in manager.accelerometerUpdates() {
        heard.add(batch.count)
        break
      }
    } check: {
      [.inside("samples of the first batch", Double($0), 1...1000)]
    },
    stream("S80", "Leaving the loop ends the stream.") { manager, heard in
      for try await _ in manager.deviceMotionUpdates() { break }
      await pause(0.3)
      heard.add(manager.isDeviceMotionActive ? 1 : 0)
    } check: {
      [.equal("device motion is active", $0 == 1, false)]
    },
    batches("D17", "Without a workout a start gives one error and no data.") { manager in
      let heard = Collector<Delivery<Int>>()
      manager.startAccelerometerUpdates { heard.add($0?.count, $1) }
      _ = await heard.wait(for: 1, seconds: 3)
      manager.stopAccelerometerUpdates()
      try need(heard.values().isEmpty, "A workout counts as active here.")
      return [.equal("codes of the errors", heard.errors().map(\.code), [111])]
    },
  ]

  private static func batches(
    _ code: String, _ sentence: String, _ ask: @escaping @Sendable (CMBatchedSensorManager) async throws -> [Finding]
  ) -> Statement {
    Statement(code, .batches, sentence) {
      try need(
        CMBatchedSensorManager.isAccelerometerSupported && CMBatchedSensorManager.isDeviceMotionSupported,
        "This device has no batches.")
      return try await ask(CMBatchedSensorManager())
    }
  }

  /// A statement about a sequence, which would be waited for without end where no workout runs.
  private static func stream(
    _ code: String, _ sentence: String,
    _ listen: @escaping @Sendable (CMBatchedSensorManager, Collector<Int>) async throws -> Void,
    check: @escaping @Sendable (Int) -> [Finding]
  ) -> Statement {
    batches(code, sentence) { _ in
      let heard = Collector<Int>()
      let task = Task { try await listen(CMBatchedSensorManager(), heard) }
      let values = await heard.wait(for: 1, seconds: 6)
      task.cancel()
      guard let first = values.first else { throw Obstacle("No batches came: a workout has to run.") }
      return check(first)
    }
  }

  /// The time stamps of some batches.
  private static func accelerations(_ manager: CMBatchedSensorManager, count: Int) async throws -> [[Double]] {
    let heard = Collector<[Double]>()
    manager.startAccelerometerUpdates { batch, _ in
      if let batch { heard.add(batch.map(\.timestamp)) }
    }
    let all = await heard.wait(for: count, seconds: 8)
    manager.stopAccelerometerUpdates()
    try need(all.count >= 2, "No batches came: a workout has to run.")
    return all
  }
  #else
  static let all: [Statement] = []
  #endif
}

enum BatchChecks {
  /// The first batch may be partial.
  static func batches(_ batches: [[Double]]) -> [Finding] {
    let whole = batches.dropFirst()
    let times = batches.flatMap(\.self)
    return [
      .inside("smallest whole batch", Double(whole.map(\.count).min() ?? 0), 700...900),
      .inside("largest whole batch", Double(whole.map(\.count).max() ?? 0), 700...900),
      .near("median step, s", median(IntervalChecks.steps(times)), 1.0 / 800, within: 0.00005),
      .inside("longest step, also between batches, s", IntervalChecks.steps(times).max() ?? .nan, 0.001...0.004),
    ]
  }
}
