// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionTesting
import Testing

@testable import MotionStreams

/// What the sum of vectors of different frames is here: nothing that the library knows.
private struct NoSum {}
private func + (a: Vector<DeviceFrame>, b: Vector<ReferenceFrame>) -> NoSum { NoSum() }

/// The values follow Core Motion's conventions.
@Suite struct ValueTests {
  /// Attitudes all over the sphere, from a fixed sequence.
  private static let attitudes: [Attitude] = {
    var seed: UInt64 = 1
    func next() -> Double {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(seed >> 11) / Double(1 << 53) * 2 - 1
    }
    return (0..<500).compactMap { _ in Attitude(x: next(), y: next(), z: next(), w: next()) }
  }()

  private func object(_ attitude: Attitude) throws -> CMAttitude {
    try #require(CMAttitude(quaternion: CMQuaternion(x: attitude.x, y: attitude.y, z: attitude.z, w: attitude.w)))
  }

  @Test func s13TheAnglesAreThoseOfCMAttitude() throws {
    for attitude in Self.attitudes {
      let object = try object(attitude)
      #expect(abs(attitude.roll - object.roll) < 1e-9)
      #expect(abs(attitude.pitch - object.pitch) < 1e-9)
      #expect(abs(attitude.yaw - object.yaw) < 1e-9)
    }
  }

  @Test func s12TheMatrixOfCMAttitudeTurnsReferenceVectorsIntoDeviceAxes() throws {
    let v = Vector<ReferenceFrame>(x: 0.3, y: -1.2, z: 2)
    for attitude in Self.attitudes {
      let m = try object(attitude).rotationMatrix
      let turned = attitude.inDeviceFrame(v)
      #expect(abs(turned.x - (m.m11 * v.x + m.m12 * v.y + m.m13 * v.z)) < 1e-12)
      #expect(abs(turned.y - (m.m21 * v.x + m.m22 * v.y + m.m23 * v.z)) < 1e-12)
      #expect(abs(turned.z - (m.m31 * v.x + m.m32 * v.y + m.m33 * v.z)) < 1e-12)
      #expect((attitude.inReferenceFrame(turned) - v).length < 1e-12)
    }
  }

  @Test func s18TheRelativeAttitudeIsThatOfMultiplyByInverse() throws {
    for (attitude, start) in zip(Self.attitudes, Self.attitudes.dropFirst()) {
      let object = try object(attitude)
      object.multiply(byInverseOf: try self.object(start))
      let (q, relative) = (object.quaternion, attitude.relative(to: start))
      #expect(abs(q.x - relative.x) + abs(q.y - relative.y) + abs(q.z - relative.z) + abs(q.w - relative.w) < 1e-12)
    }
    let same = Self.attitudes[0].relative(to: Self.attitudes[0])
    #expect(abs(same.w - 1) < 1e-12)
  }

  /// N1: the numbers of an iPhone.
  @Test func n1TheNumbersOfAnIPhone() throws {
    let attitude = try #require(Attitude(x: 0.643136826, y: 0.089685388, z: 1.87e-6, w: 0.760481134))
    let degrees = [attitude.roll, attitude.pitch, attitude.yaw].map { $0 * 180 / .pi }
    #expect(zip(degrees, [41.0459, 78.0109, -33.7338]).allSatisfy { abs($0 - $1) < 1e-3 }, "\(degrees)")
  }

  @Test func theAnglesGoThereAndBack() {
    for (roll, pitch, yaw) in [(0.1, 0.2, 0.3), (-2, 1.2, 3), (3, -1.5, -0.4)] {
      let attitude = Attitude(roll: roll, pitch: pitch, yaw: yaw)
      #expect(abs(attitude.roll - roll) + abs(attitude.pitch - pitch) + abs(attitude.yaw - yaw) < 1e-9)
    }
    #expect(Attitude() == .identity)
  }

  @Test func whatIsNoRotationIsRefused() {
    #expect(Attitude(x: 0, y: 0, z: 0, w: 0) == nil)
    #expect(Attitude(x: .nan, y: 0, z: 0, w: 1) == nil)
    #expect(Attitude(x: .infinity, y: 0, z: 0, w: 1) == nil)
  }

  @Test func s14GravityFollowsFromTheAttitude() {
    let upright = DeviceMotion(attitude: Attitude(pitch: .pi / 2))
    #expect((upright.gravity - Vector(y: -1)).length < 1e-12)
    #expect((DeviceMotion().gravity - Vector(z: -1)).length == 0)
    let pushed = DeviceMotion(attitude: Attitude(pitch: .pi / 2), userAcceleration: Vector(y: 0.5))
    #expect((pushed.userAccelerationInReferenceFrame - Vector<ReferenceFrame>(z: 0.5)).length < 1e-12)
    #expect((pushed.acceleration - Vector(y: -0.5)).length < 1e-12)
  }

