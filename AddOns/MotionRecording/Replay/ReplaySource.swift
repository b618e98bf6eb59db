// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// A recording as a sensor source.
///
/// Each sample waits for its time on the session's clock, which the host maps to the recording's time line; a run
/// continues after `session.resumeAfter`, or starts at the beginning. At the end of the recording `run` returns, unless
/// it loops.
///
/// A recording that contains connections and disconnections of its device (`/event/connection`) names the kind
/// `SensorKinds.connection` and reports them again. While only the connection and no samples are requested, time
/// passes without samples; on a clock that never waits the recording then pauses, otherwise it would end before motion
/// could be requested.
public final class ReplaySource: SensorSource {
  /// The recording that is played.
  public let recording: Recording
  /// The recording's; on the session's time line with `clock=now`.
  public let info: SensorInfo
  private let loops: Bool
  private let clock: ReplayOptions.Clock

  private struct State {
    var statistics = RecordingStatistics()
    /// `clock=now`: recorded time + shift = session time.
    var shift = SensorDuration.zero
    /// From the first sample of one round to that of the next; known after the first round.
    var roundLength: SensorDuration?
  }
  private let state = Lock(State())

  /// Plays an opened recording; the defaults are once and the recorded time line.
  public init(_ recording: Recording, loops: Bool = false, clock: ReplayOptions.Clock = .recorded) {
    (self.recording, self.loops, self.clock) = (recording, loops, clock)
    var info = recording.info
    if clock == .now { info.timeLine = .session }
    self.info = info
  }

  /// Opens the recording at `path`.
  public convenience init(path: String, options: ReplayOptions) throws(SensorError) {
    let recording = try Recording.open(path: path, options: options.recording)
    self.init(recording, loops: options.loops, clock: options.clock)
  }

  /// Opens the recording at `path` with the options of a URI (``ReplayOptions/init(_:)``).
  public convenience init(path: String, options: [String: String]) throws(SensorError) {
    try self.init(path: path, options: ReplayOptions(options))
  }

  /// Counts of the latest pass over the recording; updated when a pass or a run ends.
  public var statistics: RecordingStatistics { state.withLock { $0.statistics } }

  /// Delivers what `session.request` requests (no kinds = everything), beginning after `session.resumeAfter`.
  public func run(_ session: SensorSession) throws {
    var pass = Pass(shift: .zero, resumeAfter: session.resumeAfter)
    if clock == .now { startOnSessionClock(&pass, session) }
    if loops, let resumeAfter = session.resumeAfter, let length = state.withLock({ $0.roundLength }) {
      // Whole rounds that lie behind need not be read again.
      let behind = (resumeAfter - recording.start - pass.shift).nanoseconds / max(1, length.nanoseconds)
      pass.shift = pass.shift + length * max(0, behind)
    }
    repeat {
      pass.handled = 0
      try play(&pass, session)
      guard let first = pass.first, let last = pass.last, pass.handled > 0 else { return }
      let length = last - first + interval
      state.withLock { $0.roundLength = length }
      // A recording that spans an age comes to the end of what a clock can show.
      let (shift, overflows) = pass.shift.nanoseconds.addingReportingOverflow(length.nanoseconds)
      guard !overflows, shift <= InputLimits.nanoseconds else { return }
      pass.shift = SensorDuration(nanoseconds: shift)
    } while loops
  }

  /// One pass over the recording.
  private struct Pass {
    var shift: SensorDuration
    var resumeAfter: SensorInstant?
    /// `clock=now` after an interruption: the first sample that is due is put at this instant, not before.
    var presentAt: SensorInstant?
    /// Recorded times of the earliest and the latest sample.
    var first: SensorInstant?
    var last: SensorInstant?
    var connection = ReplayedConnection()
    /// Samples delivered, or left out because an earlier run had delivered them.
    var handled = 0
  }

  /// The first run puts the first sample at the present; a later one puts the next sample there, never earlier than it
  /// would have come.
  private func startOnSessionClock(_ pass: inout Pass, _ session: SensorSession) {
    let now = session.clock.now
    if pass.resumeAfter == nil {
      pass.shift = now - recording.start
      state.withLock { $0.shift = pass.shift }
    } else {
      pass.shift = state.withLock { $0.shift }
      pass.presentAt = now
    }
  }

