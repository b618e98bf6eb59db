// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionTools

/// The results of a run as a table for people or as JSON for programs.
struct AccuracyReport {
  let results: [TrialResult]
  let options: TrialOptions

  /// A table per layout: title, a row per trial, the means.
  func appendTables(to buffer: inout JSONText) {
    let widest = results.map(\.name.count).max() ?? 0
    for layout in TrialLayout.allCases {
      let rows = results.filter { $0.layout == layout }
      guard !rows.isEmpty else { continue }
      if layout != results.first?.layout { buffer.append("\n") }
      let columns = layout.columns
      buffer.append("\(layout.title(options))\n\n")
      Self.append("trial", widest: widest, to: &buffer)
      let delayed = rows.compactMap(\.delayed)
      for column in columns + (delayed.isEmpty ? [] : delayColumns) { buffer.append(column.title, width: column.width) }
      buffer.append("ns/update", width: 13)
      buffer.append("\n")
      for row in rows {
        Self.append(row.name, widest: widest, to: &buffer)
        append(row.values, row.delayed, columns, row.nanosecondsPerUpdate, to: &buffer)
      }
      let withHeading = rows.filter { $0.figures.heading != nil }
      let isPartial = !withHeading.isEmpty && withHeading.count < rows.count
      let label = "mean of \(rows.count)" + (isPartial ? ", heading of \(withHeading.count)" : "")
      Self.append(label, widest: widest, to: &buffer)
      let pooled = Self.bounds(rows)
      let means = columns.indices.map { index in
        if let share = columns[index].pooled { return share(pooled).percent }
        return Statistic.mean((columns[index].needsHeading ? withHeading : rows).compactMap { $0.values[index] })
      }
      append(
        means, delayed.isEmpty ? nil : .mean(delayed), columns, Self.nanosecondsPerUpdate(rows), to: &buffer)
    }
  }

  private static func append(_ name: String, widest: Int, to buffer: inout JSONText) {
    buffer.append(name + String(repeating: " ", count: max(0, max(widest, 24) - name.count)))
  }

  /// The same three errors where the stamps count as later.
  private var delayColumns: [TrialLayout.Column] {
    let delay = Text.decimal((options.referenceDelay ?? 0) * 1e3, places: 1) + " ms: "
    return ["total", "heading", "inclination"].map { TrialLayout.Column(title: delay + $0, places: 3) }
  }

  private func append(
    _ values: [Double?], _ delayed: OrientationFigures?, _ columns: [TrialLayout.Column], _ nanoseconds: Double,
    to buffer: inout JSONText
  ) {
    let more = delayed.map { [$0.total, $0.heading, $0.inclination] }
    for (value, column) in zip(values + (more ?? []), columns + delayColumns) {
      buffer.append(value ?? .nan, places: column.places, width: column.width)
    }
    buffer.append(nanoseconds, places: 0, width: 13)
    buffer.append("\n")
  }

  /// The processor time of all updates over their number.
  private static func nanosecondsPerUpdate(_ results: [TrialResult]) -> Double {
    results.reduce(0) { $0 + $1.nanoseconds } / Double(max(1, results.reduce(0) { $0 + $1.updates }))
  }

  /// True when the figures of several layouts are together, which have no common mean.
  var isMixed: Bool { Set(results.map(\.layout)).count > 1 }

  /// One object on one line; numbers in degrees and ns, null where there is none.
  func appendJSON(to buffer: inout JSONText) {
    buffer.append("{\"mean\":{")
    append(
      isMixed ? OrientationFigures() : .mean(results.map(\.figures)), isMixed ? nil : Self.bounds(results),
      firstHeading: isMixed ? nil : Statistic.mean(results.compactMap(\.firstHeading)),
      delayed: isMixed ? nil : .mean(results.compactMap(\.delayed)), to: &buffer)
    buffer.append("},\"trials\":[")
    for (index, result) in results.enumerated() {
      buffer.append(index == 0 ? "{\"name\":" : ",{\"name\":")
      buffer.append(quoting: result.name)
      buffer.append(",")
      append(
        result.figures, result.bounds, firstHeading: result.firstHeading, delayed: result.delayed, to: &buffer)
      buffer.append("}")
    }
    buffer.append("],\"nanosecondsPerUpdate\":")
    buffer.append(Self.nanosecondsPerUpdate(results))
    buffer.append("}\n")
  }

