// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// A CWA file of an Axivity AX3 or AX6, which is worn on a wrist for a week: a header of 1,024 bytes, then blocks of 512
/// bytes with a few tens of samples each (``CWABlock``).
///
/// Accelerations are in g with the sign of a reaction, times are those of the wearer's clock. Source:
/// Documentation/Formats.md 4.11; openmovement, Docs/ax3/cwa.h and ax3-technical.md.
enum CWAFormat {
  static let reader = FormatReader(
    format: .cwa, title: "Axivity CWA", summary: "a .cwa of an AX3 or AX6, which begins MD", plan: plan)

  static let headerSize = 1024

  /// Its first bytes, or, where they are damaged, the first block.
  static func isBeginning(_ head: [UInt8]) -> Bool {
    head.starts(with: [0x4D, 0x44, 0xFC, 0x03])
      || (head.count > headerSize + 4 && head[headerSize...].starts(with: [0x41, 0x58, 0xFC, 0x01]))
  }

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    try options.refuseRecordedMotion(files, contains: "raw sensors")
    let member = try files.only()
    let header = CWAHeader(try files.open(member).bytes(limit: headerSize))
    let first = try firstBlock(files, member, header)
    let blocks: SampleBlockOpening = { (context, kinds) throws(SensorError) in
      let (bytes, skip) = try files.open(member, from: Int64(headerSize))
      if skip > 0 { _ = try bytes.bytes(limit: headerSize) }
      return CWABlocks(
        bytes, name: member.place, offset: headerSize, gyroscopeCode: header.gyroscopeCode, kinds, context)
    }
    var stream = SampleStreamPlan(
      blocks: blocks, first.hasGyroscope ? [.accelerometer, .gyroscope] : [.accelerometer], place: member.place,
      storedBytes: member.storedSize, lastInstant: { lastInstant(files, member, header) })
    for index in stream.channels.indices {
      let range = index == 0 ? first.range * standardGravity : Angle(degrees: first.gyroscopeRange).radians
      stream.channels[index].range = range > 0 ? range : nil
    }
    var plan = RecordingPlan(streams: [stream], deviceClass: header.place.deviceClass)
    plan.facts = RecordedFacts(
      clock: .device, wallOffset: .zero, isLocalTime: true, sign: "reaction", deviceModel: header.model)
    plan.notes = [header.model] + header.place.notes
    plan.unread = ["light", "temperature", "battery"] + (first.hasMagnetometer ? ["magnetic field"] : [])
    if !header.isThere {
      plan.warnings.append("The header of the file is damaged; the blocks are read, as each says how.")
    }
    return plan
  }

  /// Says which sensors there are.
  private static func firstBlock(
    _ files: RecordingFiles, _ member: RecordingFiles.Member, _ header: CWAHeader
  ) throws(SensorError) -> CWABlock {
    // Blocks may be damaged: one of the first two hundred will do.
    let bytes = try files.open(member).bytes(limit: headerSize + 200 * CWABlock.size)
    for offset in stride(from: headerSize, through: bytes.count - CWABlock.size, by: 1) {
      let bytes = bytes[offset..<offset + CWABlock.size]
      if CWABlock.isWhole(bytes), let block = CWABlock(bytes, gyroscopeCode: header.gyroscopeCode) { return block }
    }
    throw member.error(
      .malformed,
      bytes.count < headerSize + CWABlock.size
        ? "The file ends before its first block: there are no samples in it."
        : "None of its first blocks is whole: the file is damaged, copy it from the device again.")
  }

  /// The time of the last sample, from the last blocks of a plain file.
  private static func lastInstant(
    _ files: RecordingFiles, _ member: RecordingFiles.Member, _ header: CWAHeader
  ) -> SensorInstant? {
    // The end may be damaged, so some more; the tail begins with a block.
    let size = Int64(CWABlock.size)
    let whole = max(0, member.storedSize - Int64(headerSize))
    let length = min(whole, 128 * size + whole % size)
    guard let (bytes, _) = try? files.openTail(member, length: length) else { return nil }
    let blocks = CWABlocks(
      bytes, name: member.place, offset: 0, gyroscopeCode: header.gyroscopeCode, .accelerometer, .probing)
    var block = SampleBlock()
    var last: SensorInstant?
    while (try? blocks.next(&block)) == true { last = block.time(block.count - 1) }
    return last
  }
}

/// The header of a CWA file: what it says that a reader needs.
struct CWAHeader {
  let isThere: Bool
  let model: String
  /// The low four bits of the configuration: the gyroscope's range is 8000 °/s / 2 to the power of it.
  let gyroscopeCode: Int
  let place: WornPlace

  init(_ bytes: [UInt8]) {
    isThere = bytes.starts(with: [0x4D, 0x44]) && bytes.count == CWAFormat.headerSize
    model = isThere ? (bytes[4] == 0x64 ? "Axivity AX6" : "Axivity AX3") : "Axivity"
    gyroscopeCode = isThere && bytes[35] != 0xFF ? Int(bytes[35] & 7) : 0
    place = WornPlace(isThere ? Self.annotation("_p", bytes[64..<512]) : nil)
  }

  /// The value of a key among URL-encoded pairs; nil where it is absent.
  private static func annotation(_ key: String, _ bytes: ArraySlice<UInt8>) -> String? {
    let text = bytes.prefix { $0 != 0 && $0 != 0xFF }
    let pair = text.split(separator: UInt8(ascii: "&")).first { $0.starts(with: Array("\(key)=".utf8)) }
    return pair.map { pair in
      String(decoding: pair.dropFirst(key.utf8.count + 1).map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, as: UTF8.self)
    }
  }
}
