// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Puts a ``Chart`` on a page: where panels, axes, marks, legends and lines go.
struct ChartLayout {
  let chart: Chart
  let width: Double
  let height: Double

  /// Pixels per design unit: type and lines grow with the page, within reason; a panel is 300 units high.
  private var unit: Double {
    min(3, max(0.6, min(width / 1200, height / (300 * Double(max(1, chart.panels.count))))))
  }
  private var typeSize: Double { 14 * unit }
  private var left: Double { 84 * unit }
  private var right: Double { width - 28 * unit }
  private var top: Double { 78 * unit + Double(max(0, subtitle.count - 1)) * lineHeight }
  private var lineHeight: Double { 18 * unit }
  private var bottom: Double { height - 60 * unit + gap * 0.25 }
  /// Between two panels: the second one's caption.
  private var gap: Double { 40 * unit }

  /// The subtitle in lines that fit between the margins.
  private var subtitle: [String] = []
  /// A long title is smaller.
  private var titleSize = 0.0

  init(_ chart: Chart, width: Int, height: Int) {
    (self.chart, self.width, self.height) = (chart, Double(width), Double(height))
    let room = right - left
    subtitle = TextWidth.lines(of: chart.subtitle, size: typeSize, width: room)
    let whole = 20 * unit
    titleSize = whole * min(1, (room - legendWidth) / max(1, TextWidth.of(chart.title, size: whole)))
  }

  /// What the shades mean.
  private var legend: [(name: String, color: Color)] {
    (chart.rests.isEmpty ? [] : [("at rest", .rest)])
      + (chart.panels.contains { !$0.gaps.isEmpty } ? [("no samples", .gap)] : []) + namedShades
  }
  /// The shades of the bands, each name once, in the order in which they appear.
  private var namedShades: [(name: String, color: Color)] {
    chart.bands.reduce(into: []) { shades, band in
      if !shades.contains(where: { $0.name == band.name }) { shades.append((band.name, band.color)) }
    }
  }
  private var legendWidth: Double {
    legend.reduce(0) { $0 + TextWidth.of($1.name, size: typeSize) + 48 * unit }
  }

  /// Everything on the page, from back to front.
  var drawings: [Drawing] {
    var drawings: [Drawing] = [.fill(x: 0, y: 0, width: width, height: height, .paper)]
    drawings.append(
      .text(chart.title, at: Point(x: left, y: 32 * unit), size: titleSize, anchor: .start, isBold: true, .ink))
    for (index, line) in subtitle.enumerated() {
      drawings.append(label(line, x: left, y: 54 * unit + Double(index) * lineHeight))
    }
    var x = right
    for (name, color) in legend.reversed() {
      drawings.append(label(name, x: x, y: 32 * unit, .end))
      x -= TextWidth.of(name, size: typeSize) + 28 * unit
      drawings.append(.fill(x: x, y: 32 * unit - typeSize * 0.8, width: 20 * unit, height: typeSize, color))
      x -= 20 * unit
    }
    let axis = TimeAxis(from: chart.start, to: chart.end, count: max(3, Int(clamping: (right - left) / (110 * unit))))
    let count = Double(max(1, chart.panels.count))
    let panelHeight = (bottom - top - gap * count) / count
    for (index, panel) in chart.panels.enumerated() {
      let panelTop = top + gap * 0.75 + Double(index) * (panelHeight + gap)
      drawings += self.panel(
        panel, axis, top: panelTop, bottom: panelTop + panelHeight, isLast: index == chart.panels.count - 1)
    }
    return drawings
  }

