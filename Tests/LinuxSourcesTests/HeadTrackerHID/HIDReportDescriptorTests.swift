// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import Testing

@testable import HeadphoneSources
@testable import TestSupport

/// Report descriptors: what is found in them, and what is refused.
@Suite struct HIDReportDescriptorTests {
  private func description(_ change: (inout HeadTrackerPeer.Layout) -> Void = { _ in }) throws -> HeadTrackerDescription
  {
    let peer = try HeadTrackerPeer(change)
    return try #require(HeadTrackerDescription(bytes: peer.descriptor))
  }

  @Test func theUsualLayoutIsFound() throws {
    let found = try description()
    #expect(found.inputID == 1 && found.transport == nil)
    #expect(found.power?.on == 1 && found.power?.off == 0 && found.reporting?.on == 1)
    #expect(found.intervals == 0.01...0.1 && found.descriptor.usesReportIDs)
    #expect(found.descriptor.byteCount(.feature, id: 2) == 39 && found.descriptor.byteCount(.feature, id: 1) == 1)
    #expect(found.descriptor.byteCount(.input, id: 1) == 13)
    #expect(found.text?.count == 23)
  }

  @Test func otherNumbersOrderAndSizesAreFoundToo() throws {
    let found = try description {
      ($0.inputID, $0.controlID, $0.descriptionID) = (3, 7, 14)
      ($0.isVersion2, $0.isPowerReversed, $0.hasOneInterval, $0.bits) = (true, true, true, 12)
    }
    #expect(found.inputID == 3 && found.power?.on == 0 && found.power?.off == 1)
    #expect(found.transport?.on == 0 && found.transport?.field.bitOffset == 8 && found.transport?.field.reportID == 7)
    #expect(found.intervals == 0.04...0.04 && found.interval(nearest: 0.01)?.seconds == 0.04)
    #expect(found.descriptor.byteCount(.input, id: 3) == 10 && found.discontinuity?.field.bitOffset == 72)
  }

  @Test func theNearestIntervalIsChosenAmongThoseOffered() throws {
    let found = try description()
    #expect(found.interval(nearest: 0.001)?.raw == 0 && found.interval(nearest: 5)?.raw == 63)
    let twenty = try #require(found.interval(nearest: 0.02))
    #expect(twenty.raw == 7 && abs(twenty.seconds - 0.02) < 1e-12)
  }

  /// A report of the usual layout, number by number.
  @Test func aReportIsReadInSI() throws {
    let found = try description()
    let data: [UInt8] = [0xFF, 0x7F, 0x01, 0x80, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x00, 0x2A]
    let report = try #require(found.decode(id: 1, data: data))
    #expect(abs(report.rotation.x - .pi) < 1e-8 && abs(report.rotation.y + .pi) < 1e-8)
    #expect(abs(report.rotation.z) < 1e-8 && report.discontinuity == 42)
    #expect(abs(report.angularVelocity.x - 1024 * 32 / 32767.0) < 1e-9)
    #expect(found.decode(id: 2, data: data) == nil && found.decode(id: 1, data: data.dropLast()) == nil)
  }

  @Test func bitsAreWrittenWhereTheyAreRead() throws {
    let field = try description().interval
    #expect(field.bitOffset == 2 && field.bitSize == 6)
    var data: [UInt8] = [0b11]
    #expect(field.insert(7, at: 0, into: &data) && data == [0b0001_1111] && field.raw(at: 0, in: data) == 7)
    #expect(!field.insert(7, at: 1, into: &data) && data == [0b0001_1111])
    var nothing: [UInt8] = []
    #expect(!field.insert(7, at: 0, into: &nothing))
  }

  /// A sensor hub, a mouse, and a tracker without a switch are left alone.
  @Test func whatIsNoHeadTrackerIsNone() throws {
    let whole = try HeadTrackerPeer().descriptor
    // Another application collection.
    let other = whole.enumerated().map { $0.offset == 3 ? UInt8(0x73) : $0.element }
    #expect(HeadTrackerDescription(bytes: other) == nil)
    let mouse: [UInt8] = [
      0x05, 1, 0x09, 2, 0xA1, 1, 0x09, 0x30, 0x15, 0x81, 0x25, 0x7F, 0x75, 8, 0x95, 2, 0x81, 6, 0xC0,
    ]
    let read = try HIDReportDescriptor(mouse)
    #expect(read.fields.count == 1 && read.fields[0].usage(at: 5) == 0x1_0030 && !read.usesReportIDs)
    #expect(read.fields[0].logicalMinimum == -127 && HeadTrackerDescription(read) == nil)
    #expect(HeadTrackerDescription(bytes: []) == nil)
  }

