// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

/// The start/stop pair behind every service of a manager: one subscription, one handler, one latest sample.
///
/// All state is behind one lock and is decided at the call: `isActive` is true when start returns, and nothing is
/// enqueued once stop has returned. A second start replaces queue, handler and interval between two samples (D5). The
/// service does not hold its manager, so a manager that is dropped ends its updates (S46).
final class UpdateService<Value: Sendable, Object>: Sendable {
  typealias Handler = (Object?, (any Error)?) -> Void
  typealias Output = ServiceOutput<Value, Object>

  /// What samples, states of motion and news mean to a client; called on the source's thread, one call at a time.
  struct Translator: Sendable {
    var sample: @Sendable (SensorSample, Output) -> Void = { _, _ in }
    var motion: @Sendable (DeviceMotion, Output) -> Void = { _, _ in }
    /// Called behind what every service does on a failure and at an end without samples.
    var news: @Sendable (HubNews, Output) -> Void = { _, _ in }
  }

  private struct State {
    var hub: MotionHub?
    var subscription: Subscription?
    var start: HandlerStart<Object>?
    /// Made again for each subscription, so that the last events of an old one cannot reach the readers of the next.
    var latest: LatestSample<Value, Object>?
    /// As set, whatever it is (D3). Seconds; default 0.01 (D2).
    var interval: TimeInterval = 0.01
  }

  private let state = Lock(State())
  private let make: @Sendable (Value) -> Object
  private let makesOnQueue: Bool

  /// `makesOnQueue`: whether a handler's object is made on its own queue instead of the source's thread. It costs a
  /// closure, so it pays for batches only.
  init(makesOnQueue: Bool = false, make: @escaping @Sendable (Value) -> Object) {
    self.make = make
    self.makesOnQueue = makesOnQueue
  }

  deinit { stop() }

  var isActive: Bool { state.withLock { $0.subscription != nil } }

  /// Whether a start would replace the one before between two samples. A recording that is over begins again instead.
  var isUnderWay: Bool { state.withLock { $0.subscription?.isOver == false } }

  /// The latest sample since the start; nil before the first and after stop (D4).
  var latestObject: Object? { state.withLock { $0.latest }?.object }

  var interval: TimeInterval {
    get { state.withLock { $0.interval } }
    set {
      // Under the lock, so that of two threads the one whose value stays also sets the rate.
      state.withLock { state in
        state.interval = newValue
        state.subscription?.setInterval(CoreMotionConventions.interval(newValue))
      }
    }
  }

  /// Starts or replaces. `lane` and `handler` are nil in pull mode. A service that runs on another hub moves to this
  /// one. `window` and `receivesTime` are those of ``MotionHub/subscribe(_:interval:window:receivesTime:sink:)``.
  /// `keepsLatest` false: the latest sample so far means something else now (another reference frame) and is forgotten.
  func start(
    _ stream: HubStream, of hub: MotionHub, host: MotionHost, on lane: Lane? = nil, handler: Handler? = nil,
    keepsLatest: Bool = true, window: Int = 64, receivesTime: Bool = false, translator: Translator
  ) {
    var begin: HandlerStart<Object>?
    if let lane, let handler { begin = HandlerStart(lane, handler: handler) }
    let old = state.withLock { state -> State in
      var old = state
      let interval = CoreMotionConventions.interval(state.interval)
      let running = state.hub === hub && state.subscription?.isOver == false ? state.subscription : nil
      let latest = (running != nil && keepsLatest ? state.latest : nil) ?? LatestSample(make: make)
      let sink = sink(for: begin, of: hub.info.name, latest: latest, host: host, translator: translator)
      if let running {
        running.replace(stream: stream, interval: interval, sink: sink)
        old.start?.releasePending(running)
        old.subscription = nil
      } else {
        state.subscription = hub.subscribe(
          stream, interval: interval, window: window, receivesTime: receivesTime, sink: sink)
      }
      (state.hub, state.start, state.latest) = (hub, begin, latest)
      old.start?.end()
      return old
    }
    // Of another hub, or of a recording that is over; one that runs has been taken over.
    old.subscription?.cancel()
    // The service stays active: samples come when the permission does.
    host.requestAuthorization()
    if !host.policy.allowsMotion { refuse(CMErrorNotAuthorized.error(), lane: lane, handler: handler, host: host) }
  }

  func stop() {
    // The old state is released after the lock: the client's closure and samples may call back into us.
    let old = state.withLock { state -> State in
      let old = state
      state = State(interval: old.interval)
      old.start?.end()
      return old
    }
    old.subscription?.cancel()
  }

  /// Answers a start whose service can never deliver (D43): the log says it, and the handler, if there is one, gets one
  /// error.
  func refuse(_ error: NSError, lane: Lane?, handler: Handler?, host: MotionHost) {
    host.refuse(error.localizedDescription)
    guard let lane, let handler else { return }
    let start = HandlerStart<Object>(lane, handler: handler)
    lane.add(HandlerOperation(object: nil, error: error, start: start, subscription: nil, host: host))
  }

