// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import MotionServices

/// A tyrex trial: an iPhone's raw sensors, Apple's attitude, and the truth of a motion capture system.
///
/// The phone's time t belongs to the truth's time t − BootTime (`description.txt`) + the number in `timeAlignment.txt`.
/// Between two rows of the truth the pose is interpolated. Source: data/iphone/README.md.
package struct MotionCaptureTrial: AccuracyTrial {
  package static let layout = TrialLayout.motionCapture
  /// Seconds of the truth's time that do not count: the filter finds inclination and a bias of degrees per second
  /// first.
  private static let settling = 5.0

  let path: String
  package var name: String { URL(fileURLWithPath: path).lastPathComponent }

  package func measure(_ options: TrialOptions) throws -> TrialResult {
    let usesMagnetometer = options.usesMagnetometer
    let samples = try PhoneSamples(folder: path)
    let truth = try MotionCaptureTruth(folder: path)
    var ours = Errors(truth: truth)
    var bounds = StatedBounds()
    let (motions, nanoseconds) = try samples.motions(usesMagnetometer: usesMagnetometer, smooths: options.smooths)
    for motion in motions {
      guard let solution = usesMagnetometer ? motion.nineAxis : motion.sixAxis else { continue }
      let hasHeading = usesMagnetometer && solution.hasHeading
      guard let error = ours.add(solution.attitude, hasHeading: hasHeading, at: motion.time) else { continue }
      bounds.add(
        ScoredRow(
          error: error, inclinationDeviation: solution.inclinationStandardDeviation,
          headingDeviation: usesMagnetometer ? solution.headingStandardDeviation : nil, hasHeading: hasHeading))
    }
    guard !ours.all.isEmpty else {
      throw SensorError(
        .malformed,
        "Sensors and motion capture have no time in common: BootTime in description.txt or timeAlignment.txt is wrong.",
        at: .init(file: path))
    }
    var apples = Errors(truth: truth)
    let turn = Rotation<NorthWestUp, EastNorthUp>(aboutZ: .pi / 2)
    // Seconds since the phone was switched on, w x y z.
    for row in try CompressedText.find("attitude.txt", in: path).map(CompressedText.numbers) ?? [] where row.count == 5
    {
      guard let attitude = Rotation<Device, NorthWestUp>(w: row[1], x: row[2], y: row[3], z: row[4]) else { continue }
      apples.add(
        turn * attitude, hasHeading: true, at: SensorInstant(nanoseconds: Int64((row[0] * 1e9).rounded())))
    }
    let figures = ours.medians
    let begin = samples.start.seconds + truth.offset
    let times = ours.all.map { $0.time - begin }
    let firstHeading = ours.withHeading.first.map { $0.time - begin }
    return TrialResult(
      layout: .motionCapture, name: name, figures: figures,
      values: [
        figures.total, figures.heading, figures.inclination, bounds.known.percent, bounds.wrong.percent,
        bounds.inclination.percent, bounds.heading.percent, usesMagnetometer ? apples.medians.heading : nil,
        apples.medians.inclination,
      ],
      bounds: bounds, firstHeading: firstHeading,
      updates: samples.gyroscopeCount, nanoseconds: nanoseconds,
      subtitle: "error against motion capture · "
        + (usesMagnetometer ? "9D, total and heading from the first calibration on" : "6D"),
      times: times,
      curves: TrialResult.Curve.orientationErrors(
        ours.all.map(\.error), times: times, figures: figures, statistic: "median",
        headingFrom: firstHeading ?? .infinity))
  }

  /// Errors wherever the truth is known.
  private struct Errors {
    struct Row {
      /// s on the truth's clock.
      var time: Double
      var error: OrientationError
    }

    let truth: MotionCaptureTruth
    private var row = 0
    private(set) var all: [Row] = []
    /// Those whose heading counts from north.
    private(set) var withHeading: [Row] = []

    init(truth: MotionCaptureTruth) { self.truth = truth }

    /// In the order of time; nil where the truth is not known.
    @discardableResult
    mutating func add(
      _ attitude: Rotation<Device, EastNorthUp>, hasHeading: Bool, at time: SensorInstant
    ) -> OrientationError? {
      let time = time.seconds + truth.offset
      guard time > settling, let reference = truth.pose(at: time, from: &row) else { return nil }
      let found = Row(time: time, error: OrientationError(estimate: attitude, reference: reference))
      all.append(found)
      if hasHeading { withHeading.append(found) }
      return found.error
    }

    /// Degrees.
    var medians: OrientationFigures {
      func median(_ rows: [Row], _ path: KeyPath<OrientationError, Double>) -> Double? {
        Statistic.median(rows.map { $0.error[keyPath: path] }).map { Angle(radians: $0).degrees }
      }
      return OrientationFigures(
        total: median(withHeading, \.total), heading: median(withHeading, \.heading),
        inclination: median(all, \.inclination))
    }
  }
}
