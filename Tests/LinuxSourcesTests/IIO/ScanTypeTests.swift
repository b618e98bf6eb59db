// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

@testable import LinuxSources

/// From the bytes of a record to numbers (IIO-19).
@Suite struct ScanTypeTests {
  @Test(
    arguments: [
      ("le:s16/32>>0", [0x99, 0x03, 0x67, 0xfc], 921), ("le:s16/32>>0", [0x18, 0xfc, 0, 0], -1000),
      ("le:s12/16>>4", [0x80, 0xf3], -200), ("be:u24/32>>8", [0x01, 0x02, 0x03, 0xff], 66051),
      ("be:s16/16", [0xff, 0xfe], -2), ("le:S8/8>>0", [0x80], -128), ("be:U24/24>>0", [0xff, 0, 1], 0xff_0001),
      ("le:s64/64>>0", [0x90, 0x13, 0xc2, 0xb1, 7, 0, 0, 0], 33_047_057_296),
    ] as [(String, [UInt8], Int64)])
  func theVectorsOfTheSpecificationDecode(_ text: String, _ bytes: [UInt8], _ value: Int64) throws {
    #expect(try ScanType(text).integer(in: bytes, at: 0) == value)
  }

  /// Every storage size, byte order, sign, a full range of real bits and shifts, with rubbish in all other bits; the
  /// bytes are made by arithmetic, so that the test says the same on a processor of any byte order.
  @Test(arguments: [8, 16, 24, 32, 40, 48, 56, 64])
  func everyFormatReadsBackWhatWasPutIn(_ storage: Int) throws {
    var random = SystemRandomNumberGenerator()
    for real in 1...storage {
      for shift in Set([0, (storage - real) / 2, storage - real]) {
        for (order, sign) in [("le", "s"), ("le", "u"), ("be", "s"), ("be", "u")] {
          let type = try ScanType("\(order):\(sign)\(real)/\(storage)>>\(shift)")
          let mask = UInt64.max >> (64 - real)
          let value = UInt64.random(in: 0...mask, using: &random)
          let rubbish = UInt64.random(in: 0...(.max), using: &random)
          let word = value << shift | rubbish & ~(mask << shift)
          let little = (0..<storage / 8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
          let bytes = [0xAA] + (order == "le" ? little : little.reversed()) + [0x55]
          let isNegative = sign == "s" && value >> (real - 1) & 1 == 1
          let expected = Int64(bitPattern: isNegative ? value | ~mask : value)
          #expect(type.integer(in: bytes, at: 1) == expected, "\(type)")
          #expect(type.number(in: bytes, at: 1) == (sign == "s" ? Double(expected) : Double(value)))
        }
      }
    }
  }

  @Test func aRepeatedValueTakesItsPlaceSeveralTimes() throws {
    let type = try ScanType("le:s16/32X4>>0")
    #expect(type.byteCount == 16 && type.repetitions == 4 && type.realBits == 16)
  }

  @Test(arguments: [
    "", "s16/16", "me:s16/16>>0", "le:f32/32>>0", "le:s33/32>>0", "le:s16/20>>0", "le:s16/16>>1", "le:s16/16X0>>0",
    "le:s0/16>>0", "le:s16/128>>0", "le:s16/16>>0 ", "le:s16/16>>9223372036854775807",
    "le:s16/16X9223372036854775807>>0", "le:s16/16X256>>0",
  ])
  func anotherFormIsRefusedWithItsText(_ text: String) {
    let error = #expect(throws: SensorError.self) { try ScanType(text) }
    #expect(error?.code == .unsupported && error?.message.contains(text) == true)
  }
}
