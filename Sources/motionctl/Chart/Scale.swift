// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

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
    let places = max(0, Int((-log10(step) - 1e-9).rounded(.up)))
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
      self.init(range, count: count)
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
