// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing

// Plain escaping closures, as on Apple's systems: neither @Sendable nor bound to an actor. The arrays are not optional:
// empty beside an error.

/// Receives the minutes of dyskinesia of a span of time, oldest first, or an error.
public typealias CMDyskineticSymptomResultHandler = ([CMDyskineticSymptomResult], (any Error)?) -> Void
/// Receives the minutes of tremor of a span of time, oldest first, or an error.
public typealias CMTremorResultHandler = ([CMTremorResult], (any Error)?) -> Void

/// Watches a wrist for tremor and dyskinesia (S88). Not a medical device.
///
/// Available only where the host was given a monitor (`MotionDetectors.movementDisorder`). Without one, watching has no
/// effect and a query answers with `CMErrorNotAvailable`. Handlers run on a serial queue of the manager's own.
open class CMMovementDisorderManager: NSObject {
  /// Results are kept, and watching lasts, seven days at most. Seconds.
  private static let longestSpan: TimeInterval = 7 * 86_400

  private let hosts = ManagerHost()
  private let queue = OperationQueue.serial(named: "CMMovementDisorderManager")

  public override init() { super.init() }

  private var host: MotionHost { hosts.current }
  private var monitor: (any MovementDisorderMonitor)? { host.detectors.movementDisorder }

  /// Whether a monitor was injected.
  open class func isAvailable() -> Bool { MotionHost.current.detectors.movementDisorder != nil }
  /// The version of the monitor's algorithm as "major.minor.fix"; nil without one.
  open class func version() -> String? { MotionHost.current.detectors.movementDisorder?.version }
  /// Whether the program may read the results. Without a monitor: restricted (D30); without the entitlement: denied.
  open class func authorizationStatus() -> CMAuthorizationStatus {
    let host = MotionHost.current
    guard host.detectors.movementDisorder != nil else { return .restricted }
    return host.policy.entitlements.contains(.movementDisorder) ? host.clientAuthorization : .denied
  }

  /// Watches for so many seconds from now, seven days at most. Without monitor or permission the log says so (D43).
  open func monitorKinesias(forDuration duration: TimeInterval) {
    guard duration > 0 else { return }
    switch access() {
    case .success(let monitor): monitor.monitor(until: host.now + min(duration, Self.longestSpan))
    case .failure(let refusal): host.refuse(refusal.localizedDescription)
    }
  }

  /// The minutes of dyskinesia that begin between two dates, oldest first; those older than seven days are deleted.
  open func queryDyskineticSymptom(
    from fromDate: Date, to toDate: Date, withHandler handler: @escaping CMDyskineticSymptomResultHandler
  ) {
    answer(from: fromDate, to: toDate, handler) { monitor, start, end throws(SensorError) in
      try monitor.dyskinesia(from: start, to: end).sorted { $0.start < $1.start }.map(CMDyskineticSymptomResult.init)
    }
  }

  /// The minutes of tremor that begin between two dates, oldest first; those older than seven days are deleted.
  open func queryTremor(from fromDate: Date, to toDate: Date, withHandler handler: @escaping CMTremorResultHandler) {
    answer(from: fromDate, to: toDate, handler) { monitor, start, end throws(SensorError) in
      try monitor.tremor(from: start, to: end).sorted { $0.start < $1.start }.map(CMTremorResult.init)
    }
  }

  /// Up to where the results are complete; nil when nothing has been processed.
  open func lastProcessedDate() -> Date? { monitor?.lastProcessedDate }
  /// When watching ends; nil when watching is off.
  open func monitorKinesiasExpirationDate() -> Date? { monitor?.expirationDate }

  /// The monitor, or why it cannot be asked (S51).
  private func access() -> Result<any MovementDisorderMonitor, NSError> {
    let host = host
    guard host.policy.allowsMotion else { return .failure(CMErrorNotAuthorized.error()) }
    guard let monitor = host.detectors.movementDisorder else { return .failure(CMErrorNotAvailable.error()) }
    guard host.policy.entitlements.contains(.movementDisorder) else { return .failure(CMErrorNotEntitled.error()) }
    return .success(monitor)
  }

  private func answer<Element>(
    from start: Date, to end: Date, _ handler: @escaping ([Element], (any Error)?) -> Void,
    _ ask: @escaping (any MovementDisorderMonitor, Date, Date) throws(SensorError) -> [Element]
  ) {
    let (access, host) = (access(), host)
    // The monitor may have to read its store: on the queue, not on the caller's thread.
    queue.answer(in: host) {
      do {
        let monitor = try access.get()
        guard start <= end else {
          throw CMErrorInvalidParameter.error("The end of the span lies before its start.")
        }
        handler(try ask(monitor, max(start, host.now - Self.longestSpan), end), nil)
      } catch let error as SensorError {
        handler([], (error.code == .notPermitted ? CMErrorNotAuthorized : CMErrorUnknown).error(error.description))
      } catch {
        handler([], error)
      }
    }
  }
}

extension CMTremorResult {
  fileprivate convenience init(_ minute: TremorMinute) {
    let part = minute.fractions
    self.init(
      startDate: minute.start, endDate: minute.start + 60,
      fractions: Fractions(
        unknown: part[0], none: part[1], slight: part[2], mild: part[3], moderate: part[4], strong: part[5]))
  }
}

extension CMDyskineticSymptomResult {
  fileprivate convenience init(_ minute: DyskinesiaMinute) {
    self.init(
      startDate: minute.start, endDate: minute.start + 60, unlikely: minute.fractions[0], likely: minute.fractions[1])
  }
}
