// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionSensing
package import MotionServices

/// What an estimator has found in a source, added up. It grows with what happens (stops, changes of activity), not with
/// the samples.
package struct ActivityTally {
  /// An activity from its beginning to the next one; seconds from the first sample.
  package struct Span {
    package var start: Double
    package var end: Double
    package var activity: MotionActivity
    /// The highest that was reached.
    package var confidence: ActivityConfidence
  }

  /// Steps and what goes with them, of the whole or of an hour.
  package struct Walk {
    package var steps = 0
    /// Metres.
    package var distance = 0.0
    package var distanceError = DistanceError()
    /// Nil without a barometer.
    var floorsAscended, floorsDescended: Int?
    /// Seconds of walking and running.
    var activeTime = 0.0

    package mutating func add(_ epoch: StepEpoch) {
      steps += epoch.steps
      distance += epoch.distance
      distanceError = distanceError + epoch.distanceError
      if let floors = epoch.floorsAscended { floorsAscended = (floorsAscended ?? 0) + floors }
      if let floors = epoch.floorsDescended { floorsDescended = (floorsDescended ?? 0) + floors }
      activeTime += epoch.activeTime
    }
  }

  /// A longer step between two samples is a stretch without data. Shorter ones are gaps that the timeline counts.
  private static let longestStep = 2.0

  /// Unix time less the source's time; nil without dates.
  package let wallOffset: SensorDuration?
  /// Of the times of day and the days: that of this computer, or universal time for a recording whose dates are those
  /// of its own clock.
  let timeZone: TimeZone
  /// Whether ``epochs`` are kept, for a picture.
  package var keepsEpochs = false
  package private(set) var start: SensorInstant?
  /// The time of the last sample.
  package private(set) var end: SensorInstant?
  package private(set) var walk = Walk()
  /// By the number of the hour from that of the first sample: those with steps.
  private(set) var hours: [Int: Walk] = [:]
  package private(set) var events: [StepEvent] = []
  package private(set) var epochs: [StepEpoch] = []
  private(set) var spans: [Span] = []
  /// Stretches without samples, seconds from the first sample.
  private(set) var breaks: [ClosedRange<Double>] = []

  package init(wallOffset: SensorDuration?, isLocalTime: Bool = false) {
    self.wallOffset = wallOffset
    timeZone = isLocalTime ? .gmt : .current
  }

  /// Seconds since the first sample.
  package func elapsed(at time: SensorInstant) -> Double { start.map { (time - $0).seconds } ?? 0 }

  /// Seconds from the first sample to the last.
  package var duration: Double { end.map(elapsed) ?? 0 }
  /// The same without the stretches that have no samples.
  var covered: Double { duration - breaks.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }
  package var pauses: Int { events.count { $0.kind == .pause } }
  /// Mean steps per second while stepping; nil without steps.
  package var cadence: Double? { walk.steps > 0 && walk.activeTime > 0 ? Double(walk.steps) / walk.activeTime : nil }

  package mutating func append(_ sample: SensorSample, _ update: ActivityUpdate?) {
    let time = sample.time
    if let end, (time - end).seconds > Self.longestStep { breaks.append(elapsed(at: end)...elapsed(at: time)) }
    start = start ?? time
    end = max(end ?? time, time)
    if let update { append(update) }
  }

  /// The samples are over; `update` is what the estimator still had.
  package mutating func finish(_ update: ActivityUpdate?) {
    if let update { append(update) }
    if !spans.isEmpty { spans[spans.count - 1].end = max(duration, spans[spans.count - 1].start) }
    // The time before the first decision.
    if let first = spans.first, first.start > 0, first.activity != .unknown {
      spans.insert(Span(start: 0, end: first.start, activity: .unknown, confidence: .low), at: 0)
    }
    if spans.isEmpty, duration > 0 {
      spans = [Span(start: 0, end: duration, activity: .unknown, confidence: .low)]
    }
  }

  private mutating func append(_ update: ActivityUpdate) {
    if let epoch = update.steps {
      walk.add(epoch)
      hours[hour(at: (elapsed(at: epoch.start) + elapsed(at: epoch.end)) / 2), default: Walk()].add(epoch)
      if keepsEpochs { epochs.append(epoch) }
    }
    if let event = update.event { events.append(event) }
    if let change = update.activity { append(change) }
  }

  /// A change that begins where the activity before began, or earlier, corrects it.
  private mutating func append(_ change: ActivityChange) {
    let start = max(0, elapsed(at: change.start))
    spans.removeAll { $0.start >= start }
    if let last = spans.last, last.activity == change.activity {
      spans[spans.count - 1].confidence = max(last.confidence, change.confidence)
      return
    }
    if !spans.isEmpty { spans[spans.count - 1].end = start }
    spans.append(Span(start: start, end: start, activity: change.activity, confidence: change.confidence))
  }
}

