// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import OrientationFusion
import Testing

/// The magnetometer's calibration on real sensors. The figures are printed: `swift test -c release --filter
/// CalibrationOnRecordings`.
@Suite(.serialized) struct CalibrationOnRecordingsTests {
  struct Reading {
    enum Kind: Int { case gyroscope, accelerometer, magnetometer }
    /// s.
    var time: Double
    var kind: Kind
    var value: Vector3<Device>
  }

  /// What a recording led to.
  struct Outcome {
    var calibration = MagnetometerCalibration.none
    /// Seconds of readings, and those with a soft iron in use.
    var seconds = 0.0, secondsWithSoftIron = 0.0
    /// How often a soft iron was taken up or given up.
    var changes = 0
    /// Calibrated readings and their times, s.
    var fields: [(time: Double, field: Vector3<Device>)] = []

    var softIron: Double {
      let d = calibration.softIron - .identity
      return (d * d.transpose).trace.squareRoot()
    }
  }

  static func run(_ readings: [Reading]) -> Outcome {
    var filter = OrientationFilter(parameters: .phone, usesMagnetometer: false)
    var calibrator = MagnetometerCalibrator()
    var outcome = Outcome()
    var latest: Double?
    var hadSoftIron = false
    for reading in readings {
      let time = Int64(reading.time * 1e9)
      switch reading.kind {
      case .gyroscope: filter.update(angularVelocity: reading.value, atNanoseconds: time)
      case .accelerometer: filter.update(specificForce: reading.value, atNanoseconds: time)
      case .magnetometer:
        calibrator.update(
          magneticField: reading.value, angularVelocity: filter.angularVelocity, atNanoseconds: time)
        let calibration = calibrator.calibration
        let interval = reading.time - (latest ?? reading.time)
        latest = reading.time
        outcome.seconds += interval
        let hasSoftIron = calibration.softIronDeviation != nil
        if hasSoftIron { outcome.secondsWithSoftIron += interval }
        if hasSoftIron != hadSoftIron { outcome.changes += 1 }
        hadSoftIron = hasSoftIron
        if calibration.accuracy > .uncalibrated {
          outcome.fields.append((reading.time, calibration.field(of: reading.value)))
        }
      }
    }
    outcome.calibration = calibrator.calibration
    return outcome
  }

  static func report(_ name: String, _ outcome: Outcome) {
    let c = outcome.calibration
    let h = c.hardIron * 1e6
    print(
      "\(name): \(c.accuracy), hard iron (\(h.x), \(h.y), \(h.z)) ± \(c.hardIronDeviation * 1e6) µT, field",
      c.fieldStrength * 1e6, "µT, soft iron", outcome.softIron, "±", c.softIronDeviation ?? .nan, "in use",
      outcome.secondsWithSoftIron, "of", outcome.seconds, "s, changes", outcome.changes)
  }

  static func tyrex(_ trial: String) throws -> [Reading] {
    var readings: [Reading] = []
    for (name, kind, factor) in [
      ("gyroscope", Reading.Kind.gyroscope, 1), ("accelerometer", .accelerometer, -9.80665),
      ("magnetometer", .magnetometer, 1e-6),
    ] {
      for row in try Recordings.numbers("iphone/tyrex/\(trial)/\(name).txt.gz") {
        readings.append(
          Reading(time: row[0], kind: kind, value: Vector3(x: row[1], y: row[2], z: row[3]) * factor))
      }
    }
    return readings.sorted { ($0.time, $0.kind.rawValue) < ($1.time, $1.kind.rawValue) }
  }

  #if DEBUG
  static let isRelease = false
  #else
  static let isRelease = true
  #endif

  static let oldPhones: [(name: String, bound: Double)] = [
    ("Guillaume_iPhone4S_NoDist_AR", 5), ("Guillaume_iPhone5_NoDist_Phoning", 5), ("Guillaume_iPhone5_NoDist_AR", 7),
    ("Guillaume_iPhone5_NoDist_FrontPocket", 8), ("Guillaume_iPhone5_NoDist_Swinging", 15),
  ]

