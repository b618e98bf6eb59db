// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Where each channel lies in a record of a buffer.
///
/// Channels stand in the order of their index, not of their names (one chip has its gyroscope first). Each starts at
/// the next multiple of its own size, and the record is padded to a multiple of the largest. The time stamp is the
/// exception: the kernel writes it into the last 8 bytes, which for a quaternion is not where the rule would put it
/// (IIO-18).
struct RecordLayout: Hashable, Sendable {
  /// A channel as sysfs describes it.
  struct Element: Hashable, Sendable {
    /// "in_accel_x".
    var name: String
    var index: Int
    var type: ScanType
  }

  /// The channel of the time stamp.
  static let timestampName = "in_timestamp"

  /// Place and type of each channel but the time stamp.
  private(set) var fields: [String: ScanType] = [:]
  /// Bytes of one record; 0 without channels.
  private(set) var byteCount = 0
  /// The time stamp's channel; nil when the device gives none.
  private(set) var timestamp: ScanType?

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
        fields[element.name] = element.type
        fields[element.name]?.offset = offset
      }
    }
    byteCount = Self.roundedUp(end, to: largest)
    timestamp = stamp
    if let stamp { timestamp?.offset = byteCount - stamp.byteCount }
  }

  private static func roundedUp(_ number: Int, to size: Int) -> Int { (number + size - 1) / size * size }
}

/// How the kernel stores one channel in a buffered record: the text of `scan_elements/*_type`, such as `le:s12/16>>4`.
///
/// The text reads `[be|le]:[s|u]REAL/STORAGE[XREPEAT]>>SHIFT`. A value is found in this order: the STORAGE bits in the
/// given byte order, shifted right by SHIFT, cut to the lowest REAL bits, then sign-extended. The cut comes before the
/// extension because a sensor hub leaves bytes of the neighbouring field above the real bits (IIO-19). Source: the
/// kernel's Documentation/ABI/testing/sysfs-bus-iio.
///
/// Decoding works on single bytes, never on a struct mapped to them: the order, alignment and word size of the
/// processor do not matter.
struct ScanType: Hashable, Sendable {
  var isBigEndian, isSigned: Bool
  /// 1…`storageBits`, of which there are 8, 16, … 64.
  var realBits, storageBits: Int
  /// 1, or the number of values that one channel holds (4 for a quaternion).
  var repetitions: Int
  var shift: Int
  /// Of the channel in its record: bytes from the beginning.
  var offset = 0

  /// Parses the text; anything of another form is refused with the text in the message.
  init(_ text: String) throws(SensorError) {
    let form = /(be|le):([sSuU])(\d{1,2})\/(\d{1,2})(?:X(\d{1,2}))?(?:>>(\d{1,2}))?/
    guard let match = text.wholeMatch(of: form), let real = Int(match.3), let storage = Int(match.4) else {
      throw Self.refused(text)
    }
    isBigEndian = match.1 == "be"
    isSigned = match.2.lowercased() == "s"
    realBits = real
    storageBits = storage
    repetitions = match.5.flatMap { Int($0) } ?? 1
    shift = match.6.flatMap { Int($0) } ?? 0
    guard (8...64).contains(storage), storage.isMultiple(of: 8), (1...storage).contains(real),
      (1...255).contains(repetitions),
      shift <= storage - real
    else { throw Self.refused(text) }
  }

  private static func refused(_ text: String) -> SensorError {
    SensorError(
      .unsupported, "The kernel stores a channel as \(text.debugDescription), a format that this version cannot decode."
    )
  }

  /// Bytes of one value.
  var valueBytes: Int { storageBits / 8 }
  /// Bytes of the channel, all repetitions.
  var byteCount: Int { valueBytes * repetitions }

  /// The value in a record that begins at a place, its sign extended to 64 bits. An unsigned value of 64 bits comes
  /// with the same bits.
  func integer(in bytes: [UInt8], at record: Int) -> Int64 {
    let offset = record + offset
    var bits: UInt64 = 0
    for index in 0..<valueBytes {
      bits = bits << 8 | UInt64(bytes[offset + (isBigEndian ? index : valueBytes - 1 - index)])
    }
    let unused = 64 - realBits
    // Up and down again: cuts what lies above the real bits and, on a signed number, copies the sign.
    let raised = (bits >> shift) << unused
    return isSigned ? Int64(bitPattern: raised) >> unused : Int64(bitPattern: raised >> unused)
  }

  /// The same as a floating-point number.
  func number(in bytes: [UInt8], at record: Int) -> Double {
    let integer = integer(in: bytes, at: record)
    return isSigned ? Double(integer) : Double(UInt64(bitPattern: integer))
  }
}
