// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Where each channel lies in a record of a buffer.
///
/// Channels stand in the order of their index, not of their names (one chip has its gyroscope first). Each starts at the next
/// multiple of its own size, and the record is padded to a multiple of the largest. The time stamp is the exception: the kernel
/// writes it into the last 8 bytes, which for a quaternion is not where the rule would put it (spec IIO-18).
struct RecordLayout: Hashable, Sendable {
  /// A channel as sysfs describes it.
  struct Element: Hashable, Sendable {
    /// "in_accel_x".
    var name: String
    var index: Int
    var type: ScanType
  }

  /// A channel's place in a record.
  struct Field: Hashable, Sendable {
    /// Byte, from the beginning of the record.
    var offset: Int
    var type: ScanType

    /// The number in one record of a run of them.
    func number(in bytes: [UInt8], record: Int) -> Double { type.number(in: bytes, at: record + offset) }
  }

  /// The channel of the time stamp.
  static let timestampName = "in_timestamp"

  /// Place and type of each channel but the time stamp.
  private(set) var fields: [String: Field] = [:]
  /// Bytes of one record; 0 without channels.
  private(set) var byteCount = 0
  /// The time stamp's channel; nil when the device gives none.
  private(set) var timestamp: Field?

  init(_ elements: [Element]) {
    var end = 0
    var largest = 1
    var stamp: ScanType?
    for element in elements.sorted(by: { $0.index < $1.index }) {
      let size = element.type.byteCount
      let offset = Self.roundedUp(end, to: size)
      end = offset + size
      largest = max(largest, size)
      if element.name == Self.timestampName {
        stamp = element.type
      } else {
        fields[element.name] = Field(offset: offset, type: element.type)
      }
    }
    byteCount = Self.roundedUp(end, to: largest)
    timestamp = stamp.map { Field(offset: byteCount - $0.byteCount, type: $0) }
  }

  private static func roundedUp(_ number: Int, to size: Int) -> Int { (number + size - 1) / size * size }
}
