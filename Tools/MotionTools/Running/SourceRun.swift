// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionRecording
package import MotionSensing
package import MotionServices

/// A source read until its end, an error or a signal, or until its sink has enough: the run of every command that
/// computes.
///
/// A recording is read as fast as it goes (``RecordingPass``), anything else through a hub. The numbers are the same.
package struct SourceRun: Sendable {
  private let selection: SourceSelection
  private let streams: [HubStream]
  private let framing: MotionFraming?
  private let limit: Seconds?
  private let completion: Completion
  /// Wanted between the samples of a single sensor; zero = every sample.
  package var interval = SensorDuration.zero
  /// Whether rows know of what comes after them, too.
  package var smooths = false
  /// Whether a simulation runs as fast as it goes, too, and not on the clock that its address asks for.
  package var runsFreely = true
  /// Whether standard output gets rows meanwhile.
  package var printsRows = false
  /// What is known of the device before, and kept after the run.
  package var memory: (any SensorMemory)?

  /// - Parameters:
  ///   - streams: those of the sensors, each once.
  ///   - framing: that of the rows of motion; nil = none are wanted.
  ///   - limit: how much of the source's time the sink takes; a live source has no more real time than that.
  ///   - completion: what ends the run; nil = one of its own, and from here on a signal ends the run, not the program.
  package init(
    _ selection: SourceSelection, _ streams: [HubStream], framing: MotionFraming? = nil, limit: Seconds?,
    completion: Completion? = nil
  ) {
    (self.selection, self.framing, self.limit) = (selection, framing, limit)
    self.streams = streams + (framing.map { [$0.stream] } ?? [])
    self.completion = completion ?? .endedBySignals()
  }

  /// Runs. `status`, called now and then, shows how far the sink is; nil = how much of the source has been read.
  package func callAsFunction<Sink: SampleSink & Sendable>(
    _ sink: Sink, status: ((Sink) -> Void)? = nil
  ) -> (sink: Sink, report: RunReport) {
    let progress = ProgressLine(wanted: limit?.value ?? selection.duration, printsRows: printsRows)
    if let recording = selection.recording {
      return read(recording, into: sink) { sink, count, seconds in
        if let status { status(sink) } else { progress.update(count, "sample", covered: seconds) }
      }
    }
    return listen(sink) { sink, statistics in
      if let status { status(sink) } else { progress.update(statistics) }
    }
  }

  private func read<Sink: SampleSink>(
    _ recording: Recording, into sink: Sink, status: (Sink, Int, Double) -> Void
  ) -> (sink: Sink, report: RunReport) {
    var sink = sink
    let info = selection.info
    let kinds = streams.reduce(into: SensorKinds()) { $0.formUnion($1.needs(of: info.kinds)) }
    let fusion = OfflineFusion(
      info: info, framing: framing, kinds: kinds, smooths: smooths, learned: memory?.recall())
    var report = RunReport()
    do {
      var pass = try RecordingPass(recording, through: fusion, calibration: selection.calibrated?.file.calibration)
      defer { report = pass.report }
      _ = try pass(into: &sink) { sink, count, time in
        status(sink, count, (time - recording.start).seconds)
        return !completion.isFinished
      }
      if let learned = pass.learned { memory?.keep(learned) }
      completion.finish(.done)
    } catch let error as SensorError {
      completion.finish(.failed(error))
    } catch {
      completion.finish(.stopped(error))
    }
    (report.outcome, report.source) = (completion.run {}, info.name)
    return (sink, report)
  }

  private func listen<Sink: SampleSink & Sendable>(
    _ sink: Sink, status: (Sink, TimelineStatistics) -> Void
  ) -> (sink: Sink, report: RunReport) {
    let entry = selection.entry
    let isFree = runsFreely && selection.info.pacing == .onDemand
    // Opened when all streams are listened to: none misses the beginning.
    let hub = MotionHub(
      source: entry.source, clock: isFree ? FreeRunningClock() : entry.pace.clock,
      rate: isFree ? 1 : entry.pace.rate,
      gate: .manual, memory: memory)
    let state = Lock((sink: sink, framing: framing, notices: RunReport().notices))
    let subscriptions = streams.map { stream in
      hub.subscribe(stream, interval: interval) { [completion] sample in
        completion.unlessFinished {
          try state.withLock { state in
            guard state.framing != nil, case .motion(let row) = sample else { return try state.sink.take(sample) }
            return try state.sink.take(MotionFraming.row(row))
          }
        }
      } motion: { [completion] motion in
        completion.unlessFinished {
          try state.withLock { state in
            guard let (row, notice) = state.framing?.update(motion) else { return true }
            if let notice { state.notices.append((motion.time, notice)) }
            return try row.map { try state.sink.take($0) } ?? true
          }
        }
      } news: { [completion] news in
        completion.take(news)
      }
    }
    hub.play()
    let outcome = completion.run(subscriptions, deadline: isFree ? nil : selection.timeout(over: limit?.value)) {
      status(state.withLock { $0.sink }, hub.statistics)
    }
    var report = RunReport(outcome, of: hub, selection)
    let end = state.withLock { $0 }
    report.notices = end.notices
    return (end.sink, report)
  }
}

