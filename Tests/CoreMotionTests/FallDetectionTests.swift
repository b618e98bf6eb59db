// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import Testing

/// T68, T69, S87: an injected detector of falls reaches the delegate.
@Suite struct FallDetectionTests {
  private static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  struct Record {
    var dates: [Date] = []
    var resolutions: [CMFallDetectionEvent.UserResolution] = []
    var authorizations: [CMAuthorizationStatus] = []
    var isAlwaysMain = true
  }

  /// Implements the form with the completion handler.
  final class Delegate: NSObject, CMFallDetectionDelegate {
    let record = Box(Record())
    func fallDetectionManager(
      _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent,
      completionHandler handler: @escaping @Sendable () -> Void
    ) {
      record.with {
        $0.dates.append(event.date)
        $0.resolutions.append(event.resolution)
        $0.isAlwaysMain = $0.isAlwaysMain && (OperationQueue.current === OperationQueue.main)
      }
      handler()
    }
    func fallDetectionManagerDidChangeAuthorization(_ fallDetectionManager: CMFallDetectionManager) {
      record.with { $0.authorizations.append(fallDetectionManager.authorizationStatus) }
    }
  }

  /// Implements the asynchronous form only.
  final class AsyncDelegate: NSObject, CMFallDetectionDelegate {
    let dates = Box<[Date]>([])
    func fallDetectionManager(
      _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent
    ) async { dates.with { $0.append(event.date) } }
  }

  /// Implements nothing (D16).
  final class SilentDelegate: NSObject, CMFallDetectionDelegate {}

  private func bench() -> (host: MotionHost, falls: FallReports, manager: CMFallDetectionManager) {
    let host = MotionHost()
    let falls = FallReports()
    host.detectors.falls = falls
    return (host, falls, host.run { CMFallDetectionManager() })
  }

  /// D15: a class property.
  @Test func anInjectedDetectorMakesTheServiceAvailable() {
    let (host, _, _) = bench()
    #expect(host.run { CMFallDetectionManager.isAvailable })
    host.detectors.falls = nil
    #expect(!host.run { CMFallDetectionManager.isAvailable })
  }

  @Test func everyResolutionArrivesInOrderOnTheMainQueue() async {
    let (_, falls, manager) = bench()
    let delegate = Delegate()
    manager.delegate = delegate
    #expect(manager.delegate === delegate)
    let resolutions: [DetectedFall.Resolution] = [.confirmed, .dismissed, .rejected, .unresponsive]
    for (second, resolution) in resolutions.enumerated() {
      falls.report(DetectedFall(date: Self.date(Double(second)), resolution: resolution))
    }
    #expect(await eventually { delegate.record.value.dates.count == 4 })
    let record = delegate.record.value
    #expect(record.dates == (0..<4).map { Self.date(Double($0)) } && record.isAlwaysMain)
    #expect(record.resolutions == [.confirmed, .dismissed, .rejected, .unresponsive])
  }

  /// S87: dates are unique, so a repeated report is the same fall.
  @Test func aRepeatedFallIsToldOnce() async {
    let (_, falls, manager) = bench()
    let delegate = Delegate()
    manager.delegate = delegate
    for second in [1.0, 1, 2, 1, 2, 3] {
      falls.report(DetectedFall(date: Self.date(second), resolution: .confirmed))
    }
    #expect(await eventually { delegate.record.value.dates.last == Self.date(3) })
    #expect(delegate.record.value.dates == [1, 2, 3].map(Self.date))
  }

  /// S87: of the falls while the app did not run, only the latest.
  @Test func ofEarlierFallsOnlyTheLatestIsTold() async {
    let (_, falls, manager) = bench()
    for second in [1.0, 2, 3] { falls.report(DetectedFall(date: Self.date(second), resolution: .unresponsive)) }
    let delegate = Delegate()
    manager.delegate = delegate
    falls.report(DetectedFall(date: Self.date(4), resolution: .confirmed))
    #expect(await eventually { delegate.record.value.dates.last == Self.date(4) })
    #expect(delegate.record.value.dates == [3, 4].map(Self.date))
  }

