// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// One event of an input device, as the kernel hands it over.
///
/// The kernel's `struct input_event` is two words of time, seconds and microseconds, then type and code (16 bits each) and value
/// (32 bits), all in the byte order of the machine: 24 bytes on 64-bit systems, x86 and ARM alike, and 16 bytes where a word has 32
/// bits (spec EV-9).
struct InputEvent: Hashable, Sendable {
  /// When the kernel took it in, on the clock that was chosen.
  var time: SensorInstant
  /// `EV_SYN`, `EV_ABS`, `EV_MSC`.
  var type: UInt16
  /// Which axis, which mark.
  var code: UInt16
  /// The number; a time stamp is unsigned in the same bits.
  var value: Int32

  /// Bytes of one event, for words of so many bytes.
  static func byteCount(wordBytes: Int = MemoryLayout<Int>.size) -> Int { 2 * wordBytes + 8 }

  /// The event whose bytes begin at `offset`. Bytes beyond the end trap: whoever reads has counted whole events.
  init(in bytes: [UInt8], at offset: Int, wordBytes: Int = MemoryLayout<Int>.size) {
    self = bytes.withUnsafeBytes { bytes in
      func word(_ index: Int) -> Int64 {
        let place = offset + index * wordBytes
        // A 32-bit kernel counts seconds without a sign, until 2106.
        return wordBytes == 8
          ? bytes.loadUnaligned(fromByteOffset: place, as: Int64.self)
          : Int64(bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
      }
      let rest = offset + 2 * wordBytes
      return InputEvent(
        time: SensorInstant(nanoseconds: word(0) &* 1_000_000_000 &+ word(1) &* 1000),
        type: bytes.loadUnaligned(fromByteOffset: rest, as: UInt16.self),
        code: bytes.loadUnaligned(fromByteOffset: rest + 2, as: UInt16.self),
        value: bytes.loadUnaligned(fromByteOffset: rest + 4, as: Int32.self))
    }
  }

  init(time: SensorInstant, type: UInt16, code: UInt16, value: Int32) {
    self.time = time
    self.type = type
    self.code = code
    self.value = value
  }
}
