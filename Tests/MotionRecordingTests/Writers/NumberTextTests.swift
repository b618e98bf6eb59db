// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording
import Testing

@Suite(.timeLimit(.minutes(15))) struct NumberTextTests {
  /// Every sign and size, and numbers with as many digits as there are: a linear congruential generator (Knuth, TAOCP 3.3.4).
  private static let numbers: [Double] = {
    var bits: UInt64 = 1
    let random = (0..<10_000).map { _ -> Double in
      bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(bitPattern: bits)
    }
    return random.filter(\.isFinite) + [
      0, -0.0, 1, -1, 0.1, 1e15, 1e16, 1e17, 123456789.125, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
      .leastNormalMagnitude, 5000.01, 1e-5, 0.0001, .ulpOfOne, 0x1p53,
    ]
  }()

  @Test func aNumberHasTheShortestDigitsThatReadBack() {
    for number in Self.numbers {
      var text = JSONText()
      text.append(raw: "x=")
      text.append(number)
      #expect(text.bytes == Array("x=\(number)".utf8))
      #expect(Double(String(decoding: text.bytes.dropFirst(2), as: UTF8.self))?.bitPattern == number.bitPattern)
    }
  }

  @Test func whatIsNoNumberIsNull() {
    for number in [Double.nan, .infinity, -.infinity] {
      var text = JSONText()
      text.append(number)
      #expect(text.bytes == Array("null".utf8))
    }
  }
}
