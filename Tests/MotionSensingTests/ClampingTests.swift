// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

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
}
