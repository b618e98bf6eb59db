// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing

/// A chart over time: panels one below the other on one time axis, each with a few lines.
///
/// It knows numbers and words only. ``ChartLayout`` turns it into lines and texts on a page, ``SVGRenderer`` draws those.
package struct Chart: Sendable {
  /// One quantity over time.
  package struct Series: Sendable {
    package var name: String
    package var color: Color
    /// As many as the chart has times; NaN = nothing there.
    package var values: [Double]

    package init(name: String, color: Color, values: [Double]) {
      (self.name, self.color, self.values) = (name, color, values)
    }
  }

  /// Lines that share a scale.
  package struct Panel: Sendable {
    package var title: String
    package var unit: String
    package var series: [Series]
    /// The scale when it does not follow the values.
    package var range: ClosedRange<Double>?
    /// The least height of a scale that follows the values, so that noise at rest does not look like motion.
    package var leastSpan: Double
    /// True for angles in degrees: ticks at 15, 30, 45, 90, and a step over the ±180 border is no line.
    var isAngle = false
    /// Its own times, where the panels' samples are not those of one sensor; nil = those of the chart.
    package var times: [Double]?
    /// Stretches without samples, shaded.
    package var gaps: [ClosedRange<Double>] = []
    /// True for depths, which are drawn as heights below 0: the marks read positive downwards.
    var isDownward = false

    package init(
      title: String, unit: String, series: [Series], range: ClosedRange<Double>? = nil, leastSpan: Double,
      isAngle: Bool = false, gaps: [ClosedRange<Double>] = [], isDownward: Bool = false
    ) {
      (self.title, self.unit, self.series, self.range, self.leastSpan) = (title, unit, series, range, leastSpan)
      (self.isAngle, self.gaps, self.isDownward) = (isAngle, gaps, isDownward)
    }
  }

  /// A stretch of time, shaded in every panel; its name stands in the legend.
  package struct Band: Sendable {
    var name: String
    /// Seconds, as ``Chart/times``.
    var from: Double
    var to: Double
    var color: Color
  }

  package var title: String
  package var subtitle: String
  /// Seconds from the first sample, ascending.
  package var times: [Double]
  package var panels: [Panel]
  /// In order of time; they may touch.
  var bands: [Band] = []
  /// Stretches in which the device lay still, shaded in every panel.
  package var rests: [ClosedRange<Double>] = []
  /// Where the time axis begins, s.
  package var start = 0.0

  package init(
    title: String, subtitle: String, times: [Double] = [], panels: [Panel], bands: [Band] = [],
    rests: [ClosedRange<Double>] = [], start: Double = 0
  ) {
    (self.title, self.subtitle, self.times, self.panels) = (title, subtitle, times, panels)
    (self.bands, self.rests, self.start) = (bands, rests, start)
  }

  /// The time of the last sample of any panel, s.
  package var end: Double { (panels.compactMap(\.times?.last) + [times.last ?? start]).max() ?? start }
}

/// An opaque colour, sRGB.
package struct Color: Sendable, Hashable {
  /// "#bf3a1a".
  let hex: String

  /// From 0xRRGGBB.
  package init(_ number: UInt32) { hex = String(format: "#%06x", number) }

  // The axes and the angles, as on the viewer's page (viewer.css) and in Python's plot; lines of anything else are in ink.
  package static let x = Color(0xBF3A1A)
  package static let y = Color(0x157A3A)
  package static let z = Color(0x1F5FC4)
  package static let roll = Color(0xA81FB8)
  package static let pitch = Color(0x00626B)
  package static let yaw = Color(0x946200)

  static let paper = Color(0xFFFFFF)
  package static let ink = Color(0x1F2328)
  static let soft = Color(0x59636E)
  static let border = Color(0xAFB8C1)
  package static let rest = Color(0xE4F3E6)
  package static let gap = Color(0xF9D9D3)
  static let grid = Color(0xE6E9ED)
  package static let axis = Color(0xC4CAD1)
}

/// A range of values with round marks in it.
struct Scale: Sendable {
  let range: ClosedRange<Double>
  let step: Double

  var ticks: [Double] {
    let first = (range.lowerBound / step).rounded(.up)
    let last = (range.upperBound / step).rounded(.down)
    guard first <= last else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }

  /// A mark as text, with as many decimals as the step needs and a real minus sign.
  func label(_ value: Double) -> String {
    let places = min(17, max(0, Int(clamping: (-log10(step) - 1e-9).rounded(.up))))
    let text = String(format: "%.\(places)f", abs(value) < step / 1e3 ? 0 : value)
    return text.replacing("-", with: "\u{2212}")
  }

  private init(range: ClosedRange<Double>, step: Double) { (self.range, self.step) = (range, step) }

  /// Exactly this range, with at most `count` steps of 1, 2 or 5 times a power of ten.
  init(_ range: ClosedRange<Double>, count: Int) {
    let rough = (range.upperBound - range.lowerBound) / Double(max(1, count))
    let power = pow(10, log10(rough).rounded(.down))
    let factor = [1.0, 2, 5].first { $0 * power >= rough * (1 - 1e-9) } ?? 10
    self.init(range: range, step: factor * power)
  }

  /// Angles in degrees: quarters of a circle and their round parts once the range is large.
  init(degrees range: ClosedRange<Double>, count: Int) {
    let rough = (range.upperBound - range.lowerBound) / Double(max(1, count))
    guard rough > 10, let whole = [15.0, 30, 45, 90].first(where: { $0 >= rough }) else {
      self.init(range, count: count)
      return
    }
    self.init(range: range, step: whole)
  }

  /// The scale that shows a panel's values: its own range, or theirs with a little air.
  init(of panel: Chart.Panel, count: Int) {
    if let range = panel.range {
      if panel.isAngle { self.init(degrees: range, count: count) } else { self.init(range, count: count) }
      return
    }
    var lowest = Double.infinity
    var highest = -Double.infinity
    for series in panel.series {
      for value in series.values where value.isFinite {
        lowest = min(lowest, value)
        highest = max(highest, value)
      }
    }
    if lowest > highest { (lowest, highest) = (0, 0) }
    if panel.isAngle, highest - lowest > 240 {
      self.init(degrees: -180...180, count: count)
      return
    }
    let missing = max(0, panel.leastSpan - (highest - lowest)) / 2
    let air = max(panel.leastSpan, highest - lowest) * 0.06
    let range = (lowest - missing - air)...(highest + missing + air)
    if panel.isAngle { self.init(degrees: range, count: count) } else { self.init(range, count: count) }
  }
}
