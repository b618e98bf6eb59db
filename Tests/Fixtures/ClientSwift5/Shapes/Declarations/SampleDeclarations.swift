// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion

/// Every member of the samples of recorder, steps, activities and health (T31–T34, T39–T49, T53, T54) with its exact
/// type: what does not fit does not compile. Every property of an empty sample is read, because none may trap (G26).
@MainActor struct SampleDeclarations: Declarations {
  func checkAll() {
    cmRecordedDeviceMotion()
    cmRecordedAccelerometerData()
    cmRotationRateData()
    cmRecordedRotationRateData()
    cmMotionActivity()
    cmMotionActivityConfidence()
    cmPedometerData()
    cmPedometerEvent()
    cmPedometerEventType()
    cmOdometerData()
    cmOdometerOriginDevice()
    cmHighFrequencyHeartRateData()
    cmHighFrequencyHeartRateDataConfidence()
    cmTremorResult()
    cmDyskineticSymptomResult()
    cmFallDetectionResolutions()
    cmSensorDataList()
  }

  /// T31
  func cmRecordedDeviceMotion() {
    let sample = CMRecordedDeviceMotion()
    let _: CMDeviceMotion = sample
    let _: () -> CMRecordedDeviceMotion = CMRecordedDeviceMotion.init
    let _: (NSCoder) -> CMRecordedDeviceMotion? = CMRecordedDeviceMotion.init(coder:)
    let _: (CMRecordedDeviceMotion) -> (NSCoder) -> Void = CMRecordedDeviceMotion.encode(with:)
    let _: (CMRecordedDeviceMotion) -> (NSZone?) -> Any = CMRecordedDeviceMotion.copy(with:)
    let _: Bool = CMRecordedDeviceMotion.supportsSecureCoding
    read(sample, \.identifier, as: UInt64.self)
    read(sample, \.startDate, as: Date.self)
  }

  /// T32
  func cmRecordedAccelerometerData() {
    let sample = CMRecordedAccelerometerData()
    let _: CMAccelerometerData = sample
    let _: () -> CMRecordedAccelerometerData = CMRecordedAccelerometerData.init
    let _: (NSCoder) -> CMRecordedAccelerometerData? = CMRecordedAccelerometerData.init(coder:)
    let _: (CMRecordedAccelerometerData) -> (NSCoder) -> Void = CMRecordedAccelerometerData.encode(with:)
    let _: (CMRecordedAccelerometerData) -> (NSZone?) -> Any = CMRecordedAccelerometerData.copy(with:)
    let _: Bool = CMRecordedAccelerometerData.supportsSecureCoding
    read(sample, \.identifier, as: UInt64.self)
    read(sample, \.startDate, as: Date.self)
  }

  /// T33
  func cmRotationRateData() {
    let sample = CMRotationRateData()
    let _: CMLogItem = sample
    let _: () -> CMRotationRateData = CMRotationRateData.init
    let _: (NSCoder) -> CMRotationRateData? = CMRotationRateData.init(coder:)
    let _: (CMRotationRateData) -> (NSCoder) -> Void = CMRotationRateData.encode(with:)
    let _: (CMRotationRateData) -> (NSZone?) -> Any = CMRotationRateData.copy(with:)
    let _: Bool = CMRotationRateData.supportsSecureCoding
    read(sample, \.rotationRate, as: CMRotationRate.self)
  }

  /// T34
  func cmRecordedRotationRateData() {
    let sample = CMRecordedRotationRateData()
    let _: CMRotationRateData = sample
    let _: () -> CMRecordedRotationRateData = CMRecordedRotationRateData.init
    let _: (NSCoder) -> CMRecordedRotationRateData? = CMRecordedRotationRateData.init(coder:)
    let _: (CMRecordedRotationRateData) -> (NSCoder) -> Void = CMRecordedRotationRateData.encode(with:)
    let _: (CMRecordedRotationRateData) -> (NSZone?) -> Any = CMRecordedRotationRateData.copy(with:)
    let _: Bool = CMRecordedRotationRateData.supportsSecureCoding
    read(sample, \.startDate, as: Date.self)
  }

  /// T39
  func cmMotionActivity() {
    let sample = CMMotionActivity()
    let _: CMLogItem = sample
    let _: () -> CMMotionActivity = CMMotionActivity.init
    let _: (NSCoder) -> CMMotionActivity? = CMMotionActivity.init(coder:)
    let _: (CMMotionActivity) -> (NSCoder) -> Void = CMMotionActivity.encode(with:)
    let _: (CMMotionActivity) -> (NSZone?) -> Any = CMMotionActivity.copy(with:)
    let _: Bool = CMMotionActivity.supportsSecureCoding
    read(sample, \.confidence, as: CMMotionActivityConfidence.self)
    read(sample, \.startDate, as: Date.self)
    read(sample, \.unknown, as: Bool.self)
    read(sample, \.stationary, as: Bool.self)
    read(sample, \.walking, as: Bool.self)
    read(sample, \.running, as: Bool.self)
    read(sample, \.automotive, as: Bool.self)
    read(sample, \.cycling, as: Bool.self)
  }

