// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import HeadphoneSources
import MotionMath
import MotionSensing
import Testing

/// A link whose clock is the test's, and what it wants done.
struct LinkBench {
  var link: AirPodsLink
  var now = SensorInstant(nanoseconds: 1_000_000_000)
  var sent: [[UInt8]] = []
  var reports: [ConnectionState] = []
  var samples: [MotionRow] = []
  /// Seconds at which a channel was asked for.
  var openings: [Double] = []
  var closings = 0

  static let welcome = hex("01 00 04 00 00 00 01 00 03 00 00 00 00 00 00 00 00 00")

  init(_ options: [String: String] = [:]) throws {
    link = AirPodsLink(options: try AirPodsOptions(options))
  }

  mutating func collect() {
    for action in link.drainActions() {
      switch action {
      case .open: openings.append(now.seconds)
      case .close: closings += 1
      case .send(let packet): sent.append(packet)
      case .report(let connection): reports.append(connection)
      case .deliver(let sample): samples.append(sample)
      }
    }
  }

  mutating func begin(wantsMotion: Bool = true) {
    link.begin()
    link.request(motion: wantsMotion, at: now)
    collect()
  }

  mutating func open() {
    link.opened(address: "00:00:5E:00:53:01", at: now)
    collect()
  }

  mutating func receive(_ text: String) { receive(hex(text)) }

  mutating func receive(_ bytes: [UInt8]) {
    link.received(bytes[...], at: now)
    collect()
  }

  mutating func fail(_ error: SensorError) {
    link.failed(error, at: now)
    collect()
  }

  /// Lets time pass, from deadline to deadline.
  mutating func pass(seconds: Double) {
    let end = now + (SensorDuration(seconds: seconds) ?? .zero)
    while link.deadline <= end {
      now = link.deadline
      link.tick(at: now)
      collect()
    }
    now = end
  }

  /// Greeted, worn, described.
  mutating func becomeReady(worn: Bool = true, wantsMotion: Bool = true) {
    begin(wantsMotion: wantsMotion)
    open()
    receive(Self.welcome)
    receive("04 00 04 00 09 00 0A 01 00 00 00")
    receive(worn ? "04 00 04 00 06 00 00 01" : "04 00 04 00 06 00 01 01")
  }

  /// Services that were asked for motion, and stopped (negative), in order.
  var settings: [Int] {
    sent.compactMap { packet in
      guard packet.count > 20, packet[4] == 0x17 else { return nil }
      let interval = packet.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      guard let service = packet.firstRange(of: [0x42, 0x0B, 0x08]).map({ Int(packet[$0.upperBound]) }) else {
        return nil
      }
      return interval == 0 ? -service : service
    }
  }

  /// A report of motion, a number of steps of 20.092 ms after the first.
  static func report(_ index: Int, service: UInt8 = 16, counter: UInt32? = nil) -> [UInt8] {
    var report = Array(sequence126.suffix(58))
    report.replaceSubrange(12..<20, with: AirPodsCommand.bytes(UInt64(2_000_000 + index * 20_092)))
    report.replaceSubrange(54..<58, with: AirPodsCommand.bytes(counter ?? UInt32(truncatingIfNeeded: index * 4)))
    return AirPodsCommand.sensorPacket(
      [8] + AirPodsCommand.varint(UInt64(100 + index)) + [0x10, 3, 0x3A, 62, 8, service, 0x1A, 58] + report)
  }
}

