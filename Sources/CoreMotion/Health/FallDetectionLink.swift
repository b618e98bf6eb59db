// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing

/// What connects a ``CMFallDetectionManager`` with the host's detector: it listens while there is a delegate, a
/// detector and permission, and carries each fall to the main queue. Manager and delegate are taken out of its lock on
/// the main queue only.
final class FallDetectionLink: Sendable {
  private struct State {
    weak var manager: CMFallDetectionManager?
    weak var delegate: (any CMFallDetectionDelegate)?
    var observation: MotionHost.Observation?
    var authorization: CMAuthorizationStatus
    var reports: FallReports?
    var listener: Int?
  }

  let host: MotionHost
  private let state: Lock<State>
  /// Held from looking at the host to acting on it, so that of two changes at once the later has the last word.
  /// (A number, because the thread sanitizer takes a value without a size for the lock's own header.)
  private let reconciliations = Lock(0)

  init(host: MotionHost) {
    self.host = host
    state = Lock(State(authorization: Self.authorization(of: host)))
  }

  var authorization: CMAuthorizationStatus { Self.authorization(of: host) }

  private static func authorization(of host: MotionHost) -> CMAuthorizationStatus {
    guard host.detectors.falls != nil else { return .restricted }
    return host.policy.entitlements.contains(.fallDetection) ? host.clientAuthorization : .denied
  }

  var delegate: (any CMFallDetectionDelegate)? {
    get { state.withLock { $0.delegate } }
    set {
      state.withLock { $0.delegate = newValue }
      if newValue != nil, host.detectors.falls == nil {
        host.refuse("Falls cannot be detected: the host has no detector (MotionDetectors.falls).")
      }
      reconcile()
    }
  }

  func attach(_ manager: CMFallDetectionManager) {
    let observation = host.observeChanges { [weak self] in self?.reconcile() }
    state.withLock { ($0.manager, $0.observation) = (manager, observation) }
  }

  func detach() {
    reconciliations.withLock { count in
      count += 1
      let old = state.withLock { exchange(&$0, with: State(authorization: $0.authorization)) }
      old.observation?.remove()
      if let listener = old.listener { old.reports?.stopListening(listener) }
    }
  }

  /// Listens or stops listening, as host and delegate are now, and tells a change of the permission.
  private func reconcile() {
    reconciliations.withLock { count in
      count += 1
      let authorization = authorization
      let (hasChanged, old, wanted) = state.withLock { state -> (Bool, State, FallReports?) in
        let old = state
        state.authorization = authorization
        let wanted = authorization == .authorized && state.delegate != nil ? host.detectors.falls : nil
        return (old.authorization != authorization, old, wanted)
      }
      if hasChanged {
        tell { delegate, manager in delegate.fallDetectionManagerDidChangeAuthorization(manager) }
      }
      guard wanted !== old.reports else { return }
      if let listener = old.listener { old.reports?.stopListening(listener) }
      let listener = wanted?.listen { [weak self, weak wanted] fall in self?.deliver(fall, from: wanted) }
      state.withLock { ($0.reports, $0.listener) = (wanted, listener) }
    }
  }

  private func deliver(_ fall: DetectedFall, from reports: FallReports?) {
    tell { delegate, manager in
      guard let resolution = CMFallDetectionEvent.UserResolution(rawValue: fall.resolution.rawValue) else { return }
      let event = CMFallDetectionEvent(date: fall.date, resolution: resolution)
      delegate.fallDetectionManager(manager, didDetect: event, completionHandler: {})
    } orElse: {
      reports?.giveBack(fall)
    }
  }

  /// Calls the delegate on the main queue, or `missing` when there is none any more.
  private func tell(
    _ body: @escaping (any CMFallDetectionDelegate, CMFallDetectionManager) -> Void,
    orElse missing: @escaping () -> Void = {}
  ) {
    OperationQueue.main.answer(in: host) { [state] in
      let (manager, delegate) = state.withLock { ($0.manager, $0.delegate) }
      if let manager, let delegate { body(delegate, manager) } else { missing() }
    }
  }
}
