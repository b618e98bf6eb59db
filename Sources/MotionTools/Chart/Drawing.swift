// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A place on the page, in pixels from the top left corner, y downwards.
struct Point: Sendable, Hashable {
  var x: Double
  var y: Double
}

/// One thing on the page. Both renderers know these three and nothing else.
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
