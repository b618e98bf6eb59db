// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing

/// The blocks of a CWA file, decoded and with their times.
///
/// A block that does not begin as one, whose checksum is wrong or whose header makes no sense is lost alone and counted.
/// Where bytes are missing or too many, so that the next block does not begin where it should, it is searched for.
final class CWABlocks: SampleBlockSource {
  private static let bufferSize = 128 * CWABlock.size

  private let source: any ByteSource
  private let name: String
  private let context: ReadingContext
  private let kinds: SensorKinds
  private let gyroscopeCode: Int
  private var buffer: [UInt8] = []
  private var position = 0
  /// Of the buffer's first byte in the file.
  private var bufferOffset: Int
  /// A block whose time line still waits for the one behind it, and its bytes.
  private var waiting: CWABlock?
  private var waitingBytes: [UInt8] = []
  private var waitingOffset = 0
  /// Damaged blocks between the one before and the one that waits.
  private var damagedBefore: Int64 = 0
  private var times = BlockTimes()
  private var order = TimeOrder()
  private var hasEnded = false

  /// `source` begins at byte `offset` of the file, with a block.
  init(
    _ source: any ByteSource, name: String, offset: Int, gyroscopeCode: Int, _ kinds: SensorKinds,
    _ context: ReadingContext
  ) {
    (self.source, self.name, self.context, self.kinds) = (source, name, context, kinds)
    (bufferOffset, self.gyroscopeCode) = (offset, gyroscopeCode)
  }

  func next(_ block: inout SampleBlock) throws(SensorError) -> Bool {
    if waiting == nil { waiting = try keepNext() }
    while let current = waiting {
      let place = SensorError.Place(file: name, byte: waitingOffset)
      var present: SensorKinds = current.hasGyroscope ? .inertial : .accelerometer
      present.formIntersection(kinds)
      block.reserve(current.mark.count, present)
      block.unit = .gravity
      current.decode(waitingBytes, into: &block)
      // From here on the bytes are those of the block behind it.
      waiting = try keepNext()
      if let next = waiting { countMissing(from: current.mark, to: next.mark) }
      let newest = order.latest == .min ? current.mark.anchor.time &- 3_600_000_000_000 : order.latest
      times.fill(&block.times, current.mark, next: waiting?.mark, clock: current.clock, newest: newest)
      try context.place(&block, in: &order, at: place)
      if block.count > 0 { return true }
    }
    return false
  }

  /// Blocks are numbered within a session: those that the file lacks are counted.
  private func countMissing(from first: BlockTimes.Mark, to second: BlockTimes.Mark) {
    let missing = second.number &- first.number &- 1 &- damagedBefore
    guard first.session == second.session, missing > 0 else { return }
    context.statistics.gaps += 1
    context.statistics.missing += Int(clamping: missing)
  }

  /// The next good block with samples, its bytes in `waitingBytes`.
  private func keepNext() throws(SensorError) -> CWABlock? {
    damagedBefore = 0
    while try fill(CWABlock.size) {
      let bytes = buffer[position..<position + CWABlock.size]
      let place = bufferOffset + position
      if CWABlock.isWhole(bytes), let block = CWABlock(bytes, gyroscopeCode: gyroscopeCode) {
        position += CWABlock.size
        guard block.mark.count > 0 else { continue }
        waitingBytes.removeAll(keepingCapacity: true)
        waitingBytes.append(contentsOf: bytes)
        waitingOffset = place
        return block
      }
      context.statistics.count(.damagedBlock, at: SensorError.Place(file: name, byte: place))
      damagedBefore &+= 1
      position += try lengthOfDamage()
    }
    if buffer.count > position, !hasEnded {
      context.statistics.count(.truncated, at: SensorError.Place(file: name, byte: bufferOffset + position))
    }
    hasEnded = true
    return nil
  }

  /// Bytes from a damaged block to the next: those of a block, or, where none begins there, to the next one within
  /// two.
  private func lengthOfDamage() throws(SensorError) -> Int {
    let usual = CWABlock.size
    guard try fill(3 * usual), buffer[position...].short(usual) != 0x5841 else { return usual }
    return (1..<2 * usual).first { CWABlock.isWhole(buffer[position + $0..<position + $0 + usual]) } ?? usual
  }

  /// Whether so many bytes are there from `position` on; reads on where they are not.
  private func fill(_ count: Int) throws(SensorError) -> Bool {
    while buffer.count - position < count {
      if position > 0 {
        buffer.removeFirst(position)
        bufferOffset += position
        position = 0
      }
      do throws(SensorError) {
        guard try source.read(Self.bufferSize - buffer.count, into: &buffer) > 0 else { return false }
      } catch {
        try context.endOfBytes(error)
        hasEnded = true
        return false
      }
    }
    return true
  }
}
