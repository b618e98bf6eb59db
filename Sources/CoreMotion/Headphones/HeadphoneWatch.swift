// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

/// Informs a headphone manager's delegate of the connection that its hub reports.
///
/// There is one subscription, held while motion or connection updates are active (S57); so a delegate of both
/// gets one `didConnect`, also when the headphones were connected before (D11). It holds neither the manager nor
/// the delegate.
/// The manager and the delegate are passed on to the client's queue and not used elsewhere.
final class HeadphoneWatch: Sendable {
  /// What the connection is watched for.
  struct Reasons: OptionSet {
    let rawValue: UInt8
    static let motion = Reasons(rawValue: 1)
    static let status = Reasons(rawValue: 2)
  }

  private struct State {
    var reasons: Reasons = []
    var hub: MotionHub?
    var host: MotionHost?
    var subscription: Subscription?
    /// Counts the subscriptions: events of an earlier one are dropped.
    var generation = 0
    /// Nil = the main queue (S56).
    var lane: Lane?
    /// As the delegate was last informed.
    var isConnected = false
    weak var manager: CMHeadphoneMotionManager?
    weak var delegate: (any CMHeadphoneMotionManagerDelegate)?
  }

  private let state = Lock(State())
  private let mainLane = Lane(.main)

  deinit { state.withLock { $0.subscription }?.cancel() }

  func setDelegate(_ delegate: (any CMHeadphoneMotionManagerDelegate)?) {
    state.withLock { $0.delegate = delegate }
  }

  func isListening(_ reason: Reasons) -> Bool { state.withLock { $0.reasons.contains(reason) } }

  /// Begins to listen, or goes on. `lane` counts for `.motion` only; nil = the main queue.
  func start(
    _ reason: Reasons, manager: CMHeadphoneMotionManager, hub: MotionHub, host: MotionHost,
    on lane: Lane? = nil
  ) {
    let (generation, old) = state.withLock { state -> (Int?, (Subscription?, Lane?)) in
      state.reasons.insert(reason)
      let oldLane = state.lane
      if reason == .motion { state.lane = lane }
      state.manager = manager
      guard state.hub !== hub else { return (nil, (nil, oldLane)) }
      let old = state.subscription
      (state.hub, state.host, state.subscription, state.isConnected) = (hub, host, nil, false)
      state.generation += 1
      return (state.generation, (old, oldLane))
    }
    old.0?.cancel()
    guard let generation else { return }
    // Outside the lock: the present state comes before this call returns.
    let subscription = hub.subscribe(
      .connection, interval: .zero, news: { [weak self] news in self?.process(news, generation) })
    let isWanted = state.withLock { state in
      guard state.generation == generation, !state.reasons.isEmpty else { return false }
      state.subscription = subscription
      return true
    }
    if !isWanted { subscription.cancel() }
  }

  func stop(_ reason: Reasons) {
    let old = state.withLock { state -> (Subscription?, Lane?) in
      let old = (state.subscription, state.lane)
      state.reasons.remove(reason)
      if reason == .motion { state.lane = nil }
      guard state.reasons.isEmpty else { return (nil, old.1) }
      (state.hub, state.host, state.subscription, state.isConnected) = (nil, nil, nil, false)
      state.generation += 1
      return old
    }
    old.0?.cancel()
    withExtendedLifetime(old) {}
  }

  /// On the source's thread, or on that of the start.
  private func process(_ news: HubNews, _ generation: Int) {
    guard case .connection(let connection) = news else { return }
    let isConnected = connection.isConnected
    let target = state.withLock { state -> (Lane, MotionHost)? in
      guard state.generation == generation, state.isConnected != isConnected, let host = state.host else { return nil }
      state.isConnected = isConnected
      return (state.lane ?? mainLane, host)
    }
    guard let (lane, host) = target else { return }
    lane.call(in: host) { [weak self] in self?.callDelegate(isConnected, generation) }
  }

  /// On the client's queue.
  private func callDelegate(_ isConnected: Bool, _ generation: Int) {
    // What was enqueued before a stop is dropped (D6).
    let (manager, delegate) = state.withLock { state in
      state.generation == generation ? (state.manager, state.delegate) : (nil, nil)
    }
    guard let manager, let delegate else { return }
    if isConnected {
      delegate.headphoneMotionManagerDidConnect(manager)
    } else {
      delegate.headphoneMotionManagerDidDisconnect(manager)
    }
  }
}
