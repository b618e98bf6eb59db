// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import MotionServices

/// An iPhone's raw sensors, and what Core Motion gave at the same time in `gravity.txt` and `linacce.txt`: ns and g × 9.81.
///
/// At each of Apple's rows our attitude is interpolated between the two states of motion around it. Gravity and user
/// acceleration of a row add up to one accelerometer sample; ours is taken of that same sample, because the difference
/// of two samples would say nothing about either filter. The magnetometer takes no part: neither quantity depends on
/// north.
package struct AppleTrial: AccuracyTrial {
  package static let layout = TrialLayout.apple
  /// Seconds at the start that do not count: both filters are still settling.
  private static let settling = 2.0

  let path: String
  package var name: String { URL(fileURLWithPath: path).lastPathComponent }

  package func measure(_ options: TrialOptions) throws -> TrialResult {
    let samples = try PhoneSamples(folder: path)
    let apples = try apples()
    let (motions, nanoseconds) = try samples.motions(usesMagnetometer: false, smooths: options.smooths)
    var times: [Double] = []
    var angles: [Double] = []
    var differences: [Double] = []
    var index = 0
    for apple in apples where (apple.time - samples.start).seconds >= Self.settling {
      while index + 1 < motions.count, motions[index + 1].time < apple.time { index += 1 }
      guard index + 1 < motions.count, motions[index].time <= apple.time,
        let difference = Self.difference(motions[index], motions[index + 1], apple)
      else { continue }
      times.append((apple.time - samples.start).seconds)
      angles.append(Angle(radians: difference.gravity).degrees)
      differences.append(difference.userAcceleration / standardGravity)
    }
    guard let mean = Statistic.mean(angles), let largest = angles.max() else {
      throw SensorError(
        .unsupported,
        "Apple's gravity and the raw sensors have no time in common after the first \(Int(Self.settling)) s: there is nothing to compare.",
        at: .init(file: path))
    }
    let deviation = Statistic.rootMeanSquare(differences)
    return TrialResult(
      layout: .apple, name: name, figures: OrientationFigures(inclination: mean), values: [mean, largest, deviation],
      updates: samples.gyroscopeCount, nanoseconds: nanoseconds,
      subtitle: "difference to Apple's own output · 6D", times: times,
      curves: [
        .init(
          title: "Angle to Apple's gravity", unit: "°", statistic: "mean", figure: mean, places: 3, values: angles,
          leastSpan: 0.5),
        .init(
          title: "Difference to Apple's user acceleration", unit: "g", statistic: "RMS", figure: deviation, places: 4,
          values: differences, leastSpan: 0.01),
      ])
  }

  /// A row of Core Motion's, m/s² upwards at rest.
  private struct Row {
    var time: SensorInstant
    var gravity: Vector3<Device>
    var userAcceleration: Vector3<Device>
  }

  private func apples() throws -> [Row] {
    func rows(_ name: String) throws -> [Double: Vector3<Device>] {
      guard let file = CompressedText.find(name, in: path) else {
        throw SensorError(.notFound, "Core Motion's output is missing.", at: .init(file: "\(path)/\(name)"))
      }
      let pairs = try CompressedText.numbers(file).filter { $0.count == 4 }.map { row in
        (row[0], Vector3<Device>(x: row[1], y: row[2], z: row[3]) * (-standardGravity / 9.81))
      }
      return Dictionary(pairs) { first, _ in first }
    }
    let user = try rows("linacce.txt")
    return try rows("gravity.txt").sorted { $0.key < $1.key }.compactMap { time, gravity in
      user[time].map { Row(time: SensorInstant(nanoseconds: Int64(time)), gravity: gravity, userAcceleration: $0) }
    }
  }

  /// The angle between both gravities, rad, and the distance of both user accelerations, m/s², at the time of `apple`.
  private static func difference(
    _ before: DeviceMotion, _ after: DeviceMotion, _ apple: Row
  ) -> (gravity: Double, userAcceleration: Double)? {
    guard let first = before.sixAxis, let second = after.sixAxis else { return nil }
    let fraction = (apple.time - before.time).seconds / max((after.time - before.time).seconds, 1e-9)
    let attitude = first.attitude.interpolated(to: second.attitude, fraction: fraction)
    let up = attitude.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: 1)
    let (gravity, userAcceleration) = (apple.gravity, apple.userAcceleration)
    // The sample that Apple's row was made of is that of one of our two states.
    let raw = gravity + userAcceleration
    let candidates = [before.accelerometer.specificForce, after.accelerometer.specificForce]
    let force = (candidates[0] - raw).length <= (candidates[1] - raw).length ? candidates[0] : candidates[1]
    return (up.angle(to: gravity), (force - up * standardGravity - userAcceleration).length)
  }
}