  /// Old phones, with 200 to 600 µT of hard iron: no soft iron is made up, and the field points where Apple's does.
  @Test(
    .enabled(if: Recordings.has("iphone/tyrex"), "needs the trials with motion capture (shared/data/iphone/tyrex)"),
    arguments: oldPhones.prefix(isRelease ? 5 : 2))
  func anOldPhonesFieldPointsWhereApplesDoes(_ trial: (name: String, bound: Double)) throws {
    let outcome = Self.run(try Self.tyrex(trial.name))
    Self.report("tyrex \(trial.name)", outcome)
    #expect(outcome.changes == 0)
    let apple = try Recordings.numbers("iphone/tyrex/\(trial.name)/magnetometer-calibrated.txt.gz")
    var row = 0
    var sum = 0.0
    for (time, field) in outcome.fields {
      while row + 1 < apple.count, apple[row + 1][0] <= time { row += 1 }
      let angle = field.angle(to: Vector3(x: apple[row][1], y: apple[row][2], z: apple[row][3]))
      sum += angle * angle
    }
    let angle = Angle(radians: (sum / Double(max(1, outcome.fields.count))).squareRoot()).degrees
    print("tyrex \(trial.name): RMS angle to Apple's calibrated field \(angle)°")
    #expect(angle < trial.bound)
    #expect(!outcome.fields.isEmpty)
  }

  static func iphone(_ recording: String, _ magnetometer: String) throws -> [Reading] {
    var readings: [Reading] = []
    for (name, kind, factor) in [
      ("gyro_uncalib", Reading.Kind.gyroscope, 1), ("acce", .accelerometer, -9.80665 / 9.81),
      (magnetometer, .magnetometer, 1e-6),
    ] {
      for row in try Recordings.iphone(recording, name) {
        readings.append(Reading(time: Double(row.time) * 1e-9, kind: kind, value: row.values * factor))
      }
    }
    return readings.sorted { ($0.time, $0.kind.rawValue) < ($1.time, $1.kind.rawValue) }
  }

  /// A new phone corrects hard iron only (gain 1.000): from its raw field no soft iron is made up, and what it has
  /// calibrated is left as it is.
  @Test(
    .enabled(if: Recordings.has("iphone"), "needs the recordings of iPhones (shared/data/iphone)"),
    arguments: [("2019_06_11", "magnet_uncalib"), ("2019_06_11", "magnet"), ("2019_06_10", "magnet")])
  func aNewPhonesFieldNeedsNoSoftIron(_ recording: (name: String, file: String)) throws {
    let outcome = Self.run(try Self.iphone(recording.name, recording.file))
    Self.report("iphone \(recording.name) \(recording.file)", outcome)
    #expect(outcome.changes == 0)
  }

  /// A calibrated magnetometer in a room whose field is not the same everywhere: nothing is to be corrected.
  @Test(
    .enabled(if: Recordings.has("broad"), "needs the BROAD trials (shared/data/broad)"),
    arguments: isRelease ? Recordings.broadTrials : [Recordings.broadTrials[1], Recordings.broadTrials[7]])
  func aCalibratedMagnetometerStaysAsItIs(_ name: String) throws {
    let trial = try Recordings.BroadTrial(name: name)
    var readings: [Reading] = []
    for row in stride(from: 0, to: trial.count, by: 2) {
      let time = Double(row) * Recordings.BroadTrial.sampleInterval
      readings.append(Reading(time: time, kind: .gyroscope, value: trial.vector(row, 0)))
      readings.append(Reading(time: time, kind: .accelerometer, value: trial.vector(row, 3)))
      readings.append(Reading(time: time, kind: .magnetometer, value: trial.vector(row, 6) * 1e-6))
    }
    let outcome = Self.run(readings)
    Self.report("BROAD \(name)", outcome)
    #expect(outcome.changes == 0)
    #expect(outcome.calibration.hardIron.length < 5e-6)
  }
}
