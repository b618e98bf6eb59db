// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// Shares one running source among any number of subscribers.
///
/// ```swift
/// let hub = MotionHub(source: source, clock: MonotonicClock())
/// let subscription = hub.subscribe(.gyroscope, interval: .milliseconds(10)) { sample in … } news: { news in … }
/// …
/// subscription.cancel()
/// ```
///
/// The source starts with the first subscriber and stops with the last; a start that comes while the source is still
/// closing waits for it, because devices are exclusive. The source is asked for the union of the wanted sensors at the
/// shortest wanted interval; each subscriber then gets its own share (``Decimator``). Samples are decoded, fused and
/// handed out on the source's own thread. When the source fails, subscribers are informed once, and the hub tries again
/// until it returns.
///
/// A recording begins again, as if it had never played, for who subscribes after its end or after all subscribers have
/// left; who subscribes while it plays joins in.
package final class MotionHub: Sendable {
  /// How long a recording waits for its subscribers, so that a service started a moment later misses nothing.
  package enum Gate: Sendable, Hashable {
    /// Starts with the first subscriber.
    case open
    /// Starts that much real time after the first subscriber, whenever the source begins at its beginning.
    case settle(SensorDuration)
    /// Starts at ``MotionHub/play()``.
    case manual
  }

  /// A fault of the source, or the end of a run: for hosts that accept a complete source only.
  package enum Incident: Sendable {
    /// A sample was late, a duplicate, or not finite.
    case dropped(SensorSample)
    /// A run is over; the error that ended it, or nil.
    case over(SensorError?)
  }

  /// Which subscribers receive nothing at present.
  package enum Hold: Sendable {
    case none
    /// Those of the app, which is in the background. Those of the device go on, such as a history that is kept.
    case app
    /// All, because the policy does not allow motion; the source does not run.
    case all
  }

  enum Run {
    case none
    case running(SensorSession)
    /// Asked to stop, not ended yet.
    case closing(SensorSession)
  }

  struct State {
    var listeners: [Listener] = []
    var run = Run.none
    var lastInstant: SensorInstant?
    var failure: SensorError?
    var hasEnded = false
    var hold = Hold.none
    /// News that the app has not received in the background; of one kind the last.
    var missed: [(listener: Listener, news: HubNews?)] = []
    var isGateOpen: Bool
    var runCount = 0
    /// The next run of a recording begins at its beginning.
    var isFresh = true
    /// As reported in the present run.
    var connection: ConnectionState?

    /// Who receives something now.
    var audience: [Listener] {
      switch hold {
      case .none: listeners
      case .app: listeners.filter(\.runsInBackground)
      case .all: []
      }
    }

    /// The part of the news that may be sent now; what the app misses is kept until it is back.
    mutating func sendable(_ news: [(listener: Listener, news: HubNews?)]) -> [(listener: Listener, news: HubNews?)] {
      guard hold == .app else { return exchange(&missed, with: []) + news }
      for item in news where !item.listener.runsInBackground {
        missed.removeAll { $0.listener === item.listener && ($0.news == nil) == (item.news == nil) }
        missed.append(item)
      }
      return news.filter(\.listener.runsInBackground)
    }
  }

  /// The source that is shared.
  package let source: any SensorSource
  /// The source's description when the hub was made.
  package let info: SensorInfo
  /// The clock of the host; a source with a time line of its own gets a ``RecordingClock`` over it.
  package let clock: any SensorClock
  /// How fast a recorded time line runs against the clock.
  package let rate: Double
  let gate: Gate
  /// Whether each audience receives the whole source: a recording, unless it shall go on.
  let restarts: Bool
  /// Called on the source's thread, before the subscribers are informed.
  let watch: (@Sendable (Incident) -> Void)?
  let state: Lock<State>
  let pipeline: SamplePipeline

  /// A hub over a source that does not run yet; `rate` is how fast a recorded time line runs against the clock,
  /// `resumes` whether a recording goes on where it stopped instead of beginning again.
  package init(
    source: any SensorSource, clock: any SensorClock, rate: Double = 1, gate: Gate = .open, resumes: Bool = false,
    memory: (any SensorMemory)? = nil, watch: (@Sendable (Incident) -> Void)? = nil
  ) {
    self.source = source
    self.clock = clock
    self.rate = rate
    self.gate = gate
    self.watch = watch
    info = source.info
    restarts = info.origin == .recording && !resumes
    state = Lock(State(isGateOpen: gate != .manual))
    pipeline = SamplePipeline(info: info, memory: memory) { watch?(.dropped($0)) }
    _ = Self.hasWorkers
  }

  /// Adds a subscriber and starts the source if it does not run yet; interval zero = every sample.
  package func subscribe(_ stream: HubStream, interval: SensorDuration, sink: HubSink) -> Subscription {
    let listener = Listener(stream: stream, interval: interval, sink: sink)
    change { state in
      rewind(&state, for: listener)
      state.listeners.append(listener)
      var news: [(Listener, HubNews?)] = stream.receivesConnection ? [(listener, nil)] : []
      if state.hasEnded { news.append((listener, state.failure.map { .failed($0) } ?? listener.ending)) }
      return news
    }
    return Subscription(hub: self, listener: listener)
  }

  /// The same with the parts of a ``HubSink``.
  package func subscribe(
    _ stream: HubStream, interval: SensorDuration, receivesTime: Bool = false,
    runsInBackground: Bool = false, sample: @escaping @Sendable (SensorSample) -> Void = { _ in },
    motion: @escaping @Sendable (DeviceMotion) -> Void = { _ in },
    news: @escaping @Sendable (HubNews) -> Void = { _ in }
  ) -> Subscription {
    subscribe(
      stream, interval: interval,
      sink: HubSink(
        receivesTime: receivesTime, runsInBackground: runsInBackground, sample: sample, motion: motion, news: news))
  }

  /// Opens a manual gate: the source starts now if it has a subscriber, else with the first one.
  package func play() {
    change { state in
      state.isGateOpen = true
      return []
    }
  }

  /// Subscribers that are held receive nothing; the source runs while another subscriber wants it.
  package func setHold(_ hold: Hold) {
    change { state in
      state.hold = hold
      return []
    }
  }

  func remove(_ listener: Listener) {
    change { state in
      guard let index = state.listeners.firstIndex(where: { $0 === listener }) else { return [] }
      state.listeners.remove(at: index)
      state.missed.removeAll { $0.listener === listener }
      if !state.listeners.contains(where: \.wantsSamples), listener.wantsSamples || state.listeners.isEmpty {
        state.isFresh = true
      }
      // Nothing waits for the return of a failed source any more: the next start finds out by itself.
      if !isWanted(state), !state.hasEnded { state.failure = nil }
      return []
    }
  }

  /// The way of every event: `body` changes the state and returns what is to be sent, nil = the present connection.
  /// What follows for the source is decided here: a run that nobody wants is asked to stop, a wanted one begins, and
  /// one that goes on gets the new request.
  func change(_ body: (inout State) -> [(listener: Listener, news: HubNews?)]) {
    let (news, outdated, next) = state.withLock { state in
      let all = body(&state)
      let news = state.sendable(all)
      if case .running(let session) = state.run, !isWanted(state) { state.run = .closing(session) }
      let outdated: SensorSession? = if case .closing(let session) = state.run { session } else { nil }
      let next = beginRunIfWanted(&state)
      // Under the lock: of two simultaneous changes the later one must win.
      pipeline.setAudience(state.audience)
      if case .running(let session) = state.run {
        let request = combinedRequest(of: state)
        if session.request != request { session.update(request) }
      }
      return (news, outdated, next)
    }
    outdated?.stop()
    for (listener, news) in news { listener.send { news ?? connection.map { .connection($0) } } }
    if let next { launch(next) }
  }

  /// What the source measures now: nothing while it has failed.
  package var availableKinds: SensorKinds { failure == nil ? info.kinds : [] }
  /// The failure that keeps the source away, or nil.
  package var failure: SensorError? { state.withLock { $0.failure } }
  /// True while a run of the source exists, closing included.
  package var isRunning: Bool {
    state.withLock { state in
      if case .none = state.run { false } else { true }
    }
  }
  /// The time that the source has reached: of a recording, and where time does not keep pace with the host's clock, that
  /// of its latest sample.
  package var now: SensorInstant {
    if case .recorded(let start) = info.timeLine { return pipeline.lastInstant ?? start }
    guard rate != 1 || clock.isFreeRunning, let last = pipeline.lastInstant else { return clock.now }
    return last
  }
  /// True when a bounded source has delivered everything.
  package var hasEnded: Bool { state.withLock { $0.hasEnded } }
  /// How often the source has been started.
  package var runCount: Int { state.withLock { $0.runCount } }
  /// What happened to the samples so far, over all runs; of a recording, since it last began.
  package var statistics: TimelineStatistics { pipeline.statistics }
  /// Samples that were dropped so far, over all runs.
  package var droppedCount: Int { pipeline.droppedCount }
  /// How often a slow consumer made the source wait.
  package var stalls: Int { pipeline.stalls }
  /// Of each subscriber that counts its work, what is pending.
  var outstanding: [Int] { state.withLock { $0.listeners }.compactMap { $0.outstanding?.count } }

  /// The union of the wanted sensors, at the shortest wanted interval.
  func combinedRequest(of state: State) -> SensorRequest {
    // The filter does not run at the client's rate: with a motion subscriber never slower than 100 Hz.
    let slowestFusion = SensorDuration.milliseconds(10)
    var kinds: SensorKinds = []
    var shortest: SensorDuration?
    // One second, as long as all subscribers of samples process them in batches.
    var latency: SensorDuration?
    for listener in state.audience {
      let stream = listener.stream
      kinds.formUnion(stream.needs(of: info.kinds))
      // A subscriber of the connection alone wants no samples.
      if stream == .connection { continue }
      var interval = listener.interval
      if case .deviceMotion = stream { interval = min(interval, slowestFusion) }
      shortest = min(shortest ?? interval, interval)
      // Subscribers of the time process batches. Not those of the water: there it shows that a sensor has stopped.
      let takesBatches = listener.receivesTime && stream != .waterPressure
      latency = min(latency ?? .seconds(1), takesBatches ? .seconds(1) : .zero)
    }
    return SensorRequest(kinds: kinds, interval: shortest ?? slowestFusion, latency: latency ?? .zero)
  }

  // MARK: The connection, of sources that come and go

  /// The present state; nil while a source that reports it has not done so in this run.
  ///
  /// A source that has failed is not connected; one that does not report its connection is connected otherwise.
  package var connection: ConnectionState? {
    state.withLock { state in
      if state.failure != nil { return ConnectionState(isConnected: false) }
      if let reported = state.connection { return reported }
      return info.kinds.contains(.connection) ? nil : ConnectionState(isConnected: true)
    }
  }

  /// Keeps a report and passes it on; a report that repeats the last one is dropped. A source that reports after a
  /// failure is back.
  func note(_ connection: ConnectionState) {
    change { state in
      defer { (state.connection, state.failure) = (connection, nil) }
      return state.connection != connection || state.failure != nil ? Self.presence(for: state.listeners) : []
    }
  }

  /// The source has delivered after a failure: it is back.
  func noteReturn() {
    change { state in
      defer { state.failure = nil }
      return state.failure != nil ? Self.presence(for: state.listeners) : []
    }
  }

  /// The present connection, for all that receive it.
  private static func presence(for listeners: [Listener]) -> [(Listener, HubNews?)] {
    listeners.filter(\.stream.receivesConnection).map { ($0, nil) }
  }

  /// Whether the source has to run: a subscriber wants more than what is known without it.
  func isWanted(_ state: State) -> Bool {
    state.audience.contains { $0.wantsSamples || info.kinds.contains(.connection) }
  }
}
