// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionRecording
import MotionSensing
import Testing

@testable import MotionTools

/// How numbers become text.
@Suite struct OutputTests {
  @Test func numbersInFilesReadBackToTheSameBits() {
    for value in [0.1, -1.0 / 3, 1e-300, 1138457.69999425, Double.leastNonzeroMagnitude, 1e22] {
      var buffer = JSONText()
      buffer.append(value)
      #expect(Double(String(decoding: buffer.bytes, as: UTF8.self)) == value)
    }
  }

  @Test(arguments: [
    (1.005, 2, "    1.00"), (-0.004, 2, "    0.00"), (-0.006, 2, "   -0.01"), (12345.678, 1, " 12345.7"),
    (Double.nan, 2, "       –"), (9.996, 2, "   10.00"), (-7, 0, "      -7"),
  ])
  func columnsAreRoundedAndSetToTheRight(value: Double, places: Int, text: String) {
    var buffer = JSONText()
    buffer.append(value, places: places, width: 8)
    #expect(String(decoding: buffer.bytes, as: UTF8.self) == text)
  }

  @Test func jsonTextIsEscaped() throws {
    var buffer = JSONText()
    buffer.append(quoting: "a\"b\\c\n\u{1}é")
    let read = try JSONSerialization.jsonObject(with: Data(buffer.bytes), options: .fragmentsAllowed)
    #expect(read as? String == "a\"b\\c\n\u{1}é")
  }

  @Test func textForPeopleIsShort() {
    #expect(Text.count(1, "row") == "1 row")
    #expect(Text.count(1_234_567, "row") == "1,234,567 rows")
    #expect(Text.duration(0.0352) == "35 ms")
    #expect(Text.duration(59.99) == "1 min")
    #expect(Text.duration(3599.99) == "1 h")
    #expect(Text.duration(754) == "12 min 34 s")
    #expect(Text.decimal(100.0, places: 2) == "100")
    #expect(Text.list(["a", "b", "c"]) == "a, b and c")
  }

  @Test func anUnknownFrameAndAnUncalibratedFieldAreEmptyCells() {
    let row = MotionRow(of: CMDeviceMotion())
    var buffer = JSONText()
    buffer.append(csv: row, hidesFrame: true)
    let cells = String(decoding: buffer.bytes.dropLast(), as: UTF8.self)
      .split(separator: ",", omittingEmptySubsequences: false)
    #expect(cells.count == 24)
    #expect(cells[4] == "1.0")
    // From magneticField_x to headingAccuracy; the frame and the deviations.
    #expect(cells[14...19].allSatisfy { $0.isEmpty })
    #expect(cells[21...23].allSatisfy { $0.isEmpty })
  }

  @Test func theProgressBarIsFullAtTheEndOnly() {
    #expect(ProgressLine.bar(0).contains("[·"))
    #expect(ProgressLine.bar(0.5).hasSuffix(" 50 %"))
    #expect(ProgressLine.bar(1) == "[########################] 100 %")
    #expect(ProgressLine.bar(7) == ProgressLine.bar(1))
  }

  @Test func progressSaysRateAndTimeLeft() {
    #expect(
      ProgressLine.line(600_000, "row", fraction: 0.25, elapsed: 2)
        == "[######··················]  25 %  600,000 rows, 300,000 a second, 6 s left")
    #expect(ProgressLine.line(1, "sample", fraction: nil, elapsed: 2) == "1 sample, 1 a second")
    #expect(ProgressLine.line(10, "row", fraction: 1, elapsed: 700).hasSuffix(", 0 a second, 1 s left"))
  }
}
