// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A chart over time: panels one below the other on one time axis, each with a few lines.
///
/// It knows numbers and words only. ``ChartLayout`` turns it into lines and texts on a page, and a renderer draws those:
/// ``SVGRenderer`` as text, ``Raster`` as pixels.
struct Chart: Sendable {
  /// One quantity over time.
  struct Series: Sendable {
    var name: String
    var color: Color
    /// As many as the chart has times; NaN = nothing there.
    var values: [Double]
  }

  /// Lines that share a scale.
  struct Panel: Sendable {
    var title: String
    var unit: String
    var series: [Series]
    /// The scale when it does not follow the values.
    var range: ClosedRange<Double>?
    /// The least height of a scale that follows the values, so that noise at rest does not look like motion.
    var leastSpan: Double
    /// True for angles in degrees: ticks at 15, 30, 45, 90, and a step over the ±180 border is no line.
    var isAngle = false
    /// True for depths, which are drawn as heights below 0: the marks read positive downwards.
    var isDownward = false
  }

  /// A stretch of time with a name, shaded in every panel; without length it is a line.
  struct Band: Sendable {
    var name: String
    /// Seconds, as ``Chart/times``.
    var from: Double
    var to: Double
  }

  var title: String
  var subtitle: String
  /// Seconds from the first sample, ascending.
  var times: [Double]
  var panels: [Panel]
  /// In order of time; they may touch.
  var bands: [Band] = []
  /// What stands under the time axis; nil = that it counts from the first sample.
  var timeTitle: String?
}

/// An opaque colour, sRGB.
struct Color: Sendable, Hashable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  /// From 0xRRGGBB.
  init(_ hex: UInt32) {
    (red, green, blue) = (UInt8(hex >> 16 & 255), UInt8(hex >> 8 & 255), UInt8(hex & 255))
  }

  /// "#0072b2".
  var hex: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  // The first three lines of the Okabe–Ito palette, told apart by all kinds of colour vision (jfly.uni-koeln.de/color).
  static let blue = Color(0x0072B2)
  static let vermilion = Color(0xD55E00)
  static let green = Color(0x009E73)

  static let paper = Color(0xFFFFFF)
  static let ink = Color(0x1F2328)
  static let soft = Color(0x59636E)
  static let border = Color(0xAFB8C1)
  static let shade = Color(0xFFF1D6)
  static let otherShade = Color(0xDDF0FA)
  static let grid = Color(0xE6E9ED)
  static let axis = Color(0xC4CAD1)
}
