// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes text with lines: a small font of our own, so that a picture needs no font of the system.
///
/// A glyph is a few strokes on a grid: base line at 4, lower-case letters up to 14, capitals and digits up to 18, descenders to
/// 0. A stroke is straight (`-`), or a quadratic B-spline, open (`~`) or closed (`o`); a point named twice is a corner.
enum StrokeFont {
  /// Grid units between the base line and the top of a capital, and the share of the type size that they take.
  private static let capHeight = 14.0
  private static let capShare = 0.72
  private static let baseline = 4.0
  /// Between glyphs, grid units.
  private static let spacing = 3.4

  private struct Glyph: Sendable {
    var width: Double
    var strokes: [[Point]]
  }

  /// How wide a text is, in pixels.
  static func width(_ text: String, size: Double) -> Double {
    let units = text.reduce(0) { $0 + glyph($1).width + spacing } - (text.isEmpty ? 0 : spacing)
    return units * scale(size)
  }

  /// A text broken between words into lines of a width in pixels; a “·” between two parts stays at the end of a line or goes.
  static func lines(of text: String, size: Double, width: Double) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      guard let last = lines.last else {
        lines.append(String(word))
        continue
      }
      let longer = "\(last) \(word)"
      if word == "·" || Self.width(longer, size: size) <= width {
        lines[lines.count - 1] = longer
      } else {
        lines.append(String(word))
      }
    }
    return lines.indices.map { index in
      index < lines.count - 1 && lines[index].hasSuffix(" ·") ? String(lines[index].dropLast(2)) : lines[index]
    }
  }

  /// The lines of a text whose base line is at `place`.
  static func strokes(_ text: String, at place: Point, size: Double, anchor: Drawing.Anchor) -> [[Point]] {
    let scale = scale(size)
    var x = place.x
    switch anchor {
    case .start: break
    case .middle: x -= width(text, size: size) / 2
    case .end: x -= width(text, size: size)
    }
    var lines: [[Point]] = []
    for character in text {
      let glyph = glyph(character)
      for stroke in glyph.strokes {
        lines.append(stroke.map { Point(x: x + $0.x * scale, y: place.y - ($0.y - baseline) * scale) })
      }
      x += (glyph.width + spacing) * scale
    }
    return lines
  }

  private static func scale(_ size: Double) -> Double { size * capShare / capHeight }

  private static func glyph(_ character: Character) -> Glyph {
    if let glyph = glyphs[character] { return glyph }
    // A letter with a mark above it is still that letter.
    if let plain = String(character).decomposedStringWithCanonicalMapping.unicodeScalars.first.map(Character.init),
      let glyph = glyphs[plain]
    {
      return glyph
    }
    return missing
  }

  private static let glyphs: [Character: Glyph] = GlyphTable.rows.reduce(into: [:]) { glyphs, row in
    for character in row.characters { glyphs[character] = parse(row.strokes) }
  }

  /// An empty box.
  private static let missing = parse("7 -040i7i7404")

  /// `width stroke stroke…`: the width as one digit, a stroke as its kind and two digits per point, digits in base 36.
  private static func parse(_ text: String) -> Glyph {
    var words = text.split(separator: " ")[...]
    let width = words.popFirst().map { digits($0) }?.first ?? 0
    let strokes = words.map { word -> [Point] in
      let numbers = digits(word.dropFirst())
      let points = stride(from: 0, to: numbers.count - 1, by: 2).map {
        Point(x: numbers[$0], y: numbers[$0 + 1])
      }
      return switch word.first {
      case "~": spline(points, isClosed: false)
      case "o": spline(points, isClosed: true)
      default: points
      }
    }
    return Glyph(width: width, strokes: strokes)
  }

  private static func digits(_ text: Substring) -> [Double] {
    text.compactMap { Int(String($0), radix: 36).map(Double.init) }
  }

  /// A quadratic B-spline through the middles of its control polygon's sides.
  private static func spline(_ points: [Point], isClosed: Bool) -> [Point] {
    guard points.count > 2 else { return points }
    func middle(_ a: Point, _ b: Point) -> Point { Point(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2) }
    let count = points.count
    var curve = [isClosed ? middle(points[count - 1], points[0]) : points[0]]
    for index in isClosed ? 0..<count : 1..<count - 1 {
      let start = curve[curve.count - 1]
      let control = points[index]
      let isLast = !isClosed && index == count - 2
      let end = isLast ? points[count - 1] : middle(control, points[(index + 1) % count])
      for step in 1...6 {
        let t = Double(step) / 6
        let (a, b, c) = ((1 - t) * (1 - t), 2 * t * (1 - t), t * t)
        curve.append(
          Point(x: a * start.x + b * control.x + c * end.x, y: a * start.y + b * control.y + c * end.y))
      }
    }
    return curve
  }
}