  private func play(_ pass: inout Pass, _ session: SensorSession) throws {
    let hearsConnection = info.kinds.contains(.connection)
    let reader = try recording.makeReader(hearsConnection: hearsConnection)
    defer { state.withLock { $0.statistics = reader.statistics } }
    while let sample = try reader.next() {
      if session.isStopped { throw SourceStopped() }
      for report in reader.readConnections() { try tell(report, &pass, session) }
      pass.first = min(pass.first ?? sample.time, sample.time)
      pass.last = max(pass.last ?? sample.time, sample.time)
      var time = sample.time + pass.shift
      if let resumeAfter = pass.resumeAfter, time <= resumeAfter {
        pass.handled += 1
        continue
      }
      if hearsConnection {
        if !pass.connection.hasBegun { try pass.connection.begin(with: sample, session) }
        // A client that subscribes to the connection first and to motion a moment later misses nothing.
        if try passes(time + Self.grace, session) {
          pass.handled += 1
          continue
        }
      }
      let wanted = session.request.kinds
      guard wanted.isEmpty || !wanted.isDisjoint(with: sample.kinds) else { continue }
      if let present = pass.presentAt {
        pass.presentAt = nil
        if present > time {
          pass.shift = present - sample.time
          time = present
          state.withLock { $0.shift = pass.shift }
        }
      }
      try session.wait(until: time)
      if hearsConnection { try pass.connection.prove(session) }
      try session.deliver(sample.moved(to: time))
      pass.handled += 1
    }
    for report in reader.readConnections() { try tell(report, &pass, session) }
  }

  /// A report in its time; one that lies before the beginning of the run is only kept in mind.
  private func tell(_ report: RecordedConnection, _ pass: inout Pass, _ session: SensorSession) throws(SourceStopped) {
    let time = report.time + pass.shift
    if !pass.connection.hasBegun, let resumeAfter = pass.resumeAfter, time > resumeAfter {
      try pass.connection.begin(session)
    }
    if pass.connection.hasBegun, try !passes(time, session) { try session.wait(until: time) }
    try pass.connection.update(report.state, session)
  }

  /// How late a sample may be for a subscriber that has just started.
  private static let grace = SensorDuration.milliseconds(100)

  /// Lets time pass up to `time` while no sample is wanted; false when one is.
  private func passes(_ time: SensorInstant, _ session: SensorSession) throws(SourceStopped) -> Bool {
    while session.request.kinds == .connection {
      if session.isStopped { throw SourceStopped() }
      if session.clock.isFreeRunning {
        _ = session.wake.wait(limit: nil)
      } else if session.clock.wait(until: time, wake: session.wake) {
        return true
      }
    }
    return false
  }

  /// Between the last sample of a round and the first of the next: that of the fastest sensor; 10 ms when none is
  /// known.
  private var interval: SensorDuration {
    info.channels.flatMap(\.rates).max().flatMap { SensorDuration(rate: $0) } ?? .milliseconds(10)
  }
}

/// What one run of a ``ReplaySource`` says of the connection: the recorded reports, in order with the samples.
///
/// A run begins with the state that holds where it begins. A part cut out of a recording need not tell it: until the
/// first report the device is taken as connected, and a sample proves that it is.
struct ReplayedConnection {
  private var state: ConnectionState?
  private var reported: ConnectionState?
  /// True from where the run begins: what lies before it is known, and not told.
  private(set) var hasBegun = false

  /// The run begins with this sample: the state that holds is told.
  mutating func begin(with sample: SensorSample, _ session: SensorSession) throws(SourceStopped) {
    if state == nil, case .motion(let motion) = sample {
      state = ConnectionState(isConnected: true, location: motion.location)
    }
    try begin(session)
  }

  /// The run begins with a report: what held before it is told.
  mutating func begin(_ session: SensorSession) throws(SourceStopped) {
    hasBegun = true
    try report(session)
  }

  /// A recorded report.
  mutating func update(_ recorded: ConnectionState, _ session: SensorSession) throws(SourceStopped) {
    state = recorded
    if hasBegun { try report(session) }
  }

  /// A sample is about to be delivered.
  mutating func prove(_ session: SensorSession) throws(SourceStopped) {
    state?.isConnected = true
    try report(session)
  }

  private mutating func report(_ session: SensorSession) throws(SourceStopped) {
    let state = state ?? ConnectionState(isConnected: true)
    guard state != reported else { return }
    reported = state
    try session.report(state)
  }
}

/// Runs before `main` (``SourceRegistry``).
@section(".init_array") @used
private let registerReplay: @convention(c) () -> Void = {
  SourceRegistry.atStart { SourceRegistry.add(.replay) }
}

extension SourceScheme {
  /// Recordings.
  static let replay = SourceScheme(
    "replay", form: "replay:PATH", rank: 110, pacing: .onDemand, canResume: true
  ) { address, _ throws(SensorError) in
    try ReplaySource(path: address.path, options: address.options)
  }
}

extension ReplaySource: DataChecking {
  /// What is wrong with a recording that was read, continuing a sentence; nil when it is whole. A repeated time stamp
  /// is not counted: many loggers write such rows.
  package var dataProblem: String? {
    if let cut = statistics.omissions[.truncated] { return "ends early: it is cut off at \(cut.firstPlace)." }
    for reason in RecordingStatistics.Reason.allCases where reason != .duplicate {
      guard let rows = statistics.omissions[reason] else { continue }
      return "lacks \(rows.count) entries that are \(reason.rawValue), the first at \(rows.firstPlace)."
    }
    return nil
  }
}
