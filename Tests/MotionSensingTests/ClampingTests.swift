// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@Suite struct ClampingTests {
  @Test func aNumberWithinTheRangeIsItsWholePart() {
    for number in [0, -0.0, 0.9, -0.9, 1, 126.5, -127.5, 127] as [Double] {
      #expect(Int8(clamping: number) == Int8(number))
      #expect(Int64(clamping: number) == Int64(number))
    }
    #expect(Int64(clamping: -0x1p63) == .min)
  }

  @Test func anyOtherNumberIsTheNearestEndOrZero() {
    func check<Number: FixedWidthInteger>(_ type: Number.Type) {
      for number in [1e20, 1e300, .infinity] as [Double] {
        #expect(Number(clamping: number) == .max)
        #expect(Number(clamping: -number) == .min)
      }
      #expect(Number(clamping: Double.nan) == 0)
      #expect(Number(clamping: -Double.nan) == 0)
    }
    check(Int8.self)
    check(UInt8.self)
    check(Int64.self)
    check(UInt64.self)
    #expect(UInt8(clamping: -1.0) == 0)
    #expect(UInt8(clamping: 256.0) == 255)
    #expect(Int64(clamping: 0x1p63) == .max)
  }

  @Test func arithmeticEndsAtTheEndOfTheRange() {
    let numbers: [Int64] = [.min, .min + 1, -1 << 62, -3, -1, 0, 1, 3, 1 << 62, .max - 1, .max]
    for a in numbers {
      for b in numbers {
        // As real numbers of 128 bits, cut.
        func cut(_ exact: Int128) -> Int64 { Int64(clamping: exact) }
        #expect(a.clamped(plus: b) == cut(Int128(a) + Int128(b)))
        #expect(a.clamped(minus: b) == cut(Int128(a) - Int128(b)))
        #expect(a.clamped(times: b) == cut(Int128(a) * Int128(b)))
      }
    }
  }

  @Test func aClaimedCountCanBeAddedUp() {
    let claims: [any BinaryInteger] = [Int64.min, -1, 0, 7, UInt32.max, Int64.max, UInt64.max]
    let counts = claims.map { Int(claimed: $0) }
    #expect(counts == [0, 0, 0, 7, 4_294_967_295, 1 << 40, 1 << 40])
    #expect(Array(repeating: counts, count: 1000).joined().reduce(0, +) > 1 << 40)
  }
}
