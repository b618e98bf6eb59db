// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Testing

/// The declarations that clients name, each with its exact type: what does not fit does not compile.
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

  /// T01–T04.
  @Test func vectorsHaveMutableComponentsAndBothInitialisers() {
    var acceleration: CMAcceleration = CMAcceleration(x: 1, y: 2, z: 3)
    var rate: CMRotationRate = CMRotationRate(x: 1, y: 2, z: 3)
    var field: CMMagneticField = CMMagneticField(x: 1, y: 2, z: 3)
    acceleration.x += 1
    rate.y += 1
    field.z += 1
    #expect((acceleration.x, acceleration.y, acceleration.z) == (2, 2, 3))
    #expect((rate.x, rate.y, rate.z) == (1, 3, 3))
    #expect((field.x, field.y, field.z) == (1, 2, 4))
    var calibrated = CMCalibratedMagneticField(field: field, accuracy: .high)
    calibrated.field = CMMagneticField()
    calibrated.accuracy = .medium
    #expect(calibrated.accuracy == .medium && calibrated.field.z == 0)
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

  /// T05, T06.
  @Test func quaternionAndMatrixKeepTheirComponents() {
    var quaternion = CMQuaternion(x: 1, y: 2, z: 3, w: 4)
    quaternion.w = 5
    #expect((quaternion.x, quaternion.y, quaternion.z, quaternion.w) == (1, 2, 3, 5))
    var matrix = CMRotationMatrix(m11: 1, m12: 2, m13: 3, m21: 4, m22: 5, m23: 6, m31: 7, m32: 8, m33: 9)
    matrix.m32 = 80
    #expect((matrix.m11, matrix.m12, matrix.m13) == (1, 2, 3))
    #expect((matrix.m21, matrix.m22, matrix.m23) == (4, 5, 6))
    #expect((matrix.m31, matrix.m32, matrix.m33) == (7, 80, 9))
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

  /// T11–T14: plain closures, neither @Sendable nor bound to an actor.
  @Test func handlersArePlainClosures() {
    final class NotSendable { var count = 0 }
    let seen = NotSendable()
    let accelerometer: CMAccelerometerHandler = { (_: CMAccelerometerData?, _: (any Error)?) in seen.count += 1 }
    let gyroscope: CMGyroHandler = { (_: CMGyroData?, _: (any Error)?) in seen.count += 1 }
    let magnetometer: CMMagnetometerHandler = { (_: CMMagnetometerData?, _: (any Error)?) in seen.count += 1 }
    let motion: CMDeviceMotionHandler = { (_: CMDeviceMotion?, _: (any Error)?) in seen.count += 1 }
    accelerometer(CMAccelerometerData(), nil)
    gyroscope(nil, nil)
    magnetometer(nil, nil)
    motion(nil, nil)
    #expect(seen.count == 4)
  }
}
