// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion

/// What the errors of a sensor, learned in other trials, are worth: every trial started with nothing, then after each one of
/// the others, then after all of them one after another.
///
/// A trial never hands over to itself, and only to trials of the same sensor: BROAD was recorded with several, whose
/// gyroscopes tell them apart. How much later the other trial was recorded, and how warm it was then, is taken as unknown.
struct LearnedComparison {
  /// One trial.
  struct Row {
    var name: String
    /// RMS errors in degrees when started with nothing.
    var alone: OrientationFigures
    /// The same after each one of the others.
    var afterOne: [OrientationFigures]
    /// The same after all others.
    var afterAll: OrientationFigures
  }

  /// Biases that are closer than this, rad/s, belong to one sensor: 0.1 °/s. From sensor to sensor it is 0.3 °/s and more.
  private static let sameBias = Angle(degrees: 0.1).radians

  let usesMagnetometer: Bool
  private(set) var rows: [Row] = []

  /// Runs everything; `progress` hears the number of the trial that begins.
  init(_ trials: [BroadTrial], usesMagnetometer: Bool, progress: (Int) -> Void) throws {
    self.usesMagnetometer = usesMagnetometer
    let data = try trials.map { trial in
      let rows = try trial.read()
      return (rows: rows, readings: BroadTrial.readings(of: rows))
    }
    func run(_ index: Int, after learned: LearnedSensor?) throws -> (OrientationFigures, LearnedSensor) {
      let (rows, readings) = data[index]
      var filter = OrientationFilter(
        parameters: BroadTrial.parameters(rate: rows.rate), usesMagnetometer: usesMagnetometer)
      if let learned {
        guard
          let informed = OrientationFilter(
            parameters: filter.parameters, usesMagnetometer: usesMagnetometer,
            learned: learned.widened(elapsed: .infinity))
        else {
          throw CommandFailure("What was learned before \(trials[index].name) cannot be the errors of a sensor.")
        }
        filter = informed
      }
      let start = filter.learned
      let errors = BroadTrial.errors(of: &filter, readings, rows)
      return (
        BroadTrial.figures(errors, usesMagnetometer: usesMagnetometer), filter.learned.credited(since: start)
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
  private func values(_ row: Row) -> [Double] {
    let afterOne = row.afterOne.map(figure)
    return [
      figure(row.alone), Statistic.mean(afterOne) ?? .nan, afterOne.max() ?? .nan, figure(row.afterAll),
    ]
  }

  private var means: [Double] {
    let values = rows.map(values)
    return (0..<4).map { column in Statistic.mean(values.map { $0[column] }) ?? .nan }
  }

  private static let names = ["nothing", "afterOne", "afterOneLargest", "afterAll"]

  /// A row per trial, and the means.
  func appendTable(to buffer: inout TextBuffer) {
    let what = usesMagnetometer ? "9D: total" : "6D: inclination"
    buffer.append(
      """
      BROAD layout, \(what) RMS error, degrees: started with nothing learned; with the gyroscope's errors and the
      magnetometer's delay as one other trial of the same sensor left them (mean and largest over the others); and as all
      others left them, one after another. A sensor is recognised by its gyroscope's bias.


      """)
    let widest = max(24, rows.map(\.name.count).max() ?? 0)
    func append(_ name: String, _ values: [Double]) {
      buffer.append(name + String(repeating: " ", count: max(0, widest - name.count)))
      for value in values { buffer.append(value, places: 3, width: 11) }
      buffer.append("\n")
    }
    buffer.append("trial" + String(repeating: " ", count: widest - 5))
    for title in ["nothing", "after one", "largest", "after all"] { buffer.append(title, width: 11) }
    buffer.append("\n")
    for row in rows { append(row.name, values(row)) }
    append("mean of \(rows.count)", means)
  }

  /// `{"mean":{"nothing":…,"afterOne":…,"afterOneLargest":…,"afterAll":…},"trials":[{"name":…,"nothing":…,…},…]}`, degrees.
  func appendJSON(to buffer: inout TextBuffer) {
    func append(_ values: [Double]) {
      for (index, (name, value)) in zip(Self.names, values).enumerated() {
        buffer.append(index == 0 ? "" : ",")
        buffer.appendJSON(name)
        buffer.append(":")
        if value.isFinite { buffer.append(value) } else { buffer.append("null") }
      }
    }
    buffer.append("{\"mean\":{")
    append(means)
    buffer.append("},\"trials\":[")
    for (index, row) in rows.enumerated() {
      buffer.append(index == 0 ? "{\"name\":" : ",{\"name\":")
      buffer.appendJSON(row.name)
      buffer.append(",")
      append(values(row))
      buffer.append("}")
    }
    buffer.append("]}\n")
  }
}