/// How far a run is: seconds since its first sample, up to a limit.
package struct RunTime: Sendable {
  private let limit: Seconds?
  package private(set) var first: SensorInstant?
  private var last: SensorInstant?

  package init(limit: Seconds?) { self.limit = limit }

  /// Seconds from the first sample to this one; nil when that is beyond the limit.
  package mutating func pass(_ time: SensorInstant) -> Double? {
    first = first ?? time
    let elapsed = (time - (first ?? time)).seconds
    if let limit, limit.isOver(after: elapsed) { return nil }
    last = max(last ?? time, time)
    return elapsed
  }

  /// Whether no sample has come.
  package var isEmpty: Bool { first == nil }
  /// From the first sample to the last.
  package var duration: Double { first.flatMap { first in last.map { ($0 - first).seconds } } ?? 0 }
}

extension Completion {
  /// Waits for the end of a run, calls `status` now and then meanwhile, ends the run after `deadline` real seconds, and
  /// cancels what is listened to.
  package func run(
    _ subscriptions: [Subscription] = [], every interval: Duration = .milliseconds(200), deadline: Double? = nil,
    status: () -> Void
  ) -> Outcome {
    let started = ContinuousClock.now
    let outcome = wait(every: interval) {
      status()
      if let deadline, (ContinuousClock.now - started).seconds > deadline { finish(.silent) }
    }
    for subscription in subscriptions { subscription.cancel() }
    StandardError.shared.endStatus()
    return outcome
  }

  /// Does a piece of the work; false = that was the last, and an error ends the work, too.
  fileprivate func unlessFinished(_ body: () throws -> Bool) {
    guard !isFinished else { return }
    do {
      if try !body() { finish(.done) }
    } catch {
      finish(.stopped(error))
    }
  }

  /// The end of a source is that of the work.
  package func take(_ news: HubNews) {
    switch news {
    case .ended: finish(.done)
    case .failed(let error): finish(.failed(error))
    case .connection, .time: break
    }
  }

  /// Throws what has ended the run so far.
  package func check(interruption: String? = nil) throws {
    if isFinished { try wait(tick: {}).check(interruption: interruption) }
  }
}

extension MotionHub {
  /// Subscribes to rows of motion in the frame of a framing. `take` receives on the source's thread each state's row,
  /// nil while the frame has none, and the notice that comes before it; a row that the source has fused itself keeps
  /// its frame.
  package func subscribe(
    in framing: MotionFraming, interval: SensorDuration,
    news: @escaping @Sendable (HubNews) -> Void = { _ in },
    take: @escaping @Sendable (_ row: MotionRow?, _ notice: MotionFraming.Notice?) -> Void
  ) -> Subscription {
    let framed = Lock(framing)
    return subscribe(framing.stream, interval: interval) { sample in
      if case .motion(let row) = sample { take(MotionFraming.row(row), nil) }
    } motion: { motion in
      let (row, notice) = framed.withLock { $0.update(motion) }
      take(row, notice)
    } news: {
      news($0)
    }
  }
}
