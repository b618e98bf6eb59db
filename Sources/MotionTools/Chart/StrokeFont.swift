// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes text with lines: a small font of our own, so that a picture needs no font of the system.
///
/// The font, ``Raster`` and ``PNGEncoder`` are 440 lines, a third of them the table of glyphs. They stay: a renderer of SVG at run time
/// (librsvg with Cairo, Pango and fonts) is some thirty megabytes that `motionctl plot -o x.png` would ask every user to install, also on a
/// robot or in a container, and its pixels would differ from computer to computer; layout needs the widths of the texts in any case.
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

/// The glyphs of ``StrokeFont``, in its notation. Drawn for this project.
package enum GlyphTable {
  package struct Row: Sendable {
    /// The characters that look like this.
    let characters: String
    package let strokes: String
    package init(_ characters: String, _ strokes: String) { (self.characters, self.strokes) = (characters, strokes) }
  }

  package static let rows = capitals + letters + digits + signs

  private static let capitals: [Row] = [
    Row("A", "a -045ia4 -2989"),
    Row("B", "9 -040i ~0i4i8i8b4b0b ~0b5b9b945404"),
    Row("C", "a ~ae9i0i0494a8"),
    Row("D", "a -040i ~0i4iaia44404"),
    Row("E", "8 -8i0i0484 -0b7b"),
    Row("F", "8 -8i0i04 -0b7b"),
    Row("G", "a ~ae9i0i04a4aa -aa6a"),
    Row("H", "a -040i -a4ai -0bab"),
    Row("I", "0 -040i"),
    Row("J", "6 ~6i69640408"),
    Row("K", "9 -040i -9i09 -3c94"),
    Row("L", "8 -0i0484"),
    Row("M", "c -040i66cic4"),
    Row("N", "a -040ia4ai"),
    Row("O", "b o0ibib404"),
    Row("P", "9 -040i ~0i5i9i9a5a0a"),
    Row("Q", "b o0ibib404 -78c3"),
    Row("R", "9 -040i ~0i5i9i9a5a0a -5a94"),
    Row("S", "9 ~8f8i0i0b9b940407"),
    Row("T", "a -0iai -545i"),
    Row("U", "a ~0i0904a4a9ai"),
    Row("V", "a -0i54ai"),
    Row("W", "e -0i347gb4ei"),
    Row("X", "a -0ia4 -04ai"),
    Row("Y", "a -0i5b54 -5bai"),
    Row("Z", "a -0iai04a4"),
  ]

  private static let letters: [Row] = [
    Row("a", "8 o0e8e8404 -8e84"),
    Row("b", "8 -040i o0e8e8404"),
    Row("c", "7 ~7b7e0e047477"),
    Row("d", "8 o0e8e8404 -848i"),
    Row("e", "8 ~0989898e0e048486"),
    Row("f", "5 ~5i2i2e24 -0e5e"),
    Row("g", "8 o0e8e8404 ~8e84800002"),
    Row("h", "8 -040i ~0a0e8e8a84"),
    Row("i", "0 -040e -0h0i"),
    Row("j", "3 ~3e333000 -3h3i"),
    Row("k", "7 -040i -7e08 -2a74"),
    Row("l", "0 -040i"),
    Row("m", "c -040e ~0a0e6e6a64 ~6a6ececac4"),
    Row("n", "8 -040e ~0a0e8e8a84"),
    Row("o", "8 o0e8e8404"),
    Row("p", "8 -000e o0e8e8404"),
    Row("q", "8 -808e o0e8e8404"),
    Row("r", "4 -040e ~090e4e"),
    Row("s", "7 ~7c7e0e0979740406"),
    Row("t", "5 ~2i272454 -0e5e"),
    Row("u", "8 ~0e080484888e -8e84"),
    Row("v", "8 -0e448e"),
    Row("w", "c -0e346c94ce"),
    Row("x", "8 -0e84 -048e"),
    Row("y", "8 -0e44 -8e20"),
    Row("z", "7 -0e7e0474"),
  ]

  private static let digits: [Row] = [
    Row("0", "8 o0i8i8404"),
    Row("1", "8 -1f5i54"),
    Row("2", "8 ~0e0i8i8c04 -0484"),
    Row("3", "8 ~0f0i7i7b3b ~3b8b840407"),
    Row("4", "8 -646i0888"),
    Row("5", "8 -7i1i1b ~1b3d8d840406"),
    Row("6", "8 o0d8d8404 ~7i0i08"),
    Row("7", "8 -0i8i34"),
    Row("8", "8 o1i7i7b1b o0b8b8404"),
    Row("9", "8 o0i8i8909 ~8e8414"),
  ]

  private static let signs: [Row] = [
    Row(" \u{A0}", "3"),
    Row(".", "0 -0405"),
    Row("…", "8 -0405 -4445 -8485"),
    Row(",", "1 -1502"),
    Row(":", "0 -0405 -0c0d"),
    Row(";", "1 -1c1d -1502"),
    Row("-", "5 -0959"),
    Row("\u{2212}", "8 -0a8a"),
    Row("–—", "8 -0989"),
    Row("+", "8 -0a8a -464e"),
    Row("=", "8 -0c8c -0888"),
    Row("/", "6 -026i"),
    Row("\\", "6 -0i62"),
    Row("(", "3 ~3j0e0833"),
    Row(")", "3 ~0j3e3803"),
    Row("[", "3 -3j0j0333"),
    Row("]", "3 -0j3j3303"),
    Row("{", "4 ~4j2j2b0b ~0b2b2343"),
    Row("}", "4 ~0j2j2b4b ~4b2b2303"),
    Row("|", "0 -030j"),
    Row("_", "8 -0282"),
    Row("%", "b -bi04 o0i4i4c0c o7abab474"),
    Row("&", "a ~a41f1i6i6e0a04749a"),
    Row("#", "a -244i -648i -0dad -0999"),
    Row("*", "6 -3i3c -0g6e -0e6g"),
    Row("'’‘", "0 -0i0e"),
    Row("\"“”", "3 -0i0e -3i3e"),
    Row("!", "0 -0i09 -0405"),
    Row("?", "7 ~0f0i7i7b3b38 -3435"),
    Row("@", "c o4c8c8747 ~8c87c7ci0i0494"),
    Row("$", "9 ~8f8i0i0b9b940407 -5j53"),
    Row("<", "8 -8f0a85"),
    Row(">", "8 -0f8a05"),
    Row("^", "6 -0e3i6e"),
    Row("~", "8 ~092d678b"),
    Row("`", "2 -0i2f"),
    Row("°", "5 o0i5i5d0d"),
    Row("·", "0 -0a0b"),
    Row("µμ", "8 ~0e080484888e -8e84 -000e"),
    Row("²", "5 ~0h0j5j5g0c -0c5c"),
  ]
}
