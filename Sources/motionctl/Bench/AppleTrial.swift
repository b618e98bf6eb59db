// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import MotionServices

/// A folder of the PyojinKim logger: an iPhone's raw sensors beside what Core Motion gave at the same time.
///
/// Apple's gravity and user acceleration are brought to the times of our states of motion by straight lines. The
/// magnetometer takes no part: neither quantity depends on north.
struct AppleTrial: AccuracyTrial {
  static let layout = TrialLayout.apple
  /// Seconds at the start that do not count: both filters are still settling.
  private static let settling = 2.0

  let path: String
  var name: String { URL(fileURLWithPath: path).lastPathComponent }

  func measure(usesMagnetometer: Bool) throws -> TrialResult {
    let samples = try PhoneSamples(path: path)
    let apples = samples.apples
    var times: [Double] = []
    var angles: [Double] = []
    var differences: [Double] = []
    var row = 0
    for motion in samples.motions(usesMagnetometer: false) {
      while row + 1 < apples.count, apples[row + 1].time < motion.time { row += 1 }
      guard let solution = motion.sixAxis, (motion.time - samples.start).seconds >= Self.settling,
        row + 1 < apples.count, apples[row].time <= motion.time
      else { continue }
      let apple = Self.interpolate(apples[row], apples[row + 1], at: motion.time)
      times.append(motion.time.seconds)
      angles.append(Angle(radians: solution.up.angle(to: apple.gravity)).degrees)
      let linear = motion.accelerometer.specificForce - solution.up * standardGravity
      differences.append((linear - apple.linearAcceleration).length / standardGravity)
    }
    guard let mean = Statistic.mean(angles), let largest = angles.max() else {
      throw SensorError(
        .unsupported,
        "Apple's gravity and the raw sensors have no time in common after the first \(Int(Self.settling)) s: there is nothing to compare.",
        at: .init(file: path))
    }
    return TrialResult(
      layout: .apple, name: name, figures: OrientationFigures(inclination: mean),
      values: [mean, largest, Statistic.rootMeanSquare(differences)], updates: samples.gyroscopeCount,
      nanoseconds: samples.nanoseconds(usesMagnetometer: false),
      chart: Chart(
        title: name, subtitle: "difference to Apple's own output · 6D", times: Chart.fromZero(times),
        panels: [
          .error("Angle to Apple's gravity", unit: "°", .green, angles, leastSpan: 0.5),
          .error("Difference to Apple's user acceleration", unit: "g", .blue, differences, leastSpan: 0.01),
        ]))
  }

  /// Up at rest and linear acceleration in m/s², on the straight line between two samples.
  private static func interpolate(
    _ a: FusedMotionSample, _ b: FusedMotionSample, at time: SensorInstant
  ) -> (gravity: Vector3<Device>, linearAcceleration: Vector3<Device>) {
    let k = (time - a.time).seconds / max((b.time - a.time).seconds, 1e-9)
    return (
      a.gravity * (a.accelerationUnit * (1 - k)) + b.gravity * (b.accelerationUnit * k),
      a.linearAcceleration * (a.accelerationUnit * (1 - k)) + b.linearAcceleration * (b.accelerationUnit * k)
    )
  }
}
