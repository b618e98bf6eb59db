// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import HeadphoneSources

@Suite struct AirPodsPacketTests {
  @Test func batteriesAreNamedByTheirPart() {
    let found = packets(hex("04 00 04 00 04 00 03 02 01 64 02 01 04 01 63 01 01 08 01 11 02 01"))
    #expect(
      found == [
        .battery([
          .init(part: .right, percent: 100, isCharging: false), .init(part: .left, percent: 99, isCharging: true),
          .init(part: .chargingCase, percent: 17, isCharging: false),
        ])
      ])
  }

  @Test func aBatteryThatIsNotConnectedIsUnknown() {
    let found = packets(hex("04 00 04 00 04 00 02 02 01 FF 02 01 04 01 32 04 01"))
    #expect(
      found == [
        .battery([
          .init(part: .right, percent: nil, isCharging: false), .init(part: .left, percent: nil, isCharging: nil),
        ])
      ])
  }

  @Test func moreBatteriesDeclaredThanSentAreMalformed() {
    #expect(packets(hex("04 00 04 00 04 00 FF 02 01 64 02 01")) == [.malformed])
  }

  @Test(arguments: [
    ("00 01", HeadphoneStatus.Wear.inEar, HeadphoneStatus.Wear.out), ("02 03", .inCase, .away),
    ("04 09", .moving, .unknown),
  ])
  func earBytesSayWhereEachBudIs(_ bytes: String, primary: HeadphoneStatus.Wear, secondary: HeadphoneStatus.Wear) {
    #expect(packets(hex("04 00 04 00 06 00 " + bytes)) == [.ear(primary: primary, secondary: secondary)])
  }

  @Test func roleControlAndAnswerAreRead() {
    #expect(packets(hex("04 00 04 00 08 00 02 00 01 00")) == [.role(2)])
    #expect(packets(hex("04 00 04 00 09 00 0A 02 00 00 00")) == [.control(id: 0x0A, value: 2)])
    #expect(
      packets(hex("01 00 04 00 00 00 01 00 03 00 00 00 00 00 00 00 00 00")) == [.connectResponse(status: 0)])
    #expect(packets(hex("04 00 04 00 2B 00 01")) == [.other(opcode: 0x2B)])
  }

  @Test func informationStringsStandAtTheirPlaces() {
    let names = ["My buds", "A3064", "Apple Inc.", "SYS", "8A1", "8A2", "1.0", "EA", "LEFT", "RIGHT", "8454624"]
    let text = names.flatMap { Array($0.utf8) + [0 as UInt8] }
    let found = packets(hex("04 00 04 00 1D 00 02 40 00 05 06") + text)
    guard case .information(let information) = found.first else {
      Issue.record("no information: \(found)")
      return
    }
    #expect(information.name == "My buds")
    #expect(information.modelNumber == "A3064")
    #expect(information.firmware == "8A1")
    #expect(information.leftSerial == "LEFT")
    #expect(information.rightSerial == "RIGHT")
  }

  @Test func theCommandsAreTheBytesOfTheCaptures() {
    let head = "04 00 04 00 17 00 00 00 10 00 "
    #expect(
      AirPodsCommand.setInterval(40_000, of: 16, sequence: 115)
        == hex(head + "0F 00 08 73 42 0B 08 10 10 02 1A 05 01 40 9C 00 00"))
    #expect(
      AirPodsCommand.setInterval(20_000, of: 16, sequence: 115)
        == hex(head + "0F 00 08 73 42 0B 08 10 10 02 1A 05 01 20 4E 00 00"))
    #expect(
      AirPodsCommand.setInterval(0, of: 16, sequence: 75)
        == hex(head + "0F 00 08 4B 42 0B 08 10 10 02 1A 05 01 00 00 00 00"))
    #expect(AirPodsCommand.connect == hex("00 00 04 00 01 00 02 00 00 00 00 00 00 00 00 00"))
    #expect(AirPodsCommand.notifications == hex("04 00 04 00 0F 00 FF FF FF FF"))
    #expect(AirPodsCommand.capabilities == hex("04 00 04 00 4D 00 D7 00 00 00 00 00 00 00"))
  }

  @Test(arguments: [0, 1, 127, 128, 300, 16_383, 16_384, UInt64.max])
  func varintsComeBackAcrossTheirBoundaries(_ value: UInt64) {
    let bytes = AirPodsCommand.varint(value)
    var reader = PacketBytes((bytes + [7])[...])
    #expect(reader.varint() == value)
    #expect(reader.count == 1)
    var short = PacketBytes(bytes.dropLast())
    #expect(short.varint() == nil)
  }

  @Test func aVarintThatNeverEndsIsRefused() {
    var reader = PacketBytes([UInt8](repeating: 0xFF, count: 40)[...])
    #expect(reader.varint() == nil)
  }

  // MARK: Sensor packets

  @Test func theReportOfTheCaptureHasItsNumbers() throws {
    let message = try #require(sensorMessage(sequence126))
    #expect(message.sequence == 126)
    let report = try #require(message.report?.motion)
    #expect(message.report?.service == 16)
    #expect(report.sensorTime == 2_263_098_954)
    let q = report.attitude
    #expect(isClose(Vector3<Chip>(x: q.x, y: q.y, z: q.z), -0.86682, -0.12982, -0.28571))
    #expect(abs(q.w - 0.38748) < 1e-5)
    #expect(isClose(report.angularVelocity, 0.005859, 0.023438, 0.021484, 1e-6))
    #expect(isClose(report.userAcceleration, -0.011719, 0.013672, 0.005859, 1e-6))
    #expect(isClose(report.gravity, -0.59592, 0.59757, 0.53647))
    #expect(isClose(report.smoothedGravity * 1024, -616, 621, 558, 1e-9))
    #expect(report.counter == 881)
    #expect(report.hasPlausibleGravity)
  }

  @Test func aSequenceOfTwoBytesMovesTheReportAndNothingElse() throws {
    var longer = sequence126
    longer.replaceSubrange(13..<14, with: [0x80, 0x01])
    longer[10] += 1
    let message = try #require(sensorMessage(longer))
    #expect(message.sequence == 128)
    #expect(message.report == sensorMessage(sequence126)?.report)
  }

  @Test func theOldEncodingHoldsTheSameReport() throws {
    let report = Array(sequence126.suffix(58))
    let old = AirPodsCommand.sensorPacket(hex("08 EC 07 10 01 1A 3C 0E 00") + report)
    let message = try #require(sensorMessage(old))
    #expect(message.report?.service == 14)
    #expect(message.report?.motion == MotionReport(report[...]))
  }

  @Test func severalPacketsInOneReadAreTakenApartByTheirLengths() {
    let found = packets(sequence126 + sequence126 + hex("04 00 04 00 06 00 00 01"))
    #expect(found.count == 3)
    #expect(found.last == .ear(primary: .inEar, secondary: .out))
  }

  @Test(arguments: [5, 7] as [UInt8])
  func twoStrangeBytesAroundAMessageAreTolerated(_ kind: UInt8) throws {
    let fields = Array(sequence126[16...])
    for (before, after) in [([7], [7]), ([], [7, 7]), ([7, 7], [])] as [([UInt8], [UInt8])] {
      let packet = AirPodsCommand.sensorPacket(hex("08 7E 10") + [kind] + before + fields + after)
      #expect(sensorMessage(packet)?.report == sensorMessage(sequence126)?.report)
    }
  }

  @Test(arguments: [0x4E, 0x50, 84])
  func servicesAreNumberedBySixBits(_ number: UInt64) {
    #expect(ServiceDescriptor.id(number) == [0x4E: 14, 0x50: 16, 84: 20][number])
  }

  @Test func acknowledgementsAndReadinessNameTheirServices() throws {
    let message = try #require(
      sensorMessage(AirPodsCommand.sensorPacket(hex("08 01 10 03 4A 02 08 10 62 02 08 11 62 02 08 52"))))
    #expect(message.acknowledged == 16)
    #expect(message.ready == [17, 18])
  }

  @Test func reportsThatAreNoMotionAreRefused() throws {
    let report = Array(sequence126.suffix(58))
    #expect(MotionReport(report.prefix(49)) == nil)
    #expect(MotionReport(report.prefix(50)) != nil)
    var other = report
    other[0] = 2
    #expect(MotionReport(other[...]) == nil)
    other = report
    other[9] = 4
    #expect(MotionReport(other[...]) == nil)
    other = report
    other.replaceSubrange(20..<26, with: hex("FF 7F FF 7F FF 7F"))
    #expect(MotionReport(other[...]) == nil)
  }

  @Test func aVectorPartLongerThanOneByRoundingStillIsAnAttitude() throws {
    var report = Array(sequence126.suffix(58))
    // (1, 0.05, 0): a square of 1.0025.
    report.replaceSubrange(20..<26, with: hex("00 80 66 06 00 00"))
    let q = try #require(MotionReport(report[...])).attitude
    #expect(abs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-12)
    #expect(q.w == 0)
  }

  @Test func declaredLengthsBeyondThePacketAreMalformed() {
    for length in [UInt16(sequence126.count), 0xFFFF] {
      var hostile = sequence126
      hostile.replaceSubrange(10..<12, with: AirPodsCommand.bytes(length))
      #expect(packets(hostile) == [.malformed])
    }
    // A field that is longer than its message holds no report.
    var inner = sequence126
    inner[17] = 0x7F
    #expect(sensorMessage(inner)?.report == nil)
  }
}

