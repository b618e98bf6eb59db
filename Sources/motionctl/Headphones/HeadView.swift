// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing

/// What a person who watches headphones sees: as lines that are drawn over and over, or one after the other.
struct HeadView {
  /// Everything that is shown.
  struct Content {
    var pose: HeadPose?
    /// The source in words.
    var name = ""
    var isConnected = false
    /// "left bud".
    var side: String?
    /// Samples a second.
    var rate: Double?
    /// Seconds since the latest sample; nil = none yet, or the source has no clock of its own.
    var age: Double?
    /// "left 80 %, right 79 % charging".
    var battery: String?
    var isWorn: Bool?
    var calibration: String?
    var discontinuities = 0
    var recentrings = 0
    /// "opentrack 127.0.0.1:4242 · 250 sent".
    var outputs: [String] = []
    /// Why nothing comes, and what to do.
    var problem: String?
    /// What the keys do; nil where nobody can press one.
    var keys: String?
  }

  /// The lines of the drawing, cut to the width of the terminal.
  static func lines(_ content: Content, columns: Int) -> [String] {
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
    if let side = content.side { words.append("\(side) speaks") }
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
    let filled = Int((abs(share) * Double(half)).rounded())
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
