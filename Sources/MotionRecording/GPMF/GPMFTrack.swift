// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Where the payloads of a GoPro's telemetry lie in a file, and their times: the track `gpmd` of an MP4, or payloads that
/// follow each other in a raw file, which `ffmpeg -codec copy -map 0:m:handler_name:"GoPro MET" -f rawvideo` writes.
///
/// An MP4 is a tree of boxes of a length, a type of four letters and the content. In `moov`, a `trak` has its unit of
/// time in `mdhd` and tables in `stbl`: durations (`stts`), sizes (`stsz`), places of chunks (`stco`, `co64`) and how
/// many payloads each has (`stsc`). Source: ISO/IEC 14496-12.
struct GPMFTrack: Sendable {
  struct Payload: Sendable {
    var offset: UInt64
    var size: Int
    /// ns.
    var start: Int64
    var duration: Int64
  }

  private(set) var payloads: [Payload] = []
  /// Times are those of the track; else a payload is taken as a second.
  private(set) var hasTimes = false

  init(_ input: MCAPInput) throws(SensorError) {
    if try input.bytes(at: 0, count: 4).elementsEqual("DEVC".utf8) {
      try readRaw(input)
      return
    }
    guard let moov = try Self.box("moov", in: 0..<input.size, input) else {
      throw SensorError(
        .unsupported,
        "This MP4 has no index (moov): its recording was cut off, or it is no recording of a camera.",
        at: input.place(0))
    }
    var tracks = moov
    while let track = try Self.box("trak", in: tracks, input) {
      tracks = track.upperBound..<tracks.upperBound
      if let found = try Self.telemetry(track, input) {
        payloads = found
        hasTimes = true
        return
      }
    }
    throw SensorError(
      .unsupported,
      "This video has no track of a GoPro's telemetry (gpmd), so there are no sensors to read. A copy that was cut or re-encoded loses it: give the camera's own file.",
      at: .init(file: input.path))
  }

  /// Payloads that follow each other; the last may be cut off.
  private mutating func readRaw(_ input: MCAPInput) throws(SensorError) {
    var position: UInt64 = 0
    var first: ArraySlice<UInt8>?
    while position < input.size {
      let head = try input.bytes(at: position, count: 20)
      guard head.count >= 8, head.starts(with: "DEVC".utf8) else { break }
      let length = 8 + (Int(head[5]) * (Int(head[6]) << 8 | Int(head[7])) + 3) / 4 * 4
      try Self.checkRoom(payloads.count, input)
      // The other devices of a block follow the first; the number of a device is its first entry.
      let device = head[8...]
      if let first, first != device, !payloads.isEmpty,
        payloads[payloads.count - 1].size + length <= InputLimits.recordBytes
      {
        payloads[payloads.count - 1].size += length
        position += UInt64(length)  // fits: at most 16 MB
        continue
      }
      first = device
      payloads.append(
        Payload(offset: position, size: length, start: Int64(payloads.count) * Self.second, duration: Self.second))
      position += UInt64(length)  // fits: at most 16 MB
    }
    // What is no payload is read as one, so that it is said.
    if position < input.size {
      payloads.append(
        Payload(
          offset: position, size: Int(min(input.size - position, 1 << 16)),  // fits: at most 65,536
          start: Int64(payloads.count) * Self.second, duration: Self.second))
    }
  }

  /// The time that a camera gathers for a payload: a second of video at 29.97 frames a second, ns.
  private static let second: Int64 = 1_001_000_000
  /// Payloads of one file: 12 days.
  private static let mostPayloads = 1 << 20

  private static func checkRoom(_ count: Int, _ input: MCAPInput) throws(SensorError) {
    try InputLimits.checkRoom(
      "The file declares", "blocks of telemetry", count: count, limit: mostPayloads, at: input.place(0))
  }

  /// The content of the first box of this type in a part of the file.
  private static func box(
    _ type: String, in part: Range<UInt64>, _ input: MCAPInput
  ) throws(SensorError) -> Range<UInt64>? {
    var position = part.lowerBound
    // A moov has a few boxes; more than these are no video.
    for _ in 0..<100_000 where part.upperBound - position >= 8 {
      let head = try input.bytes(at: position, count: 16)
      guard head.count >= 8 else { return nil }
      var (size, headSize): (UInt64, UInt64) = (big(head, 0, 4), 8)
      if size == 1, head.count == 16 { (size, headSize) = (big(head, 8, 8), 16) }
      if size == 0 { size = part.upperBound - position }
      guard size >= headSize, size <= part.upperBound - position else { return nil }
      if head[4..<8].elementsEqual(type.utf8) { return position + headSize..<position + size }
      position += size
    }
    return nil
  }

