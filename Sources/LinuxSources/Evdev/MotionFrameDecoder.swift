// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import MotionSensing

/// What all axes of a controller read at one instant.
struct MotionFrame: Hashable, Sendable {
  /// When the kernel took it in.
  var time: SensorInstant
  /// The controller's own time: microseconds that wrap around after 71.6 minutes; nil when it sends none.
  var deviceTime: UInt32?
  /// Counts, by axis number: `ABS_X`, `ABS_Y`, `ABS_Z`, `ABS_RX`, `ABS_RY`, `ABS_RZ`.
  var counts: SIMD8<Int32>
}

/// Assembles the events of a motion sensor to frames.
///
/// An input device sends only what has changed: an axis that does not change sends nothing, even for hours (EV-3). So
/// the values are kept, beginning with those that the kernel holds, and every `SYN_REPORT` closes a frame of them.
///
/// A reader that was too slow finds `SYN_DROPPED` in its queue. What follows it, up to the next `SYN_REPORT`, is the
/// rest of a frame whose beginning is lost, and it is dropped; then all axes have to be read from the kernel again
/// (EV-5).
struct MotionFrameDecoder: Hashable, Sendable {
  /// The result of an event.
  enum Outcome: Hashable, Sendable {
    /// Nothing yet.
    case pending
    /// A frame is complete.
    case frame(MotionFrame)
    /// Frames were lost: give the decoder the kernel's values by ``seed(_:)``, then go on.
    case lost
  }

  private var counts = SIMD8<Int32>(repeating: 0)
  private var deviceTime: UInt32?
  private var isDiscarding = false

  /// Sets all axes to what the kernel holds.
  mutating func seed(_ counts: SIMD8<Int32>) {
    self.counts = counts
    deviceTime = nil
  }

  /// Appends the next event. Events of other kinds, such as a device may send besides, do nothing.
  mutating func append(_ event: InputEvent) -> Outcome {
    switch (Int32(event.type), Int32(event.code)) {
    case (EV_SYN, SYN_DROPPED):
      isDiscarding = true
    case (EV_SYN, SYN_REPORT):
      // The controller's time belongs to one frame: it is never carried into the next.
      defer { deviceTime = nil }
      guard isDiscarding else { return .frame(MotionFrame(time: event.time, deviceTime: deviceTime, counts: counts)) }
      isDiscarding = false
      return .lost
    case (EV_ABS, ABS_X...ABS_RZ) where !isDiscarding:
      counts[Int(event.code)] = event.value
    case (EV_MSC, MSC_TIMESTAMP) where !isDiscarding:
      deviceTime = UInt32(bitPattern: event.value)
    default:
      break
    }
    return .pending
  }
}

/// One event of an input device, as the kernel delivers it.
///
/// The kernel's `struct input_event` is two words of time, seconds and microseconds, then type and code (16 bits each)
/// and value (32 bits), all in the byte order of the machine: 24 bytes on 64-bit systems, x86 and ARM alike, and 16
/// bytes where a word has 32 bits (EV-9).
struct InputEvent: Hashable, Sendable {
  /// When the kernel took it in, on the clock that was chosen.
  var time: SensorInstant
  /// `EV_SYN`, `EV_ABS`, `EV_MSC`.
  var type: UInt16
  /// Which axis, which mark.
  var code: UInt16
  /// The number; a time stamp is unsigned in the same bits.
  var value: Int32
}

extension InputEvent {
  /// Bytes of one event, for words of so many bytes.
  static func byteCount(wordBytes: Int = MemoryLayout<Int>.size) -> Int { 2 * wordBytes + 8 }

  /// The event whose bytes begin at `offset`. Bytes beyond the end trap: the caller has counted whole events.
  init(in bytes: [UInt8], at offset: Int, wordBytes: Int = MemoryLayout<Int>.size) {
    self = bytes.withUnsafeBytes { bytes in  // unsafe: loads are checked against the end
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
}
