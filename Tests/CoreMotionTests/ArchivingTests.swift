// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionServices
import MotionTesting
import Testing

@testable import CoreMotion

/// Section 4 of declarations.tsv: NSSecureCoding and NSCopying of every sample class.
@Suite struct ArchivingTests {
  private func roundTrip<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object {
    #expect(Object.supportsSecureCoding)
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data))
  }

  @Test func vectorSamplesKeepEveryBit() throws {
    let acceleration = CMAcceleration(x: 0.1, y: -1.0 / 3, z: .pi)
    let accelerometer = CMAccelerometerData(acceleration: acceleration, timestamp: 123_456.789)
    let first = try roundTrip(accelerometer)
    #expect(first.timestamp == 123_456.789)
    #expect((first.acceleration.x, first.acceleration.y, first.acceleration.z) == (0.1, -1.0 / 3, .pi))
    let second = try roundTrip(CMGyroData(rotationRate: CMRotationRate(x: 1, y: -2, z: 1e-300), timestamp: 2))
    #expect((second.rotationRate.x, second.rotationRate.y, second.rotationRate.z) == (1, -2, 1e-300))
    #expect(second.timestamp == 2)
    let third = try roundTrip(CMMagnetometerData(magneticField: CMMagneticField(x: -1, y: 0, z: 48.5), timestamp: 3))
    #expect((third.magneticField.x, third.magneticField.y, third.magneticField.z) == (-1, 0, 48.5))
    #expect(try roundTrip(CMLogItem(timestamp: 7)).timestamp == 7)
  }

  @Test func attitudeKeepsEveryBit() throws {
    for vector in [AttitudeTests.n1, AttitudeTests.n2] {
      let copy = try roundTrip(CMAttitude(vector.quaternion))
      let (a, b) = (copy.quaternion, vector.quaternion)
      #expect((a.x, a.y, a.z, a.w) == (b.x, b.y, b.z, b.w))
    }
  }

  private static func motion() -> CMDeviceMotion {
    CMDeviceMotion(
      timestamp: 12.5, attitude: CMAttitude(AttitudeTests.n1.quaternion),
      rotationRate: CMRotationRate(x: 0.1, y: 0.2, z: 0.3), gravity: CMAcceleration(x: 0.6, y: 0, z: -0.8),
      userAcceleration: CMAcceleration(x: 1, y: 2, z: 3),
      magneticField: CMCalibratedMagneticField(field: CMMagneticField(x: 4, y: 5, z: 6), accuracy: .medium),
      heading: 271.25, headingAccuracy: 12, sensorLocation: .headphoneRight)
  }

  private func expectEqual(_ a: CMDeviceMotion, _ b: CMDeviceMotion) {
    #expect(a.timestamp == b.timestamp && a.heading == b.heading && a.headingAccuracy == b.headingAccuracy)
    #expect(a.attitude.quaternion.w == b.attitude.quaternion.w && a.attitude.yaw == b.attitude.yaw)
    #expect(a.rotationRate.y == b.rotationRate.y && a.gravity.z == b.gravity.z)
    #expect(a.userAcceleration.x == b.userAcceleration.x && a.sensorLocation == b.sensorLocation)
    #expect(a.magneticField.accuracy == b.magneticField.accuracy && a.magneticField.field.z == b.magneticField.field.z)
  }

  @Test func deviceMotionKeepsEverything() throws {
    let motion = Self.motion()
    expectEqual(try roundTrip(motion), motion)
    expectEqual(try #require(motion.copy() as? CMDeviceMotion), motion)
  }

  /// An archive of a changed sample holds the change.
  @Test func deviceMotionArchivesItsPresentAttitude() throws {
    let motion = Self.motion()
    let reference = try #require(motion.attitude.copy() as? CMAttitude)
    motion.attitude.multiply(byInverseOf: reference)
    #expect(abs(try roundTrip(motion).attitude.quaternion.w - 1) < 1e-15)
  }

  @Test func everySampleCopiesAsItsOwnClass() throws {
    let samples: [any NSObject & NSCopying] = [
      CMLogItem(timestamp: 1), CMAccelerometerData(acceleration: CMAcceleration(x: 1, y: 2, z: 3), timestamp: 1),
      CMGyroData(rotationRate: CMRotationRate(), timestamp: 1),
      CMMagnetometerData(magneticField: CMMagneticField(), timestamp: 1), Self.motion(), CMAttitude(),
    ]
    for sample in samples {
      let copy = sample.copy()
      #expect(type(of: copy) == type(of: sample))
    }
    let mock = PublicClassesTests.MockMotion()
    #expect(try #require(mock.copy() as? PublicClassesTests.MockMotion).heading == 90)
  }

  /// An archive of anything else, cut short or bent anywhere, is refused or read as numbers: never a crash, never NaN.
  @Test func garbageArchivesDoNotCrash() throws {
    for data in [Data(), Data([1, 2, 3]), Data("bplist00".utf8), Data(repeating: 0, count: 4096)] {
      #expect((try? NSKeyedUnarchiver.unarchivedObject(ofClass: CMDeviceMotion.self, from: data)) == nil)
    }
    let other = try NSKeyedArchiver.archivedData(withRootObject: "text" as NSString, requiringSecureCoding: true)
    #expect((try? NSKeyedUnarchiver.unarchivedObject(ofClass: CMAttitude.self, from: other)) == nil)
    let whole = try NSKeyedArchiver.archivedData(withRootObject: Self.motion(), requiringSecureCoding: true)
    for length in stride(from: 0, to: whole.count, by: 37) {
      #expect(
        (try? NSKeyedUnarchiver.unarchivedObject(ofClass: CMDeviceMotion.self, from: whole.prefix(length))) == nil)
    }
  }

  /// What stands for an attitude in an archive comes in as a rotation or not at all.
  @Test(
    arguments: [
      (CMQuaternion(), nil), (CMQuaternion(x: 0, y: 0, z: 0, w: 5), 1.0),
      (CMQuaternion(x: 1e200, y: 0, z: 0, w: 1e200), nil), (CMQuaternion(x: .nan, y: 0, z: 0, w: 1), 1),
      (CMQuaternion(x: .infinity, y: 0, z: 0, w: 0), nil),
    ] as [(CMQuaternion, Double?)])
  func archivedAttitudesAreRotations(_ quaternion: CMQuaternion, _ expected: Double?) throws {
    let data = try NSKeyedArchiver.archivedData(withRootObject: CMAttitude(quaternion), requiringSecureCoding: true)
    let attitude = try? NSKeyedUnarchiver.unarchivedObject(ofClass: CMAttitude.self, from: data)
    #expect(attitude?.quaternion.w == expected)
  }

  @Test func archivedNumbersAreFinite() throws {
    let motion = try roundTrip(
      CMDeviceMotion(
        timestamp: .nan, attitude: CMAttitude(), gravity: CMAcceleration(x: .nan, y: .infinity, z: -1), heading: .nan))
    #expect(motion.timestamp.isFinite && motion.gravity.x == 0 && motion.gravity.y == 0 && motion.gravity.z == -1)
    #expect(motion.heading.isFinite)
  }

  /// D22: every error is a sentence for a person.
  @Test func everyErrorIsASentence() {
    for code in 99...115 {
      let error = CMError(UInt32(code)).error()
      let text = error.localizedDescription
      #expect(error.domain == CMErrorDomain && error.code == code)
      #expect(text.first?.isUppercase == true && text.last == "." && text.contains(" "), "\(code): \(text)")
      #expect((error as any Error).localizedDescription == text)
    }
    #expect(CMErrorNotAvailable.error("The cable is out.").localizedDescription == "The cable is out.")
  }

  /// Writing a sample changes nothing of it.
  @Test func aRecordedSampleIsTheSameAfterItWasWritten() throws {
    let date = Date(timeIntervalSince1970: 1_790_000_000)
    let sample = CMRecordedAccelerometerData(
      timestamp: 1, acceleration: CMAcceleration(x: 0, y: 0, z: -1), identifier: 7, startDate: date)
    _ = try NSKeyedArchiver.archivedData(withRootObject: sample, requiringSecureCoding: true)
    #expect(sample.identifier == 7 && sample.startDate == date)
  }
}