  /// The rule opens what this program can use, and no keyboard, hub or game controller of the same maker.
  @Test func theRuleIsForHeadTrackersOnly() throws {
    let folder = try TemporaryFolder()
    func isOpened(_ descriptor: [UInt8]) throws -> Bool {
      try Data(descriptor).write(to: URL(fileURLWithPath: folder.path("report_descriptor")))
      let line = try #require(UdevRule.headTrackers.scripts(for: folder.url.path).first)
      return try UdevRule.succeeds(line.replacing("/device/", with: "/"))
    }
    let keyboard: [UInt8] = [
      0x05, 1, 0x09, 6, 0xA1, 1, 0x05, 7, 0x19, 0xE0, 0x29, 0xE7, 0x75, 1, 0x95, 8, 0x81, 2, 0xC0,
    ]
    #expect(try !isOpened(keyboard) && !isOpened([]))
    for change: (inout HeadTrackerPeer.Layout) -> Void in [{ _ in }, { $0.isVersion2 = true }, { $0.bits = 12 }] {
      let whole = try HeadTrackerPeer(change).descriptor
      #expect(try isOpened(whole))
      // Another sensor, as a hub has it; a custom one without a rotation.
      #expect(try !isOpened(whole.enumerated().map { $0.offset == 3 ? 0x73 : $0.element }))
      #expect(try !isOpened(Array(Data(whole).replacing([0x44, 0x05], with: [0x57, 0x04]))))
    }
  }

  @Test func pushAndPopKeepGlobalsAndRangesOfUsagesAreCounted() throws {
    // Size 8, pushed, size 4 for two of the usages 1…2, popped, then one of 8 bits.
    let bytes: [UInt8] = [
      0x05, 0x20, 0x75, 8, 0x95, 1, 0xA4, 0x75, 4, 0x95, 2, 0x19, 1, 0x29, 2, 0x81, 2, 0xB4, 0x09, 3, 0x81, 2,
    ]
    let read = try HIDReportDescriptor(bytes)
    #expect(read.fields.map(\.bitSize) == [4, 8] && read.fields.map(\.bitOffset) == [0, 8])
    #expect(read.fields[0].usage(at: 1) == 0x20_0002 && read.fields[0].index(of: 0x20_0002) == 1)
  }

  @Test func aMaximumIsUnsignedWhereTheMinimumIsNotNegative() throws {
    let bytes: [UInt8] = [0x15, 0, 0x25, 0xFF, 0x75, 8, 0x95, 1, 0x09, 1, 0x81, 2]
    #expect(try HIDReportDescriptor(bytes).fields[0].logicalMaximum == 255)
  }

  @Test(arguments: [
    ([0x26, 0xFF] as [UInt8], HIDReportDescriptor.Mistake.truncated), ([0xC0], .unbalanced), ([0xB4], .unbalanced),
    // 2³² values of 2³² bits.
    ([0x77, 0xFF, 0xFF, 0xFF, 0xFF, 0x97, 0xFF, 0xFF, 0xFF, 0xFF, 0x09, 1, 0x81, 2], .tooMuch),
    ([UInt8](repeating: 0xA4, count: 100), .tooMuch), ([0xFE, 0xFF, 0], .truncated),
    ([UInt8](repeating: 0, count: 5000), .tooMuch),
  ]) func aDescriptorThatLiesIsRefused(bytes: [UInt8], mistake: HIDReportDescriptor.Mistake) {
    #expect(throws: mistake) { try HIDReportDescriptor(bytes) }
  }
}

