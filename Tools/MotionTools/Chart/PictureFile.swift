// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The picture that a command draws beside its text: `--output dive.svg`.
extension OutputFile {
  /// Opens the picture, if one is wanted, for the time of `body`; an error leaves things as they were.
  package static func drawing<Result>(
    _ path: String?, readingFrom input: String? = nil, _ body: (OutputFile?) throws -> Result
  ) throws -> Result {
    guard let path else { return try body(nil) }
    return try open(path, readingFrom: input).whole(body)
  }

  /// Draws; a chart of fewer than two points leaves nothing behind.
  package func draw(_ chart: Chart, height: Int = 700) throws {
    let width = 1200
    guard chart.end > chart.start else {
      throw CommandFailure("There are too few samples for a picture: \(path ?? "") was not written.")
    }
    let drawings = ChartLayout(chart, width: width, height: height).drawings
    try write(SVGRenderer.render(drawings, width: width, height: height))
  }
}

/// A place on the page, in pixels from the top left corner, y downwards.
struct Point: Sendable, Hashable {
  var x: Double
  var y: Double
}

/// One thing on the page.
enum Drawing: Sendable {
  /// Which part of a text stands at its place.
  enum Anchor: String, Sendable { case start, middle, end }

  /// A filled rectangle.
  case fill(x: Double, y: Double, width: Double, height: Double, Color)
  /// Lines through points, `width` pixels wide, with round ends.
  case lines([[Point]], width: Double, Color)
  /// One line of text, its base line at `at`; `size` is the height of the type in pixels.
  case text(String, at: Point, size: Double, anchor: Anchor, isBold: Bool, Color)
}

/// Draws a page as SVG 1.1, its text as text.
enum SVGRenderer {
  static func render(_ drawings: [Drawing], width: Int, height: Int) -> [UInt8] {
    var svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" viewBox=\"0 0 \(width) \(height)\" font-family=\"Inter, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif\">\n"
    for drawing in drawings {
      switch drawing {
      case .fill(let x, let y, let width, let height, let color):
        svg +=
          "<rect x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" height=\"\(number(height))\" fill=\"\(color.hex)\"/>\n"
      case .lines(let lines, let width, let color):
        append(lines, width, color, to: &svg)
      case .text(let text, let place, let size, let anchor, let isBold, let color):
        svg +=
          "<text x=\"\(number(place.x))\" y=\"\(number(place.y))\" font-size=\"\(number(size))\" text-anchor=\"\(anchor.rawValue)\"\(isBold ? " font-weight=\"600\"" : "") fill=\"\(color.hex)\">\(escaped(text))</text>\n"
      }
    }
    svg += "</svg>\n"
    return Array(svg.utf8)
  }

  private static func append(_ lines: [[Point]], _ width: Double, _ color: Color, to svg: inout String) {
    svg +=
      "<path fill=\"none\" stroke=\"\(color.hex)\" stroke-width=\"\(number(width))\" stroke-linecap=\"round\" stroke-linejoin=\"round\" d=\""
    for line in lines {
      for (index, point) in line.enumerated() {
        svg += index == 0 ? "M" : "L"
        svg += "\(number(point.x)) \(number(point.y))"
      }
      // A lone sample is a dot: a line of no length with round ends.
      if line.count == 1 { svg += "h0" }
    }
    svg += "\"/>\n"
  }

  /// Hundredths of a pixel are enough.
  private static func number(_ value: Double) -> String { Text.decimal(value, places: 2) }

  private static func escaped(_ text: String) -> String {
    let visible = String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 }))
    return visible.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
