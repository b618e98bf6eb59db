// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// A recording with something to compare the filter with.
///
/// To add a layout: conform a type, and let ``TrialSearch`` recognise it.
package protocol AccuracyTrial: Sendable {
  static var layout: TrialLayout { get }
  /// The file's or folder's own name.
  var name: String { get }
  /// Runs the filter over the trial.
  func measure(_ options: TrialOptions) throws -> TrialResult
}

/// How a trial is run.
package struct TrialOptions: Sendable {
  package var usesMagnetometer = true
  /// Nothing is told to the filter that a user's table does not say.
  package var asUser = false
  /// The smoother, which knows the whole trial, in place of the filter.
  package var smooths = false
  /// BROAD: by how much the stamps of the sensors are late against the truth's, s, for figures beside those without it.
  package var referenceDelay: Double?

  package init() {}
}

/// What kind of truth a trial has, and what its figures mean.
package enum TrialLayout: Sendable, CaseIterable {
  /// The filter on raw columns, against optical truth.
  case broad
  /// The gravity that the phone computed itself.
  case apple
  /// A phone's raw sensors, against motion capture.
  case motionCapture
}

/// What one trial showed.
package struct TrialResult: Sendable {
  package var layout: TrialLayout
  package var name: String
  /// For the JSON. Against Apple's gravity only the inclination exists: the mean angle.
  package var figures: OrientationFigures
  /// A row of the table, in the order of the layout's columns.
  package var values: [Double?]
  /// What the filter stated of its errors; nil where there is no truth to hold it against.
  package var bounds: StatedBounds?
  /// s from the start of the trial to the first heading; nil when none ever came.
  package var firstHeading: Double?
  /// The figures with ``TrialOptions/referenceDelay``.
  package var delayed: OrientationFigures?
  /// Gyroscope samples, and the processor time that all updates between them took together.
  package var updates: Int
  package var nanoseconds: Double
  /// What the curves show, in words.
  package var subtitle: String
  /// s, of each value of each curve.
  package var times: [Double]
  /// The errors over time.
  package var curves: [Curve]

  package init(
    layout: TrialLayout, name: String, figures: OrientationFigures, values: [Double?], bounds: StatedBounds? = nil,
    firstHeading: Double? = nil, delayed: OrientationFigures? = nil, updates: Int, nanoseconds: Double,
    subtitle: String, times: [Double], curves: [Curve]
  ) {
    self.layout = layout
    self.name = name
    self.figures = figures
    self.values = values
    self.bounds = bounds
    self.firstHeading = firstHeading
    self.delayed = delayed
    self.updates = updates
    self.nanoseconds = nanoseconds
    self.subtitle = subtitle
    self.times = times
    self.curves = curves
  }

  package var nanosecondsPerUpdate: Double { nanoseconds / Double(max(1, updates)) }

  /// One error over time, and the figure that it comes to.
  package struct Curve: Sendable {
    package var title: String
    package var unit: String
    /// What the figure is: "RMS".
    package var statistic: String
    package var figure: Double?
    /// Decimals of the figure.
    package var places: Int
    /// NaN where nothing is known.
    package var values: [Double]
    /// The scale reaches at least this far.
    package var leastSpan: Double
  }
}

extension TrialResult.Curve {
  /// Total, heading and inclination error, degrees. Times in s; before `headingFrom` only the inclination counts.
  static func orientationErrors(
    _ errors: [OrientationError?], times: [Double], figures: OrientationFigures, statistic: String,
    headingFrom: Double = -.infinity
  ) -> [TrialResult.Curve] {
    func curve(
      _ title: String, _ path: KeyPath<OrientationError, Double>, _ figure: Double?, from start: Double
    ) -> TrialResult.Curve {
      let values = zip(errors, times).map { error, time in
        guard let error, time >= start else { return Double.nan }
        return Angle(radians: error[keyPath: path]).degrees
      }
      return .init(
        title: title, unit: "°", statistic: statistic, figure: figure, places: 2, values: values, leastSpan: 1)
    }
    let inclination = curve("Inclination error", \.inclination, figures.inclination, from: -.infinity)
    guard figures.heading != nil else { return [inclination] }
    return [
      curve("Total error", \.total, figures.total, from: headingFrom),
      curve("Heading error", \.heading, figures.heading, from: headingFrom), inclination,
    ]
  }
}
