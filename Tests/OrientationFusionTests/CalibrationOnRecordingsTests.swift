// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import OrientationFusion
import Testing

/// The magnetometer's calibration on real sensors. The figures are printed: `swift test -c release --filter CalibrationOnRecordings`.
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

  @Test(arguments: ["Guillaume_iPhone4S_NoDist_AR", "Guillaume_iPhone5_Dist_AR", "Guillaume_iPhone5_NoDist_AR", "Guillaume_iPhone5_NoDist_FrontPocket", "Guillaume_iPhone5_NoDist_Phoning", "Guillaume_iPhone5_NoDist_Swinging", "calib_gyr_iPhone5_d3"])
  func oldPhones(_ trial: String) throws {
    let outcome = Self.run(try Self.tyrex(trial))
    Self.report(trial, outcome)
    guard let apple = try? Recordings.numbers("iphone/tyrex/\(trial)/magnetometer-calibrated.txt.gz") else { return }
    var row = 0
    var (sum, count) = (0.0, 0.0)
    for (time, field) in outcome.fields {
      while row + 1 < apple.count, apple[row + 1][0] <= time { row += 1 }
      let a = Vector3<Device>(x: apple[row][1], y: apple[row][2], z: apple[row][3])
      let angle = field.angle(to: a)
      sum += angle * angle
      count += 1
    }
    print("   to Apple's, rms degrees", Angle(radians: (sum / count).squareRoot()).degrees)
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

  @Test(arguments: [("2019_06_11", "magnet_uncalib"), ("2019_06_11", "magnet"), ("2019_06_10", "magnet")])
  func newPhones(_ a: (String, String)) throws {
    Self.report("\(a)", Self.run(try Self.iphone(a.0, a.1)))
  }

  @Test(arguments: Recordings.broadTrials)
  func broad(_ name: String) throws {
    let trial = try Recordings.BroadTrial(name: name)
    var readings: [Reading] = []
    for row in 0..<trial.count {
      let t = Double(row) * 0.0035
      readings.append(Reading(time: t, kind: .gyroscope, value: trial.vector(row, 0)))
      readings.append(Reading(time: t, kind: .accelerometer, value: trial.vector(row, 3)))
      readings.append(Reading(time: t, kind: .magnetometer, value: trial.vector(row, 6) * 1e-6))
    }
    Self.report(name, Self.run(readings))
  }
}