  @Test func aSampleHasTheNumbersOfTheObject() {
    let object = CMDeviceMotion(
      attitude: CMAttitude(roll: 0.1, pitch: 0.2, yaw: 0.3), rotationRate: CMRotationRate(x: 1, y: 2, z: 3),
      magneticField: CMCalibratedMagneticField(field: CMMagneticField(x: 4, y: 5, z: 6), accuracy: .high),
      referenceFrame: .xMagneticNorthZVertical, sensorLocation: .headphoneLeft, timestamp: 7)
    let motion = DeviceMotion(object)
    #expect(motion.timestamp == 7 && motion.rotationRate == Vector(x: 1, y: 2, z: 3))
    #expect(motion.magneticField == Vector(x: 4, y: 5, z: 6) && motion.magneticFieldAccuracy == .high)
    #expect(motion.heading == object.heading && motion.sensorLocation == .headphoneLeft)
    #expect(DeviceMotion(CMDeviceMotion()).magneticField == nil)
  }

  @Test func activityKindsAreIndependent() {
    let red = MotionActivity(CMMotionActivity(stationary: true, automotive: true, startDate: Date()))
    #expect(red.kinds == [.stationary, .automotive] && red.confidence == .high)
    #expect(MotionActivity(CMMotionActivity(startDate: Date())).kinds.isEmpty)
  }

  @Test func stepsHaveTheNumbersOfTheObject() {
    let (start, end) = (Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 60))
    let all = CMPedometerData(
      numberOfSteps: 100, from: start, to: end, distance: 71.5, floorsAscended: 1, floorsDescended: 2,
      currentPace: 0.7, currentCadence: 1.9, averageActivePace: 0.8)
    #expect(
      Steps(all)
        == Steps(
          startDate: start, endDate: end, count: 100, distance: 71.5, floorsAscended: 1, floorsDescended: 2,
          currentPace: 0.7, currentCadence: 1.9, averageActivePace: 0.8))
    let few = Steps(CMPedometerData(numberOfSteps: 3, from: start, to: end))
    #expect(few == Steps(startDate: start, endDate: end, count: 3))
    #expect(WalkingEvent(CMPedometerEvent(type: .pause, date: end)) == WalkingEvent(date: end, kind: .paused))
    #expect(WalkingEvent(CMPedometerEvent(type: .resume, date: end)) == WalkingEvent(date: end, kind: .resumed))
  }

  @Test func heightsHaveTheNumbersOfTheObject() {
    #expect(
      RelativeAltitude(CMAltitudeData(relativeAltitude: 2.5, pressure: 100.5, at: 7))
        == RelativeAltitude(timestamp: 7, altitude: 2.5, pressure: 100.5))
    #expect(
      AbsoluteAltitude(CMAbsoluteAltitudeData(altitude: 520, accuracy: 3, precision: 0.5, at: 8))
        == AbsoluteAltitude(timestamp: 8, altitude: 520, accuracy: 3, precision: 0.5))
  }

  @Test func aTemperatureIsInDegreesCelsius() {
    let water = WaterTemperature(CMWaterTemperature(temperature: 21.5, uncertainty: 0.5, at: Date()))
    #expect(abs(water.temperature - 21.5) < 1e-9 && abs(water.uncertainty - 0.5) < 1e-9)
  }

  @Test func vectorsObeyTheirLaws() {
    let (x, y) = (Vector<DeviceFrame>(x: 1), Vector<DeviceFrame>(y: 1))
    #expect(x.cross(y) == Vector(z: 1) && x.dot(y) == 0 && (x + y).length == 2.squareRoot())
    #expect(x - x == .zero && -x == Vector(x: -1) && 2 * x == Vector(x: 2))
  }

  /// Would the library add vectors of different frames, this sum would be ambiguous and not compile.
  @Test func vectorsOfDifferentFramesDoNotMix() {
    let sum: Any = Vector<DeviceFrame>(x: 1) + Vector<ReferenceFrame>(x: 1)
    #expect(sum is NoSum)
  }

  @Test func aFifoKeepsTheOrder() {
    var fifo = Fifo<Int>()
    var (written, read) = (0, 0)
    for round in 0..<50 {
      for _ in 0..<(round * 37 % 400) {
        fifo.append(written)
        written += 1
      }
      for _ in 0..<(round * 53 % 300) {
        guard let value = fifo.popFirst() else { break }
        #expect(value == read)
        read += 1
      }
      #expect(fifo.count == written - read)
    }
    while fifo.popFirst() != nil { read += 1 }
    #expect(read == written)
  }
}
