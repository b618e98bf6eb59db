// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion

/// Every member of the services of steps, activities, recorder and health (T64–T68, T70) and their handlers (T17–T24)
/// with its exact type: what does not fit does not compile.
@MainActor struct ServiceDeclarations: Declarations {
  @available(*, deprecated) func checkDeprecated() {
    handlersArePlainClosures()
    cmStepCounter()
    cmSensorRecorder()
  }

  func checkAll() {
    cmPedometer()
    cmMotionActivityManager()
    cmFallDetectionManager()
    cmMovementDisorderManager()
  }

  /// T17–T24: plain closures.
  @available(*, deprecated) func handlersArePlainClosures() {
    expect(CMPedometerHandler.self == ((CMPedometerData?, (any Error)?) -> Void).self)
    expect(CMPedometerEventHandler.self == ((CMPedometerEvent?, (any Error)?) -> Void).self)
    expect(CMMotionActivityHandler.self == ((CMMotionActivity?) -> Void).self)
    expect(CMMotionActivityQueryHandler.self == (([CMMotionActivity]?, (any Error)?) -> Void).self)
    expect(CMStepQueryHandler.self == ((Int, (any Error)?) -> Void).self)
    expect(CMStepUpdateHandler.self == ((Int, Date, (any Error)?) -> Void).self)
    expect(CMDyskineticSymptomResultHandler.self == (([CMDyskineticSymptomResult], (any Error)?) -> Void).self)
    expect(CMTremorResultHandler.self == (([CMTremorResult], (any Error)?) -> Void).self)
  }

  /// T64
  func cmPedometer() {
    let _: NSObject = CMPedometer()
    let _: () -> CMPedometer = CMPedometer.init
    let _: () -> Bool = CMPedometer.isStepCountingAvailable
    let _: () -> Bool = CMPedometer.isDistanceAvailable
    let _: () -> Bool = CMPedometer.isFloorCountingAvailable
    let _: () -> Bool = CMPedometer.isPaceAvailable
    let _: () -> Bool = CMPedometer.isCadenceAvailable
    let _: () -> Bool = CMPedometer.isPedometerEventTrackingAvailable
    let _: () -> CMAuthorizationStatus = CMPedometer.authorizationStatus
    let _: (CMPedometer) -> (Date, Date, @escaping CMPedometerHandler) -> Void = CMPedometer.queryPedometerData(
      from:to:withHandler:)
    let _: (CMPedometer) -> (Date, @escaping CMPedometerHandler) -> Void = CMPedometer.startUpdates(from:withHandler:)
    let _: (CMPedometer) -> () -> Void = CMPedometer.stopUpdates
    let _: (CMPedometer) -> (@escaping CMPedometerEventHandler) -> Void = CMPedometer.startEventUpdates(handler:)
    let _: (CMPedometer) -> () -> Void = CMPedometer.stopEventUpdates
  }

  /// T65
  func cmMotionActivityManager() {
    let _: NSObject = CMMotionActivityManager()
    let _: () -> CMMotionActivityManager = CMMotionActivityManager.init
    let _: () -> Bool = CMMotionActivityManager.isActivityAvailable
    let _: () -> CMAuthorizationStatus = CMMotionActivityManager.authorizationStatus
    let _: (CMMotionActivityManager) -> (Date, Date, OperationQueue, @escaping CMMotionActivityQueryHandler) -> Void =
      CMMotionActivityManager.queryActivityStarting(from:to:to:withHandler:)
    let _: (CMMotionActivityManager) -> (OperationQueue, @escaping CMMotionActivityHandler) -> Void =
      CMMotionActivityManager.startActivityUpdates(to:withHandler:)
    let _: (CMMotionActivityManager) -> () -> Void = CMMotionActivityManager.stopActivityUpdates
  }

  /// T66
  @available(*, deprecated) func cmStepCounter() {
    let _: NSObject = CMStepCounter()
    let _: () -> CMStepCounter = CMStepCounter.init
    let _: () -> Bool = CMStepCounter.isStepCountingAvailable
    let _: (CMStepCounter) -> (Date, Date, OperationQueue, @escaping CMStepQueryHandler) -> Void = CMStepCounter
      .queryStepCountStarting(from:to:to:withHandler:)
    let _: (CMStepCounter) -> (OperationQueue, Int, @escaping CMStepUpdateHandler) -> Void = CMStepCounter
      .startStepCountingUpdates(to:updateOn:withHandler:)
    let _: (CMStepCounter) -> () -> Void = CMStepCounter.stopStepCountingUpdates
  }

  /// T67
  @available(*, deprecated) func cmSensorRecorder() {
    let _: NSObject = CMSensorRecorder()
    let _: () -> CMSensorRecorder = CMSensorRecorder.init
    let _: () -> Bool = CMSensorRecorder.isAccelerometerRecordingAvailable
    let _: () -> CMAuthorizationStatus = CMSensorRecorder.authorizationStatus
    let _: () -> Bool = CMSensorRecorder.isAuthorizedForRecording
    let _: (CMSensorRecorder) -> (TimeInterval) -> Void = CMSensorRecorder.recordAccelerometer(forDuration:)
    let _: (CMSensorRecorder) -> (Date, Date) -> CMSensorDataList? = CMSensorRecorder.accelerometerData(from:to:)
  }

  /// T68
  func cmFallDetectionManager() {
    let sample = CMFallDetectionManager()
    let _: NSObject = sample
    let _: () -> CMFallDetectionManager = CMFallDetectionManager.init
    let _: Bool = CMFallDetectionManager.isAvailable
    read(sample, \.authorizationStatus, as: CMAuthorizationStatus.self)
    let _: ReferenceWritableKeyPath<CMFallDetectionManager, (any CMFallDetectionDelegate)?> = \.delegate
    let _: (CMFallDetectionManager) -> (@escaping (CMAuthorizationStatus) -> Void) -> Void = CMFallDetectionManager
      .requestAuthorization(handler:)
  }

  /// T70
  func cmMovementDisorderManager() {
    let _: NSObject = CMMovementDisorderManager()
    let _: () -> CMMovementDisorderManager = CMMovementDisorderManager.init
    let _: () -> Bool = CMMovementDisorderManager.isAvailable
    let _: () -> String? = CMMovementDisorderManager.version
    let _: () -> CMAuthorizationStatus = CMMovementDisorderManager.authorizationStatus
    let _: (CMMovementDisorderManager) -> (TimeInterval) -> Void = CMMovementDisorderManager.monitorKinesias(
      forDuration:)
    let _: (CMMovementDisorderManager) -> (Date, Date, @escaping CMDyskineticSymptomResultHandler) -> Void =
      CMMovementDisorderManager.queryDyskineticSymptom(from:to:withHandler:)
    let _: (CMMovementDisorderManager) -> (Date, Date, @escaping CMTremorResultHandler) -> Void =
      CMMovementDisorderManager.queryTremor(from:to:withHandler:)
    let _: (CMMovementDisorderManager) -> () -> Date? = CMMovementDisorderManager.lastProcessedDate
    let _: (CMMovementDisorderManager) -> () -> Date? = CMMovementDisorderManager.monitorKinesiasExpirationDate
  }
}