  /// All samples of all trials together.
  private static func bounds(_ results: [TrialResult]) -> StatedBounds {
    results.compactMap(\.bounds).reduce(StatedBounds(), +)
  }

  private func append(
    _ figures: OrientationFigures, _ bounds: StatedBounds?, firstHeading: Double?, delayed: OrientationFigures?,
    to buffer: inout JSONText
  ) {
    var members = [
      ("total", figures.total), ("heading", figures.heading), ("inclination", figures.inclination),
      ("known", bounds?.known.percent), ("firstHeading", firstHeading), ("headingBeyond45", bounds?.wrong.percent),
      ("inclinationWithin95", bounds?.inclination.percent), ("headingWithin95", bounds?.heading.percent),
    ]
    if options.referenceDelay != nil {
      members += [
        ("delayedTotal", delayed?.total), ("delayedHeading", delayed?.heading),
        ("delayedInclination", delayed?.inclination),
      ]
    }
    for (index, (name, value)) in members.enumerated() {
      buffer.append(index == 0 ? "" : ",")
      buffer.append(quoting: name)
      buffer.append(":")
      if let value { buffer.append(value) } else { buffer.append("null") }
    }
  }
}

extension TrialLayout.Column {
  /// Characters: the title and two blanks before it, at least 10.
  fileprivate var width: Int { max(10, title.count + 2) }
}

/// What a layout's figures are called in the table.
extension TrialLayout {
  /// A column of the table beside the trial's name: title, and decimals of its numbers.
  struct Column: Sendable {
    var title: String
    var places: Int
    /// True for figures that are compared only where our heading is known: the mean leaves the other trials out.
    var needsHeading = false
    /// Set for shares of samples: the last line has the share of all samples of all trials.
    var pooled: (@Sendable (StatedBounds) -> Share)?
  }

  /// What is measured, in the lines above the table.
  func title(_ options: TrialOptions) -> String {
    let axes = (options.usesMagnetometer ? "9D" : "6D") + (options.smooths ? ", smoothed" : "")
    return switch self {
    case .broad where options.asUser:
      """
      BROAD layout, \(axes), as a user: RMS error over the movement phases, degrees, of the rows that “motionctl fuse” writes.
      Neither a calibration of the magnetometer nor the delay of the gyroscope's stamps is given. Total and heading count where
      a heading is known; inclination counts everywhere.
      """
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
        Column(title: "inclination", places: 3), Column(title: "known %", places: 1, pooled: { $0.known }),
        Column(title: "first s", places: 1), Column(title: "incl. 95 %", places: 1, pooled: { $0.inclination }),
        Column(title: "head. 95 %", places: 1, pooled: { $0.heading }),
      ]
    case .apple:
      [
        Column(title: "gravity", places: 3), Column(title: "largest", places: 3),
        Column(title: "user acc.", places: 4),
      ]
    case .motionCapture:
      [
        Column(title: "total", places: 2, needsHeading: true), Column(title: "heading", places: 2, needsHeading: true),
        Column(title: "inclination", places: 2), Column(title: "known %", places: 0, pooled: { $0.known }),
        Column(title: "> 45° %", places: 1, pooled: { $0.wrong }),
        Column(title: "incl. 95 %", places: 1, pooled: { $0.inclination }),
        Column(title: "head. 95 %", places: 1, pooled: { $0.heading }),
        Column(title: "Apple heading", places: 2, needsHeading: true),
        Column(title: "Apple inclination", places: 2),
      ]
    }
  }
}

extension Chart {
  /// The errors of a trial over time, their scales from zero up.
  init(_ result: TrialResult) {
    func color(_ curve: TrialResult.Curve) -> Color {
      switch curve.title {
      case "Heading error": .vermilion
      case "Inclination error", "Angle to Apple's gravity": .green
      default: .blue
      }
    }
    self.init(
      title: result.name, subtitle: result.subtitle, times: result.times,
      panels: result.curves.map { curve in
        let largest = curve.values.lazy.filter(\.isFinite).max() ?? 0
        let name = curve.figure.map { "\(curve.statistic) \(Text.decimal($0, places: curve.places))" } ?? ""
        return Panel(
          title: curve.title, unit: curve.unit,
          series: [Series(name: name, color: color(curve), values: curve.values)],
          range: 0...max(curve.leastSpan, largest * 1.06), leastSpan: curve.leastSpan)
      })
  }
}
