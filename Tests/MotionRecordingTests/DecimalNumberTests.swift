// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import PhoneFormats
import Testing

@Suite struct DecimalNumberTests {
  private func parse(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    var cursor = 0
    guard let number = DecimalNumber(bytes.span, at: &cursor), cursor == bytes.count else { return nil }
    return number.double(text: bytes.span)
  }

  private func nanoseconds(_ text: String, decimals: Int = 9) -> Int64? {
    let bytes = Array(text.utf8)
    var cursor = 0
    guard let number = DecimalNumber(bytes.span, at: &cursor), cursor == bytes.count else { return nil }
    return number.nanoseconds(decimals: decimals)
  }

  @Test(arguments: [
    "0", "-0", "-0.0", "1", "+1.5", ".5", "5.", "0.1", "-9.731563", "-0.9870452880859375", "0.0009566396474838257",
    "9007199254740993", "9007199254740992.5", "9007199254740993.0000000001", "0.00012345678901234567", "1e22", "1e23",
    "1e-22", "1E+5", "123456789012345678901234567890", "1.7976931348623157e308", "4.9e-324", "2.2250738585072011e-308",
    "18446744073709551615", "0.3000000000000000166533453693773481063544750213623046875", "8.5e-27", "1.5e-27",
    "0.000000000000000000000000001", "999999999999999.9", "0.99999999999999994448884876874217",
    // Blocks of eight decimals, and more digits than 64 bits hold, at a tie and beside it.
    "0.12345678", "0.1234567812345678", "7.12345678123456781234567812345678", "1.00000000", "1.0000000000000000",
    "1.00000000000000011102230246251565404236316680908203125",
    "1.000000000000000111022302462515654042363166809082031251",
    "1.00000000000000011102230246251565404236316680908203124", "12345678.123456789012345678901234567890",
  ])
  func everyNumberIsTheNearestDouble(text: String) throws {
    let value = try #require(parse(text))
    #expect(value.bitPattern == Double(text)?.bitPattern)
  }

  @Test func fiftyThousandRandomNumbersComeBackBitForBit() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<10_000 {
      let unit = Double(random.next() >> 11) / 9_007_199_254_740_992
      // Shortest forms, long forms, and decimals whose last digit sits near a tie.
      let digits = String(random.next() % 10_000_000_000_000_000_000)
      let shift = Int(random.next() % 19)
      let texts = [
        "\(unit)", "\(-unit * 70)", "\(unit * 1e-5)", String(digits.prefix(digits.count / 2)) + "." + digits,
        "0." + String(repeating: "0", count: shift % 8) + digits,
      ]
      for text in texts where parse(text)?.bitPattern != Double(text)?.bitPattern {
        Issue.record("\(text) became \(String(describing: parse(text)))")
      }
    }
  }

  @Test(arguments: ["0.1234567a", "0.12345678:", "1.1234567/2", "0.123456781234567é", "0.1234567\u{0}1"])
  func eightBytesAreDigitsOnlyTogether(text: String) { #expect(parse(text) == nil) }

  @Test(arguments: ["", "-", ".", "e5", "abc", "1,5", "0x10", "1e", "1e+", "--1", "1.2.3", "infinity", "nan"])
  func whatIsNoNumberIsRefused(text: String) { #expect(parse(text) == nil) }

  @Test func secondsBecomeExactNanoseconds() {
    #expect(nanoseconds("1138457.699994250") == 1_138_457_699_994_250)
    #expect(nanoseconds("1698501144.401773123") == 1_698_501_144_401_773_123)
    #expect(nanoseconds("58202.2837") == 58_202_283_700_000)
    #expect(nanoseconds("-0.5") == -500_000_000)
    #expect(nanoseconds("7") == 7_000_000_000)
    #expect(nanoseconds("0") == 0)
    // Beyond the nanosecond: to the nearest.
    #expect(nanoseconds("0.0000000014") == 1)
    #expect(nanoseconds("0.0000000015") == 2)
    #expect(nanoseconds("1698501144.40177312349999") == 1_698_501_144_401_773_123)
    #expect(nanoseconds("1698501144.4017731235") == 1_698_501_144_401_773_124)
  }

  @Test func epochNanosecondsKeepAllTheirDigits() {
    #expect(nanoseconds("1698501144401773001", decimals: 0) == 1_698_501_144_401_773_001)
    #expect(nanoseconds("142987091729917", decimals: 0) == 142_987_091_729_917)
    #expect(nanoseconds("1663323346123", decimals: 6) == 1_663_323_346_123_000_000)
  }

  @Test(arguments: [
    "9999999999999", "4000000000.1", "99999999999999999999999", "1" + String(repeating: "0", count: 300),
  ])
  func timesFartherThanACenturyAreRefused(text: String) { #expect(nanoseconds(text) == nil) }
}
