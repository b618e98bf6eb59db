// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import OrientationFusion
import Testing

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
