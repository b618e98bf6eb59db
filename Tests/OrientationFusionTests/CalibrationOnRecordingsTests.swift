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

  /// Feeds a filter; `each` sees it after each reading.
  static func run(
    _ readings: [Reading], _ filter: inout OrientationFilter, each: (OrientationFilter, Reading) -> Void = { _, _ in }
  ) {
    for reading in readings {
      let time = Int64(reading.time * 1e9)
      switch reading.kind {
      case .gyroscope: filter.update(angularVelocity: reading.value, atNanoseconds: time)
      case .accelerometer: filter.update(specificForce: reading.value, atNanoseconds: time)
      case .magnetometer: filter.update(magneticField: reading.value, atNanoseconds: time)
      }
      each(filter, reading)
    }
  }

  static func readings(_ files: [(path: String, kind: Reading.Kind, factor: Double)]) throws -> [Reading] {
    var readings: [Reading] = []
    for (path, kind, factor) in files {
      for row in try Recordings.numbers(path) {
        readings.append(
          Reading(time: row[0], kind: kind, value: Vector3(x: row[1], y: row[2], z: row[3]) * factor))
      }
    }
    return readings.sorted { ($0.time, $0.kind.rawValue) < ($1.time, $1.kind.rawValue) }
  }

  static func tyrex(_ trial: String) throws -> [Reading] {
    try readings([
      ("iphone/tyrex/\(trial)/gyroscope.txt.gz", .gyroscope, 1),
      ("iphone/tyrex/\(trial)/accelerometer.txt.gz", .accelerometer, -9.80665),
      ("iphone/tyrex/\(trial)/magnetometer.txt.gz", .magnetometer, 1e-6),
    ])
  }

  #if DEBUG
  static let isRelease = false
  #else
  static let isRelease = true
  #endif

  static let oldPhones: [(name: String, bound: Double)] = [
    ("Guillaume_iPhone4S_NoDist_AR", 5), ("Guillaume_iPhone5_NoDist_Phoning", 5.6), ("Guillaume_iPhone5_NoDist_AR", 7),
    ("Guillaume_iPhone5_NoDist_FrontPocket", 8), ("Guillaume_iPhone5_NoDist_Swinging", 15),
  ]

  /// Old phones, with 200 to 600 µT of hard iron: the field points where Apple's does.
  @Test(
    .enabled(if: Recordings.has("iphone/tyrex"), "needs the trials with motion capture (shared/data/iphone/tyrex)"),
    arguments: oldPhones.prefix(isRelease ? 5 : 2))
  func anOldPhonesFieldPointsWhereApplesDoes(_ trial: (name: String, bound: Double)) throws {
    let apple = try Recordings.numbers("iphone/tyrex/\(trial.name)/magnetometer-calibrated.txt.gz")
    var filter = OrientationFilter(parameters: .phone, usesMagnetometer: true)
    var (row, sum, count) = (0, 0.0, 0.0)
    Self.run(try Self.tyrex(trial.name), &filter) { filter, reading in
      let calibration = filter.iron
      guard reading.kind == .magnetometer, calibration.accuracy > .uncalibrated else { return }
      while row + 1 < apple.count, apple[row + 1][0] <= reading.time { row += 1 }
      let angle = calibration.field(of: reading.value).angle(
        to: Vector3(x: apple[row][1], y: apple[row][2], z: apple[row][3]))
      sum += angle * angle
      count += 1
    }
    let angle = Angle(radians: (sum / max(1, count)).squareRoot()).degrees
    print("tyrex \(trial.name): \(filter.iron), RMS angle to Apple's calibrated field \(angle)°")
    #expect(angle < trial.bound)
    #expect(count > 0)
  }

  /// A calibrated magnetometer in a room whose field is not the same everywhere: nothing is to be corrected.
  @Test(
    .enabled(if: Recordings.has("broad"), "needs the BROAD trials (shared/data/broad)"),
    arguments: isRelease ? Recordings.broadTrials : [Recordings.broadTrials[1], Recordings.broadTrials[7]])
  func aCalibratedMagnetometerStaysAsItIs(_ name: String) throws {
    let trial = try Recordings.BroadTrial(name: name)
    var filter = OrientationFilter(parameters: .phone, usesMagnetometer: true)
    SensorLog(trial, every: 2).run(&filter)
    print("BROAD \(name): \(filter.iron)")
    #expect(filter.iron.hardIron.length < 5e-6)
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

  /// From 5 s after the start of the motion capture, where it is not marked bad.
  ///
  /// The filter begins with what is known of the iron; `found` is what the trial showed.
  static func figures(_ trial: String, calibration: MagnetometerCalibration? = nil) throws -> (
    Figures, found: MagnetometerCalibration
  ) {
    let folder = "iphone/tyrex/\(trial)"
    let reference = try Recordings.numbers("\(folder)/qualisys.csv.gz")
    let offset =
      try Recordings.number("\(folder)/timeAlignment.txt") - Recordings.number("\(folder)/description.txt")
    var row = 0
    var (inclination, heading): ([Double], [Double]) = ([], [])
    var filter = OrientationFilter(parameters: .phone, usesMagnetometer: true, calibration: calibration)
    CalibrationOnRecordingsTests.run(try CalibrationOnRecordingsTests.tyrex(trial), &filter) { filter, reading in
      guard reading.kind == .gyroscope, let attitude = filter.attitude else { return }
      let time = reading.time + offset
      while row + 1 < reference.count, reference[row + 1][0] < time { row += 1 }
      let truth = reference[row]
      guard time > 5, row + 1 < reference.count, truth[0] <= time, truth.last == 0,
        let pose = Rotation<Device, EastNorthUp>(w: truth[1], x: truth[2], y: truth[3], z: truth[4])
      else { return }
      let error = attitude * pose.inverse
      inclination.append(Angle(radians: 2 * Scalar.acos(Scalar.hypot(error.w, error.z))).degrees)
      heading.append(abs(Angle(radians: 2 * Scalar.atan2(error.z, error.w)).wrapped.degrees))
    }
    guard !inclination.isEmpty else { throw Recordings.Unreadable(path: folder) }
    inclination.sort()
    heading.sort()
    return (
      Figures(inclination: inclination[inclination.count / 2], heading: heading[heading.count / 2]), filter.iron
    )
  }

  // Apple's own medians on the same trials: 0.8, 2.1, 2.2, 5.3, 1.4, 4.1 degrees of inclination and 2.3, 10.9, 6.6,
  // 5.2, 5.0, 9.4 of heading, in this order. (In the two "Texting" trials the phone stays flat: no calibration from
  // their start.)
  @Test(
    .enabled(if: Recordings.has("iphone/tyrex"), "needs the trials with motion capture (shared/data/iphone/tyrex)"),
    arguments: [
      ("Guillaume_iPhone4S_NoDist_AR", 1.7, 4), ("Guillaume_iPhone5_Dist_AR", 2.5, 8.5),
      ("Guillaume_iPhone5_NoDist_AR", 2.8, 15), ("Guillaume_iPhone5_NoDist_FrontPocket", 2.9, 9.5),
      ("Guillaume_iPhone5_NoDist_Phoning", 2, 6), ("Guillaume_iPhone5_NoDist_Swinging", 3.5, 9),
    ])
  func anUncalibratedPhoneIsMeasuredAgainstMotionCapture(
    _ trial: (name: String, inclination: Double, heading: Double)
  ) throws {
    let (figures, _) = try Self.figures(trial.name)
    print("tyrex \(trial.name): median inclination \(figures.inclination)°, median heading \(figures.heading)°")
    #expect(figures.inclination < trial.inclination)
    #expect(figures.heading < trial.heading)
  }

  // In this trial the phone stays flat, and a calibration from its start is late: Apple's own median is 5.4°.
  @Test(
    .enabled(if: Recordings.has("iphone/tyrex"), "needs the trials with motion capture (shared/data/iphone/tyrex)"))
  func aCalibrationKeptFromAnotherDayGivesAHeadingFromTheStart() throws {
    let kept = try Self.figures("Guillaume_iPhone5_NoDist_AR").found.widened(elapsed: .infinity)
    let (figures, found) = try Self.figures("Guillaume_iPhone5_NoDist_Texting", calibration: kept)
    print("tyrex Guillaume_iPhone5_NoDist_Texting with a kept calibration: median heading \(figures.heading)°")
    #expect(found.accuracy > .uncalibrated)
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
    Self.expect("48 Hz", try Self.log(4, every: 6), total: 2.25, inclination: 1.45)
  }

  @Test func aPerCentOfScaleIsFound() throws {
    let log = try Self.log(4, every: 3).mapRows { $0.angularVelocity = $0.angularVelocity * 1.01 }
    Self.expect("95 Hz, +1 % scale", log, total: 2.2, inclination: 1.2)
  }

  @Test func twentyMillisecondsOfLagAreFound() throws {
    Self.expect("95 Hz, 21 ms of lag", try Self.log(4).magnetometerLate(byRows: 2), total: 2.05, inclination: 1)
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
