// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import Testing

/// Services without a sensor: unavailable; a start, where its handler can hear it, and a question are answered once,
/// later, with the documented error.
@Suite struct HonestAbsenceTests {
  private static let span = (
    start: Date(timeIntervalSinceReferenceDate: 0), end: Date(timeIntervalSinceReferenceDate: 60)
  )

  private struct Answer: Equatable {
    var code: UInt32?
    var hasData: Bool
    var onMain: Bool
    var scoped: Bool
    /// In the middle of the call that asked, on its thread.
    var early: Bool
  }

  /// What a question was answered with: all answers that came until the host's clock had nothing left to wait for.
  private func answers(
    in host: MotionHost, _ ask: (_ handler: @escaping (_ hasData: Bool, _ error: (any Error)?) -> Void) -> Void
  ) async throws -> [Answer] {
    let seen = Box<[Answer]>([])
    let asking = Box<Thread?>(nil)
    host.run {
      asking.with { $0 = Thread.current }
      ask { hasData, error in
        let answer = Answer(
          code: NSError.motionCode(error), hasData: hasData, onMain: (OperationQueue.current === OperationQueue.main),
          scoped: MotionHost.scoped === host, early: asking.value == Thread.current)
        seen.with { $0.append(answer) }
      }
      asking.with { $0 = nil }
    }
    await (try #require(host.clock as? VirtualClock)).settle()
    return seen.value
  }

  private static let hosts: [(host: MotionHost, code: UInt32)] = {
    var denied = HostPolicy()
    denied.authorization = .denied
    var withoutDescription = HostPolicy()
    withoutDescription.hasUsageDescription = false
    return [
      (MotionHost(clock: VirtualClock()), 104), (MotionHost(clock: VirtualClock(), policy: denied), 105),
      (MotionHost(clock: VirtualClock(), policy: withoutDescription), 105),
    ]
  }()

  /// S51, S53, S66, D22: on the pedometer's own queue; the manager need not outlive the question.
  @Test(arguments: 0..<3) func pedometerQueriesAnswerOnce(_ index: Int) async throws {
    let (host, code) = Self.hosts[index]
    let answers = try await answers(in: host) { handler in
      CMPedometer().queryPedometerData(from: Self.span.start, to: Self.span.end) { handler($0 != nil, $1) }
    }
    #expect(answers == [Answer(code: code, hasData: false, onMain: false, scoped: true, early: false)])
  }

  /// S51, S53, S70: on the queue that was given.
  @Test(arguments: 0..<3) func activityQueriesAnswerOnceOnTheGivenQueue(_ index: Int) async throws {
    let (host, code) = Self.hosts[index]
    for queue in [serialQueue(), OperationQueue.main] {
      let answers = try await answers(in: host) { handler in
        let manager = CMMotionActivityManager()
        manager.queryActivityStarting(from: Self.span.start, to: Self.span.end, to: queue) { handler($0 != nil, $1) }
        // S69: a stop does not cancel a question.
        manager.stopActivityUpdates()
      }
      #expect(
        answers == [Answer(code: code, hasData: false, onMain: queue == .main, scoped: true, early: false)])
    }
  }

  /// T66, S72.
  @available(*, deprecated) @Test(arguments: 0..<3) func stepCountQueriesAnswerOnce(_ index: Int) async throws {
    let (host, code) = Self.hosts[index]
    let answers = try await answers(in: host) { handler in
      CMStepCounter().queryStepCountStarting(from: Self.span.start, to: Self.span.end, to: serialQueue()) {
        handler($0 != 0, $1)
      }
    }
    #expect(answers == [Answer(code: code, hasData: false, onMain: false, scoped: true, early: false)])
  }

  /// S51: the newer services speak of 109 and 111. The arrays are empty, not absent.
  @Test(arguments: [(HostPolicy.Authorization.authorized, UInt32(109)), (.denied, 111), (.notDetermined, 111)])
  func movementDisorderQueriesAnswerOnce(_ authorization: HostPolicy.Authorization, _ code: UInt32) async throws {
    var policy = HostPolicy()
    policy.authorization = authorization
    let host = MotionHost(clock: VirtualClock(), policy: policy)
    let expected = [Answer(code: code, hasData: false, onMain: false, scoped: true, early: false)]
    let tremor = try await answers(in: host) { handler in
      CMMovementDisorderManager().queryTremor(from: Self.span.start, to: Self.span.end) { handler(!$0.isEmpty, $1) }
    }
    let dyskinesia = try await answers(in: host) { handler in
      CMMovementDisorderManager().queryDyskineticSymptom(from: Self.span.start, to: Self.span.end) {
        handler(!$0.isEmpty, $1)
      }
    }
    #expect(tremor == expected && dyskinesia == expected)
  }

