// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Testing

/// What clients assume of the values beyond their declarations, which `make coverage` compares one by one.
@Suite struct PublicSurfaceTests {
  private func requireTrivialStruct<Value: Sendable & BitwiseCopyable>(_: Value.Type) {}
  private func requireEnumeration<Value: RawRepresentable & Hashable & Sendable & BitwiseCopyable>(_: Value.Type) {}

  /// That they are not Equatable, Hashable or Codable (G15) cannot be asked at run time without a conformance
  /// lookup, which is what the last lines do.
  @Test func valueStructsAreTrivialAndNotEquatable() {
    requireTrivialStruct(CMAcceleration.self)
    requireTrivialStruct(CMRotationRate.self)
    requireTrivialStruct(CMMagneticField.self)
    requireTrivialStruct(CMCalibratedMagneticField.self)
    requireTrivialStruct(CMQuaternion.self)
    requireTrivialStruct(CMRotationMatrix.self)
    let values: [Any] = [
      CMAcceleration(), CMRotationRate(), CMMagneticField(), CMCalibratedMagneticField(), CMQuaternion(),
      CMRotationMatrix(),
    ]
    for value in values { #expect(!(value is any Equatable) && !(value is any Encodable), "\(type(of: value))") }
  }

  @Test func enumerationsAreHashableAndTrivial() {
    requireEnumeration(CMMagneticFieldCalibrationAccuracy.self)
    requireEnumeration(CMAuthorizationStatus.self)
    requireEnumeration(CMDeviceMotion.SensorLocation.self)
  }

  /// G14: the zero value of a C struct, not the identity.
  @Test func emptyInitialisersAreZero() {
    let quaternion = CMQuaternion()
    #expect((quaternion.x, quaternion.y, quaternion.z, quaternion.w) == (0, 0, 0, 0))
    let matrix = CMRotationMatrix()
    let elements = [
      matrix.m11, matrix.m12, matrix.m13, matrix.m21, matrix.m22, matrix.m23, matrix.m31, matrix.m32, matrix.m33,
    ]
    #expect(elements == Array(repeating: 0.0, count: 9))
    #expect((CMAcceleration().x, CMAcceleration().y, CMAcceleration().z) == (0, 0, 0))
    #expect((CMRotationRate().x, CMRotationRate().y, CMRotationRate().z) == (0, 0, 0))
    #expect((CMMagneticField().x, CMMagneticField().y, CMMagneticField().z) == (0, 0, 0))
    #expect(CMCalibratedMagneticField().accuracy.rawValue == 0 && CMCalibratedMagneticField().field.x == 0)
  }

  /// T10, S50 and the globals of section 2 of declarations.tsv.
  @Test func errorCodesAreAsDeclared() {
    let domain: String = CMErrorDomain
    #expect(domain == "CMErrorDomain")
    let all: [CMError] = [
      CMErrorNULL, CMErrorDeviceRequiresMovement, CMErrorTrueNorthNotAvailable, CMErrorUnknown,
      CMErrorMotionActivityNotAvailable, CMErrorMotionActivityNotAuthorized, CMErrorMotionActivityNotEntitled,
      CMErrorInvalidParameter, CMErrorInvalidAction, CMErrorNotAvailable, CMErrorNotEntitled, CMErrorNotAuthorized,
      CMErrorNilData, CMErrorSize,
    ]
    #expect(all.map(\.rawValue) == Array(UInt32(100)...113))
    #expect(Set(all).count == 14)
    var error = CMError(101)
    #expect(error == CMErrorDeviceRequiresMovement && error == CMError(rawValue: 101))
    error.rawValue = 102
    #expect(error == CMErrorTrueNorthNotAvailable)
  }

  /// Section 2: the comparison that client code writes.
  @Test func anErrorIsComparedThroughNSError() {
    let error: any Error = NSError(domain: CMErrorDomain, code: 101)
    #expect((error as NSError).code == Int(CMErrorDeviceRequiresMovement.rawValue))
  }
}

/// The classes of sections 4 and 5 of declarations.tsv: their defaults, and mocks in the way clients write them (G26).
@Suite struct PublicClassesTests {

