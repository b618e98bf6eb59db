// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import OrientationFusion
import Testing

/// The filter on real sensors, against Apple's own output and against optical truth.
///
/// The figures are printed, so that a run is a report: `swift test -c release --filter RecordedAccuracyTests`.
@Suite(.serialized) struct RecordedAccuracyTests {
  // MARK: Apple's gravity

  /// Mean angle in degrees between our gravity and Apple's, from 2 s after the start.
  static func gravityError(_ recording: String) throws -> (mean: Double, largest: Double) {
    let force = try Recordings.iphone(recording, "acce")
    let rate = try Recordings.iphone(recording, "gyro_uncalib")
    let apple = try Recordings.iphone(recording, "gravity")
    var filter = OrientationFilter(parameters: .phone, usesMagnetometer: false)
    var (sum, largest, count) = (0.0, 0.0, 0.0)
    var (nextForce, row) = (0, 0)
    for sample in rate {
      while nextForce < force.count, force[nextForce].time <= sample.time {
        // The file holds Core Motion's g times 9.81; specific force has the opposite sign.
        filter.update(
          specificForce: force[nextForce].values * (-9.80665 / 9.81), atNanoseconds: force[nextForce].time)
        nextForce += 1
      }
      filter.update(angularVelocity: sample.values, atNanoseconds: sample.time)
      while row + 1 < apple.count, apple[row + 1].time < sample.time { row += 1 }
      guard sample.time - rate[0].time >= 2_000_000_000, row + 1 < apple.count, apple[row].time <= sample.time,
        let attitude = filter.attitude
      else { continue }
      let fraction = Double(sample.time - apple[row].time) / Double(apple[row + 1].time - apple[row].time)
      let gravity = apple[row].values * (1 - fraction) + apple[row + 1].values * fraction
      let down = attitude.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: -1)
      let angle = Angle(radians: down.angle(to: gravity)).degrees
      sum += angle
      largest = max(largest, angle)
      count += 1
    }
    return (sum / count, largest)
  }

  @Test(
    .enabled(if: Recordings.has("iphone"), "needs the recordings of iPhones (shared/data/iphone)"),
    arguments: [("2019_06_11", 0.25), ("2019_06_10", 0.36)])
  func gravityIsApplesWithinAThirdOfADegree(_ recording: (name: String, bound: Double)) throws {
    let error = try Self.gravityError(recording.name)
    print("iphone \(recording.name): gravity against Apple's, degrees: mean \(error.mean), largest \(error.largest)")
    #expect(error.mean <= recording.bound)
    #expect(error.largest <= 2.7)
  }

  @Test(.enabled(if: Recordings.has("iphone"), "needs the recordings of iPhones (shared/data/iphone)"))
  func theHardIronIsApplesWithinThreeMicrotesla() throws {
    let recording = "2019_06_11"
    let raw = try Recordings.iphone(recording, "magnet_uncalib")
    let apple = try Recordings.iphone(recording, "magnet")
    let force = try Recordings.iphone(recording, "acce")
    let rate = try Recordings.iphone(recording, "gyro_uncalib")
    var filter = OrientationFilter(parameters: .phone, usesMagnetometer: false)
    var (nextForce, nextRate, row) = (0, 0, 0)
    var calibratedAfter: Double?
    var error = Double.infinity
    for sample in raw {
      while nextRate < rate.count, rate[nextRate].time <= sample.time {
        while nextForce < force.count, force[nextForce].time <= rate[nextRate].time {
          filter.update(
            specificForce: force[nextForce].values * (-9.80665 / 9.81), atNanoseconds: force[nextForce].time)
          nextForce += 1
        }
        filter.update(angularVelocity: rate[nextRate].values, atNanoseconds: rate[nextRate].time)
        nextRate += 1
      }
      filter.update(magneticField: sample.values * 1e-6, atNanoseconds: sample.time)
      while row + 1 < apple.count, apple[row + 1].time <= sample.time { row += 1 }
      let seconds = Double(sample.time - raw[0].time) * 1e-9
      if filter.magnetometerCalibration.accuracy > .uncalibrated, calibratedAfter == nil { calibratedAfter = seconds }
      // Apple itself changes its mind after 22 s: its field was 60–69 µT strong before, and 47 µT afterwards.
      guard seconds > 30, seconds < 40 else { continue }
      let offset = sample.values - apple[row].values
      error = (filter.magnetometerCalibration.hardIron * 1e6 - offset).length
    }
    print("iphone \(recording): calibrated after \(calibratedAfter ?? -1) s, \(error) µT from Apple's hard iron")
    #expect((calibratedAfter ?? .infinity) < 39)
    #expect(error < 3)
  }

  // MARK: Optical truth (BROAD)

  struct Errors {
    var total = 0.0, heading = 0.0, inclination = 0.0
    /// Samples, and how many of them lie within the 95 % bound that the filter states.
    var count = 0.0, coveredHeading = 0.0, coveredInclination = 0.0
  }

  /// The benchmark's errors in degrees, RMS over a trial's movement phase (data/broad/README.md).
  static func broadErrors(_ name: String, usesMagnetometer: Bool) throws -> Errors {
    let trial = try Recordings.BroadTrial(name: name)
    // The sensor stamps the end of the interval over which it averages. (The other filters of the comparison take each
    // rate for the interval before its stamp, which is the same.)
    var parameters = OrientationFilter.Parameters.phone
    parameters.isMagnetometerCalibrated = true
    parameters.gyroscopeDelay = Recordings.BroadTrial.sampleInterval / 2
    var filter = OrientationFilter(parameters: parameters, usesMagnetometer: usesMagnetometer)
    var sum = Errors()
    for row in 0..<trial.count {
      let time = Int64(row) * 3_500_000
      filter.update(angularVelocity: trial.vector(row, 0), atNanoseconds: time)
      filter.update(specificForce: trial.vector(row, 3), atNanoseconds: time)
      if usesMagnetometer {
        filter.update(magneticField: trial.vector(row, 6) * 1e-6, atNanoseconds: time)
      }
      guard let reference = trial.reference(row), let attitude = filter.attitude else { continue }
      let e = attitude * reference.inverse
      let total = 2 * Scalar.acos(abs(e.w))
      let heading = 2 * Scalar.atan2(abs(e.z), abs(e.w))
      let inclination = 2 * Scalar.acos((e.w * e.w + e.z * e.z).squareRoot())
      sum.total += total * total
      sum.heading += heading * heading
      sum.inclination += inclination * inclination
      sum.count += 1
      // One axis: 1.96 standard deviations; the length of two: √(−2 ln 0.05) of one, and the filter states both
      // together.
      if heading < 1.96 * filter.headingStandardDeviation { sum.coveredHeading += 1 }
      if inclination < 1.7308 * filter.inclinationStandardDeviation { sum.coveredInclination += 1 }
    }
    func root(_ x: Double) -> Double { Angle(radians: (x / sum.count).squareRoot()).degrees }
    (sum.total, sum.heading, sum.inclination) = (root(sum.total), root(sum.heading), root(sum.inclination))
    return sum
  }

  static func meanErrors(_ names: [String], usesMagnetometer: Bool) throws -> Errors {
    var mean = Errors()
    for name in names {
      let e = try broadErrors(name, usesMagnetometer: usesMagnetometer)
      print(
        "\(usesMagnetometer ? "9D" : "6D") \(name): total \(e.total), heading \(e.heading), inclination \(e.inclination)"
      )
      mean.total += e.total / Double(names.count)
      mean.heading += e.heading / Double(names.count)
      mean.inclination += e.inclination / Double(names.count)
    }
    print("mean of \(names.count): total \(mean.total), heading \(mean.heading), inclination \(mean.inclination)")
    return mean
  }

  /// All fourteen trials take minutes in a debug build: there they are for those who ask, with
  /// OPENCOREMOTION_ALL_TRIALS=1.
  static let runsAllTrials: Bool = {
    #if DEBUG
    ProcessInfo.processInfo.environment["OPENCOREMOTION_ALL_TRIALS"] == "1"
    #else
    true
    #endif
  }()

  @Test(
    .enabled(if: Recordings.has("broad"), "needs the BROAD trials (shared/data/broad)"),
    .enabled(if: runsAllTrials, "fourteen trials are for release builds, or OPENCOREMOTION_ALL_TRIALS=1"))
  func theBenchmarkIsBetterThanTheStateOfTheArt() throws {
    // VQF 2.1.2 on these trials: 2.44 / 2.29 / 0.72.
    let nine = try Self.meanErrors(Recordings.broadTrials, usesMagnetometer: true)
    #expect(nine.total < 1.75)
    #expect(nine.heading < 1.57)
    #expect(nine.inclination < 0.63)
    let six = try Self.meanErrors(Recordings.broadTrials, usesMagnetometer: false)
    #expect(six.inclination < 0.60)
  }

  // One number for a recording says little: with the phone at the sensor (27) the field is off by 7° all the time, and
  // no filter can know. Over the trials together the bound must hold as often as it says.
  @Test(.enabled(if: Recordings.has("broad"), "needs the BROAD trials (shared/data/broad)"))
  func theStatedBoundCoversTheTruthAsOftenAsItSays() throws {
    let names = Self.runsAllTrials ? Recordings.broadTrials : [Recordings.broadTrials[2], Recordings.broadTrials[5]]
    var (all, attached) = (Errors(), Errors())
    for name in names {
      let e = try Self.broadErrors(name, usesMagnetometer: true)
      let isAttached = name.hasPrefix("33") || name.hasPrefix("35")
      if isAttached { Self.pool(e, into: &attached) } else { Self.pool(e, into: &all) }
    }
    func share(_ covered: Double, _ e: Errors) -> Double { e.count > 0 ? covered / e.count : .nan }
    let heading = share(all.coveredHeading, all)
    let inclination = share(all.coveredInclination, all)
    print("within the 95 % bound: heading \(heading), inclination \(inclination)")
    print(
      "with a magnet at the sensor: heading \(share(attached.coveredHeading, attached)), "
        + "inclination \(share(attached.coveredInclination, attached))")
    #expect(heading > 0.9)
    #expect(inclination > 0.9)
    if Self.runsAllTrials {
      #expect(heading < 0.99)
      #expect(inclination < 0.99)
    }
  }

  private static func pool(_ e: Errors, into sum: inout Errors) {
    sum.count += e.count
    sum.coveredHeading += e.coveredHeading
    sum.coveredInclination += e.coveredInclination
  }

  @Test(.enabled(if: Recordings.has("broad"), "needs the BROAD trials (shared/data/broad)"))
  func threeTrialsOfTheBenchmarkHold() throws {
    // One calm, one vigorous, one with a magnet on the sensor; VQF is near 1.0, 1.9 and 2.4 at best.
    let names = [Recordings.broadTrials[2], Recordings.broadTrials[4], Recordings.broadTrials[13]]
    let mean = try Self.meanErrors(names, usesMagnetometer: true)
    #expect(mean.total < 1.1)
    #expect(mean.inclination < 0.58)
  }
}