  @Test func theAsynchronousSpellingIsCalled() async {
    let (_, falls, manager) = bench()
    let delegate = AsyncDelegate()
    manager.delegate = delegate
    falls.report(DetectedFall(date: Self.date(1), resolution: .confirmed))
    #expect(await eventually { delegate.dates.value == [Self.date(1)] })
  }

  /// The default of the form with a completion handler calls it (G31).
  @Test func aDelegateThatImplementsNothingStillCompletes() async {
    let (_, _, manager) = bench()
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      let delegate = SilentDelegate()
      let event = CMFallDetectionEvent(date: Self.date(1), resolution: .rejected)
      delegate.fallDetectionManager(manager, didDetect: event) { done.resume() }
      delegate.fallDetectionManagerDidChangeAuthorization(manager)
    }
  }

  /// A denied permission is reported, nothing arrives meanwhile, and the latest fall comes when it is granted again.
  @Test func aChangeOfThePermissionIsTold() async {
    let (host, falls, manager) = bench()
    let delegate = Delegate()
    manager.delegate = delegate
    host.policy.authorization = .denied
    #expect(manager.authorizationStatus == .denied)
    #expect(await eventually { delegate.record.value.authorizations == [.denied] })
    for second in [1.0, 2] { falls.report(DetectedFall(date: Self.date(second), resolution: .confirmed)) }
    await withCheckedContinuation { done in OperationQueue.main.addOperation { done.resume() } }
    #expect(delegate.record.value.dates.isEmpty)
    host.policy.authorization = .authorized
    #expect(await eventually { delegate.record.value.dates == [Self.date(2)] })
    #expect(delegate.record.value.authorizations == [.denied, .authorized])
    // Another part of the policy is no change of the permission.
    host.policy.hasActiveWorkout = false
    host.policy.entitlements.remove(.fallDetection)
    #expect(await eventually { delegate.record.value.authorizations.count == 3 })
    #expect(delegate.record.value.authorizations.last == .denied)
  }

  /// A detector that is injected after the delegate was set is heard too.
  @Test func aDetectorMayComeLater() async {
    let host = MotionHost()
    let manager = host.run { CMFallDetectionManager() }
    let delegate = Delegate()
    manager.delegate = delegate
    let falls = FallReports()
    host.detectors.falls = falls
    falls.report(DetectedFall(date: Self.date(1), resolution: .confirmed))
    #expect(await eventually { delegate.record.value.dates.count == 1 })
  }

  @Test func theRequestIsAnsweredOnceOnTheMainQueue() async {
    for authorization in [HostPolicy.Authorization.authorized, .denied] {
      let (host, _, manager) = bench()
      host.policy.authorization = authorization
      let (status, isMain) = await withCheckedContinuation { done in
        manager.requestAuthorization { done.resume(returning: ($0, (OperationQueue.current === OperationQueue.main))) }
      }
      #expect(status.rawValue == authorization.rawValue && isMain)
    }
  }

  /// S87: a person who has not been asked yet is asked by the request.
  @Test func theRequestAsksThePerson() async {
    let (host, _, manager) = bench()
    host.policy.authorization = .notDetermined
    host.policy.authorizationAnswer = .restricted
    #expect(manager.authorizationStatus == .notDetermined)
    let status = await withCheckedContinuation { done in
      manager.requestAuthorization { done.resume(returning: $0) }
    }
    #expect(status == .restricted && manager.authorizationStatus == .restricted)
  }

  /// S46: neither delegate nor manager is kept alive, and nothing is delivered afterwards.
  @Test func nothingIsRetained() async {
    let (host, falls, _) = bench()
    weak var weakManager: CMFallDetectionManager?
    weak var weakDelegate: Delegate?
    do {
      let manager = host.run { CMFallDetectionManager() }
      let delegate = Delegate()
      manager.delegate = delegate
      (weakManager, weakDelegate) = (manager, delegate)
    }
    #expect(await eventually { weakManager == nil && weakDelegate == nil })
    falls.report(DetectedFall(date: Self.date(1), resolution: .confirmed))
    // There is no listener any more, so the fall is kept for the next.
    let manager = host.run { CMFallDetectionManager() }
    let delegate = Delegate()
    manager.delegate = delegate
    #expect(await eventually { delegate.record.value.dates == [Self.date(1)] })
  }
}
