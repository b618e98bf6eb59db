// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MotionSensing

/// The chip's commands, one byte each; it has no registers.
///
/// `0x1E` reset · `0xA0 + 2 · word` read a word of the memory · `0x40 + 2 · n` convert the pressure, `0x50 + 2 · n` the temperature,
/// with 256 · 2ⁿ-fold oversampling · `0x00` read the converter, 24 bits, high byte first. A conversion that is read too early gives
/// zero. Source: the data sheets of the MS5837-30BA and -02BA.
struct MS5837Chip: Sendable {
  enum Conversion: UInt8 { case pressure = 0x40, temperature = 0x50 }

  /// How long a reset takes; the memory is copied in that time. The data sheets' 2.8 ms, and room for a slow clock.
  static let resetTime = SensorDuration.milliseconds(10)

  let bus: any I2CBus
  let address: UInt8

  func reset() throws(SystemFailure) { _ = try bus.transfer([0x1E], reading: 0, address: address) }

  /// The memory as it reads; its checksum has not been checked yet.
  func memory() throws(SystemFailure) -> MS5837Memory? {
    var words: [UInt16] = []
    for index in 0..<MS5837Memory.wordCount {
      let bytes = try bus.transfer([0xA0 + 2 * UInt8(index)], reading: 2, address: address)
      guard bytes.count == 2 else { return nil }
      words.append(UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
    }
    return MS5837Memory(words: words)
  }

  func begin(_ conversion: Conversion, _ oversampling: MS5837Oversampling) throws(SystemFailure) {
    _ = try bus.transfer([conversion.rawValue + oversampling.commandBits], reading: 0, address: address)
  }

  /// What the converter holds; 0 when it is not ready.
  func readConverter() throws(SystemFailure) -> UInt32 {
    try bus.transfer([0x00], reading: 3, address: address).reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension MS5837Chip {
  /// How often the memory is read before it counts as broken: one flipped bit on a long cable is no broken chip.
  private static let attempts = 3

  /// The memory, right by its checksum, and how to compute with it.
  func compensation(
    _ wanted: MS5837Model?, at place: MS5837Address
  ) throws -> MS5837Compensation {
    var last: MS5837Memory?
    for _ in 0..<Self.attempts {
      last = try memory()
      guard let memory = last, memory.isIntact else { continue }
      return MS5837Compensation(model: try Self.model(of: memory, wanted, at: place), memory: memory)
    }
    throw MS5837Problem.checksum(last, place)
  }

  private static func model(
    of memory: MS5837Memory, _ wanted: MS5837Model?, at place: MS5837Address
  ) throws(SensorError) -> MS5837Model {
    let found = MS5837Model(version: memory.version)
    guard let wanted else {
      guard let found else { throw MS5837Problem.unknownModel(version: memory.version, place) }
      return found
    }
    if let found, found != wanted, memory.version != MS5837Model.unversioned {
      throw MS5837Problem.otherModel(found, wanted: wanted, version: memory.version, place)
    }
    return wanted
  }
}
