// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

extension Chart {
  /// Total, heading and inclination error over time; a hole where nothing is known. Times in s; before `headingFrom` only
  /// the inclination counts. `figures` stand in the legends, named by `statistic`.
  static func orientationErrors(
    _ errors: [OrientationError?], times: [Double], title: String, subtitle: String, figures: OrientationFigures,
    statistic: String, headingFrom: Double = -.infinity
  ) -> Chart {
    func panel(
      _ title: String, _ color: Color, _ path: KeyPath<OrientationError, Double>, _ figure: Double?, from start: Double
    ) -> Panel {
      let values = zip(errors, times).map { error, time in
        guard let error, time >= start else { return Double.nan }
        return Angle(radians: error[keyPath: path]).degrees
      }
      return .error(
        title, unit: "°", color, values, leastSpan: 1,
        legend: .init(statistic: statistic, value: figure, places: 2))
    }
    var panels: [Panel] = []
    if figures.heading != nil {
      panels.append(panel("Total error", .blue, \.total, figures.total, from: headingFrom))
      panels.append(panel("Heading error", .vermilion, \.heading, figures.heading, from: headingFrom))
    }
    panels.append(panel("Inclination error", .green, \.inclination, figures.inclination, from: -.infinity))
    return Chart(title: title, subtitle: subtitle, times: times, panels: panels)
  }
}

extension Chart.Panel {
  /// What an error's line comes to: "RMS 1.39".
  struct Legend: Sendable {
    var statistic: String
    var value: Double?
    var places: Int

    var text: String { value.map { "\(statistic) \(Text.decimal($0, places: places))" } ?? "" }
  }

  /// A panel with one line, its scale from zero up.
  static func error(
    _ title: String, unit: String, _ color: Color, _ values: [Double], leastSpan: Double, legend: Legend
  ) -> Chart.Panel {
    let largest = values.lazy.filter(\.isFinite).max() ?? 0
    return Chart.Panel(
      title: title, unit: unit, series: [Chart.Series(name: legend.text, color: color, values: values)],
      range: 0...max(leastSpan, largest * 1.06), leastSpan: leastSpan)
  }
}
