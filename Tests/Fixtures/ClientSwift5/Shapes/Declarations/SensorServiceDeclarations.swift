// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion

/// Every member of headphones, batches, altimeter and water (T35–T38, T50–T52, T57, T59–T61, T63) with its exact type:
/// what does not fit does not compile. Every property of an empty sample is read, because none may trap (G26).
@MainActor struct SensorServiceDeclarations: Declarations {
  func checkAll() {
    handlersArePlainClosures()
    batchSequences()
    cmAltitudeData()
    cmAbsoluteAltitudeData()
    cmAmbientPressureData()
    cmRecordedPressureData()
    cmWaterSubmersionEvent()
    cmWaterSubmersionMeasurement()
    cmWaterTemperature()
    cmHeadphoneMotionManager()
    cmHeadphoneActivityManager()
    cmBatchedSensorManager()
    cmWaterSubmersionManager()
    cmAltimeter()
  }

  /// T15, T16 and the nested handlers: plain closures.
  func handlersArePlainClosures() {
    expect(CMAltitudeHandler.self == ((CMAltitudeData?, (any Error)?) -> Void).self)
    expect(CMAbsoluteAltitudeHandler.self == ((CMAbsoluteAltitudeData?, (any Error)?) -> Void).self)
    expect(CMHeadphoneMotionManager.DeviceMotionHandler.self == ((CMDeviceMotion?, (any Error)?) -> Void).self)
    expect(CMHeadphoneActivityManager.ActivityHandler.self == ((CMMotionActivity?, (any Error)?) -> Void).self)
    expect(
      CMHeadphoneActivityManager.StatusHandler.self
        == ((CMHeadphoneActivityManager.Status, (any Error)?) -> Void).self)
  }

  /// T60: the sequences.
  func batchSequences() {
    typealias Accelerometer = CMBatchedSensorManager.AccelerometerUpdates
    typealias Motion = CMBatchedSensorManager.DeviceMotionUpdates
    let _: (Accelerometer) -> () -> Accelerometer.Iterator = Accelerometer.makeAsyncIterator
    let _: (Motion) -> () -> Motion.Iterator = Motion.makeAsyncIterator
    expect(Accelerometer.Element.self == [CMAccelerometerData].self && Motion.Element.self == [CMDeviceMotion].self)
  }

  /// T35
  func cmAltitudeData() {
    let sample = CMAltitudeData()
    let _: CMLogItem = sample
    let _: () -> CMAltitudeData = CMAltitudeData.init
    let _: (NSCoder) -> CMAltitudeData? = CMAltitudeData.init(coder:)
    let _: (CMAltitudeData) -> (NSCoder) -> Void = CMAltitudeData.encode(with:)
    let _: (CMAltitudeData) -> (NSZone?) -> Any = CMAltitudeData.copy(with:)
    let _: Bool = CMAltitudeData.supportsSecureCoding
    read(sample, \.relativeAltitude, as: NSNumber.self)
    read(sample, \.pressure, as: NSNumber.self)
  }

  /// T36
  func cmAbsoluteAltitudeData() {
    let sample = CMAbsoluteAltitudeData()
    let _: CMLogItem = sample
    let _: () -> CMAbsoluteAltitudeData = CMAbsoluteAltitudeData.init
    let _: (NSCoder) -> CMAbsoluteAltitudeData? = CMAbsoluteAltitudeData.init(coder:)
    let _: (CMAbsoluteAltitudeData) -> (NSCoder) -> Void = CMAbsoluteAltitudeData.encode(with:)
    let _: (CMAbsoluteAltitudeData) -> (NSZone?) -> Any = CMAbsoluteAltitudeData.copy(with:)
    let _: Bool = CMAbsoluteAltitudeData.supportsSecureCoding
    read(sample, \.altitude, as: Double.self)
    read(sample, \.accuracy, as: Double.self)
    read(sample, \.precision, as: Double.self)
  }

