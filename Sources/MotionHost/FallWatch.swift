// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import MotionMath
import MotionSensing
import MotionServices

/// A fall that the built-in detector has seen, a moment ago: the person can say now what it was.
public struct SuspectedFall: Sendable {
  /// When it happened, on the wall clock; the event will have the same date.
  public let date: Date
  fileprivate let reply: @Sendable (DetectedFall.Resolution) -> Void

  /// The person's answer: true = it was a fall (confirmed), false = nothing has happened (dismissed). The first one
  /// counts, within 30 s and before the person walks.
  public func answer(_ isFall: Bool) { reply(isFall ? .confirmed : .dismissed) }
}

/// The built-in detector at work on a host's accelerometer, while its reports have a listener.
final class FallWatch: Sendable {
  let reports = FallReports()
  private let hub: MotionHub
  private let parameters: FallDetector.Parameters
  private let detector: Lock<FallDetector>
  private let subscription = Lock<Subscription?>(nil)
  private let hear: @Sendable (FallWatch, Fall) -> Void

  init(_ hub: MotionHub, hear: @escaping @Sendable (FallWatch, Fall) -> Void) {
    (self.hub, self.hear) = (hub, hear)
    parameters = FallDetector.Parameters(placement: FallDetector.Placement(hub.info.deviceClass))
    detector = Lock(FallDetector(parameters: parameters))
    reports.setAudience { [weak self] in self?.follow() }
  }

  deinit { subscription.withLock { $0 }?.cancel() }

  /// Listens to the device when it is listened to itself.
  private func follow() {
    let ended = subscription.withLock { subscription -> Subscription? in
      if reports.isHeard {
        guard subscription == nil else { return nil }
        // 50 Hz is what the detector works with; what a faster source delivers comes whole, because peaks count.
        let interval = SensorDuration(nanoseconds: 20_000_000)
        subscription = hub.subscribe(.activity, interval: interval) { [weak self] sample, _ in
          self?.take { $0.update(sample) }
        } news: { [weak self] news, _ in
          switch news {
          case .ended, .failed: self?.take { $0.finish() }
          case .connection, .time: break
          }
        }
        return nil
      }
      defer { subscription = nil }
      return subscription
    }
    guard let ended else { return }
    ended.cancel()
    detector.withLock { $0 = FallDetector(parameters: parameters) }
  }

  private func take(_ body: (inout FallDetector) -> Fall?) {
    if let fall = detector.withLock(body) { hear(self, fall) }
  }

  /// Ends the waiting of a fall; false when it has ended before.
  func close(_ fall: Fall) -> Bool {
    detector.withLock { detector in
      guard detector.openFall?.time == fall.time else { return false }
      detector.stopWaiting()
      return true
    }
  }
}

extension MotionHost {
  /// Falls for `CMFallDetectionManager`: of the detector that the program handed over, else of the built-in one where
  /// ``HostPolicy/detectsFalls`` asks for it and the device can serve it; nil = there is none.
  package var falls: FallReports? {
    if let given = detectors.falls { return given }
    guard fallRefusal == nil, let device else { return nil }
    return fallWatch.withLock { watch in
      let made = watch ?? FallWatch(device) { [weak self] watch, fall in self?.hear(fall, of: watch) }
      watch = made
      return made.reports
    }
  }

  /// Why there is no detector, as a sentence; nil when the built-in one can be had.
  package var fallRefusal: String? {
    guard policy.detectsFalls else {
      return
        "Falls cannot be told: the host has no detector (MotionDetectors.falls), and the built-in one is off (MOTION_FALLS=on)."
    }
    guard let info = deviceInfo else { return "Falls cannot be told: there is no device." }
    return FallDetector.refusal(of: info)
  }

  private func hear(_ fall: Fall, of watch: FallWatch) {
    let date = dates.withLock { $0.date(of: fall.time) }
    switch fall.outcome {
    case .rejected: watch.reports.report(DetectedFall(date: date, resolution: .rejected))
    case .unresponsive: watch.reports.report(DetectedFall(date: date, resolution: .unresponsive))
    case nil:
      fallHook?(
        SuspectedFall(date: date) { [weak watch] resolution in
          if let watch, watch.close(fall) { watch.reports.report(DetectedFall(date: date, resolution: resolution)) }
        })
    }
  }
}
