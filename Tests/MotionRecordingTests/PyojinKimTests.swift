// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

@Suite struct PyojinKimTests {
  @Test func rawSensorsComeInTimeOrderWithTheirNumbersUntouched() throws {
    let folder = try TemporaryFolder()
    let result = try read(folder.write(Fixture.pyojinKim()))
    #expect(result.recording.format == .pyojinKim)
    #expect(result.recording.info.kinds == [.accelerometer, .gyroscope, .magnetometer])
    #expect(result.samples.count == 30)
    #expect(zip(result.samples, result.samples.dropFirst()).allSatisfy { $0.time <= $1.time })
    #expect(result.accelerometer[3].reading == Vector3(x: 0.01, y: -0.02, z: -9.703))
    #expect(result.gyroscope[9].angularVelocity == Vector3(x: 0.009, y: 0.02, z: 0.03))
    #expect(result.magnetometer[0].reading == Vector3(x: 10.5, y: -380.25, z: 42.125))
    #expect(result.magnetometer[0].unit == .microtesla)
    #expect(result.samples[0].time.nanoseconds == 2_713_980_000_000)
    #expect(result.recording.duration == SensorDuration(nanoseconds: 90_000_001))
    #expect(result.statistics.samples == 30 && result.statistics.omitted == 0)
  }

  @Test func theLoggersOwnConstantMakesOneG() throws {
    let folder = try TemporaryFolder()
    var files = Fixture.pyojinKim(rows: 1)
    files["acce.txt"] = "1 0 0 -9.81\n"
    let sample = try #require(try read(folder.write(files)).accelerometer.first)
    #expect(sample.reading.z == -9.81)
    #expect(abs(sample.specificForce.z - 9.80665) < 1e-15)
  }

  @Test func itsSourceIsNamedARecordingAndItsRatesAreMeasured() throws {
    let folder = try TemporaryFolder()
    let info = try Recording.open(path: folder.write(Fixture.pyojinKim())).info
    #expect(info.origin == .recording && info.pacing == .onDemand && info.deviceClass == .phone)
    #expect(info.name.hasPrefix("recording ") && info.name.hasSuffix("(PyojinKim logger)"))
    #expect(info.timeLine == .recorded(start: SensorInstant(nanoseconds: 2_713_980_000_000)))
    #expect(info.channel(.accelerometer)?.rates == [100])
    #expect(info.channel(.magnetometer)?.isCalibrated == false)
  }

  @Test func recordedMotionComesOnlyWhenAskedForAndBitForBit() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Fixture.pyojinKim())
    #expect(try read(path).fused.isEmpty)
    let result = try read(path, .recorded)
    #expect(result.recording.usesRecordedMotion)
    #expect(result.recording.info.name.contains("motion as recorded"))
    #expect(result.recording.info.kinds.contains(.motion))
    // The raw services still have their sensors.
    #expect(result.accelerometer.count == 10 && result.gyroscope.count == 10 && result.fused.count == 10)
    let sample = result.fused[4]
    #expect(sample.time.nanoseconds == 2_713_980_000_000 + 45_000_000)
    #expect(sample.w == 0.9 && sample.vector == Vector3(x: 0.1, y: 0.2, z: 0.34))
    #expect(sample.reference == .xMagneticNorth)
    #expect(sample.angularVelocity == Vector3(x: 0.14, y: 0.2, z: 0.3))
    #expect(sample.gravity == Vector3(x: 0.5, y: -0.25, z: -9.76))
    #expect(sample.linearAcceleration == Vector3(x: 0.125, y: 0.25, z: 0.504))
    #expect(sample.accelerationUnit == .reversedRoundedMetresPerSecondSquared)
    #expect(sample.field == .init(reading: Vector3(x: 24.5, y: -4.5, z: -47.75), unit: .microtesla, accuracy: 0))
    #expect(sample.heading == AngleReading(274.5, .degree))
  }

  @Test func aRowWithoutCompanionsIsCountedNotInvented() throws {
    let folder = try TemporaryFolder()
    var files = Fixture.pyojinKim()
    let lines = try #require(files["gravity.txt"]).split(separator: "\n")
    files["gravity.txt"] = (lines[..<3] + lines[4...]).joined(separator: "\n") + "\n"
    files["heading.txt"] = lines[...4].joined(separator: "\n").replacing(" -0.25 -9.8", with: "") + "\n"
    files["heading.txt"] = nil
    let result = try read(folder.write(files), .recorded)
    #expect(result.fused.count == 9)
    #expect(result.statistics[.unmatched] == 1)
    #expect(result.fused.allSatisfy { $0.heading == nil })
  }

  @Test func theBiasFreeGyroscopeIsUsedOnlyWhereThereIsNoRawOneAndIsNamed() throws {
    let folder = try TemporaryFolder()
    var files = Fixture.pyojinKim()
    #expect(try read(folder.write(files)).gyroscope[0].angularVelocity.x == 0)
    files["gyro_uncalib.txt"] = nil
    let other = try TemporaryFolder()
    let result = try read(other.write(files))
    #expect(result.gyroscope[0].angularVelocity.x == 0.1)
    #expect(result.recording.info.name.contains("bias was already removed"))
  }

  @Test func gzipFilesReadLikePlainOnes() throws {
    let plain = try TemporaryFolder()
    let packed = try TemporaryFolder()
    let files = Fixture.pyojinKim()
    for (name, text) in files { try packed.write(name + ".gz", Compressor.gzip(Array(text.utf8))) }
    let expected = try read(plain.write(files), .recorded)
    let result = try read(packed.path, .recorded)
    #expect(result.samples == expected.samples)
    #expect(result.recording.duration == expected.recording.duration)
  }

  @Test func aMissingCompanionFileMakesRecordedMotionAnError() throws {
    let folder = try TemporaryFolder()
    var files = Fixture.pyojinKim()
    files["game_rv.txt"] = nil
    let error = failure(try folder.write(files), .recorded)
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("game_rv.txt") == true)
  }
}
