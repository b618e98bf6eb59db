// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A recording with something to compare the filter with.
///
/// To add a layout: conform a type, and let ``TrialSearch`` recognise it.
protocol AccuracyTrial: Sendable {
  static var layout: TrialLayout { get }
  /// The file's or folder's own name.
  var name: String { get }
  /// Runs the filter over the trial; without magnetometer when `usesMagnetometer` is false.
  func measure(usesMagnetometer: Bool) throws -> TrialResult
}

/// What kind of truth a trial has, and what its figures mean.
enum TrialLayout: Sendable, CaseIterable {
  /// The filter on raw columns, against optical truth.
  case broad
  /// The gravity that the phone computed itself.
  case apple
  /// A phone's raw sensors, against motion capture.
  case motionCapture

  /// A column of the table beside the trial's name: title, and decimals of its numbers.
  struct Column: Sendable {
    var title: String
    var places: Int
    /// True for figures that are compared only where our heading is known: the mean leaves the other trials out.
    var needsHeading = false
  }

  /// What is measured, in the lines above the table.
  func title(usesMagnetometer: Bool) -> String {
    let axes = usesMagnetometer ? "9D" : "6D"
    return switch self {
    case .broad:
      """
      BROAD layout, \(axes): RMS error over the movement phases, degrees. Default parameters for phones; gyroscopeDelay is
      half a sample interval, because the chip stamps the end of the interval that it averages over.
      """
    case .apple:
      """
      iPhone sensors against Apple's own output, 6D, from 2 s on: angle to Apple's gravity, degrees (mean, largest), and RMS
      difference to Apple's user acceleration of the same accelerometer sample, g.
      """
    case .motionCapture:
      """
      iPhone sensors against motion capture, \(axes), from 5 s on: median error, degrees, beside Apple's. Our total and heading
      count where the heading is known: once the magnetometer is calibrated, which starts from nothing.
      """
    }
  }

  /// The columns for ``TrialResult/values``.
  var columns: [Column] {
    switch self {
    case .broad:
      [
        Column(title: "total", places: 3), Column(title: "heading", places: 3),
        Column(title: "inclination", places: 3),
      ]
    case .apple:
      [
        Column(title: "gravity", places: 3), Column(title: "largest", places: 3),
        Column(title: "user acc.", places: 4),
      ]
    case .motionCapture:
      [
        Column(title: "total", places: 2, needsHeading: true), Column(title: "heading", places: 2, needsHeading: true),
        Column(title: "inclination", places: 2), Column(title: "known %", places: 0),
        Column(title: "Apple heading", places: 2, needsHeading: true),
        Column(title: "Apple inclination", places: 2),
      ]
    }
  }
}

/// What one trial showed.
struct TrialResult: Sendable {
  var layout: TrialLayout
  var name: String
  /// For the JSON. Against Apple's gravity only the inclination exists: the mean angle.
  var figures: OrientationFigures
  /// A row of the table, as ``TrialLayout/columns`` names it.
  var values: [Double?]
  /// Gyroscope samples, and the processor time that all updates between them took together.
  var updates: Int
  var nanoseconds: Double
  /// The error over time.
  var chart: Chart

  var nanosecondsPerUpdate: Double { nanoseconds / Double(max(1, updates)) }
}
