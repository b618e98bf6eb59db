// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import Testing

@testable import NetworkSources

/// The bytes of a POST.
struct BrowserBatchTests {
  private static func body() -> [UInt8] {
    var phone = BrowserPhone()
    return BrowserPhone.body(session: 0xFEDC_BA98_7654_3210, first: 77, (0..<6).map { _ in phone.next() })
  }

  @Test func aBatchSaysWhatThePageHasWritten() throws {
    var phone = BrowserPhone()
    let batch = try BrowserBatch(Self.body())
    #expect(batch.session == 0xFEDC_BA98_7654_3210)
    #expect(batch.first == 77)
    #expect(!batch.isFaceUp)
    #expect(batch.readings.count == 6)
    for reading in batch.readings {
      let sent = phone.next()
      #expect(reading.time == sent.time)
      #expect((reading.acceleration - sent.acceleration).length < 1e-6)
      #expect(abs(reading.alpha - sent.alpha) < 1e-5)
      #expect((try #require(reading.up) - (try #require(sent.up))).length < 1e-6)
    }
    #expect(try BrowserBatch(BrowserPhone.body(session: 1, first: 0, isFaceUp: true, [])).isFaceUp)
  }

  @Test func everyTruncationIsRefusedWithASentence() {
    let body = Self.body()
    for count in 0..<body.count {
      #expect(throws: SensorError.self) { try BrowserBatch(Array(body[..<count])) }
    }
    #expect(throws: SensorError.self) { try BrowserBatch(body + [0]) }
  }

  @Test func anotherVersionAsksToLoadThePageAgain() {
    var body = Self.body()
    body[4] = 2
    let error = #expect(throws: SensorError.self) { try BrowserBatch(body) }
    #expect(error?.message.contains("load it again") == true)
  }

  @Test func aCountBeyondTheCapacityIsRefused() {
    let reading = BrowserReading(time: 0, acceleration: .zero, alpha: 0, beta: 0, gamma: 0)
    let most = [BrowserReading](repeating: reading, count: BrowserBatch.capacity)
    #expect(throws: Never.self) { try BrowserBatch(BrowserPhone.body(session: 1, first: 0, most)) }
    #expect(throws: SensorError.self) { try BrowserBatch(BrowserPhone.body(session: 1, first: 0, most + [reading])) }
  }
}

/// Any bytes as batches, as long as ``SeededRandom/fuzz(rounds:_:)`` has it.
struct BrowserFuzzTests {
  @Test func anyBatchesGiveFiniteSamplesInOrder() throws {
    var (round, read, samples) = (UInt64(0), 0, 0)
    SeededRandom.fuzz(rounds: 60) { random in
      var (phone, stream, last) = (BrowserPhone(session: round), BrowserStream(), Int64.min)
      for index in 0..<20 {
        var readings = (0..<5).map { _ in phone.next() }
        readings[0].alpha = 400 * Double.random(in: -1...1, using: &random)
        var body = BrowserPhone.body(session: round, first: UInt32(index * 5), readings)
        for _ in 0..<Int.random(in: 0...2, using: &random) {
          body[Int.random(in: 0..<body.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        guard let batch = try? BrowserBatch(body) else { continue }
        read += 1
        let arrival = SensorInstant(nanoseconds: 1_000_000_000 + Int64(index) * 83_000_000)
        for case .inertial(let sample) in stream.receive(batch, at: arrival) {
          #expect(sample.time.nanoseconds > last)
          #expect(sample.angularVelocity.isFinite && sample.specificForce.isFinite)
          last = sample.time.nanoseconds
          samples += 1
        }
      }
      round += 1
    }
    // The damage leaves enough to be read.
    #expect(read > 0 && samples > 0)
  }
}
