// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import HeadphoneSimulation
import HeadphoneSources
import MotionMath
import MotionSensing
import MotionTesting
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
    for _ in 0..<6000 where peer.log.intervals.last?.microseconds != 0 { try await Task.sleep(for: .milliseconds(10)) }
    #expect(peer.log.intervals.last?.microseconds == 0)
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
    if case .threw(let error as SensorError) = collector.ending { #expect(error.message.hasSuffix(".")) }
    #expect(collector.samples.isEmpty)
  }
}