  private func panel(
    _ panel: Chart.Panel, _ axis: TimeAxis, top: Double, bottom: Double, isLast: Bool
  ) -> [Drawing] {
    let scale = Scale(of: panel, count: max(3, Int(clamping: (bottom - top) / (40 * unit))))
    let (low, high) = (scale.range.lowerBound, scale.range.upperBound)
    let toX = { (time: Double) in left + (time - axis.start) / (axis.end - axis.start) * (right - left) }
    let toY = { (value: Double) in bottom - (value - low) / (high - low) * (bottom - top) }

    var drawings: [Drawing] = []
    var grid: [[Point]] = []
    for tick in scale.ticks {
      let y = crisp(toY(tick))
      if tick == 0 {
        drawings.append(.lines([[Point(x: left, y: y), Point(x: right, y: y)]], width: 1, .axis))
      } else {
        grid.append([Point(x: left, y: y), Point(x: right, y: y)])
      }
      let text = scale.label(panel.isDownward ? -tick : tick)
      drawings.append(label(text, x: left - 10 * unit, y: y + typeSize * 0.36, .end))
    }
    for tick in axis.ticks {
      let x = crisp(toX(tick))
      grid.append([Point(x: x, y: top), Point(x: x, y: bottom)])
      if isLast { drawings.append(label(axis.label(tick), x: x, y: bottom + 22 * unit, .middle)) }
    }
    drawings.insert(.lines(grid, width: 1, .grid), at: 0)
    drawings.insert(contentsOf: shades(panel, toX, top: top, bottom: bottom), at: 0)
    drawings.append(frame(top: top, bottom: bottom))
    let path = SeriesPath(times: panel.times ?? chart.times, toX: toX, toY: toY)
    for series in panel.series {
      drawings.append(
        .lines(path.lines(series.values, isAngle: panel.isAngle), width: 1.6 * unit, series.color))
    }
    drawings += caption(panel, y: top - 10 * unit)
    if isLast {
      drawings.append(
        label(axis.title, x: (left + right) / 2, y: bottom + 46 * unit, .middle, .ink))
    }
    return drawings
  }

  /// Bands, then rest and gaps; of these what is too short to be seen is a pixel wide.
  private func shades(_ panel: Chart.Panel, _ toX: (Double) -> Double, top: Double, bottom: Double) -> [Drawing] {
    func fill(_ span: ClosedRange<Double>, _ color: Color) -> Drawing {
      let (from, to) = (max(left, toX(span.lowerBound)), min(right, toX(span.upperBound)))
      return .fill(x: from, y: top, width: max(1, to - from), height: bottom - top, color)
    }
    let bands = chart.bands.map { band in
      Drawing.fill(x: toX(band.from), y: top, width: toX(band.to) - toX(band.from), height: bottom - top, band.color)
    }
    return bands + chart.rests.map { fill($0, .rest) } + panel.gaps.map { fill($0, .gap) }
  }

  /// The panel's title on the left, its legend on the right.
  private func caption(_ panel: Chart.Panel, y: Double) -> [Drawing] {
    var drawings: [Drawing] = [
      .text(
        "\(panel.title) (\(panel.unit))", at: Point(x: left, y: y), size: 15 * unit, anchor: .start, isBold: true,
        .ink)
    ]
    var x = right
    for series in panel.series.reversed() {
      drawings.append(label(series.name, x: x, y: y, .end, .ink))
      x -= TextWidth.of(series.name, size: typeSize) + 8 * unit
      let middle = y - typeSize * 0.3
      drawings.append(
        .lines(
          [[Point(x: x - 22 * unit, y: middle), Point(x: x, y: middle)]], width: 3 * unit, series.color))
      x -= 22 * unit + 20 * unit
    }
    return drawings
  }

  private func frame(top: Double, bottom: Double) -> Drawing {
    let (left, right, top, bottom) = (crisp(left), crisp(right), crisp(top), crisp(bottom))
    let corners = [
      Point(x: left, y: top), Point(x: left, y: bottom), Point(x: right, y: bottom), Point(x: right, y: top),
      Point(x: left, y: top),
    ]
    return .lines([corners], width: 1, .border)
  }

  /// A text of the usual size, its base line at a place.
  private func label(
    _ text: String, x: Double, y: Double, _ anchor: Drawing.Anchor = .start, _ color: Color = .soft
  ) -> Drawing {
    .text(text, at: Point(x: x, y: y), size: typeSize, anchor: anchor, isBold: false, color)
  }

  /// The middle of a pixel: a line of one pixel is then sharp.
  private func crisp(_ value: Double) -> Double { value.rounded(.down) + 0.5 }
}

/// The time axis in a unit that suits its length.
struct TimeAxis {
  /// Seconds.
  let start: Double
  /// Seconds, after the start.
  let end: Double
  private let scale: Scale
  private let seconds: Double
  private let name: String

