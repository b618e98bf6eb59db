// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionTesting
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
