// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import ActivityEstimation
import MotionMath

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

  /// A longer step between two samples is a stretch without data. Shorter ones are gaps that the timeline counts.
  private static let longestStep = 2.0

  /// Nanoseconds: Unix time less the source's time; nil without dates.
  package let wallOffset: Int64?
  /// Whether ``epochs`` are kept, for a picture.
  package var keepsEpochs = false
  /// Nanoseconds of the first sample, and of the last.
  package private(set) var first, last: Int64?
  package private(set) var walk = StepTotals()
  package private(set) var events: [StepEvent] = []
  package private(set) var epochs: [StepEpoch] = []
  package private(set) var spans: [Span] = []
  /// Stretches without samples, seconds from the first sample.
  package private(set) var breaks: [ClosedRange<Double>] = []

  package init(wallOffset: Int64? = nil) { self.wallOffset = wallOffset }

  /// Seconds since the first sample.
  package func elapsed(atNanoseconds time: Int64) -> Double {
    first.map { Double(time.clamped(minus: $0)) / 1e9 } ?? 0
  }

  /// Seconds from the first sample to the last.
  package var duration: Double { last.map(elapsed(atNanoseconds:)) ?? 0 }
  /// The same without the stretches that have no samples.
  package var covered: Double { duration - breaks.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }
  package var pauses: Int { events.count { $0.kind == .pause } }
  /// Mean steps per second while stepping; nil without steps.
  package var cadence: Double? { walk.steps > 0 && walk.activeTime > 0 ? Double(walk.steps) / walk.activeTime : nil }

  /// Takes the time of a sample and what the estimator says of it.
  package mutating func append(atNanoseconds time: Int64, _ update: ActivityUpdate?) {
    // One that goes back is no break.
    if let last, time > last, Double(time.clamped(minus: last)) / 1e9 > Self.longestStep {
      breaks.append(elapsed(atNanoseconds: last)...elapsed(atNanoseconds: time))
    }
    first = first ?? time
    last = max(last ?? time, time)
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

  package mutating func append(_ update: ActivityUpdate) {
    if let epoch = update.steps {
      walk.add(StepTotals(epoch))
      if keepsEpochs { epochs.append(epoch) }
    }
    if let event = update.event { events.append(event) }
    if let change = update.activity { append(change) }
  }

  /// A change that begins where the activity before began, or earlier, corrects it.
  private mutating func append(_ change: ActivityChange) {
    let start = max(0, elapsed(atNanoseconds: change.startNanoseconds))
    spans.removeAll { $0.start >= start }
    if let last = spans.last, last.activity == change.activity {
      spans[spans.count - 1].confidence = max(last.confidence, change.confidence)
      return
    }
    if !spans.isEmpty { spans[spans.count - 1].end = start }
    spans.append(Span(start: start, end: start, activity: change.activity, confidence: change.confidence))
  }
}

/// Seconds of samples in a part of the whole, and of each activity.
extension ActivityTally {
  /// Seconds with samples between two times from the first sample.
  private func covered(from begin: Double, to end: Double) -> Double {
    let (begin, end) = (max(0, begin), min(duration, end))
    guard end > begin else { return 0 }
    return breaks.reduce(end - begin) { $0 - max(0, min(end, $1.upperBound) - max(begin, $1.lowerBound)) }
  }

  /// Seconds of each activity with samples, the longest first.
  package func shares() -> [(activity: MotionActivity, seconds: Double)] {
    var shares: [(activity: MotionActivity, seconds: Double)] = []
    for span in spans {
      let seconds = covered(from: span.start, to: span.end)
      if let index = shares.firstIndex(where: { $0.activity == span.activity }) {
        shares[index].seconds += seconds
      } else {
        shares.append((span.activity, seconds))
      }
    }
    return shares.filter { $0.seconds > 0 }
      .sorted { ($1.seconds, $0.activity.rawValue) < ($0.seconds, $1.activity.rawValue) }
  }
}
