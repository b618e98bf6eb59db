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

/// Two old iPhones in everyday motions, against motion capture: raw sensors in, no calibration known beforehand.
///
/// The iPhone 5's gyroscope has a bias of 5.8 °/s, and its trials start in motion. The figures are printed.
@Suite(.serialized) struct OldPhoneAccuracyTests {
  struct Figures {
    /// Degrees: median of the inclination error, median of the absolute heading error.
    var inclination: Double
    var heading: Double
  }

  /// The filter's attitude at each gyroscope sample, with all three sensors and the calibrator at work.
  static func attitudes(
    _ folder: String, calibrator: inout MagnetometerCalibrator
  ) throws -> [(time: Double, attitude: Rotation<Device, EastNorthUp>)] {
    enum Kind: Int { case gyroscope, accelerometer, magnetometer }
    var readings: [(time: Double, kind: Kind, value: Vector3<Device>)] = []
    for (name, kind, factor) in [
      ("gyroscope", Kind.gyroscope, 1), ("accelerometer", .accelerometer, -9.80665),
      ("magnetometer", .magnetometer, 1e-6),
    ] {
      for row in try Recordings.numbers("\(folder)/\(name).txt.gz") {
        readings.append((row[0], kind, Vector3(x: row[1], y: row[2], z: row[3]) * factor))
      }
    }
    readings.sort { ($0.time, $0.kind.rawValue) < ($1.time, $1.kind.rawValue) }

    var filter = OrientationFilter(parameters: .phone, usesMagnetometer: true)
    var result: [(Double, Rotation<Device, EastNorthUp>)] = []
    for reading in readings {
      let time = Int64(reading.time * 1e9)
      switch reading.kind {
      case .gyroscope:
        filter.update(angularVelocity: reading.value, atNanoseconds: time)
        if let attitude = filter.attitude { result.append((reading.time, attitude)) }
      case .accelerometer:
        filter.update(specificForce: reading.value, atNanoseconds: time)
      case .magnetometer:
        let before = calibrator.calibration
        calibrator.update(
          magneticField: reading.value, angularVelocity: filter.angularVelocity, gyroscopeBias: filter.gyroscopeBias,
          isBiasKnown: filter.knownGyroscopeBias().isKnown, atNanoseconds: time)
        let calibration = calibrator.calibration
        filter.moveHardIron(
          by: calibration.softIron * (before.hardIron - calibration.hardIron), deviation: calibration.fieldDeviation)
        filter.update(
          magneticField: calibration.field(of: reading.value), hardIronDeviation: calibration.fieldDeviation,
          atNanoseconds: time)
      }
    }
    return result
  }

  /// From 5 s after the start of the motion capture, where it is not marked bad.
  ///
  /// `calibrator` begins with what it knows, and ends with what the trial showed.
  static func figures(_ trial: String, calibrator: inout MagnetometerCalibrator) throws -> Figures {
    let folder = "iphone/tyrex/\(trial)"
    let reference = try Recordings.numbers("\(folder)/qualisys.csv.gz")
    let offset =
      try Recordings.number("\(folder)/timeAlignment.txt") - Recordings.number("\(folder)/description.txt")
    var row = 0
    var (inclination, heading): ([Double], [Double]) = ([], [])
    for (time, attitude) in try attitudes(folder, calibrator: &calibrator) {
      let time = time + offset
      while row + 1 < reference.count, reference[row + 1][0] < time { row += 1 }
      let truth = reference[row]
      guard time > 5, row + 1 < reference.count, truth[0] <= time, truth.last == 0,
        let pose = Rotation<Device, EastNorthUp>(w: truth[1], x: truth[2], y: truth[3], z: truth[4])
      else { continue }
      let error = attitude * pose.inverse
      inclination.append(Angle(radians: 2 * Scalar.acos(Scalar.hypot(error.w, error.z))).degrees)
      heading.append(abs(Angle(radians: 2 * Scalar.atan2(error.z, error.w)).wrapped.degrees))
    }
    guard !inclination.isEmpty else { throw Recordings.Unreadable(path: folder) }
    inclination.sort()
    heading.sort()
    return Figures(inclination: inclination[inclination.count / 2], heading: heading[heading.count / 2])
  }

