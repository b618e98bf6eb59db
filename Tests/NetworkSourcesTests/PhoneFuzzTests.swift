// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing
import PhoneFormats
import Testing

@testable import NetworkSources

/// Any bytes into the parsers and the stream, as long as ``SeededRandom/fuzz(rounds:_:)`` has it.
@Suite struct PhoneFuzzTests {
  /// Some bytes changed, cut out, doubled, or replaced by what JSON is made of.
  private func damaged(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    let pieces = ["{", "}", "[", "]", "\"", ",", ":", "null", "1e999", "-", "9223372036854775807", "\\u00", "\u{0}"]
    for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
      case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
      case 2: bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
      default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 60)], at: place)
      }
    }
    return bytes
  }

  /// Whatever is pushed, times ascend and every number is finite.
  @Test func anyPushesGiveSamplesInOrderOrErrors() {
    let good = SensorLoggerPhone().pushes(
      (PhoneStreamTests.samples(seconds: 1) + PhoneStreamTests.headMotion(seconds: 1)).sorted { $0.time < $1.time })
    var delivered = 0
    let rounds = SeededRandom.fuzz(rounds: 6) { random in
      var stream = PhoneStream(device: PhoneDevice.allCases[random.below(3)], units: PhoneUnits())
      var lasts: [SensorKinds: SensorInstant] = [:]
      var now = SensorInstant(nanoseconds: 5_000_000_000)
      for push in good {
        let body = Bool.random(using: &random) ? damaged(push.body, &random) : push.body
        now = now + SensorDuration(nanoseconds: Int64.random(in: 0...300_000_000, using: &random))
        guard let message = try? SensorLoggerMessage(body), let number = message.number else { continue }
        stream.receive(message.readings, number: number, at: now)
        while let samples = stream.next(at: now) {
          for sample in samples {
            #expect(lasts[sample.kinds].map { sample.time > $0 } ?? true)
            lasts[sample.kinds] = sample.time
            delivered += 1
          }
        }
      }
    }
    #expect(rounds > 0 && delivered > 0)
  }

  /// Stamps and arrivals of any size overflow nothing.
  @Test func anyStampsGiveAnInstant() {
    let rounds = SeededRandom.fuzz(rounds: 300) { random in
      var clock = ArrivalClock()
      var arrival: Int64 = 0
      for _ in 0..<200 {
        arrival += Int64.random(in: 0...5_000_000_000, using: &random)
        let stamp = Bool.random(using: &random) ? arrival : Int64.random(in: ArrivalClock.stamps, using: &random)
        clock.observe(newest: stamp, at: SensorInstant(nanoseconds: arrival))
        _ = clock.instant(of: stamp)
      }
    }
    #expect(rounds > 0)
  }
}