  private static func big(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt64 {
    guard start >= 0, start <= bytes.count - count else { return 0 }
    return bytes[start..<start + count].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The payloads of a track; nil when it is not of telemetry.
  private static func telemetry(_ track: Range<UInt64>, _ input: MCAPInput) throws(SensorError) -> [Payload]? {
    guard let media = try box("mdia", in: track, input), let header = try box("mdhd", in: media, input),
      let information = try box("minf", in: media, input), let table = try box("stbl", in: information, input),
      let description = try box("stsd", in: table, input)
    else { return nil }
    let format = try input.bytes(at: description.lowerBound, count: 16)
    guard format.count == 16, format[12...].elementsEqual("gpmd".utf8) else { return nil }
    let head = try input.bytes(at: header.lowerBound, count: 32)
    let scale = head.first == 1 ? big(head, 20, 4) : big(head, 12, 4)
    let is64 = try box("stco", in: table, input) == nil
    let sizes = try numbers("stsz", columns: 1, width: 4, in: table, input)
    let durations = try numbers("stts", columns: 2, width: 4, in: table, input)
    let places = try numbers(is64 ? "co64" : "stco", columns: 1, width: is64 ? 8 : 4, in: table, input)
    let runs = try numbers("stsc", columns: 3, width: 4, in: table, input)
    guard scale > 0 else {
      throw .damaged("The track of telemetry states no unit of time", at: input.place(header.lowerBound))
    }
    var payloads: [Payload] = []
    var (ticks, run, entry, left) = (UInt64(0), 0, 0, durations.first ?? 0)
    for (chunk, place) in places.enumerated() {
      // fits: an index
      while run + 3 < runs.count, UInt64(chunk + 1) >= runs[run + 3] { run += 3 }
      var offset = place
      for _ in 0..<(run + 1 < runs.count ? runs[run + 1] : 1) {
        guard payloads.count < sizes.count else { return payloads }
        while left == 0, entry + 2 < durations.count { (entry, left) = (entry + 2, durations[entry + 2]) }
        let duration = entry + 1 < durations.count ? durations[entry + 1] : scale
        left = left == 0 ? 0 : left - 1
        let size = sizes[payloads.count]
        payloads.append(
          Payload(
            offset: offset, size: Int(size), start: nanoseconds(ticks, scale),  // fits: four bytes
            duration: nanoseconds(ticks &+ duration, scale) &- nanoseconds(ticks, scale)))
        (offset, ticks) = (offset &+ size, ticks &+ duration)
      }
    }
    return payloads
  }

  private static func nanoseconds(_ ticks: UInt64, _ scale: UInt64) -> Int64 {
    let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: scale)
    guard seconds < UInt64(InputLimits.nanoseconds) / 1_000_000_000 else { return InputLimits.nanoseconds }
    // fits: the seconds were looked at, and a unit of time has 32 bits
    return Int64(seconds) * 1_000_000_000 + Int64(rest * 1_000_000_000 / scale)
  }

  /// The numbers of a table of the track, in rows of some columns. One size for all is repeated.
  private static func numbers(
    _ type: String, columns: Int, width: Int, in table: Range<UInt64>, _ input: MCAPInput
  ) throws(SensorError) -> [UInt64] {
    guard let box = try box(type, in: table, input) else { return [] }
    // A table of sizes has the common size in front of the count.
    let extra = type == "stsz" ? 4 : 0
    let head = try input.bytes(at: box.lowerBound, count: 8 + extra)
    let count = Int(big(head, 4 + extra, 4))  // fits: four bytes
    try checkRoom(count, input)
    let common = extra > 0 ? big(head, 4, 4) : 0
    if common > 0 { return Array(repeating: common, count: count) }
    let start = box.lowerBound + UInt64(8 + extra)  // fits: 8 or 12
    let length = count * columns * width
    let bytes = try input.bytes(at: start, count: length)
    // fits: the room was checked
    guard start + UInt64(length) <= box.upperBound, bytes.count == length else {
      throw .damaged("The table \(type) of the telemetry is longer than its box", at: input.place(box.lowerBound))
    }
    return stride(from: 0, to: bytes.count, by: width).map { big(bytes, $0, width) }
  }
}