/// Captures of a real pair of AirPods Pro 3 (andrewkomkov/GreenPods, MIT), which are not part of the repository.
@Suite(
  .enabled("the captures in data/headphones/greenpods are not here") { AirPodsCaptures.exist }
)
struct AirPodsCaptureTests {
  @Test func theSequenceGrowsFromOneByteToTwo() throws {
    let messages = try AirPodsCaptures.lines("varint-boundary-frames").map { try #require(sensorMessage($0)) }
    #expect(messages.map(\.sequence) == [126, 127, 128, 129])
    #expect(messages.compactMap { $0.report?.motion?.counter } == [881, 889, 897, 905])
    let times = messages.compactMap { $0.report?.motion?.sensorTime }
    #expect(zip(times, times.dropFirst()).allSatisfy { (40_184...40_186).contains($1 - $0) })
  }

  @Test func descriptorsParseToTheLastByte() throws {
    let messages = try AirPodsCaptures.lines("service-descriptor-frames").map { try #require(sensorMessage($0)) }
    let descriptors = messages.flatMap(\.descriptors)
    #expect(descriptors.map(\.id) == [16, 17, 18, 19])
    #expect(descriptors.map(\.properties.count) == [12, 5, 5, 7])
    #expect(descriptors.map(\.bytesLeft) == [0, 0, 0, 0])
    #expect(descriptors.first?.name == ServiceDescriptor.motionService)
    #expect(descriptors.first?.serialNumber == "TESTSERIAL00000000")
    #expect(Set(messages.flatMap(\.ready)) == [16, 17, 18, 19])
    print("AirPods: 4 descriptors, \(descriptors.map(\.properties.count)) pairs, 0 bytes left")
  }

  @Test(arguments: ["reports-rest", "reports-chin-down", "reports-turn-right"])
  func everyReportDecodesAndItsGravityAgreesWithItsWords(_ name: String) throws {
    let reports = try AirPodsCaptures.reports(name)
    let differences = reports.map { $0.gravity.angle(to: $0.smoothedGravity) * 180 / .pi }
    let rates = zip(reports, reports.dropFirst()).filter { $1.sensorTime - $0.sensorTime < 60_000 }
    #expect(rates.allSatisfy { (50_232...50_233).contains($1.sensorTime - $0.sensorTime) })
    #expect(rates.allSatisfy { $1.counter ?? 0 == ($0.counter ?? 0) &+ 10 })
    #expect(reports.allSatisfy { $0.hasPlausibleGravity })
    let largest = differences.max() ?? 180
    // The words lag by 0.6 s: after the chin has gone down they are 4° behind.
    #expect(largest < (name == "reports-rest" ? 0.7 : 5))
    print("AirPods: \(name): \(reports.count) reports, gravity from q against the words at most \(largest)°")
  }

  /// The wearer of the capture is that of the generic mount.
  @Test func aTurnOfTheCaptureIsYawAlone() throws {
    let mount = HeadMount.generic
    let turn = try AirPodsCaptures.reports("reports-turn-right").map { $0.attitude * mount.inverse }
    let (first, last) = (angles(turn[0]), angles(turn[turn.count - 1]))
    #expect(abs(first.yaw + 54.6) < 0.6)
    #expect(abs(last.yaw + 107.7) < 0.6)
    #expect(turn.allSatisfy { abs(angles($0).pitch) < 2.5 && abs(angles($0).roll) < 1.4 })
    print("AirPods: turn to the right: yaw \(first.yaw)° → \(last.yaw)°")
  }

  @Test func theTwistAboutTheVerticalNeedsNoMount() throws {
    let reports = try AirPodsCaptures.reports("reports-turn-right")
    let relative = reports[reports.count - 1].attitude * reports[0].attitude.inverse
    let twist = Angle(radians: 2 * Scalar.atan2(relative.z, relative.w)).wrapped.degrees
    #expect(abs(twist + 53.1) < 0.1)
  }

  @Test func theHeadsRateIsThatOfATurnToTheRight() throws {
    let reports = try AirPodsCaptures.reports("reports-turn-right")
    let rates = reports.map { HeadMount.generic * $0.angularVelocity }
    let mean = rates.reduce(.zero, +) / Double(rates.count)
    #expect(isClose(mean, 0.02, -0.02, -0.57, 0.02))
    #expect(abs((rates.map(\.z).min() ?? 0) + 0.85) < 0.02)
  }
}