@Suite struct AirPodsLinkTests {
  @Test func theGreetingComesFirstAndNothingBeforeItsAnswer() throws {
    var bench = try LinkBench()
    bench.begin()
    #expect(bench.reports == [ConnectionState(isConnected: false)])
    #expect(bench.openings.count == 1)
    bench.open()
    #expect(bench.sent == [AirPodsCommand.connect])
    bench.receive("04 00 04 00 06 00 00 00")
    #expect(bench.sent.count == 1)
    bench.receive(LinkBench.welcome)
    #expect(
      bench.sent.prefix(3) == [AirPodsCommand.connect, AirPodsCommand.capabilities, AirPodsCommand.notifications])
    #expect(bench.link.status.phase == .starting)
  }

  @Test func noAnswerWithinTwoSecondsClosesTheChannelAndSaysWhatToDo() throws {
    var bench = try LinkBench()
    bench.begin()
    bench.open()
    bench.pass(seconds: 1.9)
    #expect(bench.closings == 0)
    bench.pass(seconds: 0.2)
    #expect(bench.closings == 1)
    #expect(bench.link.status.phase == .backingOff)
    #expect(bench.link.status.sentence.contains("LibrePods"))
  }

  @Test func pausesGrowToThirtySecondsAndBeginAnewAfterAnAnswer() throws {
    var bench = try LinkBench()
    bench.begin()
    for _ in 0..<7 {
      bench.fail(AirPodsProblem.closed)
      bench.pass(seconds: bench.link.deadline.seconds - bench.now.seconds)
    }
    let pauses = zip(bench.openings, bench.openings.dropFirst()).map { $1 - $0 }
    #expect(pauses == [1.5, 2, 5, 10, 30, 30, 30])
    bench.open()
    bench.receive(LinkBench.welcome)
    bench.fail(AirPodsProblem.closed)
    #expect(bench.link.deadline - bench.now == .milliseconds(1500))
  }

  @Test func headphonesOutOfReachAreCalledEveryTenSecondsAtMost() throws {
    var bench = try LinkBench()
    bench.begin()
    bench.fail(AirPodsProblem.connecting(errno: 112, address: ""))
    #expect(bench.link.deadline - bench.now == .seconds(10))
    #expect(bench.link.status.sentence.contains("case"))
  }

  @Test func wornHeadphonesAreConnectedWithAndWithoutMotion() throws {
    var bench = try LinkBench()
    bench.becomeReady(wantsMotion: false)
    #expect(bench.reports.map(\.isConnected) == [false, true])
    #expect(bench.settings == [])
    bench.link.request(motion: true, at: bench.now)
    bench.collect()
    #expect(bench.settings == [16])
    bench.receive(LinkBench.report(0))
    #expect(bench.link.status.phase == .streaming)
    bench.link.request(motion: false, at: bench.now)
    bench.collect()
    #expect(bench.settings == [16, -16])
    #expect(bench.reports.map(\.isConnected) == [false, true])
  }

  @Test func intervalZeroIsTheLastWordOfARun() throws {
    var bench = try LinkBench()
    bench.becomeReady()
    bench.receive(LinkBench.report(0))
    bench.link.end()
    bench.collect()
    #expect(bench.sent.last == AirPodsCommand.setInterval(0, of: 16, sequence: 116))
    #expect(bench.closings == 1)
  }

  @Test func olderServicesAreTriedAfterEighteenTenthsEachOneStoppedFirst() throws {
    var bench = try LinkBench()
    bench.becomeReady()
    bench.pass(seconds: 1.79)
    #expect(bench.settings == [16])
    bench.pass(seconds: 0.02)
    #expect(bench.settings == [16, -16, 14])
    bench.pass(seconds: 1.8)
    #expect(bench.settings == [16, -16, 14, -14, 6])
    bench.pass(seconds: 1.8)
    #expect(bench.settings == [16, -16, 14, -14, 6, -6])
    #expect(bench.link.status.phase == .waitingToBeWorn)
    #expect(bench.link.status.sentence.contains("ownership=yes"))
    bench.pass(seconds: 4)
    #expect(bench.settings.suffix(1) == [16])
  }

  @Test func theServiceThatHasSpokenIsAskedFirstAfterASilence() throws {
    var bench = try LinkBench()
    bench.becomeReady()
    bench.pass(seconds: 2)
    bench.receive(LinkBench.report(0, service: 14))
    #expect(bench.link.status.phase == .streaming)
    bench.pass(seconds: 1.1)
    #expect(bench.link.statistics.stalls == 1)
    #expect(bench.settings == [16, -16, 14, -14, 14])
    #expect(bench.link.status.discontinuities == 0)
  }

  @Test func theServiceNamedForMotionIsTaken() throws {
    var bench = try LinkBench()
    bench.begin()
    bench.open()
    let name = AirPodsCommand.bytes(UInt32(0x0900_0010)) + Array("AccessoryService".utf8)
    let value = AirPodsCommand.bytes(UInt32(0x8900_000A)) + Array("devmotion6".utf8) + [2, 0]
    let list = AirPodsCommand.bytes(UInt32(0xD3)) + AirPodsCommand.bytes(UInt32(0x8100_0001)) + name + value
    let descriptor = [8, 20, 0x12, UInt8(list.count)] + list
    // A second link of the same pair does not describe itself again.
    bench.receive(LinkBench.welcome)
    bench.receive(
      AirPodsCommand.sensorPacket([8, 1, 0x10, 1, 0x2A, UInt8(descriptor.count)] + descriptor))
    bench.fail(AirPodsProblem.closed)
    bench.pass(seconds: 1.5)
    bench.open()
    bench.receive(LinkBench.welcome)
    #expect(bench.settings.last == 20)
  }

  @Test func wornIsAnyBudInAnEarThroughTheWholeOfARemoval() throws {
    var bench = try LinkBench()
    bench.becomeReady()
    bench.receive(LinkBench.report(0))
    // Section 3: a removal in the order of the bytes, and the buds put in again.
    for bytes in ["00 01", "01 01", "01 04", "04 04", "04 01", "01 01", "02 01", "01 02", "02 02"] {
      bench.receive("04 00 04 00 06 00 " + bytes)
    }
    #expect(bench.reports.map(\.isConnected) == [false, true, false])
    bench.receive(LinkBench.report(1))
    #expect(bench.link.statistics.unwantedReports == 1)
    #expect(bench.samples.count == 1)
    let asked = bench.settings.count
    bench.pass(seconds: 29)
    #expect(bench.settings.count == asked)
    bench.receive("04 00 04 00 06 00 00 01")
    #expect(bench.reports.map(\.isConnected) == [false, true, false, true])
    #expect(bench.settings.last == 16)
    bench.receive(LinkBench.report(2000))
    #expect(bench.samples.count == 2)
    #expect(bench.link.status.discontinuities > 0)
  }

  @Test func knownNotToBeWornTheyAreAskedEveryThirtySeconds() throws {
    var bench = try LinkBench()
    bench.becomeReady(worn: false)
    let before = bench.settings.count
    bench.pass(seconds: 29.9)
    #expect(bench.settings.count == before)
    bench.pass(seconds: 0.2)
    #expect(bench.settings.count > before)
    #expect(bench.reports.allSatisfy { !$0.isConnected })
    #expect(bench.link.status.sentence.contains("not worn"))
  }

  @Test func withoutEarDetectionTheyNeedNotBeWorn() throws {
    var bench = try LinkBench()
    bench.becomeReady(worn: false)
    bench.receive("04 00 04 00 09 00 0A 02 00 00 00")
    #expect(bench.reports.map(\.isConnected) == [false, true])
    #expect(bench.settings.last == 16)
    bench.receive(LinkBench.report(0))
    #expect(bench.samples.count == 1)
    var other = try LinkBench(["ear": "off"])
    other.becomeReady(worn: false)
    #expect(other.reports.last?.isConnected == true)
  }

  @Test func theOtherHostIsAskedToGiveThemUpOnlyWhenTheOptionSaysSo() throws {
    for (options, count) in [([:], 0), (["ownership": "yes"], 1)] {
      var bench = try LinkBench(options)
      bench.becomeReady()
      bench.pass(seconds: 5.5)
      #expect(bench.sent.filter { $0 == AirPodsCommand.takeOwnership }.count == count)
    }
  }

  @Test func whatIsNotWornIsNotTakenFromAnotherHost() throws {
    var bench = try LinkBench(["ownership": "yes"])
    bench.becomeReady(worn: false)
    bench.pass(seconds: 120)
    #expect(bench.settings.count > 2)
    #expect(!bench.sent.contains(AirPodsCommand.takeOwnership))
    bench.receive("04 00 04 00 06 00 00 01")
    bench.pass(seconds: 6)
    #expect(bench.sent.contains(AirPodsCommand.takeOwnership))
  }

  @Test func aSwapOfRolesChangesTheSideAndKeepsTheAzimuth() throws {
    var bench = try LinkBench()
    bench.becomeReady()
    bench.receive("04 00 04 00 08 00 01 00 01 00")
    bench.receive(LinkBench.report(0))
    bench.now = bench.now + .milliseconds(20)
    bench.receive(LinkBench.report(1))
    bench.receive("04 00 04 00 08 00 02 00 01 00")
    bench.now = bench.now + .milliseconds(20)
    bench.receive(LinkBench.report(2))
    #expect(bench.samples.map(\.location) == [.headphoneLeft, .headphoneLeft, .headphoneRight])
    #expect(bench.reports.last == ConnectionState(isConnected: true, location: .headphoneRight))
    #expect(bench.link.status.discontinuities == 1)
    let yaws = try bench.samples.map { angles(try #require($0.attitude)).yaw }
    #expect(abs(yaws[2] - yaws[1]) < 0.1)
  }

  @Test func lostRepeatedAndOldReportsAreCounted() throws {
    var bench = try LinkBench()
    bench.becomeReady()
    for index in [0, 1, 2, 5, 5, 4, 6] {
      bench.receive(LinkBench.report(index))
      bench.now = bench.now + .milliseconds(20)
    }
    #expect(bench.link.statistics.repeats == 2)
    // 3 and 4 are missing before 5; the second 5 and the late 4 are not newer.
    #expect(bench.link.statistics.lostReports == 2)
    #expect(zip(bench.samples, bench.samples.dropFirst()).allSatisfy { $0.time < $1.time })
    #expect(bench.samples.count == 5)
  }

  /// The bud counts the steps of its fusion: 4 from one report to the next at 50 Hz, 8 at 25 Hz. Each case: steps since
  /// the report before, and how many reports are missing.
  @Test(arguments: [
    ("50", [(3, 0), (4, 0), (5, 0), (8, 1), (4, 0), (9, 1), (10, 2), (12, 2), (1996, 498), (2000, 0), (-40, 0)]),
    ("25", [(7, 0), (8, 0), (9, 0), (11, 0), (12, 1), (16, 1), (8, 0), (24, 2), (1992, 248), (2000, 0), (-40, 0)]),
  ]) func lostReportsAreCountedInTheStepsOfTheRate(rate: String, cases: [(steps: Int, lost: Int)]) throws {
    var bench = try LinkBench(["rate": rate])
    bench.becomeReady()
    #expect(bench.sent.last == AirPodsCommand.setInterval(rate == "25" ? 40_000 : 20_000, of: 16, sequence: 115))
    // The counter has 32 bits and overflows here.
    var counter: UInt32 = 0xFFFF_FFFC
    var lost = 0
    bench.receive(LinkBench.report(0, counter: counter))
    for (index, step) in cases.enumerated() {
      counter = counter &+ UInt32(truncatingIfNeeded: step.steps)
      lost += step.lost
      bench.now = bench.now + .milliseconds(20)
      bench.receive(LinkBench.report(index + 1, counter: counter))
      #expect(bench.link.statistics.lostReports == lost, "after \(step.steps) steps")
    }
    #expect(bench.samples.count == cases.count + 1)
  }

  @Test func aPairWithoutASensorIsNamedAsSuch() throws {
    var bench = try LinkBench()
    bench.becomeReady()
    let text = ["Old buds", "A2031", "Apple Inc.", "S", "1", "1"].flatMap { Array($0.utf8) + [0 as UInt8] }
    bench.receive(hex("04 00 04 00 1D 00 02 40 00 05 06") + text)
    bench.pass(seconds: 6)
    #expect(bench.link.status.problem?.code == .unsupported)
    #expect(bench.link.status.sentence.contains("AirPods 2"))
  }

  @Test func theStatusInASentence() throws {
    var bench = try LinkBench()
    bench.becomeReady()
    bench.receive("04 00 04 00 04 00 01 02 01 64 02 01")
    bench.receive(LinkBench.report(0))
    #expect(bench.link.status.address == "00:00:5E:00:53:01")
    #expect(bench.link.status.batteries.map(\.part) == [.right] && bench.link.status.batteries.first?.percent == 100)
    #expect(!bench.link.status.sentence.contains("53:01"))
    #expect(bench.link.status.sentence == "The headphones send motion.")
  }

  @Test(arguments: [13, 1, 16, 22, 97, 99, 104, 110, 111, 112, 113, 114] as [Int32])
  func everyFailureOfAConnectionIsASentenceThatSaysWhatToDo(_ number: Int32) {
    let error = AirPodsProblem.connecting(errno: number, address: "")
    #expect(error.message.hasSuffix("."))
    #expect(error.message.count > 40)
    #expect(error.errno == number)
  }
}