/// Any bytes at all, given to the parsers of descriptors and reports.
@Suite struct HIDDescriptorFuzzTests {
  @Test func anyDescriptorAndAnyReportIsReadOrRefused() throws {
    let seeds = try [false, true].map { isVersion2 in try HeadTrackerPeer { $0.isVersion2 = isVersion2 }.descriptor }
    var found = 0
    let rounds = SeededRandom.fuzz(rounds: 3000) { random in
      let base = seeds.randomElement(using: &random) ?? []
      let bytes =
        Bool.random(using: &random) ? random.damaged(base) : random.bytes(Int.random(in: 0...300, using: &random))
      guard let descriptor = try? HIDReportDescriptor(bytes) else { return }
      let data = random.bytes(Int.random(in: 0...64, using: &random))
      for field in descriptor.fields.prefix(20) {
        let raws = field.raws(in: data)
        #expect(raws.count <= HIDReportDescriptor.reportLimit)
        for raw in raws.prefix(4) { _ = field.logical(field.physical(raw)) }
        var copy = data
        _ = field.insert(Int64(truncatingIfNeeded: random.next()), at: 0, into: &copy)
        #expect(copy.count == data.count)
      }
      guard let tracker = HeadTrackerDescription(descriptor) else { return }
      found += 1
      _ = tracker.interval(nearest: 0.02)
      let report = tracker.decode(id: tracker.inputID, data: data)
      if let report, report.isPlausible {
        let sample = report.sample(at: SensorInstant(nanoseconds: 0), direction: .headToReference)
        #expect(sample.attitude != nil && sample.gravity.dot(sample.gravity).isFinite)
      }
    }
    #expect(found > 0)
    print("HID descriptors: \(rounds), of which \(found) were still head trackers")
  }
}

/// Examples of values in reports, and of rotations, from a public program for these headphones.
enum HeadTrackerVectors {
  static let folder = SharedData.path("headphones/sony-head-tracker")
  static let isThere = FileManager.default.fileExists(atPath: folder + "/hid-value-decoding.json")

  static func object(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  static func rows(_ name: String, _ key: String) throws -> [[String: Any]] {
    try #require(try object(name)[key] as? [[String: Any]])
  }
}

extension HIDField {
  /// A field that begins at the first bit.
  static func made(
    bits: Int, count: Int = 1, logical: (Int64, Int64), physical: (Int64, Int64) = (0, 0), exponent: Int = 0
  ) -> HIDField {
    HIDField(
      kind: .input, reportID: 0, isVariable: true, usages: [0x20_0544...0x20_0544], collections: [],
      logicalMinimum: logical.0, logicalMaximum: logical.1, physicalMinimum: physical.0, physicalMaximum: physical.1,
      unitExponent: exponent, unit: 0, bitOffset: 0, bitSize: bits, count: count)
  }
}

@Suite(
  .enabled(if: HeadTrackerVectors.isThere, "needs shared/data/headphones/sony-head-tracker (OPENCOREMOTION_DATA)"))
struct HeadTrackerVectorTests {
  private func number(_ row: [String: Any], _ key: String) throws -> Int64 {
    try #require(row[key] as? NSNumber).int64Value
  }

  @Test func everyUnitExponentIsASignedNibble() throws {
    let rows = try HeadTrackerVectors.rows("hid-value-decoding.json", "unit_exponent")
    #expect(rows.count == 4)
    for row in rows {
      #expect(HIDField.exponent(UInt32(try number(row, "nibble"))) == Int(try number(row, "exponent")))
    }
  }

  @Test func everyScaleIsThatOfTheExample() throws {
    let rows = try HeadTrackerVectors.rows("hid-value-decoding.json", "scale")
    #expect(rows.count == 4)
    for row in rows {
      let field = HIDField.made(
        bits: 16, logical: (try number(row, "logical_min"), try number(row, "logical_max")),
        physical: (try number(row, "physical_min"), try number(row, "physical_max")),
        exponent: Int(try number(row, "unit_exponent")))
      let expected = try #require(row["expected"] as? NSNumber).doubleValue
      #expect(field.physical(try number(row, "raw")) == expected)
    }
  }

  @Test func everyPackedValueIsReadAsInTheExample() throws {
    let rows = try HeadTrackerVectors.rows("hid-value-decoding.json", "packed_values")
    #expect(rows.count == 7)
    for row in rows {
      let text = try #require(row["bytes"] as? String)
      let bytes = text.split(separator: " ").compactMap { UInt8($0, radix: 16) }
      let field = HIDField.made(
        bits: Int(try number(row, "bit_size")), count: Int(try number(row, "count")),
        logical: (try number(row, "logical_min"), try number(row, "logical_max")))
      let expected = try #require(row["expected"] as? [NSNumber]).map(\.int64Value)
      #expect(field.raws(in: bytes) == expected, "\(row)")
    }
  }