  /// T37
  func cmAmbientPressureData() {
    let sample = CMAmbientPressureData()
    let _: CMLogItem = sample
    let _: () -> CMAmbientPressureData = CMAmbientPressureData.init
    let _: (NSCoder) -> CMAmbientPressureData? = CMAmbientPressureData.init(coder:)
    let _: (CMAmbientPressureData) -> (NSCoder) -> Void = CMAmbientPressureData.encode(with:)
    let _: (CMAmbientPressureData) -> (NSZone?) -> Any = CMAmbientPressureData.copy(with:)
    let _: Bool = CMAmbientPressureData.supportsSecureCoding
    read(sample, \.pressure, as: Measurement<UnitPressure>.self)
    read(sample, \.temperature, as: Measurement<UnitTemperature>.self)
  }

  /// T38
  func cmRecordedPressureData() {
    let sample = CMRecordedPressureData()
    let _: CMAmbientPressureData = sample
    let _: () -> CMRecordedPressureData = CMRecordedPressureData.init
    let _: (NSCoder) -> CMRecordedPressureData? = CMRecordedPressureData.init(coder:)
    let _: (CMRecordedPressureData) -> (NSCoder) -> Void = CMRecordedPressureData.encode(with:)
    let _: (CMRecordedPressureData) -> (NSZone?) -> Any = CMRecordedPressureData.copy(with:)
    let _: Bool = CMRecordedPressureData.supportsSecureCoding
    read(sample, \.identifier, as: UInt64.self)
    read(sample, \.startDate, as: Date.self)
  }

  /// T50
  func cmWaterSubmersionEvent() {
    let sample = CMWaterSubmersionEvent()
    let _: NSObject = sample
    let _: () -> CMWaterSubmersionEvent = CMWaterSubmersionEvent.init
    let _: (NSCoder) -> CMWaterSubmersionEvent? = CMWaterSubmersionEvent.init(coder:)
    let _: (CMWaterSubmersionEvent) -> (NSCoder) -> Void = CMWaterSubmersionEvent.encode(with:)
    let _: (CMWaterSubmersionEvent) -> (NSZone?) -> Any = CMWaterSubmersionEvent.copy(with:)
    let _: Bool = CMWaterSubmersionEvent.supportsSecureCoding
    read(sample, \.date, as: Date.self)
    read(sample, \.state, as: CMWaterSubmersionEvent.State.self)
    let _: (Int) -> CMWaterSubmersionEvent.State? = CMWaterSubmersionEvent.State.init(rawValue:)
    expect(CMWaterSubmersionEvent.State.unknown.rawValue == 0)
    expect(CMWaterSubmersionEvent.State.notSubmerged.rawValue == 1)
    expect(CMWaterSubmersionEvent.State.submerged.rawValue == 2)
  }

  /// T51
  func cmWaterSubmersionMeasurement() {
    let sample = CMWaterSubmersionMeasurement()
    let _: NSObject = sample
    let _: () -> CMWaterSubmersionMeasurement = CMWaterSubmersionMeasurement.init
    let _: (NSCoder) -> CMWaterSubmersionMeasurement? = CMWaterSubmersionMeasurement.init(coder:)
    let _: (CMWaterSubmersionMeasurement) -> (NSCoder) -> Void = CMWaterSubmersionMeasurement.encode(with:)
    let _: (CMWaterSubmersionMeasurement) -> (NSZone?) -> Any = CMWaterSubmersionMeasurement.copy(with:)
    let _: Bool = CMWaterSubmersionMeasurement.supportsSecureCoding
    read(sample, \.date, as: Date.self)
    read(sample, \.depth, as: (Measurement<UnitLength>?).self)
    read(sample, \.pressure, as: (Measurement<UnitPressure>?).self)
    read(sample, \.surfacePressure, as: Measurement<UnitPressure>.self)
    read(sample, \.submersionState, as: CMWaterSubmersionMeasurement.DepthState.self)
    let _: (Int) -> CMWaterSubmersionMeasurement.DepthState? = CMWaterSubmersionMeasurement.DepthState.init(rawValue:)
    expect(CMWaterSubmersionMeasurement.DepthState.unknown.rawValue == 0)
    expect(CMWaterSubmersionMeasurement.DepthState.notSubmerged.rawValue == 100)
    expect(CMWaterSubmersionMeasurement.DepthState.submergedShallow.rawValue == 200)
    expect(CMWaterSubmersionMeasurement.DepthState.submergedDeep.rawValue == 300)
    expect(CMWaterSubmersionMeasurement.DepthState.approachingMaxDepth.rawValue == 400)
    expect(CMWaterSubmersionMeasurement.DepthState.pastMaxDepth.rawValue == 500)
    expect(CMWaterSubmersionMeasurement.DepthState.sensorDepthError.rawValue == 600)
  }

