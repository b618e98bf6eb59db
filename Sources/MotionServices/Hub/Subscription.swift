// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
package import MotionSensing
import Synchronization

/// A subscriber of a ``MotionHub`` and the work that is pending at its consumer.
///
/// The hub calls the sink on the source's thread, one call at a time. The sink must be quick and leave long work to
/// another thread. It may cancel or replace its own subscription, as a handler does on a queue that runs its operations
/// at once.
///
/// A sink that uses an operation queue says so by ``willHandle()`` and ``didHandle()``; while more than `window` pieces
/// are outstanding an on-demand source waits, so a recording at full speed never floods memory. Live sources never
/// wait.
///
/// The subscription is not kept alive by the hub's owner, nor does it keep a client's object alive; `cancel` ends it.
///
/// `@unchecked Sendable`: `sink` and `decimator` are touched only while `delivery` is held; all else is constant,
/// atomic or locked.
package final class Subscription: @unchecked Sendable {
  /// Pieces of work that may be pending before an on-demand source waits.
  package let window: Int
  /// Whether the sink is informed how far the source's time has come (``HubNews/time(_:)``).
  package let receivesTime: Bool
  /// Held while the sink runs, so that nothing is delivered once `cancel` has returned.
  private let delivery = RecursiveLock()
  private var sink: HubSink?
  private var decimator: Decimator
  /// Behind a lock of its own: the hub reads it under its own lock.
  private let wanted: Lock<HubStream>
  /// Nanoseconds. Not behind `delivery`, for which a client that sets it would wait.
  private let wantedInterval: Atomic<Int64>
  private let outstandingCount = Atomic<Int>(0)
  private let isStarved = Atomic<Bool>(false)
  private let active = Atomic<Bool>(true)
  private let over = Atomic<Bool>(false)
  private let late = Atomic<Bool>(false)
  private let heard = Atomic<Bool>(false)
  private let waiting = Lock<WakeSignal?>(nil)
  private weak let hub: MotionHub?

  init(
    stream: HubStream, interval: SensorDuration, window: Int, receivesTime: Bool, hub: MotionHub, sink: HubSink
  ) {
    self.window = window
    self.receivesTime = receivesTime
    self.hub = hub
    self.sink = sink
    decimator = Decimator(interval: interval)
    wanted = Lock(stream)
    wantedInterval = Atomic(interval.nanoseconds)
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
  package var stream: HubStream { wanted.withLock { $0 } }
  /// Whether it listens to more than the connection.
  package var wantsSamples: Bool { stream != .connection }
  /// The wanted interval; zero = every sample.
  package var interval: SensorDuration { SensorDuration(nanoseconds: wantedInterval.load(ordering: .relaxed)) }
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

  /// A new stream, interval and sink between two samples: none is lost, none comes twice, the source goes on.
  package func replace(stream: HubStream, interval: SensorDuration, sink: HubSink) {
    let old = delivery.whileHeld {
      wanted.withLock { $0 = stream }
      wantedInterval.store(interval.nanoseconds, ordering: .relaxed)
      return exchange(&self.sink, with: sink)
    }
    hub?.subscriptionsChanged()
    if stream.receivesConnection { sendConnection() }
    withExtendedLifetime(old) {}
  }

  /// Applies a new interval from the next sample on.
  package func setInterval(_ interval: SensorDuration) {
    wantedInterval.store(interval.nanoseconds, ordering: .relaxed)
    hub?.subscriptionsChanged()
  }

  /// Ends the subscription. When it returns the sink is not running and will not be called again.
  package func cancel() {
    let old = delivery.whileHeld { exchange(&sink, with: nil) }
    active.store(false, ordering: .sequentiallyConsistent)
    waiting.withLock { $0 }?.signal()
    hub?.remove(self)
    // The client's closure dies here, outside every lock: its captures may call back into us.
    withExtendedLifetime(old) {}
  }

  // MARK: The source's side

  func setOver() { over.store(true, ordering: .releasing) }
  func setLate(_ isLate: Bool) { late.store(isLate, ordering: .releasing) }

  /// Offers a sample; the decimator decides.
  func offer(_ sample: SensorSample) {
    heard.store(true, ordering: .releasing)
    delivery.whileHeld { dueSink(at: sample.time)?.sample(sample, self) }
  }

  /// Offers a state of motion; the decimator decides.
  func offer(_ motion: DeviceMotion) {
    heard.store(true, ordering: .releasing)
    delivery.whileHeld { dueSink(at: motion.time)?.motion(motion, self) }
  }

  /// The sink, when a sample taken at `time` is due for it. Called while `delivery` is held.
  private func dueSink(at time: SensorInstant) -> HubSink? {
    guard let sink else { return nil }
    let interval = interval
    if interval != decimator.interval { decimator.change(to: interval) }
    return decimator.isDue(time) ? sink : nil
  }

  /// Offers a sample whatever the wanted interval is.
  func offerAlways(_ sample: SensorSample) {
    heard.store(true, ordering: .releasing)
    delivery.whileHeld { sink?.sample(sample, self) }
  }

  /// Sends something that is not a sample.
  func send(_ news: HubNews) { delivery.whileHeld { sink?.news(news, self) } }

  /// Sends the present connection, read while the sink is held: a change that comes at the same time follows.
  func sendConnection() {
    delivery.whileHeld {
      guard let connection = hub?.connection else { return }
      sink?.news(.connection(connection), self)
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
/// `@unchecked Sendable`: the mutex is made for many threads, and nothing else is stored. Unsafe: it may not move.
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