  /// S51, D32: a start that can never deliver says so once, on the handler's queue.
  @available(*, deprecated) @Test(arguments: 0..<3) func startsAnswerOnce(_ index: Int) async throws {
    let (host, code) = Self.hosts[index]
    let expected = [Answer(code: code, hasData: false, onMain: false, scoped: true, early: false)]
    let steps = try await answers(in: host) { handler in
      CMPedometer().startUpdates(from: Self.span.start) { handler($0 != nil, $1) }
    }
    let pauses = try await answers(in: host) { handler in
      CMPedometer().startEventUpdates { handler($0 != nil, $1) }
    }
    let counter = try await answers(in: host) { handler in
      CMStepCounter().startStepCountingUpdates(to: serialQueue(), updateOn: 5) { count, _, error in
        handler(count != 0, error)
      }
    }
    let head = try await answers(in: host) { handler in
      CMHeadphoneActivityManager().startActivityUpdates(to: serialQueue()) { handler($0 != nil, $1) }
    }
    #expect(steps == expected && pauses == expected && counter == expected && head == expected)
    let status = try await answers(in: host) { handler in
      CMHeadphoneActivityManager().startStatusUpdates(to: serialQueue()) { handler($0 == .connected, $1) }
    }
    #expect(status.map(\.code) == [109] && status.first?.hasData == false)
  }

  /// D30: there is no request for what does not exist, so the answer is never "authorized"; with a detector the policy
  /// decides.
  @Test func withoutADetectorNothingIsAuthorised() async {
    let host = MotionHost()
    host.policy.authorization = .notDetermined
    let manager = host.run { CMFallDetectionManager() }
    let answer = await withCheckedContinuation { done in manager.requestAuthorization { done.resume(returning: $0) } }
    #expect(answer == .restricted && manager.authorizationStatus == .restricted)
    #expect(host.policy.authorization == .notDetermined)
    #expect(host.run { CMMovementDisorderManager.authorizationStatus() } == .restricted)
    host.detectors.falls = FallReports()
    #expect(manager.authorizationStatus == .notDetermined)
  }

  /// S31, D27: no flag is true, and a start without a handler for errors changes nothing and calls none.
  @Test func nothingIsAvailableAndNothingStarts() async {
    let host = MotionHost()
    let calls = Box(0)
    host.run {
      let available = [
        CMPedometer.isStepCountingAvailable(), CMPedometer.isDistanceAvailable(),
        CMPedometer.isFloorCountingAvailable(), CMPedometer.isPaceAvailable(), CMPedometer.isCadenceAvailable(),
        CMPedometer.isPedometerEventTrackingAvailable(), CMMotionActivityManager.isActivityAvailable(),
        CMSensorRecorder.isAccelerometerRecordingAvailable(), CMFallDetectionManager.isAvailable,
        CMMovementDisorderManager.isAvailable(),
      ]
      #expect(!available.contains(true))
      let pedometer = CMPedometer()
      let activities = CMMotionActivityManager()
      activities.startActivityUpdates(to: serialQueue()) { _ in calls.with { $0 += 1 } }
      let recorder = CMSensorRecorder()
      recorder.recordAccelerometer(forDuration: 60)
      #expect(recorder.accelerometerData(from: Self.span.start, to: Self.span.end) == nil)
      let disorder = CMMovementDisorderManager()
      disorder.monitorKinesias(forDuration: 60)
      #expect(disorder.lastProcessedDate() == nil && disorder.monitorKinesiasExpirationDate() == nil)
      #expect(CMMovementDisorderManager.version() == nil)
      // S38: stop without start, and twice.
      for _ in 0..<2 {
        pedometer.stopUpdates()
        pedometer.stopEventUpdates()
        activities.stopActivityUpdates()
      }
    }
    #expect(calls.value == 0)
  }

  /// D22: every service reads the host's policy.
  @Test(arguments: [HostPolicy.Authorization.notDetermined, .restricted, .denied, .authorized])
  func authorizationFollowsTheHost(_ authorization: HostPolicy.Authorization) {
    var policy = HostPolicy()
    policy.authorization = authorization
    let host = MotionHost(policy: policy)
    host.detectors.falls = FallReports()
    host.run {
      let read = [
        CMMotionManager.authorizationStatus, CMPedometer.authorizationStatus(),
        CMMotionActivityManager.authorizationStatus(), CMSensorRecorder.authorizationStatus(),
        CMFallDetectionManager().authorizationStatus, CMHeadphoneActivityManager.authorizationStatus(),
      ]
      #expect(read.allSatisfy { $0.rawValue == authorization.rawValue })
    }
  }

  /// T67: the older question has the same answer.
  @available(*, deprecated) @Test func theDeprecatedQuestionAgrees() {
    #expect(MotionHost().run { CMSensorRecorder.isAuthorizedForRecording() })
    var policy = HostPolicy()
    policy.hasUsageDescription = false
    #expect(!MotionHost(policy: policy).run { CMSensorRecorder.isAuthorizedForRecording() })
  }
}