  /// T52
  func cmWaterTemperature() {
    let sample = CMWaterTemperature()
    let _: NSObject = sample
    let _: () -> CMWaterTemperature = CMWaterTemperature.init
    let _: (NSCoder) -> CMWaterTemperature? = CMWaterTemperature.init(coder:)
    let _: (CMWaterTemperature) -> (NSCoder) -> Void = CMWaterTemperature.encode(with:)
    let _: (CMWaterTemperature) -> (NSZone?) -> Any = CMWaterTemperature.copy(with:)
    let _: Bool = CMWaterTemperature.supportsSecureCoding
    read(sample, \.date, as: Date.self)
    read(sample, \.temperature, as: Measurement<UnitTemperature>.self)
    read(sample, \.temperatureUncertainty, as: Measurement<UnitTemperature>.self)
  }

  /// T57
  func cmHeadphoneMotionManager() {
    let sample = CMHeadphoneMotionManager()
    let _: NSObject = sample
    let _: () -> CMHeadphoneMotionManager = CMHeadphoneMotionManager.init
    let _: () -> CMAuthorizationStatus = CMHeadphoneMotionManager.authorizationStatus
    let _: ReferenceWritableKeyPath<CMHeadphoneMotionManager, (any CMHeadphoneMotionManagerDelegate)?> = \.delegate
    read(sample, \.isDeviceMotionAvailable, as: Bool.self)
    read(sample, \.isDeviceMotionActive, as: Bool.self)
    read(sample, \.isConnectionStatusActive, as: Bool.self)
    read(sample, \.deviceMotion, as: (CMDeviceMotion?).self)
    let _: (CMHeadphoneMotionManager) -> () -> Void = CMHeadphoneMotionManager.startDeviceMotionUpdates
    let _:
      (CMHeadphoneMotionManager) -> (OperationQueue, @escaping CMHeadphoneMotionManager.DeviceMotionHandler) -> Void =
        CMHeadphoneMotionManager.startDeviceMotionUpdates(to:withHandler:)
    let _: (CMHeadphoneMotionManager) -> () -> Void = CMHeadphoneMotionManager.stopDeviceMotionUpdates
    let _: (CMHeadphoneMotionManager) -> () -> Void = CMHeadphoneMotionManager.startConnectionStatusUpdates
    let _: (CMHeadphoneMotionManager) -> () -> Void = CMHeadphoneMotionManager.stopConnectionStatusUpdates
  }

  /// T59
  func cmHeadphoneActivityManager() {
    let sample = CMHeadphoneActivityManager()
    let _: NSObject = sample
    let _: () -> CMHeadphoneActivityManager = CMHeadphoneActivityManager.init
    let _: () -> CMAuthorizationStatus = CMHeadphoneActivityManager.authorizationStatus
    read(sample, \.isActivityAvailable, as: Bool.self)
    read(sample, \.isActivityActive, as: Bool.self)
    read(sample, \.isStatusAvailable, as: Bool.self)
    read(sample, \.isStatusActive, as: Bool.self)
    let _:
      (CMHeadphoneActivityManager) -> (OperationQueue, @escaping CMHeadphoneActivityManager.ActivityHandler) -> Void =
        CMHeadphoneActivityManager.startActivityUpdates(to:withHandler:)
    let _: (CMHeadphoneActivityManager) -> () -> Void = CMHeadphoneActivityManager.stopActivityUpdates
    let _:
      (CMHeadphoneActivityManager) -> (OperationQueue, @escaping CMHeadphoneActivityManager.StatusHandler) -> Void =
        CMHeadphoneActivityManager.startStatusUpdates(to:withHandler:)
    let _: (CMHeadphoneActivityManager) -> () -> Void = CMHeadphoneActivityManager.stopStatusUpdates
    let _: (Int) -> CMHeadphoneActivityManager.Status? = CMHeadphoneActivityManager.Status.init(rawValue:)
    expect(CMHeadphoneActivityManager.Status.disconnected.rawValue == 0)
    expect(CMHeadphoneActivityManager.Status.connected.rawValue == 1)
  }

