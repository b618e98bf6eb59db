// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// A BIN file of a GENEActiv, which is a text: lines of a header with the calibration, then pages of 300 samples in
/// hexadecimal digits.
///
/// Accelerations are in g with the sign of a reaction, times are those of the wearer's clock. Source:
/// Documentation/Formats.md 4.11; Activinsights, GENEActiv instructions, "Understanding .bin files".
enum GENEActivFormat {
  static let reader = FormatReader(
    format: .geneActiv, title: "GENEActiv BIN", summary: "a .bin that begins Device Identity", plan: plan)

  static func isBeginning(_ header: String) -> Bool { header.hasPrefix("Device Identity") }

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    try options.refuseRecordedMotion(files, contains: "raw sensors")
    let member = try files.only()
    let header = try GENEActivHeader(files.beginning(of: member, limit: 64 << 10), member)
    var stream = SampleStreamPlan(
      blocks: { (context, kinds) throws(SensorError) in
        GENEActivPages(LineReader(try files.open(member), name: member.place), header, context)
      }, [.accelerometer], place: member.place, storedBytes: member.storedSize,
      lastInstant: { lastInstant(files, member, header) })
    stream.channels[0].range = header.range.map { $0 * standardGravity }
    var plan = RecordingPlan(streams: [stream], deviceClass: header.place.deviceClass)
    plan.facts = RecordedFacts(
      clock: .device, wallOffset: .zero, isLocalTime: true, sign: "reaction", deviceModel: "GENEActiv")
    plan.notes = header.place.notes
    plan.unread = ["light", "button", "temperature", "battery"]
    return plan
  }

  /// The time of the last sample, from the last pages of a plain file.
  private static func lastInstant(
    _ files: RecordingFiles, _ member: RecordingFiles.Member, _ header: GENEActivHeader
  ) -> SensorInstant? {
    guard let (bytes, _) = try? files.openTail(member, length: 64 << 10) else { return nil }
    let pages = GENEActivPages(LineReader(bytes, name: member.place), header, .probing, isTail: true)
    var block = SampleBlock()
    var last: SensorInstant?
    while (try? pages.next(&block)) == true { last = block.time(block.count - 1) }
    return last
  }
}

/// What the header of a GENEActiv file says that a reader needs.
struct GENEActivHeader {
  /// Hz.
  let rate: Double
  /// For x, y, z: g = (count · 100 − offset) / gain.
  let gains: [Double]
  let offsets: [Double]
  /// g.
  let range: Double?
  /// How many pages the file says that it holds; nil where it does not.
  let pages: Int?
  let place: WornPlace

  init(_ text: String, _ member: RecordingFiles.Member) throws(SensorError) {
    var values: [Substring: Substring] = [:]
    for line in text.split(whereSeparator: \.isNewline).prefix(while: { !$0.hasPrefix("Recorded Data") }) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      values[line[..<colon]] = line[line.index(after: colon)...]
    }
    func number(_ key: Substring) -> Double? {
      (values[key]?.split(separator: " ").first).flatMap { Double($0) }.flatMap { $0.magnitude < 1e9 ? $0 : nil }
    }
    let names = ["x", "y", "z"]
    gains = names.compactMap { number("\($0) gain") }.filter { $0.magnitude >= 1 }
    offsets = names.compactMap { number("\($0) offset") }
    guard gains.count == 3, offsets.count == 3 else {
      throw member.error(
        .malformed, "The header states no whole calibration: it needs “x gain:”, “x offset:” and those of y and z.")
    }
    guard let rate = number("Measurement Frequency"), (1...1000).contains(rate) else {
      throw member.error(.malformed, "The header states no “Measurement Frequency:” from 1 to 1000 Hz.")
    }
    self.rate = rate
    let range = values["Accelerometer Range"]?.split(separator: " ").last.flatMap { Double($0) }
    self.range = range.flatMap { (1...100).contains($0) ? $0 : nil }
    pages = number("Number of Pages").flatMap { Int(exactly: $0) }
    place = WornPlace(values["Device Location Code"].map(String.init))
  }
}
