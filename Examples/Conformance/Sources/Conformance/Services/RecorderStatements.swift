// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// A recorded acceleration.
struct Recorded: Sendable {
  var date: Date
  var identifier: UInt64
  var acceleration: Vector
}

enum RecorderStatements {
  #if os(macOS)
  static let all: [Statement] = []
  #else
  static let all: [Statement] = [
    recorded("S73", "The accelerometer is recorded at 50 Hz.") { RecorderChecks.rate($0.samples) },
    recorded("S74", "A request brings what lies between its dates, in order.") { RecorderChecks.bounds($0) },
    recorded("S75", "The identifier names the batch of a sample.") { RecorderChecks.identifiers($0.samples) },
    recorded("S76", "The list can be enumerated.") { [.inside("samples", Double($0.samples.count), 1...1e7)] },
    Statement("D39", .recorder, "A range above 12 hours, or one that ends before it begins, gives nil.") {
      try need(CMSensorRecorder.isAccelerometerRecordingAvailable(), "This device records no accelerometer.")
      let now = Date()
      let recorder = CMSensorRecorder()
      return [
        .holds(
          "13 hours give nil", recorder.accelerometerData(from: now.addingTimeInterval(-13 * 3600), to: now) == nil),
        .holds(
          "a range backwards gives nil", recorder.accelerometerData(from: now, to: now.addingTimeInterval(-60)) == nil),
      ]
    },
  ]

  private static func recorded(
    _ code: String, _ sentence: String, _ check: @escaping @Sendable (Recording) throws -> [Finding]
  ) -> Statement {
    Statement(code, .recorder, sentence) { try check(try await Recordings.shared.recording()) }
  }
  #endif
}

struct Recording: Sendable {
  var from, to: Date
  var samples: [Recorded]
}

#if !os(macOS)
actor Recordings {
  static let shared = Recordings()
  private var made: Recording?

  /// The last hour's recording. A phone hands out a recording minutes after it was made: the first run asks for it,
  /// and one a few minutes later reads it.
  func recording() async throws -> Recording {
    if let made { return made }
    try need(CMSensorRecorder.isAccelerometerRecordingAvailable(), "This device records no accelerometer.")
    let recorder = CMSensorRecorder()
    recorder.recordAccelerometer(forDuration: 1200)
    let limit = Date().addingTimeInterval(15 * Settings.current.patience)
    var new = Recording(from: Date(), to: Date(), samples: [])
    while new.samples.count < 50, Date() < limit {
      await pause(1)
      new = Self.lastHour(of: recorder)
    }
    try need(new.samples.count >= 50, "Nothing is recorded yet: run again in five minutes.")
    made = new
    return new
  }

  private static func lastHour(of recorder: CMSensorRecorder) -> Recording {
    let to = Date()
    let from = to.addingTimeInterval(-3600)
    let list = recorder.accelerometerData(from: from, to: to)
    var samples: [Recorded] = []
    if let list {
      var iterator = NSFastEnumerationIterator(list)
      while let next = iterator.next(), samples.count < 100_000 {
        guard let sample = next as? CMRecordedAccelerometerData else { continue }
        samples.append(
          Recorded(
            date: sample.startDate, identifier: sample.identifier, acceleration: Vector(sample.acceleration)))
      }
    }
    return Recording(from: from, to: to, samples: samples)
  }
}
#endif

enum RecorderChecks {
  static func rate(_ samples: [Recorded]) -> [Finding] {
    let steps = IntervalChecks.steps(samples.map(\.date.timeIntervalSinceReferenceDate))
    return [
      .near("median step, s", median(steps), 0.02, within: 0.002),
      .inside("median length of the acceleration, g", median(samples.map(\.acceleration.length)), 0.5...1.5),
    ]
  }

  /// Dates of a phone are known to about a second.
  static func bounds(_ recording: Recording) -> [Finding] {
    let dates = recording.samples.map(\.date)
    return [
      .equal("samples before the range", dates.count { $0 < recording.from.addingTimeInterval(-1) }, 0),
      .equal("samples after the range", dates.count { $0 > recording.to.addingTimeInterval(30) }, 0),
      .equal("out of order", zip(dates, dates.dropFirst()).count { $1 < $0 }, 0),
    ]
  }

  static func identifiers(_ samples: [Recorded]) -> [Finding] {
    let numbers = samples.map(\.identifier)
    return [
      .equal("identifiers below the one before", zip(numbers, numbers.dropFirst()).count { $1 < $0 }, 0),
      .inside("samples per identifier", Double(samples.count) / Double(Set(numbers).count), 1.5...1e7),
    ]
  }
}
