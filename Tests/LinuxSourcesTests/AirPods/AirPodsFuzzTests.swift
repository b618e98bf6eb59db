// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HeadphoneSources
import MotionMath
import MotionSensing
import Testing

/// Any bytes, as long as ``SeededRandom/fuzz(rounds:_:)`` has it.
@Suite(.serialized) struct AirPodsFuzzTests {
  /// Packets to begin with; a mutation of one goes deeper than noise.
  static let seeds: [[UInt8]] = [
    sequence126, LinkBench.welcome, hex("04 00 04 00 04 00 03 02 01 64 02 01 04 01 63 01 01 08 01 11 02 01"),
    hex("04 00 04 00 06 00 00 01"), hex("04 00 04 00 08 00 02 00 01 00"), hex("04 00 04 00 09 00 0A 02 00 00 00"),
    hex("04 00 04 00 1D 00 02 40 00 05 06") + Array("a\0b\0c\0d\0e\0f\0g\0h\0i\0j\0".utf8),
    AirPodsCommand.sensorPacket(hex("08 01 10 03 4A 02 08 10 62 02 08 11")),
    AirPodsCommand.sensorPacket(hex("08 EC 07 10 01 1A 3C 0E 00") + Array(sequence126.suffix(58))),
    AirPodsCommand.sensorPacket(
      hex("08 01 10 01 2A 2C 08 10 12 28 D3 00 00 00 02 00 00 81 10 00 00 09") + Array("AccessoryService".utf8)
        + hex("0A 00 00 89") + Array("devmotion6".utf8) + [0, 0]),
  ]

  static func mutated(_ random: inout SeededRandom) -> [UInt8] {
    if random.next() % 8 == 0 {
      return random.bytes(Int(random.next() % 300))
    }
    var packet = seeds[Int(random.next() % UInt64(seeds.count))]
    for _ in 0..<(1 + random.next() % 4) where !packet.isEmpty {
      let place = Int(random.next() % UInt64(packet.count))
      switch random.next() % 6 {
      case 0: packet[place] = UInt8(truncatingIfNeeded: random.next())
      case 1: packet[place] = 0xFF
      case 2: packet.removeLast(place)
      case 3: packet.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
      case 4: packet += seeds[Int(random.next() % UInt64(seeds.count))]
      default: packet[place] ^= 1 << UInt8(random.next() % 8)
      }
    }
    return packet
  }

  @Test func anyBytesAreAPacketOrMalformedAndNothingGrows() {
    var packetCount = 0
    let count = SeededRandom.fuzz(rounds: 10_000) { random in
      let bytes = Self.mutated(&random)
      for packet in packets(bytes) {
        packetCount += 1
        guard case .sensor(let message) = packet else { continue }
        // What comes out is never more than what went in.
        let texts = message.descriptors.flatMap(\.properties).reduce(0) { sum, pair in
          switch pair.value {
          case .text(let text): sum + pair.key.utf8.count + text.utf8.count
          case .data(let data): sum + pair.key.utf8.count + data.count
          default: sum + pair.key.utf8.count
          }
        }
        // A byte that is no UTF-8 becomes a sign of three.
        #expect(texts <= 3 * bytes.count)
        #expect(message.descriptors.count <= bytes.count && message.ready.count <= bytes.count)
        if let q = message.report?.motion?.attitude {
          #expect(abs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-9)
        }
      }
    }
    print("AirPods fuzz: \(count) reads, \(packetCount) packets")
    #expect(packetCount > 0)
  }

  @Test func noConversationBringsTheLinkIntoDisorder() throws {
    var samples = 0
    let count = try SeededRandom.fuzz(rounds: 100) { random in
      var bench = try LinkBench(random.next() % 2 == 0 ? [:] : ["ownership": "yes", "rate": "25"])
      bench.becomeReady()
      var last = SensorInstant(nanoseconds: .min)
      for _ in 0..<200 {
        switch random.next() % 8 {
        case 0: bench.pass(seconds: Double(random.next() % 5000) / 1000)
        case 1:
          bench.link.request(motion: random.next() % 2 == 0, at: bench.now)
          bench.collect()
        case 2: if bench.link.status.phase == .backingOff { bench.pass(seconds: 31) }
        default: bench.receive(Self.mutated(&random))
        }
        if bench.link.status.phase == .opening { bench.open() }
        for sample in bench.samples {
          #expect(sample.time > last)
          last = sample.time
          #expect(sample.vector.isFinite && sample.angularVelocity.isFinite && sample.attitude != nil)
        }
        samples += bench.samples.count
        bench.samples = []
        bench.sent = []
        #expect(bench.link.status.batteries.count <= 255)
      }
      bench.link.end()
      bench.collect()
      // Whatever was asked for motion last has been stopped.
      #expect(bench.link.status.phase == .idle)
    }
    print("AirPods fuzz: \(count) conversations of 200 events, \(samples) samples")
    #expect(count > 0)
  }
}
