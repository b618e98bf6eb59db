// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The messages of /dev/uhid, by which a program is a HID device: `struct uhid_event` of <linux/uhid.h>.
///
/// Each is a type of 32 bits and its fields, packed, in the byte order of the machine, and one `read` or `write`. The
/// kernel fills up with zeros what is written short.
enum UHIDEvent {
  /// The bytes that one read may give: the whole of the struct.
  static let maximumBytes = 4380

  private enum Kind: UInt32 {
    case destroy = 1
    case getReport = 9, getReportReply = 10
    case create = 11, input = 12
    case setReport = 13, setReportReply = 14
  }
  /// BUS_BLUETOOTH of <linux/input.h>; error "input/output" of errno(3).
  private static let bluetooth: UInt16 = 5, inputOutputError: UInt16 = 5

  /// Plugs a device in; `unique`: its address or serial number.
  static func create(
    name: String, port: String, unique: String, vendor: UInt32, product: UInt32, descriptor: [UInt8]
  ) -> [UInt8] {
    var bytes = begin(.create)
    for (text, count) in [(name, 128), (port, 64), (unique, 64)] {
      // The last byte stays zero, which ends the text.
      let text = Array(text.utf8.prefix(count - 1))
      bytes += text + [UInt8](repeating: 0, count: count - text.count)
    }
    append(UInt16(clamping: descriptor.count), to: &bytes)
    append(bluetooth, to: &bytes)
    for number in [vendor, product, 0x100, 0] as [UInt32] { append(number, to: &bytes) }
    return bytes + descriptor
  }

  /// An input report.
  static func input(_ report: [UInt8]) -> [UInt8] {
    var bytes = begin(.input)
    append(UInt16(clamping: report.count), to: &bytes)
    return bytes + report
  }

  /// Unplugs the device.
  static var destroy: [UInt8] { begin(.destroy) }

  /// The answer that a message of the kernel wants; nil for one that wants none: the device has started or was opened,
  /// or a light or a motor is set, which this one has not.
  static func reply(to message: ArraySlice<UInt8>, features: [UInt8: [UInt8]]) -> [UInt8]? {
    guard message.count >= 9, let kind = Kind(rawValue: number(message)) else { return nil }
    let identifier = message.dropFirst(4).prefix(4)
    switch kind {
    case .getReport:
      let report = features[message[message.startIndex + 8]]
      var bytes = begin(.getReportReply) + identifier
      append(report == nil ? inputOutputError : 0, to: &bytes)
      append(UInt16(clamping: report?.count ?? 0), to: &bytes)
      return bytes + (report ?? [])
    case .setReport: return begin(.setReportReply) + identifier + [0, 0]
    default: return nil
    }
  }

  private static func begin(_ kind: Kind) -> [UInt8] {
    var bytes: [UInt8] = []
    append(kind.rawValue, to: &bytes)
    return bytes
  }

  private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    bytes.append(littleEndian: value.littleEndian)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    UInt32(littleEndian: bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) })
  }
}
