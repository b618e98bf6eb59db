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

/// A calibration applied to samples.
@Suite struct SensorCalibrationTests {
  private let time = SensorInstant(nanoseconds: 5)

  @Test func offsetMatrixAndAxesAreAppliedInThatOrderAndKeepTheUnit() throws {
    let axes = Matrix3(0, -1, 0, 1, 0, 0, 0, 0, 1)
    let correction = try #require(
      SensorCorrection(offset: Vector3(x: 1, y: 2, z: 3), matrix: Matrix3(diagonal: 2, 1, 1), axes: axes))
    #expect(correction(Vector3(x: 2, y: 5, z: 3)) == Vector3(x: -3, y: 2, z: 0))
    let calibration = SensorCalibration(accelerometer: correction)
    // In Core Motion's g, whose sign is opposite: the same force.
    let inG = AccelerometerSample(time: time, reading: Vector3(x: 2, y: 5, z: 3) / -9.80665, unit: .reversedGravity)
    guard case .accelerometer(let sample) = calibration.applied(to: .accelerometer(inG)) else {
      Issue.record("another kind of sample")
      return
    }
    #expect(sample.unit == .reversedGravity && sample.time == time)
    #expect(sample.specificForce.isApproximatelyEqual(to: Vector3(x: -3, y: 2, z: 0), tolerance: 1e-12))
  }

  @Test func bothHalvesOfAnInertialSampleAreCorrectedAndOthersAreLeftAlone() throws {
    let gyroscope = try #require(SensorCorrection(offset: Vector3(x: 0.1, y: 0, z: 0)))
    let magnetometer = try #require(SensorCorrection(offset: Vector3(x: 1e-6, y: 0, z: 0)))
    let calibration = SensorCalibration(gyroscope: gyroscope, magnetometer: magnetometer)
    let sample = SensorSample.inertial(
      InertialSample(
        time: time, angularVelocity: Vector3(x: 0.1, y: 0, z: 0), specificForce: Vector3(x: 0, y: 0, z: 9)))
    let right = SensorSample.inertial(
      InertialSample(time: time, angularVelocity: .zero, specificForce: Vector3(x: 0, y: 0, z: 9)))
    #expect(calibration.applied(to: sample) == right && calibration.kinds == [.gyroscope, .magnetometer])
    let microtesla = MagnetometerSample(time: time, reading: Vector3(x: 21, y: 0, z: 0), unit: .microtesla)
    guard case .magnetometer(let field) = calibration.applied(to: .magnetometer(microtesla)) else { return }
    #expect(field.unit == .microtesla && abs(field.reading.x - 20) < 1e-12)
    let pressure = SensorSample.pressure(PressureSample(time: time, pressure: 101_325))
    #expect(calibration.applied(to: pressure) == pressure)
  }

  @Test func aCorrectionThatCannotBeASensorsIsRefused() {
    let zero = Vector3<Device>.zero
    #expect(SensorCorrection(offset: Vector3(x: .nan, y: 0, z: 0)) == nil)
    #expect(SensorCorrection(offset: zero, matrix: .zero) == nil)
    #expect(SensorCorrection(offset: zero, axes: Matrix3(diagonal: 1, 1, 2)) == nil)
    #expect(SensorCorrection(offset: zero, axes: Matrix3(diagonal: -1, -1, -1)) != nil)
  }

  @Test func aSessionOfAnotherSharesItsStopAndItsWishes() throws {
    let taken = Lock<[SensorSample]>([])
    let outer = SensorSession(
      clock: FreeRunningClock(), request: SensorRequest(kinds: .gyroscope, interval: .zero)
    ) { (sample, _) throws(SourceStopped) in taken.withLock { $0.append(sample) } }
    let later = SensorInstant(nanoseconds: 9)
    let inner = SensorSession(of: outer) { $0.moved(to: later) }
    try inner.deliver(.temperature(TemperatureSample(time: time, temperature: 1)))
    #expect(taken.withLock { $0.map(\.time) } == [later])
    let wish = SensorRequest(kinds: .accelerometer, interval: .milliseconds(5))
    outer.update(wish)
    #expect(inner.request == wish && !inner.isStopped)
    outer.stop()
    #expect(inner.isStopped)
    #expect(throws: SourceStopped.self) { try inner.wait(until: later) }
  }
}
