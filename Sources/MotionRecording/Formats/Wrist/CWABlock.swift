// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// One block of a CWA file: 512 bytes with a header of 30, samples, and a checksum. Source: openmovement, cwa.h.
struct CWABlock {
  static let size = 512

  /// How the samples are packed.
  enum Packing {
    /// Three numbers of 10 bits and a common exponent in 32 bits, in 1/256 g.
    case words
    /// Numbers of 16 bits: so many a sample.
    case numbers(perSample: Int)

    /// Samples that fit into a block.
    var capacity: Int {
      switch self {
      case .words: 120
      case .numbers(let count): 240 / count
      }
    }
  }

  let mark: BlockTimes.Mark
  let clock: BlockClock
  let packing: Packing
  /// g per count.
  let scale: Double
  /// °/s of the gyroscope's full scale; 0 without one.
  let gyroscopeRange: Double
  /// g.
  let range: Double

  var hasGyroscope: Bool { gyroscopeRange > 0 }
  /// Beside acceleration and rotation.
  var hasMagnetometer: Bool { if case .numbers(9) = packing { true } else { false } }

  /// Whether so many bytes are a block that is whole: its name, its length and its checksum are right.
  static func isWhole(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count == size, bytes.word(0) == 0x01FC_5841 else { return false }
    var sum: UInt16 = 0
    for index in 0..<size / 2 { sum &+= bytes.span.littleEndian(at: 2 * index, as: UInt16.self) }
    return sum == 0
  }

  /// The header of a whole block; nil where it makes no sense. `gyroscopeCode` is that of the file.
  init?(_ bytes: ArraySlice<UInt8>, gyroscopeCode: Int) {
    func byte(_ offset: Int) -> Int { Int(bytes.span[offset]) }
    func short(_ offset: Int) -> Int { byte(offset) | byte(offset + 1) << 8 }
    func word(_ offset: Int) -> UInt32 { bytes.word(offset) }
    let (axes, form) = (byte(25) >> 4, byte(25) & 15)
    switch (axes, form) {
    case (3, 0): packing = .words
    case (3, 2), (6, 2), (9, 2): packing = .numbers(perSample: axes)
    default: return nil
    }
    let rateCode = byte(24)
    guard let clock = BlockClock(rate: Self.rate(rateCode), grain: 100_000_000),
      let second = Self.time(word(14)), short(28) <= packing.capacity
    else { return nil }
    // The time holds at the sample of the offset: of its whole second, as older files say, or, where the fraction is
    // given, as many samples later as it lasts at the set rate in whole hertz.
    let (fraction, hasFraction) = (short(4) & 0x7FFF, short(4) & 0x8000 != 0)
    let offset = Int64(Int16(truncatingIfNeeded: short(26)))
    let shift = hasFraction ? (Int64(fraction) * Int64(3200 >> (15 - (rateCode & 15)))) >> 15 : 0
    let nanoseconds = hasFraction ? (Int64(fraction) * 1_000_000_000) >> 15 : 0
    mark = BlockTimes.Mark(
      anchor: .init(time: second + nanoseconds, sample: offset + shift), count: short(28), session: word(6),
      number: Int64(word(10)))
    self.clock = clock
    let light = short(18)
    if case .words = packing { scale = 1 / 256 } else { scale = 1 / Double(1 << (8 + light >> 13)) }
    let code = light >> 10 & 7
    gyroscopeRange = axes >= 6 ? 8000 / Double(1 << (code != 0 ? code : gyroscopeCode)) : 0
    range = Double(16 >> (rateCode >> 6))
  }

  /// Hz.
  private static func rate(_ code: Int) -> Double { 3200 / Double(1 << (15 - (code & 15))) }

  /// A packed time, ns since 1970 as if it were universal time; nil where it is none.
  static func time(_ packed: UInt32) -> Int64? {
    let value = Int64(packed)
    return WallTime.nanoseconds(
      year: 2000 + value >> 26, month: value >> 22 & 15, day: value >> 17 & 31, hour: value >> 12 & 31,
      minute: value >> 6 & 63, second: value & 63)
  }

  /// Decodes the samples of the sensors that `block` has room for.
  func decode(_ bytes: [UInt8], into block: inout SampleBlock) {
    switch packing {
    case .words:
      Self.fill(&block.accelerations, mark.count) { index in
        let word = bytes.span.littleEndian(at: 30 + 4 * index, as: UInt32.self)
        let exponent = Int32(truncatingIfNeeded: word >> 30)
        // The sign's bit goes to the top and back.
        let x = (Int32(bitPattern: word &<< 22) &>> 22) &<< exponent
        let y = (Int32(bitPattern: word &<< 12) &>> 22) &<< exponent
        let z = (Int32(bitPattern: word &<< 2) &>> 22) &<< exponent
        return Vector3(x: Double(x) * (1 / 256), y: Double(y) * (1 / 256), z: Double(z) * (1 / 256))
      }
    case .numbers(let perSample):
      func vectors(_ first: Int, _ scale: Double, into vectors: inout [Vector3<Device>]) {
        Self.fill(&vectors, mark.count) { index in
          let place = 30 + 2 * (index * perSample + first)
          func number(_ axis: Int) -> Double {
            Double(bytes.span.littleEndian(at: place + 2 * axis, as: Int16.self)) * scale
          }
          return Vector3(x: number(0), y: number(1), z: number(2))
        }
      }
      vectors(hasGyroscope ? 3 : 0, scale, into: &block.accelerations)
      if hasGyroscope {
        vectors(0, Angle(degrees: gyroscopeRange / 32_768).radians, into: &block.angularVelocities)
      }
    }
  }

  private static func fill(
    _ vectors: inout [Vector3<Device>], _ count: Int, _ vector: (Int) -> Vector3<Device>
  ) {
    var places = vectors.mutableSpan
    for index in 0..<min(count, places.count) { places[index] = vector(index) }
  }
}
