// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import OrientationFusion

/// What the errors of a sensor, learned in other trials, are worth: every trial started with nothing, then after each
/// one of the others, then after all of them one after another.
///
/// A trial never hands over to itself, and only to trials of the same sensor: BROAD was recorded with several, whose
/// gyroscopes tell them apart. How much later the other trial was recorded, and how warm it was then, is taken as
/// unknown.
package struct LearnedComparison {
  /// One trial.
  package struct Row {
    package var name: String
    /// RMS errors in degrees when started with nothing.
    var alone: OrientationFigures
    /// The same after each one of the others.
    var afterOne: [OrientationFigures]
    /// The same after all others.
    var afterAll: OrientationFigures
  }

  /// Biases that are closer than this, rad/s, belong to one sensor: 0.1 °/s. From sensor to sensor it is 0.3 °/s and
  /// more.
  private static let sameBias = Angle(degrees: 0.1).radians

  package let usesMagnetometer: Bool
  package private(set) var rows: [Row] = []

  /// Runs everything; `progress` hears the number of the trial that begins.
  package init(_ trials: [BroadTrial], usesMagnetometer: Bool, progress: (Int) -> Void) throws {
    self.usesMagnetometer = usesMagnetometer
    let data = try trials.map { trial in
      let rows = try trial.read()
      return (rows: rows, readings: BroadTrial.readings(of: rows))
    }
    func run(_ index: Int, after learned: LearnedSensor?) throws -> (OrientationFigures, LearnedSensor) {
      let (rows, readings) = data[index]
      var filter = OrientationFilter(
        parameters: trials[index].parameters(rate: rows.rate), usesMagnetometer: usesMagnetometer)
      if let learned {
        guard
          let informed = OrientationFilter(
            parameters: filter.parameters, usesMagnetometer: usesMagnetometer,
            learned: learned.widened(elapsed: .infinity))
        else {
          throw SensorError(
            .malformed, "What was learned before \(trials[index].name) cannot be the errors of a sensor.")
        }
        filter = informed
      }
      let start = filter.learned
      let scores = BroadTrial.scores(of: &filter, readings, rows)
      return (
        BroadTrial.figures(scores.compactMap(\.self), usesMagnetometer: usesMagnetometer),
        filter.learned.credited(since: start)
      )
    }
    let alone = try trials.indices.map { try run($0, after: nil) }
    for index in trials.indices {
      progress(index)
      let others = trials.indices.filter { other in
        other != index && (alone[other].1.gyroscopeBias - alone[index].1.gyroscopeBias).length < Self.sameBias
      }
      guard !others.isEmpty else { continue }
      var learned: LearnedSensor?
      for other in others { learned = try run(other, after: learned).1 }
      self.rows.append(
        Row(
          name: trials[index].name, alone: alone[index].0,
          afterOne: try others.map { try run(index, after: alone[$0].1).0 },
          afterAll: try run(index, after: learned).0))
    }
  }

  /// The figure that is compared: total, or inclination without a magnetometer.
  private func figure(_ figures: OrientationFigures) -> Double {
    (usesMagnetometer ? figures.total : figures.inclination) ?? .nan
  }

  /// The four figures of a row: with nothing learned, mean and largest after one other trial, and after all.
  package func values(_ row: Row) -> [Double] {
    let afterOne = row.afterOne.map(figure)
    return [
      figure(row.alone), Statistic.mean(afterOne) ?? .nan, afterOne.max() ?? .nan, figure(row.afterAll),
    ]
  }

  package var means: [Double] {
    let values = rows.map(values)
    return (0..<4).map { column in Statistic.mean(values.map { $0[column] }) ?? .nan }
  }
}
