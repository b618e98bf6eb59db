// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import LiveOutput
import MotionMath
import MotionSensing

/// What a person who watches headphones sees: as lines that are drawn over and over, or one after the other.
package struct HeadView {
  /// Everything that is shown.
  package struct Content {
    package var pose: HeadPose?
    /// The source in words.
    package var name = ""
    package var isConnected = false
    /// "left bud".
    package var side: String?
    /// Samples a second.
    package var rate: Double?
    /// Seconds since the latest sample; nil = none yet, or the source has no clock of its own.
    var age: Double?
    /// "left 80 %, right 79 % charging".
    var battery: String?
    var isWorn: Bool?
    package var calibration: String?
    var discontinuities = 0
    var recentrings = 0
    /// "opentrack 127.0.0.1:4242 · 250 sent".
    package var outputs: [String] = []
    /// Why nothing comes, and what to do.
    package var problem: String?
    /// What the keys do; nil where none can be pressed.
    package var keys: String?
  }

  /// The lines of the drawing, cut to the width of the terminal.
  package static func lines(_ content: Content, columns: Int) -> [String] {
    let head = HeadDrawing.lines(of: content.pose ?? HeadPose(yaw: 0, pitch: 0, roll: 0))
    var side = [content.name, state(content), ""]
    if let pose = content.pose {
      side += [
        bar("yaw", pose.yaw, limit: 90, "right", "left", isReversed: true),
        bar("pitch", pose.pitch, limit: 60, "down", "up"), bar("roll", pose.roll, limit: 60, "left", "right"), "",
      ]
    } else {
      side += ["no pose yet", "", "", ""]
    }
    side.append(flow(content))
    side += content.outputs
    if let problem = content.problem { side.append(problem) }
    if let keys = content.keys { side.append(keys) }
    let blank = String(repeating: " ", count: HeadDrawing.width)
    return (0..<max(head.count, side.count)).map { row in
      let left = row < head.count ? head[row] : blank
      return String((left + "  " + (row < side.count ? side[row] : "")).prefix(max(1, columns - 1)))
    }
  }

  private static func state(_ content: Content) -> String {
    var words = [content.isConnected ? "connected" : "not connected"]
    if let isWorn = content.isWorn { words.append(isWorn ? "worn" : "not worn") }
    if let side = content.side { words.append("\(side) active") }
    if let battery = content.battery { words.append(battery) }
    if let calibration = content.calibration { words.append("calibration \(calibration)") }
    return words.joined(separator: " · ")
  }

  /// Rate, age and counts.
  private static func flow(_ content: Content) -> String {
    var words: [String] = []
    if let rate = content.rate { words.append("\(String(format: "%.1f", rate)) Hz") }
    if let age = content.age { words.append("last sample \(Text.duration(max(0, age))) ago") }
    words.append("\(content.discontinuities) \(content.discontinuities == 1 ? "discontinuity" : "discontinuities")")
    words.append("recentred \(content.recentrings)×")
    return words.joined(separator: " · ")
  }

  /// "yaw    +12.3°  [          |===       ]": to the side of the head, as the drawing.
  private static func bar(
    _ name: String, _ radians: Double, limit: Double, _ negative: String, _ positive: String, isReversed: Bool = false
  ) -> String {
    let degrees = Angle(radians: radians).degrees
    let half = 12
    let share = min(1, max(-1, degrees / limit)) * (isReversed ? -1 : 1)
    let filled = Int(clamping: (abs(share) * Double(half)).rounded())
    let empty = String(repeating: "·", count: half - filled)
    let full = String(repeating: "=", count: filled)
    let none = String(repeating: "·", count: half)
    let scale = share < 0 ? "\(empty)\(full)|\(none)" : "\(none)|\(full)\(empty)"
    let word = abs(degrees) < 1 ? "" : degrees < 0 ? negative : positive
    let label = name.padding(toLength: 6, withPad: " ", startingAt: 0)
    return "\(label)\(String(format: "%+7.1f", degrees))°  [\(scale)] \(word)"
  }

  /// One line for a log: time in seconds, then the angles in degrees.
  static func plainLine(time: Double, pose: HeadPose, side: String?) -> String {
    let angles = [pose.yaw, pose.pitch, pose.roll].map { String(format: "%+7.1f", Angle(radians: $0).degrees) }
    return "\(String(format: "%9.3f", time))  yaw \(angles[0])°  pitch \(angles[1])°  roll \(angles[2])°"
      + (side.map { "  \($0)" } ?? "") + "\n"
  }
}

/// A head in dots of braille, as in a mirror: who turns to the left sees it turn to the left.
///
/// A character is two dots wide and four high (Unicode, “Braille Patterns”, U+2800…28FF), which gives a terminal a
/// screen of small dots. Points on the surface of the head are turned by the pose and projected along the line of
/// sight; those at the back are left out.
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
    let (column, row) = (Int(clamping: x.rounded()), Int(clamping: y.rounded()))
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

/// The terminal while something is drawn on it and keys are read: what is changed is put back at the end.
///
/// Lines are drawn over those of the time before (cursor movement of ECMA-48), below what the terminal holds, so that
/// nothing of it is lost.
package final class TerminalScreen: Sendable {
  private let drawn = Lock(0)
  private let settings = Lock<termios?>(nil)

  package init() {}

  /// Whether a person looks at standard output, in front.
  package static var isUsable: Bool {
    isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// Whether keys can be read: a program in the background must not touch the terminal, or it is stopped.
  package static var hasKeys: Bool { isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) == getpgrp() }

  package static var columns: Int { Terminal.columns(of: STDOUT_FILENO) ?? 80 }

  /// Keys come at once and are not shown; Ctrl-C stays what it is. Ctrl-Z and Ctrl-\ do nothing, since a program that
  /// is stopped or killed would leave the terminal like this.
  package func readKeys(_ action: @escaping @Sendable (UInt8) -> Void) {
    guard Self.hasKeys else { return }
    var changed = termios()
    guard tcgetattr(STDIN_FILENO, &changed) == 0 else { return }
    let old = changed
    settings.withLock { $0 = old }
    changed.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // unsafe: a C array, which Swift has as a tuple. _POSIX_VDISABLE of Linux is 0.
    withUnsafeMutableBytes(of: &changed.c_cc) { ($0[Int(VSUSP)], $0[Int(VQUIT)]) = (0, 0) }
    tcsetattr(STDIN_FILENO, TCSANOW, &changed)
    Thread.detachNewThread {
      var key: UInt8 = 0
      while read(STDIN_FILENO, &key, 1) == 1 { action(key) }
    }
  }

  package func draw(_ lines: [String]) {
    drawn.withLock { drawn in
      var text = drawn == 0 ? "\u{1B}[?25l" : "\u{1B}[\(drawn)A"
      for line in lines { text += "\r\(line.printable(keepingLines: false))\u{1B}[K\n" }
      // A drawing that has become smaller leaves nothing behind.
      text += "\u{1B}[J"
      drawn = lines.count
      try? Descriptor(STDOUT_FILENO).write(Array(text.utf8))
    }
  }

  /// Puts the cursor and the keys back. May be called more than once.
  package func restore() {
    drawn.withLock { drawn in
      if drawn > 0 { try? Descriptor(STDOUT_FILENO).write(Array("\u{1B}[?25h".utf8)) }
      drawn = 0
    }
    settings.withLock { settings in
      if var old = settings { tcsetattr(STDIN_FILENO, TCSANOW, &old) }
      settings = nil
    }
  }
}
