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

  private struct State {
    var hub: MotionHub?
    var subscription: Subscription?
    var output: Output?
    var translator: (any AnyObject & Sendable)?
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

  /// What translates for the start that a restart on `host` would replace, so that it keeps what it has begun; nil where
  /// a start begins afresh.
  func translator<Translator>(on host: MotionHost) -> Translator? {
    state.withLock { state in
      state.subscription?.isOver == false && state.output?.start.host === host ? state.translator as? Translator : nil
    }
  }

  /// The latest sample since the start; nil before the first and after stop (D4). Each read makes an object of its own,
  /// because an attitude can be changed: no reader sees another one's change.
  var latestObject: Object? { state.withLock { $0.output }?.latest.withLock { $0 }.map(make) }

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

  /// Starts or replaces. `handler` is nil in pull mode. A service that runs on another hub moves to this one.
  /// `keepsLatest` false: the latest sample so far means something else now (another reference frame) and is dropped.
  /// `sink` makes of an output what the hub calls; a failure, and an end without samples, are handled before its news.
  func start(
    _ stream: HubStream, of hub: MotionHub, _ start: HandlerStart, _ handler: Handler? = nil, keepsLatest: Bool = true,
    translator: (any AnyObject & Sendable)? = nil, sink: (Output) -> HubSink
  ) {
    let old = state.withLock { state -> State in
      var old = state
      let interval = CoreMotionConventions.interval(state.interval)
      let running = state.hub === hub && state.subscription?.isOver == false ? state.subscription : nil
      // Made again for each subscription, so that the last events of an old one cannot reach the readers of the next.
      let latest = (running != nil && keepsLatest ? state.output?.latest : nil) ?? Lock(nil)
      let output = Output(start, handler, latest: latest, makesOnQueue: makesOnQueue, make: make)
      let sink = output.completing(sink(output), source: hub.info.name)
      if let running {
        running.replace(stream: stream, interval: interval, sink: sink)
        old.subscription = nil
      } else {
        state.subscription = hub.subscribe(stream, interval: interval, sink: sink)
      }
      (state.hub, state.output, state.translator) = (hub, output, translator)
      old.output?.start.end()
      return old
    }
    // Of another hub, or of a recording that is over; one that runs has been taken over.
    old.subscription?.cancel()
    // The service stays active: samples come when the permission does.
    start.host.requestAuthorization()
    if !start.host.policy.allowsMotion { start.refuse(CMErrorNotAuthorized.error(), handler) }
  }

  /// The same for a sensor of the device in which each sample is one value, or none.
  func start(
    _ stream: HubStream, _ start: HandlerStart, _ handler: Handler?,
    translate: @escaping @Sendable (SensorSample) -> Value?
  ) {
    guard let hub = start.host.device(serving: stream) else {
      return start.refuse(start.host.refusal(of: stream), handler)
    }
    self.start(stream, of: hub, start, handler) { output in
      HubSink(sample: { if let value = translate($0) { output.emit(value) } })
    }
  }

  func stop() {
    // The old state is released after the lock: the client's closure and samples may call back into us.
    let old = state.withLock { state -> State in
      let old = state
      state = State(interval: old.interval)
      old.output?.start.end()
      return old
    }
    old.subscription?.cancel()
  }
}

/// Where a translator puts what it has made of a sample: the latest value, and the handler if there is one.
///
/// `@unchecked Sendable`: its properties are constants; the handler is only passed on to its queue.
final class ServiceOutput<Value: Sendable, Object>: @unchecked Sendable {
  let start: HandlerStart
  let latest: Lock<Value?>
  private let handler: ((Object?, (any Error)?) -> Void)?
  private let makesOnQueue: Bool
  private let make: @Sendable (Value) -> Object

  init(
    _ start: HandlerStart, _ handler: ((Object?, (any Error)?) -> Void)?, latest: Lock<Value?>,
    makesOnQueue: Bool, make: @escaping @Sendable (Value) -> Object
  ) {
    (self.start, self.handler, self.latest) = (start, handler, latest)
    (self.makesOnQueue, self.make) = (makesOnQueue, make)
  }

  /// A value.
  func emit(_ value: Value) {
    latest.withLock { $0 = value }
    guard handler != nil else { return }
    if makesOnQueue {
      add(nil, nil) { [make] in make(value) }
    } else {
      add(make(value), nil)
    }
  }

  /// An error beside which there is a value, or was one: the service goes on.
  func report(_ error: NSError) { add(nil, error) }

  /// An error that means that there is no value any more.
  func fail(_ error: NSError) {
    clear()
    report(error)
  }

  /// There is no value any more, and no error: headphones were taken off.
  func clear() { latest.withLock { $0 = nil } }

  private func add(_ object: Object?, _ error: NSError?, late: (() -> Object)? = nil) {
    guard let handler, let lane = start.lane else { return }
    lane.add(HandlerOperation(object: object, late: late, error: error, start: start, handler: handler))
    start.checkBacklog()
  }

  /// The sink with what every service does on a failure and at an end without samples, and with this start's count.
  fileprivate func completing(_ sink: HubSink, source: String) -> HubSink {
    HubSink(
      outstanding: start.outstanding, receivesTime: sink.receivesTime, sample: sink.sample, motion: sink.motion
    ) { [self] news in
      switch news {
      case .failed(let error): fail(error.clientError)
      case .ended(isEmpty: true): report(start.host.endWithoutSamples(of: source))
      default: break
      }
      sink.news(news)
    }
  }
}
