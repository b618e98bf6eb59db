// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion

/// Implements the form with the completion handler only.
final class FallObserver: NSObject, CMFallDetectionDelegate {
  let manager = CMFallDetectionManager()

  override init() {
    super.init()
    manager.delegate = self
  }

  func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent,
    completionHandler handler: @escaping () -> Void
  ) {
    print("fall", event.date, event.resolution.rawValue)
    handler()
  }
}

/// Implements the asynchronous form only.
final class AsyncFallObserver: NSObject, CMFallDetectionDelegate {
  func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent
  ) async {
    print("fall", event.date)
  }
}

/// Implements the change of authorisation only.
final class AuthorisationObserver: NSObject, CMFallDetectionDelegate {
  func fallDetectionManagerDidChangeAuthorization(_ fallDetectionManager: CMFallDetectionManager) {
    print(fallDetectionManager.authorizationStatus.rawValue)
  }
}

func strongTremor(_ done: @escaping @Sendable (Bool) -> Void) -> Any {
  let manager = CMMovementDisorderManager()
  manager.monitorKinesias(forDuration: 3600)
  manager.queryTremor(from: Date(timeIntervalSinceNow: -3600), to: Date()) {
    (results: [CMTremorResult], error: Error?) in
    let strong = results.map { $0.percentStrong + $0.percentModerate }.max() ?? 0
    done(strong == 0 && (error as NSError?)?.code == Int(CMErrorNotAvailable.rawValue))
  }
  return manager
}

@MainActor
func healthShapes(_ runner: Runner) {
  runner.begin("fall detection asked for permission") { done in
    let observer = FallObserver()
    observer.manager.requestAuthorization { status in done(status != .authorized) }
    return observer
  }
  runner.check("fall delegates with one method") {
    let manager = CMFallDetectionManager()
    let delegate = AsyncFallObserver()
    manager.delegate = delegate
    let other = AuthorisationObserver()
    let isSame = manager.delegate === delegate
    manager.delegate = other
    return isSame && manager.delegate === other && !CMFallDetectionManager.isAvailable
  }
  runner.begin("movement disorder queries", strongTremor)
  runner.check("movement disorder state") {
    CMMovementDisorderManager.isAvailable() == false && CMMovementDisorderManager.version() == nil
      && CMMovementDisorderManager.authorizationStatus() == .restricted
      && CMMovementDisorderManager().lastProcessedDate() == nil
      && CMMovementDisorderManager().monitorKinesiasExpirationDate() == nil
  }
  runner.check("samples of the watch") {
    let rate = CMHighFrequencyHeartRateData()
    let way = CMOdometerData()
    let symptom = CMDyskineticSymptomResult()
    return rate.confidence == .low && way.slope == nil && symptom.percentLikely + symptom.percentUnlikely == 0
  }
}
