// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

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
    var first: Point
    var lowest: Point
    var highest: Point
    var last: Point
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
      let number = Int(point.x.rounded(.down))
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
