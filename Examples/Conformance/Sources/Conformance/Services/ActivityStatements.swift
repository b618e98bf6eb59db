// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// What a `CMMotionActivity` said.
struct Activity: Sendable, Equatable {
  /// Unknown, stationary, walking, running, automotive, cycling.
  var flags: [Bool]
  var confidence: Int
  var start: Date
}

enum ActivityStatements {
  #if os(macOS)
  static let all: [Statement] = []
  #else
  static let all: [Statement] = [
    live("S69", "Updates begin with the present activity, then changes only.") { activities in
      ActivityChecks.changesOnly(activities)
    },
    live("D35", "The first activity is unknown, of low confidence.") { activities in
      [
        .equal("flags of the first", activities[0].flags, [true, false, false, false, false, false]),
        .equal("its confidence", activities[0].confidence, 0),
      ]
    },
    live("S71", "The flags are independent; unknown says that nothing is decided.") { activities in
      let contradictions = activities.count { $0.flags[0] && $0.flags.dropFirst().contains(true) }
      return [.equal("unknown together with another flag", contradictions, 0)]
    },
    Statement("S70", .steps, "Activities of the past come in order of time, on the queue of the query.") {
      let (answer, onQueue) = try await query(from: -6 * 86_400, to: 0)
      guard let activities = answer.value else { throw Obstacle("There are no activities.") }
      return [
        .holds("on the queue", onQueue),
        .equal("out of order", zip(activities, activities.dropFirst()).count { $1.start < $0.start }, 0),
      ]
    },
    Statement("S52", .steps, "A query without activities answers with 103.") {
      let (answer, _) = try await query(from: -20 * 86_400, to: -20 * 86_400 + 1)
      return [
        .equal("code of the error", answer.error?.code, 103), .holds("no array", answer.value == nil),
        .equal("its domain", answer.error?.domain, "CMErrorDomain"),
      ]
    },
  ]

  private static func live(
    _ code: String, _ sentence: String, _ check: @escaping @Sendable ([Activity]) throws -> [Finding]
  ) -> Statement {
    Statement(code, .steps, sentence) {
      try need(CMMotionActivityManager.isActivityAvailable(), "This device recognises no activities.")
      let manager = CMMotionActivityManager()
      let heard = Collector<Activity>()
      manager.startActivityUpdates(to: serialQueue()) { if let activity = $0 { heard.add(Activity(activity)) } }
      await pause(5 * max(0.3, Settings.current.patience))
      manager.stopActivityUpdates()
      let activities = heard.all
      try need(!activities.isEmpty, "No activity came within 5 s.")
      return try check(activities)
    }
  }

  private static func query(from start: Double, to end: Double) async throws -> (Delivery<[Activity]>, Bool) {
    try need(CMMotionActivityManager.isActivityAvailable(), "This device recognises no activities.")
    let manager = CMMotionActivityManager()
    let heard = Collector<Delivery<[Activity]>>()
    let places = Collector<Bool>()
    let now = Date()
    let queue = serialQueue()
    manager.queryActivityStarting(from: now.addingTimeInterval(start), to: now.addingTimeInterval(end), to: queue) {
      [weak queue] activities, error in
      places.add(OperationQueue.current === queue)
      heard.add(activities?.map(Activity.init), error)
    }
    let answers = await heard.wait(for: 1, seconds: 5)
    withExtendedLifetime(manager) {}
    guard let answer = answers.first else { throw Obstacle("The query was not answered within 5 s.") }
    try need(answer.error?.code != 105, "Motion is not allowed.")
    return (answer, places.all == [true])
  }
  #endif
}

#if !os(macOS)
extension Activity {
  init(_ activity: CMMotionActivity) {
    flags = [
      activity.unknown, activity.stationary, activity.walking, activity.running, activity.automotive, activity.cycling,
    ]
    (confidence, start) = (activity.confidence.rawValue, activity.startDate)
  }
}
#endif

enum ActivityChecks {
  static func changesOnly(_ activities: [Activity]) -> [Finding] {
    let repeated = zip(activities, activities.dropFirst()).count {
      $0.flags == $1.flags && $0.confidence == $1.confidence
    }
    return [.inside("activities", Double(activities.count), 1...1000), .equal("repeated", repeated, 0)]
  }
}