  @Test func everySignIsThatOfTheExample() throws {
    for row in try HeadTrackerVectors.rows("hid-value-decoding.json", "sign_extension") {
      let value = try #require(UInt64((row["value"] as? String ?? "").dropFirst(2), radix: 16))
      #expect(HIDField.signed(value, bits: 8 * Int(try number(row, "width_bytes"))) == (try number(row, "expected")))
    }
  }

  /// The vector of a rotation, through an attitude and back.
  @Test func rotationVectorsComeBack() throws {
    let vectors = try #require(
      try HeadTrackerVectors.object("rotation-math.json")["rotation_vector_round_trip"] as? [[NSNumber]])
    for numbers in vectors.map({ $0.map(\.doubleValue) }) {
      let vector = Vector3<Device>(x: numbers[0], y: numbers[1], z: numbers[2])
      let there = HeadTrackerOptions.Direction.headToReference.attitude(vector).rotationVector
      #expect((there - vector).dot(there - vector) < 1e-24)
      let back = HeadTrackerOptions.Direction.referenceToHead.attitude(vector).rotationVector
      #expect((back + vector).dot(back + vector) < 1e-24)
    }
  }
}

/// Times for reports that have none.
@Suite struct ArrivalClockTests {
  private let period = SensorDuration.milliseconds(20)

  /// ms between the instants and the measurements, after the first hundred.
  private func errors(_ delays: [Int64], drift: Double = 1) -> [Double] {
    var clock = ArrivalClock(period: period)
    return delays.enumerated().map { index, delay in
      let measured = Int64(Double(index) * 20e6 * drift)
      return Double(clock.instant(arrival: SensorInstant(nanoseconds: measured + delay)).nanoseconds - measured) / 1e6
    }.dropFirst(100).map { $0 }
  }

  @Test func jitterIsTakenOut() {
    var random = SeededRandom(seed: 4)
    let delays = (0..<1000).map { _ in Int64.random(in: 3_000_000...13_000_000, using: &random) }
    let found = errors(delays)
    // The least delay cannot be seen; what is left of ten is about two.
    #expect(found.allSatisfy { $0 > 2.5 && $0 < 6 })
  }

  /// Three at a time: 0, 0, 60 ms.
  @Test func burstsAreSpreadEvenly() {
    let found = errors((0..<600).map { Int64(2 - $0 % 3) * 20_000_000 })
    #expect(found.allSatisfy { abs($0) < 6 })
  }

  @Test func aDeviceThatRunsFastOrSlowIsFollowed() {
    for drift in [0.97, 1.03] {
      #expect(errors([Int64](repeating: 5_000_000, count: 500), drift: drift).allSatisfy { abs($0 - 5) < 10 })
    }
  }

  /// What the descriptor of a broken device may give: 9.2e9 s, or nothing.
  @Test(arguments: [SensorDuration(nanoseconds: .max), .zero]) func noPeriodOfADeviceStopsTheClock(
    period: SensorDuration
  ) {
    var clock = ArrivalClock(period: period)
    var last = SensorInstant(nanoseconds: .min)
    for index: Int64 in 0..<200 {
      let time = clock.instant(arrival: SensorInstant(nanoseconds: 1_000_000_000_000 + index * 20_000_000))
      #expect(time > last)
      last = time
    }
    // It has found the true period by then.
    #expect(abs(last.nanoseconds - 1_000_000_000_000 - 199 * 20_000_000) < 40_000_000)
  }

  @Test func timesAscendAcrossAPauseAndALoss() {
    var clock = ArrivalClock(period: period)
    var last = SensorInstant(nanoseconds: .min)
    for arrival: Int64 in [0, 20, 20, 20, 25, 100, 2000, 2020, 2020, 2500, 2501] {
      let time = clock.instant(arrival: SensorInstant(nanoseconds: arrival * 1_000_000))
      #expect(time > last)
      last = time
    }
    #expect(clock.anchorings == 2)
  }
}