  // Apple's own medians on the same trials: 0.8, 2.1, 2.2, 5.3, 1.4, 4.1 degrees of inclination and 2.3, 10.9, 6.6,
  // 5.2, 5.0, 9.4 of heading, in this order. (In the two "Texting" trials the phone stays flat: no calibration from
  // their start.)
  @Test(
    .enabled(if: Recordings.has("iphone/tyrex"), "needs the trials with motion capture (shared/data/iphone/tyrex)"),
    arguments: [
      ("Guillaume_iPhone4S_NoDist_AR", 1.7, 4), ("Guillaume_iPhone5_Dist_AR", 2.5, 8.5),
      ("Guillaume_iPhone5_NoDist_AR", 2.8, 9.5), ("Guillaume_iPhone5_NoDist_FrontPocket", 2.9, 9.5),
      ("Guillaume_iPhone5_NoDist_Phoning", 2, 6), ("Guillaume_iPhone5_NoDist_Swinging", 3.5, 9),
    ])
  func anUncalibratedPhoneIsMeasuredAgainstMotionCapture(
    _ trial: (name: String, inclination: Double, heading: Double)
  ) throws {
    var calibrator = MagnetometerCalibrator()
    let figures = try Self.figures(trial.name, calibrator: &calibrator)
    print("tyrex \(trial.name): median inclination \(figures.inclination)°, median heading \(figures.heading)°")
    #expect(figures.inclination < trial.inclination)
    #expect(figures.heading < trial.heading)
  }

  // In this trial the phone stays flat, and a calibration from its start is late: Apple's own median is 5.4°.
  @Test(
    .enabled(if: Recordings.has("iphone/tyrex"), "needs the trials with motion capture (shared/data/iphone/tyrex)"))
  func aCalibrationKeptFromAnotherDayGivesAHeadingFromTheStart() throws {
    var calibrator = MagnetometerCalibrator()
    _ = try Self.figures("Guillaume_iPhone5_NoDist_AR", calibrator: &calibrator)
    let kept = calibrator.calibration.widened(elapsed: .infinity)
    var with = MagnetometerCalibrator(calibration: kept)
    let figures = try Self.figures("Guillaume_iPhone5_NoDist_Texting", calibrator: &with)
    print("tyrex Guillaume_iPhone5_NoDist_Texting with a kept calibration: median heading \(figures.heading)°")
    #expect(with.calibration.accuracy > .uncalibrated)
    #expect(figures.heading < 7)
  }
}

/// The stresses of `OrientationFilterStressTests` on real sensors, so few that a debug build is through in time. What
/// happens on the way that users take, beside VQF: `make stress`.
@Suite(
  .serialized,
  .enabled(if: Recordings.has("broad"), "needs the BROAD trials (shared/data/broad)"))
struct RecordedStressTests {
  static func log(_ index: Int, every divider: Int = 3) throws -> SensorLog {
    SensorLog(try Recordings.BroadTrial(name: Recordings.broadTrials[index]), every: divider)
  }

  static func expect(
    _ name: String, _ log: SensorLog, total: Double, inclination: Double, location: SourceLocation = #_sourceLocation
  ) {
    let errors = log.errors(usesMagnetometer: true)
    print("BROAD, \(name): total \(errors.total), inclination \(errors.inclination)")
    #expect(errors.total < total, sourceLocation: location)
    #expect(errors.inclination < inclination, sourceLocation: location)
  }

  // Trial 2: slow rotation with breaks; 4: fast rotation with breaks.

  @Test func aThirdOfTheSamplesIsEnough() throws {
    Self.expect("95 Hz", try Self.log(4), total: 1.5, inclination: 1)
  }

  @Test func aSixthOfTheSamplesServes() throws {
    Self.expect("48 Hz", try Self.log(4, every: 6), total: 1.9, inclination: 1.3)
  }

  @Test func aPerCentOfScaleIsFound() throws {
    let log = try Self.log(4, every: 3).mapRows { $0.angularVelocity = $0.angularVelocity * 1.01 }
    Self.expect("95 Hz, +1 % scale", log, total: 2.2, inclination: 1.2)
  }

  @Test func twentyMillisecondsOfLagAreFound() throws {
    Self.expect("95 Hz, 21 ms of lag", try Self.log(4).magnetometerLate(byRows: 2), total: 1.5, inclination: 1)
  }

  @Test func noiseIsBorne() throws {
    let log = try Self.log(4).noisier(gyroscope: 0.01, accelerometer: 0.2, magnetometer: 1e-6)
    Self.expect("95 Hz, noise", log, total: 1.5, inclination: 1.1)
  }

  @Test(arguments: [0.0, 0.01]) func aStartInMotionFindsItself(bias: Double) throws {
    let log = try Self.log(2).fromFirstTruth().mapRows { row in
      row.angularVelocity += Vector3(x: bias, y: -bias, z: bias)
    }
    Self.expect("95 Hz, start in motion, bias \(bias) rad/s", log, total: 1.7, inclination: 0.5)
  }

  @Test func hardIronThatNoCalibrationKnowsIsNoDisaster() throws {
    let log = try Self.log(2).mapRows { $0.magneticField += Vector3(x: 0.6, y: -0.64, z: 0.48) * 3e-6 }
    Self.expect("95 Hz, hard iron 6 %", log, total: 7, inclination: 0.5)
  }
}
