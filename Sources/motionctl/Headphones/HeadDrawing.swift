// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath

/// A head in dots of braille, as in a mirror: who turns to the left sees it turn to the left.
///
/// A character is two dots wide and four high (Unicode, “Braille Patterns”, U+2800…28FF), which gives a terminal a screen of small
/// dots. Points on the surface of the head are turned by the pose and projected along the line of sight; those at the back are left
/// out.
struct HeadDrawing {
  /// Characters.
  static let width = 22
  static let height = 11

  private var cells = [UInt8](repeating: 0, count: width * height)

  static func lines(of pose: HeadPose) -> [String] {
    var drawing = HeadDrawing()
    drawing.draw(pose)
    return drawing.lines
  }

  private mutating func draw(_ pose: HeadPose) {
    let size = 19.0
    for (point, isAlwaysSeen) in Self.points {
      let turned = pose.attitude * point
      // The mirror faces the nose: right of the head is right on the screen.
      guard isAlwaysSeen || turned.y > 0 else { continue }
      set(x: Double(Self.width) + turned.x * size, y: Double(Self.height) * 2 - turned.z * size)
    }
  }

  private mutating func set(x: Double, y: Double) {
    let (column, row) = (Int(x.rounded()), Int(y.rounded()))
    guard (0..<Self.width * 2).contains(column), (0..<Self.height * 4).contains(row) else { return }
    let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
    cells[row / 4 * Self.width + column / 2] |= bits[row % 4 * 2 + column % 2]
  }

  private var lines: [String] {
    (0..<Self.height).map { row in
      String(
        String.UnicodeScalarView(
          (0..<Self.width).compactMap { column in
            let cell = cells[row * Self.width + column]
            return Unicode.Scalar(cell == 0 ? 0x20 : 0x2800 + UInt32(cell))
          }))
    }
  }

  /// Points of the head, of half height 1, and whether they are seen from behind as well.
  private static let points: [(Vector3<Device>, Bool)] = {
    var points: [(Vector3<Device>, Bool)] = []
    func add(_ x: Double, _ y: Double, _ z: Double, _ isAlwaysSeen: Bool = false) {
      points.append((Vector3(x: x, y: y, z: z), isAlwaysSeen))
    }
    // The outline: an ellipse across and one lengthwise.
    for step in 0..<90 {
      let angle = Double(step) / 90 * 2 * .pi
      add(0.72 * cos(angle), 0, sin(angle), true)
      add(0, 0.85 * cos(angle), sin(angle))
    }
    for step in -8...8 {
      let t = Double(step) / 8
      // Nose, mouth, the line of the hair.
      if step >= 0 { add(0.12 * t, 0.85 + 0.25 * (1 - t), -0.15, false) }
      if step <= 0 { add(0.12 * t, 0.85 + 0.25 * (1 + t), -0.15, false) }
      add(0, 0.85 + 0.125 * (t + 1), 0.15 - 0.15 * (t + 1), false)
      add(0.28 * t, 0.75, -0.48 - 0.05 * (1 - t * t), false)
    }
    for step in 0..<16 {
      let angle = Double(step) / 16 * 2 * .pi
      for side in [-1.0, 1.0] {
        add(side * 0.3 + 0.1 * cos(angle), 0.72, 0.25 + 0.06 * sin(angle))
        // A bud in each ear.
        add(side * (0.78 + 0.04 * cos(angle)), 0.06 * cos(angle), 0.12 * sin(angle), true)
      }
    }
    return points
  }()
}