  /// The same for a service in which each sample is one value, or none.
  func start(
    _ stream: HubStream, of hub: MotionHub, host: MotionHost, on lane: Lane? = nil, handler: Handler? = nil,
    keepsLatest: Bool = true, translate: @escaping @Sendable (SensorSample) -> Value?
  ) {
    let translator = Translator(sample: { if let value = translate($0) { $1.give(value) } })
    start(
      stream, of: hub, host: host, on: lane, handler: handler, keepsLatest: keepsLatest, translator: translator)
  }

  private func sink(
    for start: HandlerStart<Object>?, of source: String, latest: LatestSample<Value, Object>, host: MotionHost,
    translator: Translator
  ) -> HubSink {
    let target = Output.Target(start: start, latest: latest, host: host, makesOnQueue: makesOnQueue, make: make)
    return HubSink { sample, subscription in
      translator.sample(sample, Output(target: target, subscription: subscription))
    } motion: { motion, subscription in
      translator.motion(motion, Output(target: target, subscription: subscription))
    } news: { news, subscription in
      let output = Output(target: target, subscription: subscription)
      switch news {
      case .failed(let error): output.fail(error.clientError)
      case .ended where subscription.wantsSamples && !subscription.hasHeard:
        output.tell(host.endWithoutSamples(of: source))
      default: break
      }
      translator.news(news, output)
    }
  }
}

/// Where a translator puts what it has made of a sample: the latest value, and the handler if there is one.
struct ServiceOutput<Value: Sendable, Object> {
  /// What does not change from sample to sample.
  final class Target: Sendable {
    let start: HandlerStart<Object>?
    let latest: LatestSample<Value, Object>
    let host: MotionHost
    let makesOnQueue: Bool
    let make: @Sendable (Value) -> Object
    let backlog: BacklogReport

    init(
      start: HandlerStart<Object>?, latest: LatestSample<Value, Object>, host: MotionHost, makesOnQueue: Bool,
      make: @escaping @Sendable (Value) -> Object
    ) {
      (self.start, self.latest, self.host, self.makesOnQueue, self.make) = (start, latest, host, makesOnQueue, make)
      backlog = BacklogReport(host: host)
    }
  }

  let target: Target
  let subscription: Subscription

  /// A value.
  func give(_ value: Value) {
    target.latest.set(value)
    guard target.start != nil else { return }
    if target.makesOnQueue {
      add(nil, nil) { [make = target.make] in make(value) }
    } else {
      add(target.make(value), nil)
    }
  }

  /// An error beside which there is a value, or was one: the service goes on.
  func tell(_ error: NSError) { add(nil, error) }

  /// An error that means that there is no value any more.
  func fail(_ error: NSError) {
    forget()
    tell(error)
  }

  /// There is no value any more, and no error: headphones were taken off.
  func forget() { target.latest.set(nil) }

  private func add(_ object: Object?, _ error: NSError?, late: (() -> Object)? = nil) {
    guard let start = target.start else { return }
    start.lane.add(
      HandlerOperation(
        object: object, late: late, error: error, start: start, subscription: subscription, host: target.host))
    target.backlog.check(subscription.outstanding)
  }
}

/// The translator of a service that runs: a restart on the same host keeps it, and with it what it has begun.
final class RunningTranslator<Translator: HostTranslator>: Sendable {
  private let translator = Lock<Translator?>(nil)

  /// The translator for a start of `service`, and whether it is that of the run before.
  func of<Value, Object>(
    _ service: UpdateService<Value, Object>, host: MotionHost, make: () -> Translator
  ) -> (Translator, isSame: Bool) {
    let isUnderWay = service.isUnderWay
    return translator.withLock { stored in
      if isUnderWay, let stored, stored.host === host { return (stored, true) }
      let made = make()
      stored = made
      return (made, false)
    }
  }

  func reset() { translator.withLock { $0 = nil } }
}

/// A translator that works for one host.
protocol HostTranslator: AnyObject, Sendable {
  var host: MotionHost { get }
}

/// Reports once when a handler has fallen far behind a live source, which never waits.
final class BacklogReport: Sendable {
  private let host: MotionHost
  private let isReported = Lock(false)

  init(host: MotionHost) { self.host = host }

  func check(_ outstanding: Int) {
    guard outstanding > MotionHost.backlogLimit else { return }
    let isFirst = isReported.withLock { isReported in
      defer { isReported = true }
      return !isReported
    }
    if isFirst { host.reportBacklog(outstanding) }
  }
}

/// The latest value of a service, and the object made from it on demand.
///
/// Pull clients look rarely and sources are fast: the object is made on the first read and stays the same until the
/// next sample. It is never the object that a handler gets, because an attitude can be changed.
final class LatestSample<Value: Sendable, Object>: Sendable {
  private struct State {
    var value: Value?
    var object: Object?
  }

  private let state = Lock(State())
  private let make: @Sendable (Value) -> Object

  init(make: @escaping @Sendable (Value) -> Object) { self.make = make }

  func set(_ value: Value?) {
    let old = state.withLock { state -> Object? in
      let old = state.object
      state = State(value: value)
      return old
    }
    // A client's subclass could do anything in its deinit: outside the lock.
    withExtendedLifetime(old) {}
  }

  var object: Object? {
    state.withLock { state in
      if state.object == nil, let value = state.value { state.object = make(value) }
      return state.object
    }
  }
}
