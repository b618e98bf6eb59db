// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording
import Testing

@Suite struct NumberTextTests {
  /// Every sign and size, and numbers with as many digits as there are: a linear congruential generator (Knuth, TAOCP
  /// 3.3.4).
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

  /// Sizes that sensors have: each power of two with its neighbours, and decimals of every length.
  @Test func numbersOfUsualSizeHaveTheDigitsOfTheStandardLibrary() {
    var numbers: [Double] = []
    for exponent in -75...60 {
      let power = Double(sign: .plus, exponent: exponent, significand: 1)
      numbers += [power, power.nextUp, power.nextDown, -power]
    }
    var bits: UInt64 = 9
    for row in 0..<60_000 {
      bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let digits = Double(bits >> 12 % (UInt64(1) << UInt64(1 + row % 52)))
      let exponent = Int(bits >> 57) % 76
      numbers += [
        digits / [1, 1e1, 1e2, 1e3, 1e5, 1e9, 1e15][row % 7],
        Double(sign: row % 2 == 0 ? .plus : .minus, exponent: exponent - 72, significand: 1 + digits / 0x1p52),
      ]
    }
    for number in numbers {
      var text = JSONText()
      text.append(number)
      guard text.bytes != Array(number.description.utf8) else { continue }
      Issue.record("\(number) became \(String(decoding: text.bytes, as: UTF8.self))")
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