/// The format of archives is a file format: what a program stored with an earlier version is read, and the same bytes
/// are written.
@Suite struct ArchiveCompatibilityTests {
  private static let start = Date(timeIntervalSinceReferenceDate: 123_456_789.125)
  private static let end = Date(timeIntervalSinceReferenceDate: 123_456_849.125)

  /// One of each sample class, with a number of its own in every property.
  private static func samples() -> [NSObject] {
    let acceleration = CMAcceleration(x: 0.1, y: -0.2, z: 0.3)
    let rate = CMRotationRate(x: 1.5, y: -2.5, z: 3.5)
    let motion = CMDeviceMotion(
      timestamp: 5, attitude: CMAttitude(CMQuaternion(x: 0.5, y: -0.5, z: 0.5, w: 0.5)), rotationRate: rate,
      gravity: CMAcceleration(x: 0, y: -1, z: 0), userAcceleration: acceleration,
      magneticField: CMCalibratedMagneticField(field: CMMagneticField(x: 20, y: -30, z: 40), accuracy: .high),
      heading: 90, headingAccuracy: 4, sensorLocation: .headphoneLeft)
    var steps = CMPedometerData.Values(startDate: start, endDate: end, numberOfSteps: 100)
    (steps.distance, steps.floorsAscended, steps.floorsDescended) = (71.5, 2, 3)
    (steps.currentPace, steps.currentCadence, steps.averageActivePace) = (0.75, 1.75, 0.8)
    var way = CMOdometerData.Values(startDate: start, endDate: end, gpsDate: end)
    (way.deltaDistance, way.deltaDistanceAccuracy, way.speed, way.speedAccuracy) = (10, 1, 2, 0.5)
    (way.deltaAltitude, way.verticalAccuracy, way.originDevice) = (-3, 4, .remote)
    (way.slopeDegrees, way.steepestSlopeDegrees) = (-5, 6)
    return [
      CMLogItem(timestamp: 1), CMAttitude(CMQuaternion(x: 0, y: 0.6, z: 0, w: 0.8)),
      CMAccelerometerData(acceleration: acceleration, timestamp: 2), CMGyroData(rotationRate: rate, timestamp: 3),
      CMMagnetometerData(magneticField: CMMagneticField(x: 10, y: 20, z: -30), timestamp: 4), motion,
      CMRotationRateData(timestamp: 6, vector: rate.vector),
      CMRecordedAccelerometerData(timestamp: 7, acceleration: acceleration, identifier: .max, startDate: start),
      CMRecordedRotationRateData(timestamp: 8, rotationRate: rate, startDate: start),
      CMRecordedDeviceMotion(motion, identifier: 9, startDate: start),
      CMRecordedPressureData(timestamp: 10, pressure: 101.25, temperature: 21, identifier: 11, startDate: start),
      CMAmbientPressureData(timestamp: 12, pressure: 99, temperature: -5),
      CMAltitudeData(timestamp: 13, relativeAltitude: -2.5, pressure: 100.5),
      CMAbsoluteAltitudeData(timestamp: 14, altitude: 430, accuracy: 12, precision: 0.5),
      CMMotionActivity(.init(timestamp: 15, startDate: start, confidence: .medium, states: [.walking, .cycling])),
      CMPedometerData(steps), CMPedometerData(.init(startDate: start, endDate: end, numberOfSteps: 1)),
      CMPedometerEvent(date: start, type: .resume), CMOdometerData(way),
      CMOdometerData(.init(startDate: start, endDate: end, gpsDate: start)),
      CMHighFrequencyHeartRateData(timestamp: 16, heartRate: 61.5, confidence: .highest, date: end),
      CMHighFrequencyHeartRateData(timestamp: 17, heartRate: 62, confidence: .low, date: nil),
      CMTremorResult(
        startDate: start, endDate: end,
        fractions: .init(unknown: 0.5, none: 0.25, slight: 0.125, mild: 0.0625, moderate: 0.03125, strong: 0.03125)),
      CMDyskineticSymptomResult(startDate: start, endDate: end, unlikely: 0.75, likely: 0.25),
      CMWaterSubmersionEvent(date: start, state: .submerged),
      CMWaterSubmersionMeasurement(
        date: start, depth: 4.5, pressure: 145, surfacePressure: 101, submersionState: .submergedDeep),
      CMWaterSubmersionMeasurement(
        date: start, depth: nil, pressure: nil, surfacePressure: 100, submersionState: .notSubmerged),
      CMWaterTemperature(date: start, temperature: 12.5, uncertainty: 0.25),
    ]
  }

  private static func archive(_ samples: [NSObject]) -> Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.outputFormat = .xml
    archiver.encode(samples as NSArray, forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    return archiver.encodedData
  }

  @Test func archivesOfTheFirstVersionAreReadAndWrittenAlike() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Archives/samples.plist")
    let stored = try Data(contentsOf: file)
    #expect(Self.archive(Self.samples()) == stored)
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(
        ofClasses: [NSArray.self] + Self.samples().map { type(of: $0) }, from: stored)
        as? [NSObject])
    #expect(Self.archive(read) == stored)
  }
}