  /// T40
  func cmMotionActivityConfidence() {
    let _: (Int) -> CMMotionActivityConfidence? = CMMotionActivityConfidence.init(rawValue:)
    expect(CMMotionActivityConfidence.low.rawValue == 0)
    expect(CMMotionActivityConfidence.medium.rawValue == 1)
    expect(CMMotionActivityConfidence.high.rawValue == 2)
  }

  /// T41
  func cmPedometerData() {
    let sample = CMPedometerData()
    let _: NSObject = sample
    let _: () -> CMPedometerData = CMPedometerData.init
    let _: (NSCoder) -> CMPedometerData? = CMPedometerData.init(coder:)
    let _: (CMPedometerData) -> (NSCoder) -> Void = CMPedometerData.encode(with:)
    let _: (CMPedometerData) -> (NSZone?) -> Any = CMPedometerData.copy(with:)
    let _: Bool = CMPedometerData.supportsSecureCoding
    read(sample, \.startDate, as: Date.self)
    read(sample, \.endDate, as: Date.self)
    read(sample, \.numberOfSteps, as: NSNumber.self)
    read(sample, \.distance, as: (NSNumber?).self)
    read(sample, \.floorsAscended, as: (NSNumber?).self)
    read(sample, \.floorsDescended, as: (NSNumber?).self)
    read(sample, \.currentPace, as: (NSNumber?).self)
    read(sample, \.currentCadence, as: (NSNumber?).self)
    read(sample, \.averageActivePace, as: (NSNumber?).self)
  }

  /// T42
  func cmPedometerEvent() {
    let sample = CMPedometerEvent()
    let _: NSObject = sample
    let _: () -> CMPedometerEvent = CMPedometerEvent.init
    let _: (NSCoder) -> CMPedometerEvent? = CMPedometerEvent.init(coder:)
    let _: (CMPedometerEvent) -> (NSCoder) -> Void = CMPedometerEvent.encode(with:)
    let _: (CMPedometerEvent) -> (NSZone?) -> Any = CMPedometerEvent.copy(with:)
    let _: Bool = CMPedometerEvent.supportsSecureCoding
    read(sample, \.date, as: Date.self)
    read(sample, \.type, as: CMPedometerEventType.self)
  }

  /// T43
  func cmPedometerEventType() {
    let _: (Int) -> CMPedometerEventType? = CMPedometerEventType.init(rawValue:)
    expect(CMPedometerEventType.pause.rawValue == 0)
    expect(CMPedometerEventType.resume.rawValue == 1)
  }

  /// T44
  func cmOdometerData() {
    let sample = CMOdometerData()
    let _: NSObject = sample
    let _: () -> CMOdometerData = CMOdometerData.init
    let _: (NSCoder) -> CMOdometerData? = CMOdometerData.init(coder:)
    let _: (CMOdometerData) -> (NSCoder) -> Void = CMOdometerData.encode(with:)
    let _: (CMOdometerData) -> (NSZone?) -> Any = CMOdometerData.copy(with:)
    let _: Bool = CMOdometerData.supportsSecureCoding
    read(sample, \.startDate, as: Date.self)
    read(sample, \.endDate, as: Date.self)
    read(sample, \.gpsDate, as: Date.self)
    read(sample, \.deltaDistance, as: CLLocationDistance.self)
    read(sample, \.deltaDistanceAccuracy, as: CLLocationAccuracy.self)
    read(sample, \.speed, as: CLLocationSpeed.self)
    read(sample, \.speedAccuracy, as: CLLocationSpeedAccuracy.self)
    read(sample, \.deltaAltitude, as: CLLocationDistance.self)
    read(sample, \.verticalAccuracy, as: CLLocationAccuracy.self)
    read(sample, \.originDevice, as: CMOdometerOriginDevice.self)
    read(sample, \.slope, as: (Double?).self)
    read(sample, \.maxAbsSlope, as: (Double?).self)
  }

  /// T45
  func cmOdometerOriginDevice() {
    let _: (Int) -> CMOdometerOriginDevice? = CMOdometerOriginDevice.init(rawValue:)
    expect(CMOdometerOriginDevice.unknown.rawValue == 0)
    expect(CMOdometerOriginDevice.local.rawValue == 1)
    expect(CMOdometerOriginDevice.remote.rawValue == 2)
  }