  init(from begin: Double, to last: Double, count: Int) {
    (seconds, name) =
      switch last {
      case ..<600: (1.0, "s")
      case ..<36_000: (60.0, "min")
      default: (3600.0, "h")
      }
    let first = begin / seconds
    let length = max(last - begin, 1e-3) / seconds
    let step = Scale(first...first + length, count: count).step
    // 19.99 s of samples reach the mark at 20.
    let mark = ((first + length) / step).rounded(.up) * step
    let full = mark - first - length < 0.01 * length ? mark : first + length
    scale = Scale(first...full, count: count)
    (start, end) = (begin, full * seconds)
  }

  /// Seconds.
  var ticks: [Double] { scale.ticks.map { $0 * seconds } }
  func label(_ tick: Double) -> String { scale.label(tick / seconds) }
  var title: String { "time since the first sample (\(name))" }
}

/// Reduces a series to what can be seen: at most four points per pixel column (first, lowest, highest, last).
///
/// So an hour of samples draws as fast as a second, and no peak is lost. The line breaks at a pause in the samples, at
/// what is not finite, and where an angle steps over its border.
struct SeriesPath {
  /// A pause of more than this many mean sample intervals is a hole in the line.
  private static let pause = 8.0

  let times: [Double]
  let toX: (Double) -> Double
  let toY: (Double) -> Double

  private struct Column {
    var number: Int
    var first, lowest, highest, last: Point
    var lowestIsFirst = true

    init(_ number: Int, _ point: Point) {
      self.number = number
      (first, lowest, highest, last) = (point, point, point, point)
    }

    mutating func add(_ point: Point) {
      if point.y < lowest.y { (lowest, lowestIsFirst) = (point, false) }
      if point.y > highest.y { (highest, lowestIsFirst) = (point, true) }
      last = point
    }

    func append(to line: inout [Point]) {
      for point in lowestIsFirst ? [first, lowest, highest, last] : [first, highest, lowest, last]
      where line.last != point {
        line.append(point)
      }
    }
  }

  /// The lines of a series; `isAngle`: degrees that wrap at ±180.
  func lines(_ values: [Double], isAngle: Bool) -> [[Point]] {
    var lines: [[Point]] = []
    var line: [Point] = []
    var column: Column?
    func end() {
      column?.append(to: &line)
      column = nil
      if !line.isEmpty { lines.append(line) }
      line = []
    }
    let span = (times.last ?? 0) - (times.first ?? 0)
    let longest = Self.pause * span / Double(max(1, times.count - 1))
    for index in times.indices {
      guard values[index].isFinite else {
        end()
        continue
      }
      if index > 0 {
        let isHole = times[index] - times[index - 1] > longest
        if isHole || isAngle && abs(values[index] - values[index - 1]) > 180 { end() }
      }
      let point = Point(x: toX(times[index]), y: toY(values[index]))
      let number = Int(clamping: point.x.rounded(.down))
      if column?.number == number {
        column?.add(point)
      } else {
        column?.append(to: &line)
        column = Column(number, point)
      }
    }
    end()
    return lines
  }
}

/// How wide a text is about. An SVG's reader draws with a font of its own: these are the advances of the sans-serif ones
/// (Arial, Helvetica, Liberation Sans), rounded up.
enum TextWidth {
  /// Pixels; `size` is the height of the type.
  static func of(_ text: String, size: Double) -> Double {
    text.reduce(0) { width, character in
      let share =
        switch character {
        case "i", "j", "l", "'", "|", ".", ",", ":", ";", "!", "I", "f", "t", "r", "(", ")", "[", "]", "/", " ", "·",
          "-":
          0.34
        case "m", "w", "M", "W", "@", "%": 0.95
        case "A"..."Z": 0.75
        default: character.isASCII ? 0.57 : 0.67
        }
      return width + share * size
    }
  }

  /// A text broken between words into lines of a width in pixels; a “·” between two parts stays at the end of a line or
  /// goes.
  static func lines(of text: String, size: Double, width: Double) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      guard let last = lines.last else {
        lines.append(String(word))
        continue
      }
      let longer = "\(last) \(word)"
      if word == "·" || of(longer, size: size) <= width {
        lines[lines.count - 1] = longer
      } else {
        lines.append(String(word))
      }
    }
    return lines.indices.map { index in
      index < lines.count - 1 && lines[index].hasSuffix(" ·") ? String(lines[index].dropLast(2)) : lines[index]
    }
  }
}
