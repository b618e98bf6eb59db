// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

@testable import MotionViewer

/// What a page that joins is given of the time before.
struct ViewHistoryTests {
  private static func at(_ seconds: Double) -> SensorInstant { SensorInstant(nanoseconds: Int64(seconds * 1e9)) }

  @Test func itGoesBackAMinute() {
    var history = ViewHistory()
    for number in 0..<6000 { history.append([UInt8(number & 255)], at: Self.at(Double(number) / 60)) }
    // The last at 99.98 s: from 39.98 s on.
    let frames = history.frames(at: Self.at(99.98))
    #expect(abs(frames.count - 3600) <= 1 && frames.last == [UInt8(5999 & 255)])
    #expect(frames.first == [UInt8((6000 - frames.count) & 255)])
    // A source that has fallen silent.
    #expect(history.frames(at: Self.at(140)).count < 1300)
    #expect(history.frames(at: Self.at(200)).isEmpty && history.bytes == 0)
  }

  @Test func aFastSourceFillsFourMegabytesAndNoMore() {
    var history = ViewHistory()
    for number in 0..<1000 {
      history.append([UInt8](repeating: UInt8(number & 255), count: 16_000), at: Self.at(Double(number) / 1000))
      #expect(history.bytes <= ViewHistory.limit)
    }
    let frames = history.frames(at: Self.at(1))
    #expect(frames.count == ViewHistory.limit / (16_000 + 64) && frames.last?.first == UInt8(999 & 255))
  }
}
