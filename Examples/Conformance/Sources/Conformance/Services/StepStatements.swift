// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// What a pedometer said, as plain numbers.
struct Steps: Sendable, Equatable {
  var start, end: Date
  var count: Int
  var distance, pace, cadence: Double?
}

/// Live steps.
enum StepStatements {
  #if os(macOS)
  static let all: [Statement] = []
  #else
  static let all: [Statement] = [
    walked("S65", "Live steps count from the start and come one after the other, on a background thread.") { walk in
      StepChecks.cumulative(walk.steps.values(), from: walk.start)
        + [
          .equal("calls on the main thread", walk.onMain.all.count { $0 }, 0),
          .equal("most calls at a time", walk.calls.most, 1),
        ]
    },
    walked("S67", "Pace, cadence and distance of a walk are positive.") { try StepChecks.live($0.steps.values()) },
    walked("S68", "Events are pause and resume, with a date.") { walk in
      let events = walk.events.all
      try need(!events.isEmpty, "The walk had no pause and no resumption.")
      return [
        .equal("events of another kind", events.count { ![0, 1].contains($0.type) }, 0),
        .equal("events before the start", events.count { $0.date < walk.start.addingTimeInterval(-5) }, 0),
        .equal("repeated events", zip(events, events.dropFirst()).count { $0.type == $1.type }, 0),
      ]
    },
    walked("S72", "The step counter counts from its start.") { walk in
      try need(!walk.counted.all.isEmpty, "The step counter told nothing.")
      return StepChecks.counted(walk.counted.all, pedometer: walk.steps.values().last?.count)
    },
    Statement("D33", .steps, "A pedometer that starts in the past says at once what is known.") {
      try need(CMPedometer.isStepCountingAvailable(), "This device counts no steps.")
      let heard = Collector<Delivery<Steps>>()
      let pedometer = CMPedometer()
      let start = Date().addingTimeInterval(-600)
      pedometer.startUpdates(from: start) { heard.add($0.map(Steps.init), $1) }
      let calls = await heard.wait(for: 1, seconds: 3)
      pedometer.stopUpdates()
      return [.inside("calls within 3 s", Double(calls.count), 1...1e6)]
    },
  ]

  /// A statement about a walk that is made once for all of them.
  private static func walked(
    _ code: String, _ sentence: String, _ check: @escaping @Sendable (Walk) throws -> [Finding]
  ) -> Statement {
    Statement(
      code, .steps, sentence, request: "Take the device and walk until the next message, about 15 s; then stop."
    ) {
      try need(CMPedometer.isStepCountingAvailable(), "This device counts no steps.")
      let walk = await Walks.shared.walk()
      try need(!walk.steps.values().isEmpty, "The pedometer counted nothing.")
      return try check(walk)
    }
  }
  #endif
}

#if !os(macOS)
extension Steps {
  init(_ data: CMPedometerData) {
    (start, end, count) = (data.startDate, data.endDate, data.numberOfSteps.intValue)
    (distance, pace, cadence) = (
      data.distance?.doubleValue, data.currentPace?.doubleValue, data.currentCadence?.doubleValue
    )
  }
}

/// A walk, as the pedometer and the step counter told of it.
struct Walk: Sendable {
  struct Event: Sendable {
    var type: Int
    var date: Date
  }
  let start = Date()
  let steps = Collector<Delivery<Steps>>()
  let events = Collector<Event>()
  let counted = Collector<Int>()
  let onMain = Collector<Bool>()
  let calls = Overlap()
}

actor Walks {
  static let shared = Walks()
  private var made: Task<Walk, Never>?

  func walk() async -> Walk {
    if let made { return await made.value }
    let task = Task { await Self.record() }
    made = task
    return await task.value
  }

  private static func record() async -> Walk {
    let walk = Walk()
    let pedometer = CMPedometer()
    let counter: any Counting = OldCounter(walk.counted)
    pedometer.startUpdates(from: walk.start) { data, error in
      walk.calls.enter()
      walk.onMain.add(isOnMainQueue)
      walk.steps.add(data.map(Steps.init), error)
      walk.calls.leave()
    }
    pedometer.startEventUpdates { event, _ in
      if let event { walk.events.add(Walk.Event(type: event.type.rawValue, date: event.date)) }
    }
    counter.start()
    await pause(20 * Settings.current.patience)
    counter.stop()
    pedometer.stopUpdates()
    pedometer.stopEventUpdates()
    print("\nThe walk is over.\n")
    return walk
  }
}

/// Hides that the step counter is deprecated.
protocol Counting {
  func start()
  func stop()
}

struct OldCounter: Counting {
  private let heard: Collector<Int>
  #if os(watchOS)
  init(_ heard: Collector<Int>) { self.heard = heard }
  func start() {}
  func stop() {}
  #else
  private let object: NSObject

  init(_ heard: Collector<Int>) {
    self.heard = heard
    object = (Maker() as any Making).make()
  }

  private struct Maker: Making {
    @available(*, deprecated)
    func make() -> NSObject { CMStepCounter() }
  }

  @available(*, deprecated)
  func start() {
    let heard = heard
    (object as? CMStepCounter)?.startStepCountingUpdates(to: serialQueue(), updateOn: 1) { steps, _, error in
      if error == nil { heard.add(steps) }
    }
  }
  @available(*, deprecated)
  func stop() { (object as? CMStepCounter)?.stopStepCountingUpdates() }
  #endif
}

private protocol Making {
  func make() -> NSObject
}
#endif

enum StepChecks {
  static func cumulative(_ steps: [Steps], from start: Date) -> [Finding] {
    [
      .equal(
        "updates with fewer steps than the one before", zip(steps, steps.dropFirst()).count { $1.count < $0.count }, 0),
      .near(
        "start date − date of the start, s", steps.first.map { $0.start.timeIntervalSince(start) } ?? .nan, 0,
        within: 0.01),
      .inside("steps", Double(steps.last?.count ?? 0), 1...1e5),
    ]
  }

  static func live(_ steps: [Steps]) throws -> [Finding] {
    let paces = steps.compactMap(\.pace)
    let cadences = steps.compactMap(\.cadence)
    try need(!paces.isEmpty || !cadences.isEmpty, "Neither pace nor cadence became known.")
    return [
      paces.isEmpty ? nil : Finding.inside("pace, s/m", median(paces), 0.1...5),
      cadences.isEmpty ? nil : Finding.inside("cadence, steps/s", median(cadences), 0.3...5),
      steps.last?.distance.map { .inside("metres per step", $0 / Double(steps.last?.count ?? 1), 0.2...2) },
    ].compactMap(\.self)
  }

  static func counted(_ counts: [Int], pedometer: Int?) -> [Finding] {
    [
      .equal("counts below the one before", zip(counts, counts.dropFirst()).count { $1 < $0 }, 0),
      .near("steps, beside the pedometer's", Double(counts.last ?? 0), Double(pedometer ?? 0), within: 12),
    ]
  }
}