/// Time of day, where the recording has dates.
extension ActivityTally {
  /// The date of a time since the first sample; nil without dates.
  package func date(at elapsed: Double) -> Date? {
    guard let wallOffset, let start else { return nil }
    return Date(timeIntervalSince1970: (start + wallOffset).seconds + elapsed)
  }

  /// Seconds of the first sample within its hour on the local clock; 0 without dates.
  private var sinceFullHour: Double {
    guard let date = date(at: 0) else { return 0 }
    let local = date.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: date))
    return local - (local / 3600).rounded(.down) * 3600
  }

  /// The hour of a time, counted from that of the first sample.
  package func hour(at elapsed: Double) -> Int {
    Int(clamping: min(max((elapsed + sinceFullHour) / 3600, 0), 1e9).rounded(.down))
  }

  /// Seconds from the first sample to the beginning of an hour.
  package func start(ofHour hour: Int) -> Double { Double(hour) * 3600 - sinceFullHour }

  /// "08:12:31" or "12.5 s".
  package func time(_ elapsed: Double) -> String {
    guard let date = date(at: elapsed) else { return Text.decimal(elapsed, places: 1) + " s" }
    return date.formatted(Date.ISO8601FormatStyle(timeZone: timeZone).time(includingFractionalSeconds: false))
  }

  /// "2026-11-21"; nil without dates.
  package func day(_ elapsed: Double) -> String? {
    date(at: elapsed)?.formatted(Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day())
  }
}

/// Seconds of samples in a part of the whole, and of each activity.
extension ActivityTally {
  /// Seconds with samples between two times from the first sample.
  func covered(from begin: Double, to end: Double) -> Double {
    let (begin, end) = (max(0, begin), min(duration, end))
    guard end > begin else { return 0 }
    return breaks.reduce(end - begin) { $0 - max(0, min(end, $1.upperBound) - max(begin, $1.lowerBound)) }
  }

  /// Seconds of each activity with samples between two times, the longest first.
  package func shares(from begin: Double = 0, to end: Double = .infinity) -> [(
    activity: MotionActivity, seconds: Double
  )] {
    var seconds: [MotionActivity: Double] = [:]
    for span in spans where span.end > begin && span.start < end {
      seconds[span.activity, default: 0] += covered(from: max(begin, span.start), to: min(end, span.end))
    }
    return seconds.filter { $0.value > 0 }.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
      .map { ($0.key, $0.value) }
  }
}

extension MotionActivity {
  /// "walking", "stationary, automotive"; "undecided" for motion that fits none (S71).
  package var name: String {
    let names: [(MotionActivity, String)] = [
      (.unknown, "unknown"), (.stationary, "stationary"), (.walking, "walking"), (.running, "running"),
      (.automotive, "automotive"), (.cycling, "cycling"),
    ]
    let found = names.filter { contains($0.0) }.map(\.1)
    return found.isEmpty ? "undecided" : found.joined(separator: ", ")
  }
}

extension ActivityConfidence {
  package var name: String {
    switch self {
    case .low: "low"
    case .medium: "medium"
    case .high: "high"
    }
  }
}