  /// T60
  func cmBatchedSensorManager() {
    let sample = CMBatchedSensorManager()
    let _: NSObject = sample
    let _: () -> CMBatchedSensorManager = CMBatchedSensorManager.init
    let _: CMAuthorizationStatus = CMBatchedSensorManager.authorizationStatus
    let _: Bool = CMBatchedSensorManager.isAccelerometerSupported
    let _: Bool = CMBatchedSensorManager.isDeviceMotionSupported
    read(sample, \.accelerometerDataFrequency, as: Int.self)
    read(sample, \.deviceMotionDataFrequency, as: Int.self)
    read(sample, \.isAccelerometerActive, as: Bool.self)
    read(sample, \.isDeviceMotionActive, as: Bool.self)
    read(sample, \.accelerometerBatch, as: ([CMAccelerometerData]?).self)
    read(sample, \.deviceMotionBatch, as: ([CMDeviceMotion]?).self)
    let _: (CMBatchedSensorManager) -> () -> Void = CMBatchedSensorManager.startAccelerometerUpdates
    let _: (CMBatchedSensorManager) -> (@escaping ([CMAccelerometerData]?, (any Error)?) -> Void) -> Void =
      CMBatchedSensorManager.startAccelerometerUpdates(handler:)
    let _: (CMBatchedSensorManager) -> () -> Void = CMBatchedSensorManager.stopAccelerometerUpdates
    let _: (CMBatchedSensorManager) -> () -> Void = CMBatchedSensorManager.startDeviceMotionUpdates
    let _: (CMBatchedSensorManager) -> (@escaping ([CMDeviceMotion]?, (any Error)?) -> Void) -> Void =
      CMBatchedSensorManager.startDeviceMotionUpdates(handler:)
    let _: (CMBatchedSensorManager) -> () -> Void = CMBatchedSensorManager.stopDeviceMotionUpdates
    let _: (CMBatchedSensorManager) -> () -> CMBatchedSensorManager.AccelerometerUpdates = CMBatchedSensorManager
      .accelerometerUpdates
    let _: (CMBatchedSensorManager) -> () -> CMBatchedSensorManager.DeviceMotionUpdates = CMBatchedSensorManager
      .deviceMotionUpdates
  }

  /// T61
  func cmWaterSubmersionManager() {
    let sample = CMWaterSubmersionManager()
    let _: NSObject = sample
    let _: () -> CMWaterSubmersionManager = CMWaterSubmersionManager.init
    let _: Bool = CMWaterSubmersionManager.waterSubmersionAvailable
    let _: CMAuthorizationStatus = CMWaterSubmersionManager.authorizationStatus
    let _: ReferenceWritableKeyPath<CMWaterSubmersionManager, (any CMWaterSubmersionManagerDelegate)?> = \.delegate
    read(sample, \.maximumDepth, as: (Measurement<UnitLength>?).self)
  }

  /// T63
  func cmAltimeter() {
    let _: NSObject = CMAltimeter()
    let _: () -> CMAltimeter = CMAltimeter.init
    let _: () -> Bool = CMAltimeter.isRelativeAltitudeAvailable
    let _: () -> Bool = CMAltimeter.isAbsoluteAltitudeAvailable
    let _: () -> CMAuthorizationStatus = CMAltimeter.authorizationStatus
    let _: (CMAltimeter) -> (OperationQueue, @escaping CMAltitudeHandler) -> Void = CMAltimeter
      .startRelativeAltitudeUpdates(to:withHandler:)
    let _: (CMAltimeter) -> () -> Void = CMAltimeter.stopRelativeAltitudeUpdates
    let _: (CMAltimeter) -> (OperationQueue, @escaping CMAbsoluteAltitudeHandler) -> Void = CMAltimeter
      .startAbsoluteAltitudeUpdates(to:withHandler:)
    let _: (CMAltimeter) -> () -> Void = CMAltimeter.stopAbsoluteAltitudeUpdates
  }
}