  /// T46
  func cmHighFrequencyHeartRateData() {
    let sample = CMHighFrequencyHeartRateData()
    let _: CMLogItem = sample
    let _: () -> CMHighFrequencyHeartRateData = CMHighFrequencyHeartRateData.init
    let _: (NSCoder) -> CMHighFrequencyHeartRateData? = CMHighFrequencyHeartRateData.init(coder:)
    let _: (CMHighFrequencyHeartRateData) -> (NSCoder) -> Void = CMHighFrequencyHeartRateData.encode(with:)
    let _: (CMHighFrequencyHeartRateData) -> (NSZone?) -> Any = CMHighFrequencyHeartRateData.copy(with:)
    let _: Bool = CMHighFrequencyHeartRateData.supportsSecureCoding
    read(sample, \.heartRate, as: Double.self)
    read(sample, \.confidence, as: CMHighFrequencyHeartRateDataConfidence.self)
    read(sample, \.date, as: (Date?).self)
  }

  /// T47
  func cmHighFrequencyHeartRateDataConfidence() {
    let _: (Int) -> CMHighFrequencyHeartRateDataConfidence? = CMHighFrequencyHeartRateDataConfidence.init(rawValue:)
    expect(CMHighFrequencyHeartRateDataConfidence.low.rawValue == 0)
    expect(CMHighFrequencyHeartRateDataConfidence.medium.rawValue == 1)
    expect(CMHighFrequencyHeartRateDataConfidence.high.rawValue == 2)
    expect(CMHighFrequencyHeartRateDataConfidence.highest.rawValue == 3)
  }

  /// T48
  func cmTremorResult() {
    let sample = CMTremorResult()
    let _: NSObject = sample
    let _: () -> CMTremorResult = CMTremorResult.init
    let _: (NSCoder) -> CMTremorResult? = CMTremorResult.init(coder:)
    let _: (CMTremorResult) -> (NSCoder) -> Void = CMTremorResult.encode(with:)
    let _: (CMTremorResult) -> (NSZone?) -> Any = CMTremorResult.copy(with:)
    let _: Bool = CMTremorResult.supportsSecureCoding
    read(sample, \.startDate, as: Date.self)
    read(sample, \.endDate, as: Date.self)
    read(sample, \.percentUnknown, as: Float.self)
    read(sample, \.percentNone, as: Float.self)
    read(sample, \.percentSlight, as: Float.self)
    read(sample, \.percentMild, as: Float.self)
    read(sample, \.percentModerate, as: Float.self)
    read(sample, \.percentStrong, as: Float.self)
  }

  /// T49
  func cmDyskineticSymptomResult() {
    let sample = CMDyskineticSymptomResult()
    let _: NSObject = sample
    let _: () -> CMDyskineticSymptomResult = CMDyskineticSymptomResult.init
    let _: (NSCoder) -> CMDyskineticSymptomResult? = CMDyskineticSymptomResult.init(coder:)
    let _: (CMDyskineticSymptomResult) -> (NSCoder) -> Void = CMDyskineticSymptomResult.encode(with:)
    let _: (CMDyskineticSymptomResult) -> (NSZone?) -> Any = CMDyskineticSymptomResult.copy(with:)
    let _: Bool = CMDyskineticSymptomResult.supportsSecureCoding
    read(sample, \.startDate, as: Date.self)
    read(sample, \.endDate, as: Date.self)
    read(sample, \.percentUnlikely, as: Float.self)
    read(sample, \.percentLikely, as: Float.self)
  }

  /// T53
  func cmFallDetectionEvent(_ sample: CMFallDetectionEvent) {
    let _: NSObject = sample
    read(sample, \.date, as: Date.self)
    read(sample, \.resolution, as: CMFallDetectionEvent.UserResolution.self)
  }

  func cmFallDetectionResolutions() {
    let _: (Int) -> CMFallDetectionEvent.UserResolution? = CMFallDetectionEvent.UserResolution.init(rawValue:)
    expect(CMFallDetectionEvent.UserResolution.confirmed.rawValue == 0)
    expect(CMFallDetectionEvent.UserResolution.dismissed.rawValue == 1)
    expect(CMFallDetectionEvent.UserResolution.rejected.rawValue == 2)
    expect(CMFallDetectionEvent.UserResolution.unresponsive.rawValue == 3)
  }

  /// T54
  func cmSensorDataList() {
    let _: NSObject = CMSensorDataList()
    let _: () -> CMSensorDataList = CMSensorDataList.init
  }
}
