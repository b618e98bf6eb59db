// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionServices
import MotionTesting
import Testing

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
