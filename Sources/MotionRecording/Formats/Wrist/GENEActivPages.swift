// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// The pages of a GENEActiv file: some lines that say when the first sample was taken, and a line with 12 digits a
/// sample.
///
/// A page whose time or whose digits are damaged is lost alone and counted, and so is one that is short with another
/// behind it; the last page may be short. The format has no checksum: a digit that became another is not seen.
final class GENEActivPages: SampleBlockSource {
  /// Samples of a page that is not the last.
  private static let pageSize = 300
  /// Hexadecimal digits of a sample: 12 bits for each axis, 10 of light, one of the button, one reserved.
  private static let digits = 12

  private struct Page {
    var mark: BlockTimes.Mark
    var clock: BlockClock
    var place: SensorError.Place
  }

  private let lines: LineReader
  private let header: GENEActivHeader
  private let context: ReadingContext
  private let clock: BlockClock?
  /// A page that still waits for the one behind it, and its samples.
  private var waiting: Page?
  private var waitingVectors: [Vector3<Device>] = []
  /// The lines of a page whose digits have not come yet.
  private var open: (time: Int64?, number: Int64?)?
  private var times = BlockTimes()
  private var order = TimeOrder()
  private var hasEnded = false
  /// Pages that have begun; and how many the header counts, until they have been compared.
  private var begun = 0
  private var declared: Int?

  init(_ lines: LineReader, _ header: GENEActivHeader, _ context: ReadingContext, isTail: Bool = false) {
    (self.lines, self.header, self.context) = (lines, header, context)
    declared = isTail ? nil : header.pages
    // The page times are in halves of a second.
    clock = BlockClock(rate: header.rate, grain: 500_000_000)
  }

  func next(_ block: inout SampleBlock) throws(SensorError) -> Bool {
    if waiting == nil { waiting = try nextPage() }
    while let page = waiting {
      block.reserve(page.mark.count, .accelerometer)
      block.unit = .gravity
      for index in 0..<page.mark.count { block.accelerations[index] = waitingVectors[index] }
      waiting = try nextPage()
      guard page.mark.count == Self.pageSize || waiting == nil else {
        context.statistics.count(.damagedBlock, at: page.place)
        continue
      }
      let newest = order.latest == .min ? page.mark.anchor.time &- 3_600_000_000_000 : order.latest
      times.fill(&block.times, page.mark, next: waiting?.mark, clock: page.clock, newest: newest)
      try context.place(&block, in: &order, at: page.place)
      if block.count > 0 { return true }
    }
    return false
  }

  /// The next good page, its samples in `waitingVectors`.
  private func nextPage() throws(SensorError) -> Page? {
    while let line = try nextLine() {
      let bytes = line.bytes
      if bytes.elementsEqual("Recorded Data".utf8) {
        if open != nil { context.statistics.count(.damagedBlock, at: lines.place) }
        open = (nil, nil)
        begun += 1
      } else if let value = Self.value("Page Time:", bytes) {
        open?.time = Self.time(value)
      } else if let value = Self.value("Sequence Number:", bytes) {
        open?.number = Int64(value)
      } else if bytes.count >= Self.digits, !bytes.contains(UInt8(ascii: ":")) {
        // Of the header no such line is long.
        guard open != nil || bytes.count > 3 * Self.digits else { continue }
        if let page = page(line) { return page }
      }
    }
    if open != nil { context.statistics.count(.truncated, at: lines.place) }
    open = nil
    if let declared, declared > begun { context.statistics.count(.absent, declared - begun, at: lines.place) }
    declared = nil
    return nil
  }

  /// The page whose digits are on this line; nil where it is lost, which is counted.
  private func page(_ line: LineReader.Line) -> Page? {
    let count = min(line.bytes.count / Self.digits, Self.pageSize)
    let isWhole = line.bytes.count == count * Self.digits
    let head = open
    open = nil
    guard let time = head?.time, let clock, isWhole || !line.isTerminated, decode(line.bytes, count) else {
      context.statistics.count(.damagedBlock, at: lines.place)
      return nil
    }
    // A line that the file does not end is cut off: its whole samples are good.
    if !line.isTerminated, count < Self.pageSize { context.statistics.count(.truncated, at: lines.place) }
    return Page(
      mark: .init(anchor: .init(time: time, sample: 0), count: count, session: 0, number: head?.number ?? -1),
      clock: clock, place: lines.place)
  }

  private func nextLine() throws(SensorError) -> LineReader.Line? {
    guard !hasEnded else { return nil }
    do throws(SensorError) {
      if let line = try lines.next() { return line }
    } catch {
      try context.endOfBytes(error)
    }
    hasEnded = true
    return nil
  }

  /// False where a character is no hexadecimal digit.
  private func decode(_ text: ArraySlice<UInt8>, _ count: Int) -> Bool {
    if waitingVectors.isEmpty { waitingVectors = Array(repeating: .zero, count: Self.pageSize) }
    var invalid: UInt8 = 0
    func axis(_ place: Int, _ axis: Int) -> Double {
      var bits: Int32 = 0
      for index in 0..<3 {
        let digit = Self.digit[Int(text.span[place + 3 * axis + index])]
        invalid |= digit
        bits = bits << 4 | Int32(digit & 15)
      }
      return (Double((bits << 20) >> 20) * 100 - header.offsets[axis]) / header.gains[axis]
    }
    for index in 0..<count {
      let place = index * Self.digits
      waitingVectors[index] = Vector3(x: axis(place, 0), y: axis(place, 1), z: axis(place, 2))
      for rest in 9..<Self.digits { invalid |= Self.digit[Int(text.span[place + rest])] }
    }
    return invalid < 16
  }

  /// Values of the digits; 255 for other characters.
  private static let digit: [UInt8] = (0...255).map { byte in
    switch UInt8(truncatingIfNeeded: byte) {
    case 0x30...0x39: UInt8(truncatingIfNeeded: byte - 0x30)
    case 0x41...0x46: UInt8(truncatingIfNeeded: byte - 0x41 + 10)
    case 0x61...0x66: UInt8(truncatingIfNeeded: byte - 0x61 + 10)
    default: 255
    }
  }

  /// What stands behind a key.
  private static func value(_ key: String, _ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.first == key.utf8.first, bytes.count < 64, bytes.starts(with: key.utf8) else { return nil }
    return String(decoding: bytes.dropFirst(key.utf8.count), as: UTF8.self)
  }

  /// "2019-05-21 16:16:43:500", with a colon before the milliseconds.
  private static func time(_ text: String) -> Int64? {
    var bytes = Array(text.utf8)
    guard bytes.count > 19, bytes[19] == UInt8(ascii: ":") else { return WallTime(text)?.nanoseconds }
    bytes[19] = UInt8(ascii: ".")
    return WallTime(String(decoding: bytes, as: UTF8.self))?.nanoseconds
  }
}
