// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import HeadphoneSimulation
import HeadphoneSources
import MotionMath
import MotionSensing
import SimulatedSources
import Testing

@testable import TestSupport

/// What goes wrong on real links, done by the simulated buds.
@Suite struct AirPodsFaultTests {
  @Test func firmwareOf2024StreamsFromServiceFourteenInItsOwnEncoding() async throws {
    let bench = try AirPodsBench {
      $0.faults.hasServiceFourteenOnly = true
      $0.faults.usesOldEncoding = true
    }
    bench.start()
    await bench.play(5)
    #expect(bench.peer.log.intervals.filter { $0.microseconds > 0 }.map(\.service) == [16, 14])
    #expect(bench.received.count > 120)
    #expect(try bench.largestError(bench.received, azimuth: bench.peer.configuration.leftAzimuth) < 0.1)
  }

  @Test func acknowledgedWithoutDataIsTold() async throws {
    let bench = try AirPodsBench { $0.faults.acknowledgesWithoutData = true }
    bench.start()
    await bench.play(7)
    #expect(bench.received.isEmpty)
    #expect(bench.source.status.problem?.code == .busy)
    #expect(bench.source.status.sentence.contains("accept the request for motion but send none"))
    #expect(bench.words.all == ["connect"])
  }

  @Test func anUnencryptedLinkIsTold() async throws {
    let bench = try AirPodsBench { $0.faults.isUnencrypted = true }
    bench.start()
    await bench.play(7)
    #expect(bench.source.status.sentence.contains("not encrypted"))
    #expect(bench.words.all.isEmpty)
  }

  @Test func anotherClientIsTold() async throws {
    let bench = try AirPodsBench { $0.faults.hasAnotherClient = true }
    bench.start()
    await bench.play(3)
    #expect(bench.source.status.sentence.contains("LibrePods"))
    #expect(bench.source.status.phase == .backingOff)
    #expect(bench.words.all.isEmpty)
  }

  @Test func anotherHostGivesThemUpWhenItIsAskedTo() async throws {
    let kept = try AirPodsBench { $0.faults.belongsToAnotherHost = true }
    kept.start()
    await kept.play(15)
    #expect(kept.received.isEmpty)
    #expect(kept.peer.log.ownershipRequests == 0)
    let taken = try AirPodsBench(options: ["ownership": "yes"]) { $0.faults.belongsToAnotherHost = true }
    taken.start()
    await taken.play(15)
    #expect(taken.received.count > 100)
  }

  @Test func damagedReportsAreCountedAndTheOthersAreRight() async throws {
    let bench = try AirPodsBench {
      $0.faults.losesEvery = 10
      $0.faults.truncatesEvery = 7
      $0.faults.hostileLengthEvery = 11
      $0.faults.wrongLengthEvery = 13
      $0.faults.impossibleAttitudeEvery = 17
      $0.faults.foreignRecordEvery = 19
    }
    bench.start()
    await bench.play(10)
    let statistics = bench.source.statistics
    #expect(statistics.malformed > 80)
    #expect(statistics.refusedReports > 30)
    #expect(statistics.lostReports > 40)
    #expect(bench.received.count > 250)
    #expect(try bench.largestError(bench.received, azimuth: bench.peer.configuration.leftAzimuth) < 0.1)
    #expect(bench.words.all == ["connect"])
  }

  @Test func theCounterAndTheSequenceWrapUnnoticed() async throws {
    let bench = try AirPodsBench {
      $0.firstSequence = UInt64(UInt32.max) - 50
      $0.firstCounter = UInt32.max - 100
    }
    bench.start()
    await bench.play(4)
    #expect(bench.source.statistics.lostReports == 0)
    #expect(bench.received.count > 180)
  }

  @Test func burstsArriveLateAndKeepTheirDistances() async throws {
    let bench = try AirPodsBench { $0.faults.sendsInBursts = true }
    bench.start()
    await bench.play(10)
    let times = bench.received.map(\.timestamp)
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }.dropFirst(20)
    #expect(steps.allSatisfy { abs($0 - 0.020092) < 1e-4 })
    #expect(bench.received.count > 450)
  }

  @Test func aSlowAndAFastClockAreFollowed() async throws {
    for error in [-2e-4, 2e-4] {
      let bench = try AirPodsBench { $0.clockError = error }
      bench.start()
      await bench.play(100)
      let last = try #require(bench.received.last)
      // 20 ms would have run up.
      #expect(abs(bench.clock.now.seconds - last.timestamp) < 0.025)
      #expect(bench.source.statistics.anchorings == 1)
      #expect(try bench.largestError(bench.received, azimuth: bench.peer.configuration.leftAzimuth) < 0.3)
    }
  }

  @Test func twoPacketsInOneReadAndStrangeBytesAreUnderstood() async throws {
    let bench = try AirPodsBench {
      $0.faults.sendsTwoAtOnce = true
      $0.faults.surroundsMessages = true
    }
    bench.start()
    await bench.play(5)
    #expect(bench.source.statistics.malformed == 0)
    #expect(bench.received.count > 200)
  }

  @Test func aDescriptionThatNeverComesIsNotMissed() async throws {
    let bench = try AirPodsBench { $0.describesServices = false }
    bench.start()
    await bench.play(2)
    #expect(bench.received.count > 80)
    #expect(bench.received.first?.sensorLocation == .headphoneLeft)
  }

  @Test func buriedInTheirCaseTheyDoNotHear() async throws {
    let bench = try AirPodsBench { $0.events = [.init(.ear(2, 2), at: 0), .init(.ear(0, 0), at: 40)] }
    bench.start()
    await bench.play(39)
    #expect(bench.received.isEmpty)
    #expect(bench.source.status.sentence.contains("case"))
    await bench.play(3)
    #expect(bench.received.count > 80)
  }

  @Test func theSourceKeepsItsPromisesOverARealSocket() async throws {
    let peer = AirPodsPeer(transport: .socketPair)
    let source = try peer.source()
    let conformance = SourceConformance(source: source, span: .milliseconds(400))
    #expect(await conformance.violations() == [])
    // The buds' thread has to read it first.
    #expect(await eventually(within: 60) { peer.log.intervals.last?.microseconds == 0 })
  }

  @Test func addressesAndOptionsThatAreNoneAreRefusedWithASentence() {
    for (device, options) in [
      ("AA:BB", [:]), ("AA:BB:CC:DD:EE:GG", [:]), ("", ["rate": "100"]), ("", ["mount": "1:1:1:1"]),
      ("", ["ears": "2"]),
    ] {
      #expect(throws: SensorError.self) { try AirPodsSource(device: device, options: options) }
    }
    #expect(throws: Never.self) { try AirPodsSource(device: "aa:bb:cc:dd:ee:ff", options: ["mount": "1:0:0:0"]) }
  }

  /// No computer that runs this has these buds; whatever the kernel says must be an error with a sentence, or the run
  /// must end at a stop.
  @Test func theRealConnectorFailsWithASentence() async throws {
    let source = try AirPodsSource(device: "00:00:5E:00:53:01")
    let collector = SampleCollector(source, clock: MonotonicClock())
    _ = await collector.ended(within: .milliseconds(300))
    collector.stop()
    #expect(await collector.ended(within: .seconds(60)))
    if let failure = collector.failure { #expect(failure.message.hasSuffix(".")) }
    #expect(collector.samples.isEmpty)
  }
}

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
