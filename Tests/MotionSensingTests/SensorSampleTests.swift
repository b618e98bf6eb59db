// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@Suite struct SensorSampleTests {
  private static let time = SensorInstant(nanoseconds: 7)
  private static let vector = Vector3<Device>(x: 1, y: 2, z: 3)
  static let samples: [(SensorSample, SensorKinds)] = [
    (.accelerometer(.init(time: time, specificForce: vector)), .accelerometer),
    (.gyroscope(.init(time: time, angularVelocity: vector)), .gyroscope),
    (.inertial(.init(time: time, angularVelocity: vector, specificForce: vector)), .inertial),
    (.magnetometer(.init(time: time, magneticField: vector)), .magnetometer),
    (.pressure(.init(time: time, pressure: 1)), .airPressure),
    (.pressure(.init(time: time, pressure: 1, medium: .water)), .waterPressure),
    (.temperature(.init(time: time, temperature: 1)), .temperature),
    (
      .motion(
        .init(
          time: time, w: 1, vector: .zero, reference: .xArbitrary, angularVelocity: vector, gravity: vector,
          linearAcceleration: vector, accelerationUnit: .metresPerSecondSquared)), .motion
    ),
  ]

  @Test func everySampleKnowsItsTimeAndItsKinds() {
    for (sample, kinds) in Self.samples {
      #expect(sample.time == Self.time)
      #expect(sample.kinds == kinds)
    }
  }

  @Test func movingASampleChangesItsTimesAndNothingElse() {
    let later = SensorInstant(nanoseconds: 99)
    for (sample, kinds) in Self.samples {
      let moved = sample.moved(to: later)
      #expect(moved.time == later && moved.kinds == kinds && moved != sample)
      #expect(moved.moved(to: Self.time) == sample)
      if case .inertial(let halves) = moved {
        #expect(halves.accelerometer.time == later && halves.gyroscope.time == later)
      }
    }
  }

  /// S3: the façade's g have the opposite sign of specific force, and a recording in g keeps its numbers.
  @Test func aReadingInCoreMotionsGBecomesSpecificForceByItsUnit() {
    let faceUp = AccelerometerSample(time: Self.time, reading: Vector3(x: 0, y: 0, z: -1), unit: .reversedGravity)
    #expect(faceUp.specificForce == Vector3(x: 0, y: 0, z: 9.80665))
    #expect(faceUp.reading.z == -1)
  }

  @Test func aSampleOfARawSensorFitsIntoACacheLine() {
    #expect(MemoryLayout<SensorSample>.size <= 64 && MemoryLayout<SensorSample?>.size <= 64)
    #expect(MemoryLayout<AccelerometerSample>.size <= 33 && MemoryLayout<MagnetometerSample>.size <= 33)
    #expect(MemoryLayout<InertialSample>.size <= 56 && MemoryLayout<GyroscopeSample>.size <= 32)
  }

  @Test(arguments: AccelerationUnit.allCases)
  func aReversedUnitOfAccelerationHasTheOtherSign(unit: AccelerationUnit) {
    #expect(unit.reversed.scale == -unit.scale && unit.reversed.reversed == unit)
    #expect(unit.isReversed == (unit.scale < 0))
  }

  @Test func unitsOfLoggersHaveTheFactorsThatTheyHadAsNumbers() {
    let scales: [Double] = [1, 9.80665, 9.80665 / 1000, 9.80665 / 9.81]
    #expect(AccelerationUnit.allCases.map(\.scale) == scales + scales.map { -$0 })
    #expect(MagneticFieldUnit.allCases.map(\.scale) == [1, 1e-3, 1e-6, 1e-9, 1e-4, 1e-7])
  }

  @Test func anAngleKeepsItsNumberInItsOwnUnit() {
    let heading = AngleReading(270.000183, .degree)
    #expect(heading.value(in: .degree) == 270.000183)
    #expect(heading.value(in: .radian) == Angle(degrees: 270.000183).radians)
    #expect(abs(AngleReading(.pi, .radian).value(in: .degree) - 180) < 1e-12)
  }

  @Test func theNamesOfKindsAreDistinctAndInOrder() {
    let all = SensorKinds(rawValue: .max)
    #expect(all.names.count == 8 && Set(all.names).count == 8)
    #expect(SensorKinds.inertial.names == ["accelerometer", "gyroscope"])
    #expect(SensorKinds().names.isEmpty)
  }

  @Test func anErrorReadsAsASentenceWithItsPlace() {
    let error = SensorError(
      .malformed, "The number is missing.", at: .init(file: "walk.csv", line: 3, column: "gyroX"), errno: 5)
    #expect(error.description == "walk.csv, line 3, column gyroX: The number is missing. (errno 5)")
    #expect(SensorError(.notFound, "Nothing there.").description == "Nothing there.")
  }
}
