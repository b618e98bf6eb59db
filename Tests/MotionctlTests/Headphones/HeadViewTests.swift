// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import Testing

@testable import LiveOutput
@testable import MotionTools

/// The drawing on a terminal, as text.
@Suite struct HeadViewTests {
  private func pose(_ yaw: Double, _ pitch: Double = 0, _ roll: Double = 0) -> HeadPose {
    HeadPose(
      yaw: Angle(degrees: yaw).radians, pitch: Angle(degrees: pitch).radians, roll: Angle(degrees: roll).radians)
  }

  /// The mean column and row of the dots that differ from a head that looks ahead, weighed by where they are new.
  private func middle(_ lines: [String]) -> (x: Double, y: Double) {
    var (x, y, count) = (0.0, 0.0, 0.0)
    for (row, line) in lines.enumerated() {
      for (column, character) in line.enumerated() {
        let dots =
          character.unicodeScalars.first.map { $0.value >= 0x2800 ? ($0.value - 0x2800).nonzeroBitCount : 0 } ?? 0
        (x, y, count) = (x + Double(column * dots), y + Double(row * dots), count + Double(dots))
      }
    }
    return (x / count, y / count)
  }

  /// As in a mirror.
  @Test func theFaceGoesWhereTheHeadTurns() {
    let ahead = middle(HeadDrawing.lines(of: pose(0)))
    #expect(abs(ahead.x - Double(HeadDrawing.width - 1) / 2) < 0.6)
    #expect(middle(HeadDrawing.lines(of: pose(40))).x < ahead.x - 0.5)
    #expect(middle(HeadDrawing.lines(of: pose(-40))).x > ahead.x + 0.5)
    #expect(middle(HeadDrawing.lines(of: pose(0, -30))).y > ahead.y)
    for yaw in stride(from: -180.0, through: 180, by: 7) {
      let lines = HeadDrawing.lines(of: pose(yaw, yaw / 2, -yaw))
      #expect(lines.count == HeadDrawing.height && lines.allSatisfy { $0.count == HeadDrawing.width })
    }
  }

  @Test func barsAndWordsSayTheSame() {
    var content = HeadView.Content()
    content.pose = pose(45, -30, 15)
    (content.name, content.isConnected, content.side, content.isWorn) = ("Buds", true, "left bud", true)
    (content.rate, content.battery, content.calibration, content.discontinuities) = (50, "left 80 %", "user", 1)
    let text = HeadView.lines(content, columns: 200).joined(separator: "\n")
    #expect(text.contains("connected · worn · left bud active · left 80 % · calibration user"))
    #expect(text.contains("yaw     +45.0°  [······======|············] left"))
    #expect(text.contains("pitch   -30.0°  [······======|············] down"))
    #expect(text.contains("roll    +15.0°  [············|===·········] right"))
    #expect(text.contains("50.0 Hz · 1 discontinuity · recentred 0×"))
  }

  @Test func aNarrowTerminalCutsLines() {
    for columns in [1, 10, 40] {
      #expect(HeadView.lines(HeadView.Content(), columns: columns).allSatisfy { $0.count <= max(1, columns - 1) })
    }
  }
}