  /// T55, D2: the properties, their types and their defaults.
  @Test func managerPropertiesHaveTheirDefaults() {
    let manager = Bench.managerWithoutSensors()
    let intervals: [ReferenceWritableKeyPath<CMMotionManager, TimeInterval>] = [
      \.accelerometerUpdateInterval, \.gyroUpdateInterval, \.magnetometerUpdateInterval, \.deviceMotionUpdateInterval,
    ]
    for interval in intervals {
      #expect(manager[keyPath: interval] == 0.01)
      // D3: the getter returns what was set, whatever it is.
      for value in [0.5, 0, -1, 1e-9, .infinity] {
        manager[keyPath: interval] = value
        #expect(manager[keyPath: interval] == value)
      }
    }
    let flags: [KeyPath<CMMotionManager, Bool>] = [
      \.isAccelerometerAvailable, \.isAccelerometerActive, \.isGyroAvailable, \.isGyroActive, \.isMagnetometerAvailable,
      \.isMagnetometerActive, \.isDeviceMotionAvailable, \.isDeviceMotionActive, \.showsDeviceMovementDisplay,
    ]
    for flag in flags { #expect(!manager[keyPath: flag]) }
    let samples: (CMAccelerometerData?, CMGyroData?, CMMagnetometerData?, CMDeviceMotion?) = (
      manager.accelerometerData, manager.gyroData, manager.magnetometerData, manager.deviceMotion
    )
    #expect(samples.0 == nil && samples.1 == nil && samples.2 == nil && samples.3 == nil)
    let status: CMAuthorizationStatus = CMMotionManager.authorizationStatus
    #expect(status.rawValue >= 0)
    manager.showsDeviceMovementDisplay = true
    #expect(manager.showsDeviceMovementDisplay)
  }

  /// T55, T56, S30: the body is kept, and released.
  @Test func managerKeepsItsBody() {
    final class Body: NSObject, CMBodyIdentifiable {}
    let manager = Bench.managerWithoutSensors()
    let none: (any CMBodyIdentifiable)? = manager.deviceMotionBody
    #expect(none == nil)
    weak var observed: Body?
    do {
      let body = Body()
      observed = body
      manager.deviceMotionBody = body
      #expect(manager.deviceMotionBody === body)
    }
    #expect(observed != nil)
    manager.deviceMotionBody = nil
    #expect(observed == nil)
  }

  /// T25–T30, G26: an empty sample never traps.
  @Test func emptySamplesAnswerEveryProperty() {
    let item: CMLogItem = CMLogItem()
    let timestamp: TimeInterval = item.timestamp
    let acceleration: CMAcceleration = CMAccelerometerData().acceleration
    let rate: CMRotationRate = CMGyroData().rotationRate
    let field: CMMagneticField = CMMagnetometerData().magneticField
    #expect(timestamp == 0 && acceleration.z == 0 && rate.z == 0 && field.z == 0)
    let motion = CMDeviceMotion()
    let attitude: CMAttitude = motion.attitude
    #expect((attitude.roll, attitude.pitch, attitude.yaw) == (0, 0, 0) && attitude.quaternion.w == 1)
    #expect(attitude.rotationMatrix.m11 == 1 && motion.gravity.z == 0 && motion.userAcceleration.x == 0)
    #expect(motion.rotationRate.x == 0 && motion.magneticField.accuracy == .uncalibrated)
    let headings: (Double, Double) = (motion.heading, motion.headingAccuracy)
    #expect(headings.0 < 0 && headings.1 < 0 && motion.sensorLocation == .default)
    let multiply: (CMAttitude) -> (CMAttitude) -> Void = CMAttitude.multiply(byInverseOf:)
    multiply(attitude)(CMAttitude())
    #expect(attitude.quaternion.w == 1)
  }

  /// The way in which clients make samples of their own: `init()`, overridden properties, the coder refused.
  final class MockMotion: CMDeviceMotion {
    private let mockAttitude = MockAttitude()
    override init() { super.init() }
    @available(*, unavailable) required init?(coder: NSCoder) { fatalError() }
    override var attitude: CMAttitude { mockAttitude }
    override var gravity: CMAcceleration { CMAcceleration(x: 0, y: -1, z: 0) }
    override var userAcceleration: CMAcceleration { CMAcceleration(x: 1, y: 2, z: 3) }
    override var rotationRate: CMRotationRate { CMRotationRate(x: 1, y: 0, z: 0) }
    override var magneticField: CMCalibratedMagneticField { CMCalibratedMagneticField() }
    override var heading: Double { 90 }
    override var headingAccuracy: Double { 5 }
    override var sensorLocation: SensorLocation { .headphoneLeft }
    override var timestamp: TimeInterval { 42 }
  }

  final class MockAttitude: CMAttitude {
    override var quaternion: CMQuaternion { CMQuaternion(x: 0, y: 0, z: 1, w: 0) }
  }

  @Test func samplesCanBeSubclassed() {
    let motion: CMDeviceMotion = MockMotion()
    #expect(motion.timestamp == 42 && motion.gravity.y == -1 && motion.heading == 90)
    // Derived properties follow the overridden quaternion.
    #expect(abs(abs(motion.attitude.yaw) - .pi) < 1e-15)
  }

  /// A manager that plays samples of its own, as clients' test doubles do.
  final class MockManager: CMMotionManager {
    private var isRunning = false
    override var isDeviceMotionAvailable: Bool { true }
    override var isDeviceMotionActive: Bool { isRunning }
    override var deviceMotion: CMDeviceMotion? { isRunning ? MockMotion() : nil }
    override class var authorizationStatus: CMAuthorizationStatus { .denied }
    override class func availableAttitudeReferenceFrames() -> CMAttitudeReferenceFrame { .xTrueNorthZVertical }
    override func startDeviceMotionUpdates(
      to queue: OperationQueue, withHandler handler: @escaping CMDeviceMotionHandler
    ) {
      isRunning = true
      handler(deviceMotion, nil)
    }
    override func stopDeviceMotionUpdates() { isRunning = false }
  }

  @Test func managerCanBeSubclassed() {
    let manager: CMMotionManager = MockManager()
    var received: Double?
    manager.startDeviceMotionUpdates(to: .main) { motion, _ in received = motion?.timestamp }
    #expect(received == 42 && manager.isDeviceMotionActive)
    manager.stopDeviceMotionUpdates()
    #expect(manager.deviceMotion == nil && MockManager.authorizationStatus == .denied)
    #expect(MockManager.availableAttitudeReferenceFrames() == .xTrueNorthZVertical)
  }
}
