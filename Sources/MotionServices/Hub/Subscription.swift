// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
package import MotionSensing
import Synchronization

/// A subscriber of a ``MotionHub`` and the work that is pending at its consumer.
///
/// The hub calls the sink on the source's thread, one call at a time. The sink must be quick and leave long work to
/// another thread. It may cancel or replace its own subscription, as a handler does on a queue that runs its operations at once.
///
/// A sink that uses an operation queue says so by ``willHandle()`` and ``didHandle()``; while more than `window` pieces are
/// outstanding an on-demand source waits, so that a recording at full speed never floods memory. Live sources never wait.
///
/// The subscription is not kept alive by the hub's owner, nor does it keep a client's object alive; `cancel` ends it.
package final class Subscription: Sendable {
  package typealias Sink = @Sendable (HubEvent, Subscription) -> Void

  /// A sink as an object: a closure that leaves a lock's generic body would be wrapped on the heap again at every sample.
  private final class Consumer: Sendable {
    let sink: Sink
    init(_ sink: @escaping Sink) { self.sink = sink }
  }

  private struct State {
    var consumer: Consumer?
    var decimator: Decimator
  }

  private struct Request {
    var stream: HubStream
    var interval: SensorDuration
  }

  /// Pieces of work that may be pending before an on-demand source waits.
  package let window: Int
  /// Whether the sink is informed how far the source's time has come (``HubEvent/time(_:)``).
  package let receivesTime: Bool
  private let state: Lock<State>
  /// Behind a lock of its own: the hub reads the request under its own lock.
  private let request: Lock<Request>
  /// Held while the sink runs, so that nothing is delivered once `cancel` has returned. Locked before `state`.
  private let delivery = RecursiveLock()
  private let outstandingCount = Atomic<Int>(0)
  private let isStarved = Atomic<Bool>(false)
  private let active = Atomic<Bool>(true)
  private let over = Atomic<Bool>(false)
  private let late = Atomic<Bool>(false)
  private let heard = Atomic<Bool>(false)
  private let waiting = Lock<WakeSignal?>(nil)
  private weak let hub: MotionHub?

  init(
    stream: HubStream, interval: SensorDuration, window: Int, receivesTime: Bool, hub: MotionHub, sink: @escaping Sink
  ) {
    self.window = window
    self.receivesTime = receivesTime
    self.hub = hub
    state = Lock(State(consumer: Consumer(sink), decimator: Decimator(interval: interval)))
    request = Lock(Request(stream: stream, interval: interval))
  }

  /// False once cancelled.
  package var isActive: Bool { active.load(ordering: .acquiring) }
  /// True when the recording is over for it: who wants to hear it again subscribes again.
  package var isOver: Bool { over.load(ordering: .acquiring) }
  /// Whether a sample has been offered to it.
  package var hasHeard: Bool { heard.load(ordering: .acquiring) }
  /// Whether it joined when samples of the run had been handed out.
  var isLate: Bool { late.load(ordering: .acquiring) }
  /// What the subscriber listens to.
  package var stream: HubStream { request.withLock { $0.stream } }
  /// Whether it listens to more than the connection.
  package var wantsSamples: Bool { stream != .connection }
  /// The wanted interval; zero = every sample.
  package var interval: SensorDuration { request.withLock { $0.interval } }
  /// Pieces of work handed over and not yet finished.
  package var outstanding: Int { outstandingCount.load(ordering: .relaxed) }

  // MARK: The consumer's side

  /// One more piece of work is on its way.
  package func willHandle() { outstandingCount.add(1, ordering: .sequentiallyConsistent) }

  /// A piece of work is over: done, cancelled or dropped.
  package func didHandle() {
    let left = outstandingCount.subtract(1, ordering: .sequentiallyConsistent).newValue
    if left <= window / 2, isStarved.load(ordering: .sequentiallyConsistent) {
      waiting.withLock { $0 }?.signal()
    }
  }

  /// A new stream, interval and consumer between two samples: none is lost, none comes twice, the source goes on.
  package func replace(stream: HubStream, interval: SensorDuration, sink: @escaping Sink) {
    let old = delivery.whileHeld {
      state.withLock { state -> Consumer? in
        let old = state.consumer
        state.consumer = Consumer(sink)
        state.decimator.change(to: interval)
        request.withLock { $0 = Request(stream: stream, interval: interval) }
        return old
      }
    }
    hub?.subscriptionsChanged()
    if stream.receivesConnection { sendConnection() }
    withExtendedLifetime(old) {}
  }

  /// Applies a new interval at once.
  package func setInterval(_ interval: SensorDuration) {
    state.withLock { state in
      state.decimator.change(to: interval)
      request.withLock { $0.interval = interval }
    }
    hub?.subscriptionsChanged()
  }

  /// Ends the subscription. When it returns the sink is not running and will not be called again.
  package func cancel() {
    let old = delivery.whileHeld {
      state.withLock { state -> Consumer? in
        let old = state.consumer
        state.consumer = nil
        return old
      }
    }
    active.store(false, ordering: .sequentiallyConsistent)
    waiting.withLock { $0 }?.signal()
    hub?.remove(self)
    // The client's closure dies here, outside every lock: its captures may call back into us.
    withExtendedLifetime(old) {}
  }

  // MARK: The source's side

  func setOver() { over.store(true, ordering: .releasing) }
  func setLate(_ isLate: Bool) { late.store(isLate, ordering: .releasing) }

  /// Offers a sample taken at `time`; the decimator decides.
  func offer(_ event: HubEvent, at time: SensorInstant) {
    heard.store(true, ordering: .releasing)
    delivery.whileHeld {
      let consumer = state.withLock { state in
        state.consumer != nil && state.decimator.isDue(time) ? state.consumer : nil
      }
      consumer?.sink(event, self)
    }
  }

  /// Offers a sample whatever the wanted interval is.
  func offerAlways(_ event: HubEvent) {
    heard.store(true, ordering: .releasing)
    send(event)
  }

  /// Sends something that is not a sample.
  func send(_ event: HubEvent) {
    delivery.whileHeld { state.withLock { $0.consumer }?.sink(event, self) }
  }

  /// Sends the present connection, read while the sink is held: a change that comes at the same time follows.
  func sendConnection() {
    delivery.whileHeld {
      guard let connection = hub?.connection else { return }
      state.withLock { $0.consumer }?.sink(.connection(connection), self)
    }
  }

  /// Holds the source's thread while the consumer is behind. True when it had to wait.
  func waitForCredit(_ session: SensorSession) throws(SourceStopped) -> Bool {
    guard outstandingCount.load(ordering: .acquiring) >= window else { return false }
    waiting.withLock { $0 = session.wake }
    isStarved.store(true, ordering: .sequentiallyConsistent)
    defer {
      isStarved.store(false, ordering: .sequentiallyConsistent)
      waiting.withLock { $0 = nil }
    }
    while outstandingCount.load(ordering: .sequentiallyConsistent) > window / 2, isActive {
      if session.isStopped { throw SourceStopped() }
      _ = session.wake.wait(limit: nil)
    }
    if session.isStopped { throw SourceStopped() }
    // The signal may have meant a new request: it is handed on to the source, for which one too many is harmless.
    session.wake.signal()
    return true
  }
}

/// A mutex that its holder may take again: for a call-out whose callee may come back on the same thread.
///
/// It guards an activity, not a value; values stay behind a `Lock`, taken inside.
///
/// `@unchecked Sendable`: the mutex is made for use by many threads, and nothing else is stored.
final class RecursiveLock: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func whileHeld<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
