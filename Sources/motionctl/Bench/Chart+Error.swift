// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

extension Chart {
  /// Total, heading and inclination error over time; a hole where nothing is known. Times in s; before `headingFrom` only
  /// the inclination counts.
  static func orientationErrors(
    _ errors: [OrientationError?], times: [Double], title: String, subtitle: String, hasHeading: Bool,
    headingFrom: Double? = nil
  ) -> Chart {
    func panel(
      _ title: String, _ color: Color, _ path: KeyPath<OrientationError, Double>, from start: Double? = nil
    ) -> Panel {
      let values = zip(errors, times).map { error, time in
        guard let error, time >= start ?? -.infinity else { return Double.nan }
        return Angle(radians: error[keyPath: path]).degrees
      }
      return .error(title, unit: "°", color, values, leastSpan: 1)
    }
    var panels: [Panel] = []
    if hasHeading {
      panels.append(panel("Total error", .blue, \.total, from: headingFrom))
      panels.append(panel("Heading error", .vermilion, \.heading, from: headingFrom))
    }
    panels.append(panel("Inclination error", .green, \.inclination))
    return Chart(title: title, subtitle: subtitle, times: fromZero(times), panels: panels)
  }

  /// Times since the first one.
  static func fromZero(_ times: [Double]) -> [Double] { times.map { $0 - (times.first ?? 0) } }
}

extension Chart.Panel {
  /// A panel with one line that starts at zero.
  static func error(
    _ title: String, unit: String, _ color: Color, _ values: [Double], leastSpan: Double
  ) -> Chart.Panel {
    let largest = values.lazy.filter(\.isFinite).max() ?? 0
    return Chart.Panel(
      title: title, unit: unit, series: [Chart.Series(name: "", color: color, values: values)],
      range: 0...max(leastSpan, largest * 1.06), leastSpan: leastSpan)
  }
}
