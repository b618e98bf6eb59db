// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionSensing
package import MotionServices

/// What a climb amounts to so far, and its lines.
package struct AltitudeLog: PressureLog {
  private let hasReference: Bool
  private var estimator: AltitudeEstimator
  private var climb = ClimbEstimator()
  private var times: [Double] = []
  private var heights: [Double] = []
  private var pressures: [Double] = []

  package init(_ parameters: AltitudeEstimator.Parameters) {
    hasReference = parameters.reference != nil
    estimator = AltitudeEstimator(parameters: parameters)
  }

  package static let header =
    "  time (s)    height (m)  pressure (kPa)    above sea (m)  climb (m)  descent (m)  floors\n"

  package mutating func append(_ sample: PressureSample, _ elapsed: Double) -> (lines: String, notices: [String]) {
    guard let altitude = estimator.update(sample) else { return ("", []) }
    climb.update(altitude.relative)
    times.append(elapsed)
    heights.append(altitude.relative)
    pressures.append(altitude.pressure / 1000)
    let line = String(
      format: "%10.1f  %+12.2f  %14.3f  %9.1f ± %4.1f  %9.1f  %11.1f  %6d\n", elapsed, altitude.relative,
      altitude.pressure / 1000, altitude.absolute, altitude.accuracy, climb.ascent, climb.descent, climb.floors)
    return (line, [])
  }

  package var summary: [String] {
    let doubt = "above the sea: no reference, so the weather decides; give --height or --sea-level-pressure"
    return [sentence] + (hasReference ? [] : [doubt])
  }

  private var sentence: String {
    guard let last = heights.last else { return "no height: too few samples" }
    return
      "height \(String(format: "%+.2f", last)) m from the start, climbed \(Text.decimal(climb.ascent, places: 1)) m "
      + "(\(Text.count(climb.floors, "floor"))), descended \(Text.decimal(climb.descent, places: 1)) m"
  }

  package func chart(title: String) -> Chart {
    Chart(
      title: title, subtitle: sentence, times: times,
      panels: [
        Chart.Panel(
          title: "Relative height", unit: "m",
          series: [Chart.Series(name: "height", color: .blue, values: heights)], leastSpan: 2),
        Chart.Panel(
          title: "Pressure", unit: "kPa",
          series: [Chart.Series(name: "pressure", color: .vermilion, values: pressures)], leastSpan: 0.05),
      ])
  }
}
