// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Draws a page into pixels: antialiased lines, text from ``StrokeFont``.
///
/// A set of lines first goes into a mask that keeps the largest coverage per pixel, then its colour goes over the page
/// once; so joints and crossings of one line do not get darker. The coverage of a pixel is how far its middle is inside
/// the line's edge, in pixels, which for lines of a pixel and more is as good as exact.
struct Raster {
  let width: Int
  let height: Int
  /// Rows from the top, red, green, blue, a byte each.
  private(set) var pixels: [UInt8]
  private var mask: [UInt8]
  /// The part of the mask that is not empty.
  private var dirty = Area.none

  private struct Area {
    var left: Int
    var top: Int
    var right: Int
    var bottom: Int
    static let none = Area(left: .max, top: .max, right: .min, bottom: .min)
  }

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    pixels = [UInt8](repeating: 255, count: width * height * 3)
    mask = [UInt8](repeating: 0, count: width * height)
  }

  static func render(_ drawings: [Drawing], width: Int, height: Int) -> Raster {
    var raster = Raster(width: width, height: height)
    for drawing in drawings { raster.draw(drawing) }
    return raster
  }

  mutating func draw(_ drawing: Drawing) {
    switch drawing {
    case .fill(let x, let y, let width, let height, let color):
      fill(x: Self.pixels(x), y: Self.pixels(y), width: Self.pixels(width), height: Self.pixels(height), color)
    case .lines(let lines, let width, let color):
      for line in lines { cover(line, width: width) }
      paint(color)
    case .text(let text, let place, let size, let anchor, let isBold, let color):
      for stroke in StrokeFont.strokes(text, at: place, size: size, anchor: anchor) {
        cover(stroke, width: size * (isBold ? 0.125 : 0.09))
      }
      paint(color)
    }
  }

  /// A length in whole pixels, at most a million: sums of a few stay finite.
  private static func pixels(_ length: Double) -> Int { Int(clamping: min(1e6, max(-1e6, length))) }

  private mutating func fill(x: Int, y: Int, width: Int, height: Int, _ color: Color) {
    for row in max(0, y)..<max(max(0, y), min(self.height, y + height)) {
      for column in max(0, x)..<max(max(0, x), min(self.width, x + width)) {
        let index = (row * self.width + column) * 3
        (pixels[index], pixels[index + 1], pixels[index + 2]) = (color.red, color.green, color.blue)
      }
    }
  }

  private mutating func cover(_ line: [Point], width: Double) {
    if line.count == 1 { coverSegment(line[0], line[0], width) }
    for index in line.indices.dropFirst() { coverSegment(line[index - 1], line[index], width) }
  }

  private mutating func coverSegment(_ a: Point, _ b: Point, _ lineWidth: Double) {
    let reach = lineWidth / 2 + 0.5
    let left = max(0, Int(clamping: (min(a.x, b.x) - reach).rounded(.down)))
    let right = min(width - 1, Int(clamping: (max(a.x, b.x) + reach).rounded(.up)))
    let top = max(0, Int(clamping: (min(a.y, b.y) - reach).rounded(.down)))
    let bottom = min(height - 1, Int(clamping: (max(a.y, b.y) + reach).rounded(.up)))
    guard left <= right, top <= bottom else { return }
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let squared = dx * dx + dy * dy
    let columns = width
    for row in top...bottom {
      let y = Double(row) + 0.5 - a.y
      for column in left...right {
        let x = Double(column) + 0.5 - a.x
        let along = squared > 0 ? min(1, max(0, (x * dx + y * dy) / squared)) : 0
        let (offX, offY) = (x - along * dx, y - along * dy)
        let coverage = reach - (offX * offX + offY * offY).squareRoot()
        guard coverage > 0 else { continue }
        // A line thinner than a pixel is pale rather than thin.
        let value = UInt8(min(1, coverage) * min(1, lineWidth) * 255 + 0.5)
        let index = row * columns + column
        if value > mask[index] { mask[index] = value }
      }
    }
    dirty = Area(
      left: min(dirty.left, left), top: min(dirty.top, top), right: max(dirty.right, right),
      bottom: max(dirty.bottom, bottom))
  }

  /// Lays the colour over the page where the mask says so, and empties the mask.
  private mutating func paint(_ color: Color) {
    guard dirty.left <= dirty.right else { return }
    for row in dirty.top...dirty.bottom {
      for column in dirty.left...dirty.right {
        let index = row * width + column
        let coverage = Int(mask[index])
        guard coverage > 0 else { continue }
        mask[index] = 0
        pixels[index * 3] = Self.mix(pixels[index * 3], color.red, coverage)
        pixels[index * 3 + 1] = Self.mix(pixels[index * 3 + 1], color.green, coverage)
        pixels[index * 3 + 2] = Self.mix(pixels[index * 3 + 2], color.blue, coverage)
      }
    }
    dirty = .none
  }

  private static func mix(_ below: UInt8, _ above: UInt8, _ coverage: Int) -> UInt8 {
    UInt8((Int(below) * (255 - coverage) + Int(above) * coverage + 127) / 255)
  }
}
