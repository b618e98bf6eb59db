// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionTesting
import Testing

@testable import HeadphoneSources

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
