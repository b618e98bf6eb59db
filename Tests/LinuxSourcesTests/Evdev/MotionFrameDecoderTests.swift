// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CLinuxInput
import MotionSensing
import Testing

@testable import LinuxSources

/// From bytes to events, from events to frames.
@Suite struct MotionFrameDecoderTests {
  private let time = SensorInstant(nanoseconds: 5_000_007_000)

  @Test func anEventHas24BytesOn64BitAnd16On32BitSystems() {
    #expect(InputEvent.byteCount(wordBytes: 8) == 24 && InputEvent.byteCount(wordBytes: 4) == 16)
    for word in [4, 8] {
      let event = InputEvent.absolute(ABS_RZ, -70_000, at: time)
      let bytes = [0xAA] + event.bytes(wordBytes: word) + [0xBB]
      #expect(InputEvent(in: bytes, at: 1, wordBytes: word) == event)
    }
    // What the kernel's own header says of this computer.
    #expect(MemoryLayout<input_event>.size == InputEvent.byteCount())
  }

  /// The numbers of EV-9, on 64-bit x86 and ARM.
  @Test func requestCodesAreThoseOfTheKernelsHeader() {
    #expect(linux_input_get_absolute(UInt32(ABS_RX)) == 0x8018_4543)
    #expect(linux_input_set_absolute(UInt32(ABS_RX)) == 0x4018_45C3)
    #expect(linux_input_set_clock() == 0x4004_45A0)
    #expect(MemoryLayout<input_absinfo>.size == 24 && INPUT_PROP_ACCELEROMETER == 6)
  }

  /// EV-3: an axis that does not change sends nothing, not even once.
  @Test func valuesAreKeptBetweenReportsFromTheSeedOn() {
    var decoder = MotionFrameDecoder()
    decoder.seed(SIMD8(1, 8192, 3, 4, 5, 6, 0, 0))
    #expect(decoder.append(.absolute(ABS_X, 10, at: time)) == .pending)
    #expect(decoder.append(.stamp(77, at: time)) == .pending)
    #expect(
      decoder.append(.report(at: time))
        == .frame(MotionFrame(time: time, deviceTime: 77, counts: SIMD8(10, 8192, 3, 4, 5, 6, 0, 0))))
    // The controller's time belongs to one frame, the values to all.
    #expect(
      decoder.append(.report(at: time))
        == .frame(MotionFrame(time: time, deviceTime: nil, counts: SIMD8(10, 8192, 3, 4, 5, 6, 0, 0))))
  }

  /// EV-5: what follows SYN_DROPPED is the rest of a torn frame.
  @Test func afterADropNothingCountsUntilTheNextReport() {
    var decoder = MotionFrameDecoder()
    decoder.seed(SIMD8(repeating: 1))
    let torn: [InputEvent] = [
      .absolute(ABS_X, 50, at: time), .dropped(at: time), .absolute(ABS_Y, 60, at: time), .stamp(9, at: time),
    ]
    for event in torn { #expect(decoder.append(event) == .pending) }
    #expect(decoder.append(.report(at: time)) == .lost)
    decoder.seed(SIMD8(repeating: 2))
    #expect(
      decoder.append(.report(at: time))
        == .frame(MotionFrame(time: time, deviceTime: nil, counts: SIMD8(repeating: 2))))
  }

  @Test func eventsOfOtherKindsChangeNothing() {
    var decoder = MotionFrameDecoder()
    let strangers = [
      InputEvent(time: time, type: UInt16(EV_KEY), code: 0, value: 1),
      .absolute(ABS_HAT0X, 5, at: time),
      InputEvent(time: time, type: UInt16(EV_MSC), code: UInt16(MSC_SCAN), value: 5),
    ]
    for event in strangers { #expect(decoder.append(event) == .pending) }
    #expect(
      decoder.append(.report(at: time))
        == .frame(MotionFrame(time: time, deviceTime: nil, counts: SIMD8(repeating: 0))))
  }
}
