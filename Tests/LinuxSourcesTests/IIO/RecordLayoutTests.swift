// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LinuxSources

/// Where channels lie in a record (IIO-18). Sizes and offsets are those seen on a running kernel.
@Suite struct RecordLayoutTests {
  private func layout(_ channels: [(String, String)]) throws -> RecordLayout {
    // Handed over backwards: the index decides, not the order of the files.
    RecordLayout(
      try channels.enumerated().map { .init(name: $1.0, index: $0, type: try ScanType($1.1)) }.reversed())
  }

  @Test func aHubsAccelerometerHasThreeSlotsAndATimeStamp() throws {
    let slot = "le:s16/32>>0"
    let layout = try layout([
      ("in_accel_x", slot), ("in_accel_y", slot), ("in_accel_z", slot), ("in_timestamp", "le:s64/64>>0"),
    ])
    #expect(layout.byteCount == 24 && layout.timestamp?.offset == 16)
    let record: [UInt8] = [
      0xc6, 0x02, 0x3a, 0xfd, 0x3a, 0xfd, 0x18, 0xfc, 0x18, 0xfc, 0, 0, 0, 0, 0, 0, 0x90, 0x13, 0xc2, 0xb1, 7, 0, 0, 0,
    ]
    let values = ["x", "y", "z"].map { layout.fields["in_accel_\($0)"]?.number(in: record, at: 0) }
    #expect(values == [710, -710, -1000])
    #expect(layout.timestamp?.integer(in: record, at: 0) == 33_047_057_296)
  }

  @Test func aCompassWithoutTimeStampsHasTwelveBytes() throws {
    let slot = "le:s16/32>>0"
    let layout = try layout([("in_magn_x", slot), ("in_magn_y", slot), ("in_magn_z", slot)])
    #expect(layout.byteCount == 12 && layout.timestamp == nil)
  }

  @Test func theOrderIsThatOfTheIndex() throws {
    let axes = ["in_anglvel_x", "in_anglvel_y", "in_anglvel_z", "in_accel_x", "in_accel_y", "in_accel_z"]
    let layout = try layout(axes.map { ($0, "le:s16/16>>0") } + [("in_timestamp", "le:s64/64>>0")])
    #expect(layout.byteCount == 24 && layout.fields["in_accel_x"]?.offset == 6 && layout.timestamp?.offset == 16)
  }

  @Test func aSmallChannelIsFollowedByPadding() throws {
    let layout = try layout([
      ("in_pressure", "le:u32/32>>0"), ("in_temp", "le:s16/16>>0"), ("in_timestamp", "le:s64/64>>0"),
    ])
    #expect(layout.byteCount == 16 && layout.fields["in_temp"]?.offset == 4 && layout.timestamp?.offset == 8)
  }

  /// The alignment rule alone would give 16.
  @Test func theTimeStampOfAQuaternionIsInTheLastEightBytes() throws {
    let layout = try layout([("in_rot_quaternion", "le:s16/32X4>>0"), ("in_timestamp", "le:s64/64>>0")])
    #expect(layout.byteCount == 32 && layout.timestamp?.offset == 24)
  }
}
