// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionSensing
import Synchronization

/// What a subscriber of a ``MotionHub`` holds: it refers to the hub, and nothing of the hub to it.
///
/// It does not end by itself: the sink is called until `cancel`, or until the recording is over.
package struct Subscription: Sendable {
  let hub: MotionHub
  let listener: Listener

  /// True when the recording is over for it: to receive it once more, subscribe again.
  package var isOver: Bool { !hub.state.withLock { $0.listeners.contains { $0 === listener } } }

  /// A new stream, interval and sink between two samples: none is lost, none comes twice, the source goes on.
  package func replace(stream: HubStream, interval: SensorDuration, sink: HubSink) {
    listener.replace(stream: stream, interval: interval, sink: sink)
    hub.change { _ in stream.receivesConnection ? [(listener, nil)] : [] }
  }

  /// Applies a new interval from the next sample on.
  package func setInterval(_ interval: SensorDuration) {
    listener.interval = interval
    hub.change { _ in [] }
  }

  /// Ends the subscription. When it returns the sink is not running and will not be called again.
  package func cancel() {
    listener.end()
    hub.remove(listener)
  }
}

/// One subscriber's share of what a hub hands out.
///
/// The sink is called on the source's thread, one call at a time. It must be quick and leave long work to another
/// thread. It may cancel or replace its own subscription, as a handler does on a queue that runs its operations at
/// once.
///
/// `@unchecked Sendable`: `sink` and `decimator` are touched only while `delivery` is held, `isLate` only under the
/// lock of the hub's state; all else is constant, atomic or locked.
final class Listener: @unchecked Sendable {
  /// Held while the sink runs, so that nothing is delivered once `end` has returned. Recursive: the sink may come back
  /// on the same thread.
  private let delivery = NSRecursiveLock()
  private var sink: HubSink?
  private var decimator: Decimator
  /// Behind a lock of its own: the hub reads it under its own lock.
  private let wanted: Lock<HubStream>
  /// Nanoseconds. Not behind `delivery`, for which a client that sets it would wait.
  private let wantedInterval: Atomic<Int64>
  private let received = Atomic<Bool>(false)
  /// Whether it joined when samples of the run had been handed out.
  var isLate = false
  /// Whether the sink is informed how far the source's time has come (``HubNews/time(_:)``).
  let receivesTime: Bool
  /// Whether it goes on while the app is in the background.
  let runsInBackground: Bool

  init(stream: HubStream, interval: SensorDuration, sink: HubSink) {
    self.sink = sink
    (receivesTime, runsInBackground) = (sink.receivesTime, sink.runsInBackground)
    decimator = Decimator(interval: interval)
    wanted = Lock(stream)
    wantedInterval = Atomic(interval.nanoseconds)
  }

  /// Whether a sample has been offered to it.
  var hasReceived: Bool { received.load(ordering: .acquiring) }
  /// What the subscriber wants.
  var stream: HubStream { wanted.withLock { $0 } }
  /// Whether it wants more than the connection.
  var wantsSamples: Bool { stream != .connection }
  /// The wanted interval; zero = every sample.
  var interval: SensorDuration {
    get { SensorDuration(nanoseconds: wantedInterval.load(ordering: .relaxed)) }
    set { wantedInterval.store(newValue.nanoseconds, ordering: .relaxed) }
  }
  /// What it is sent when no more samples come.
  var ending: HubNews { .ended(isEmpty: wantsSamples && !hasReceived) }
  /// The work that is pending at its consumer; nil = the sink does all of it at once.
  var outstanding: Outstanding? { delivery.withLock { sink?.outstanding } }

  func replace(stream: HubStream, interval: SensorDuration, sink: HubSink) {
    let old = delivery.withLock {
      wanted.withLock { $0 = stream }
      self.interval = interval
      return exchange(&self.sink, with: sink)
    }
    old?.outstanding?.close()
    withExtendedLifetime(old) {}
  }

  func end() {
    let old = delivery.withLock { exchange(&sink, with: nil) }
    old?.outstanding?.close()
    // The client's closure dies here, outside every lock: its captures may call back into us.
    withExtendedLifetime(old) {}
  }

  /// Offers a sample; the decimator decides.
  func offer(_ sample: SensorSample) {
    received.store(true, ordering: .releasing)
    delivery.withLock { dueSink(at: sample.time)?.sample(sample) }
  }

  /// Offers a state of motion; the decimator decides.
  func offer(_ motion: DeviceMotion) {
    received.store(true, ordering: .releasing)
    delivery.withLock { dueSink(at: motion.time)?.motion(motion) }
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
    received.store(true, ordering: .releasing)
    delivery.withLock { sink?.sample(sample) }
  }

  /// Sends something that is not a sample; asked for while the sink is held, so that of two at once the later counts.
  func send(_ news: () -> HubNews?) {
    delivery.withLock {
      guard let sink, let news = news() else { return }
      sink.news(news)
    }
  }
}
