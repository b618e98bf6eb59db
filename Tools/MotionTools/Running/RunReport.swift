// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
package import MotionRecording
package import MotionSensing
package import MotionServices

/// What a run over a source or a recording amounted to.
package struct RunReport: Sendable {
  package var outcome = Completion.Outcome.done
  /// The source's name for people.
  var source = ""
  /// What happened to the samples on their way into the order of time; nil where they were taken as they came.
  package var statistics: TimelineStatistics?
  /// What the reader of a recording has delivered and left out.
  package var reading: RecordingStatistics?
  /// What was said of the rows of motion, with the time of the row that it stands before.
  package var notices: [(time: SensorInstant, notice: MotionFraming.Notice)] = []
  /// What it cost, where it ran for as long as the source did.
  package var used: ProcessUse?

  package init() {}

  /// The report of a hub's run, when nothing is subscribed any more.
  package init(_ outcome: Completion.Outcome, of hub: MotionHub, _ selection: SourceSelection, used: ProcessUse? = nil)
  {
    self.init(outcome, of: [hub])
    (statistics, self.used) = (hub.statistics, used)
    reading = selection.replay?.statistics
  }

  /// The same of several. What a source drops it reports at its end, before its hub's run is over: that is waited for,
  /// a second at most.
  package init(_ outcome: Completion.Outcome, of hubs: [MotionHub]) {
    for _ in 0..<500 where hubs.contains(where: \.isRunning) { usleep(2000) }
    (self.outcome, source) = (outcome, Text.list(hubs.map(\.info.name)))
  }

  /// Below what a command itself has to say: what happened to the samples, what was left out, and what it cost.
  package var lines: [String] {
    (statistics.map(StatisticsReport.lines) ?? pauses)
      + [omissions, used.map { "  \($0.sentence)" }].compactMap(\.self)
  }

  /// The same where nothing is said of a sensor that is whole.
  package var losses: [String] {
    let lost = statistics?.named.filter { $0.counts.gaps > 0 || $0.counts.dropped > 0 } ?? []
    return lost.map { "  \($0.name): \(StatisticsReport.sentence($0.counts))" } + [omissions].compactMap(\.self)
  }

  /// What a recording left out, as a sentence; nil when it was complete.
  package var omissions: String? {
    guard let reading, !reading.omissions.isEmpty else { return nil }
    let reasons = RecordingStatistics.Reason.allCases.compactMap { reason in
      reading.omissions[reason].map { "\($0.count) \(reason.rawValue) (first \($0.firstPlace))" }
    }
    return "  left out of the recording: " + reasons.joined(separator: ", ")
  }

  /// What each sensor that ``statistics`` has not named misses of a recording, a line per sensor; nothing where all of
  /// it is there.
  package var pauses: [String] {
    let said = statistics?.named.filter { $0.counts.delivered > 0 }.map(\.name) ?? []
    let rest = (reading?.coverage.incomplete ?? []).filter { stream in
      !said.contains { stream.kind.names.first?.hasSuffix($0) ?? false }
    }
    let start = reading?.coverage.start ?? .init(nanoseconds: 0)
    return rest.map { "  \(InfoReport.Stream($0, device: "", start: start).line)" }
  }

  /// Messages that hold no sample of what was read, such as events; nil when there are none.
  var passedOver: String? {
    let topics = (reading?.passedOver ?? [:]).sorted { ($0.value, $1.key) > ($1.value, $0.key) }
    guard let first = topics.first else { return nil }
    func words(_ topic: String) -> String { topic.isEmpty ? "other topics" : topic }
    var parts = ["\(Text.count(first.value, "message")) of \(words(first.key))"]
    parts += topics.dropFirst().prefix(7).map { "\(Text.grouped($0.value)) of \(words($0.key))" }
    let rest = topics.dropFirst(8)
    if !rest.isEmpty {
      parts.append("\(Text.grouped(rest.reduce(0) { $0 + $1.value })) of \(Text.count(rest.count, "further topic"))")
    }
    return "  not written: " + Text.list(parts)
  }

  /// The notices in words.
  package func sentences(isLive: Bool = false) -> [String] {
    notices.map { isLive ? $0.notice.sentence : $0.notice.sentenceOfRecording }
  }

  /// The end of a run: what it amounted to is said, or what ended it is thrown. After a failed write only that is said.
  package func finish(_ summary: [String], isEmpty: Bool) throws {
    if case .stopped = outcome {} else { StandardError.shared.say(summary + lines) }
    try check(isEmpty: isEmpty)
  }

  /// Throws what ended the run before it was done; after a signal `interruption` is reported first. A run without one
  /// sample has failed, whatever ended it: `absence` says so, by default that the source gave none.
  package func check(isEmpty: Bool, absence: String? = nil, interruption: String? = nil) throws {
    let absence = isEmpty ? absence ?? "\(source) gave no sample." : nil
    if case .interrupted = outcome, let absence { StandardError.shared.say(absence) }
    try outcome.check(interruption: interruption)
    if let absence { throw CommandFailure(absence) }
  }
}

extension TimelineStatistics {
  /// Whether no sample has gone on to a service.
  package var isEmpty: Bool { named.allSatisfy { $0.counts.delivered == 0 } }
}

/// What happened to a source's samples, in words. Nothing is dropped without a line here.
package enum StatisticsReport {
  /// A line for each sensor with samples or errors.
  package static func lines(_ statistics: TimelineStatistics) -> [String] {
    statistics.named.compactMap { name, counts in
      guard counts.delivered + counts.dropped > 0 else { return nil }
      return "  \(name): \(sentence(counts))"
    }
  }

  /// "6,000 samples at 100 Hz, no gaps, none dropped".
  static func sentence(_ counts: TimelineStatistics.Counts) -> String {
    var text = Text.count(counts.delivered, "sample")
    if let rate = counts.rate { text += " at \(Text.decimal(rate, places: 2)) Hz" }
    text +=
      counts.gaps == 0
      ? ", no gaps"
      : ", \(Text.count(counts.gaps, "gap")) (\(Text.duration(Double(counts.gapNanoseconds) / 1e9)) together)"
    guard counts.dropped > 0 else { return text + ", none dropped" }
    return text + ", dropped: \(counts.late) late, \(counts.duplicates) duplicate, \(counts.nonFinite) non-finite"
  }
}

extension MotionFraming.Notice {
  /// The sentence for what is not to be moved any more: a recording or a simulation.
  package var sentenceOfRecording: String {
    switch self {
    case .movementRequired:
      "At first the magnetometer is not calibrated, so north is not known yet; with a calibration of the device "
        + "(calibration=FILE in the address) it is known from the first sample."
    case .trueNorthUnavailable: sentence
    }
  }
}

/// What the program has cost since this value was made: for the summary of a stream.
package struct ProcessUse {
  private let begin = ProcessUse.now

  package init() {}

  /// "0.12 s of processor time, 101 wake-ups a second".
  package var sentence: String {
    let (begin, now) = (begin, Self.now)
    let seconds = max(1e-3, Double(now.time - begin.time) / 1e9)
    let wakeUps = Double(now.wakeUps - begin.wakeUps) / seconds
    return
      "\(Text.decimal(now.processor - begin.processor, places: 2)) s of processor time, \(Text.decimal(wakeUps, places: 0)) wake-ups a second"
  }

  /// Processor time in seconds, voluntary context switches (a thread that had gone to sleep) and ns of real time.
  private static var now: (processor: Double, wakeUps: Int, time: UInt64) {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return (
      seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_nvcsw, DispatchTime.now().uptimeNanoseconds
    )
  }
}
