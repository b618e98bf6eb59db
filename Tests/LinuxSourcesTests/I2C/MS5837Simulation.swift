// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import MotionSensing

@testable import I2CSources

/// A chip on a bus, with the truth about its water: conversions take their time, and its numbers come from the data sheets' arithmetic in
/// whole numbers, which is not the driver's.
final class SimulatedMS5837: I2CBus {
  /// Pascal and °C at an instant.
  typealias Truth = @Sendable (SensorInstant) -> (pressure: Double, temperature: Double)

  /// What is wrong at the moment.
  enum Fault: Sendable { case none, absent(Int32), deaf, noise }

  private struct State {
    var memory: [UInt16]
    var fault = Fault.none
    /// Real pauses of a driver that has no session yet.
    var paused = SensorDuration.zero
    var readyAfterReset: SensorInstant?
    var conversion: (isPressure: Bool, ready: SensorInstant)?
    var word: Int?
    var opens = 0
    var commands: [UInt8] = []
    var flippedReads = 0
  }

  let model: MS5837Model
  private let clock: any SensorClock
  private let truth: Truth
  private let state: Lock<State>

  /// The data sheets' examples: word 0 is left to the version and the checksum.
  static let coefficients: [MS5837Model: [UInt16]] = [
    .thirtyBar: [34982, 36352, 20328, 22354, 26646, 26146],
    .twoBar: [46372, 43981, 29059, 27842, 31553, 28165],
  ]

  static func memory(_ model: MS5837Model, version: UInt8? = nil) -> [UInt16] {
    let version = version ?? (model == .thirtyBar ? 0x1A : 0x15)
    let words = [UInt16(version) << 5] + (coefficients[model] ?? [])
    return [words[0] | UInt16(MS5837Memory.checksum(words)) << 12] + words.dropFirst()
  }

  init(
    _ model: MS5837Model = .thirtyBar, version: UInt8? = nil, clock: any SensorClock,
    truth: @escaping Truth = { _ in (101_325, 18) }
  ) {
    self.model = model
    self.clock = clock
    self.truth = truth
    state = Lock(State(memory: Self.memory(model, version: version)))
  }

  var fault: Fault {
    get { state.withLock { $0.fault } }
    set { state.withLock { $0.fault = newValue } }
  }
  var memory: [UInt16] {
    get { state.withLock { $0.memory } }
    set { state.withLock { $0.memory = newValue } }
  }
  /// So many reads of the memory come with a wrong bit.
  func flip(reads: Int) { state.withLock { $0.flippedReads = reads } }
  var commands: [UInt8] { state.withLock { $0.commands } }
  var opens: Int { state.withLock { $0.opens } }

  /// The bus 1 with this chip on it; another bus does not exist.
  var buses: I2CBuses {
    var buses = I2CBuses()
    buses.numbers = { [1] }
    buses.pause = { [self] duration in state.withLock { $0.paused = $0.paused + duration } }
    buses.open = { [self] path, address throws(SystemFailure) in
      guard path == "/dev/i2c-1" else { throw SystemFailure(errno: ENOENT) }
      state.withLock { $0.opens += 1 }
      return self
    }
    return buses
  }

  func transfer(_ bytes: [UInt8], reading count: Int, address: UInt8) throws(SystemFailure) -> [UInt8] {
    let now = clock.now
    let answer = state.withLock { state -> Result<[UInt8], SystemFailure> in
      if case .absent(let errno) = state.fault { return .failure(SystemFailure(errno: errno)) }
      guard address == MS5837Address.standardChip else { return .failure(SystemFailure(errno: ENXIO)) }
      let now = now + state.paused
      for byte in bytes {
        state.commands.append(byte)
        take(byte, now, &state)
      }
      guard count > 0 else { return .success([]) }
      return .success(read(bytes.last ?? 0, count, now, &state))
    }
    switch answer {
    case .success(let bytes): return bytes
    case .failure(let failure): throw failure
    }
  }

  private func take(_ byte: UInt8, _ now: SensorInstant, _ state: inout State) {
    switch byte {
    case 0x1E:
      state.readyAfterReset = now + SensorDuration(nanoseconds: 2_800_000)
      state.conversion = nil
    case 0x40...0x4A, 0x50...0x5A:
      let times = 256 << (Int(byte & 0xF) / 2)
      // The data sheets' longest times are a little below the rule of 2.5 µs each.
      state.conversion = (byte < 0x50, now + SensorDuration(nanoseconds: Int64(times) * 2_400))
    default: break
    }
  }

  private func read(_ command: UInt8, _ count: Int, _ now: SensorInstant, _ state: inout State) -> [UInt8] {
    switch command {
    case 0xA0...0xAC where count == 2:
      guard let ready = state.readyAfterReset, now >= ready else { return [0, 0] }
      var word = state.memory[Int(command - 0xA0) / 2]
      if state.flippedReads > 0 {
        state.flippedReads -= 1
        word ^= 0x0100
      }
      return [UInt8(word >> 8), UInt8(word & 0xFF)]
    case 0x00 where count == 3:
      defer { state.conversion = nil }
      if case .deaf = state.fault { return [0, 0, 0] }
      if case .noise = state.fault { return [0xFF, 0xFF, 0xFF] }
      guard let conversion = state.conversion, now >= conversion.ready else { return [0, 0, 0] }
      let (pressure, temperature) = truth(clock.now)
      let arithmetic = DataSheetArithmetic(model: model, words: state.memory)
      let d2 = arithmetic.d2(forTemperature: temperature)
      let number = conversion.isPressure ? arithmetic.d1(forPressure: pressure, d2: d2) : d2
      return [UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
    default: return [UInt8](repeating: 0xFF, count: count)
    }
  }
}

/// The data sheets' formulas in 64-bit whole numbers, and their inverse by halving.
struct DataSheetArithmetic {
  let model: MS5837Model
  let words: [UInt16]

  private func c(_ number: Int) -> Int64 { Int64(words[number]) }

  /// 0.01 °C, and the pressure in the model's unit: 0.1 mbar or 0.01 mbar.
  func callAsFunction(d1: Int64, d2: Int64) -> (temperature: Int64, pressure: Int64) {
    let dT = d2 - c(5) * 256
    let temp = 2000 + dT * c(6) / (1 << 23)
    let isThirty = model == .thirtyBar
    var off = isThirty ? c(2) * (1 << 16) + c(4) * dT / (1 << 7) : c(2) * (1 << 17) + c(4) * dT / (1 << 6)
    var sens = isThirty ? c(1) * (1 << 15) + c(3) * dT / (1 << 8) : c(1) * (1 << 16) + c(3) * dT / (1 << 7)
    var (ti, offi, sensi): (Int64, Int64, Int64) = (0, 0, 0)
    let t2 = (temp - 2000) * (temp - 2000)
    if isThirty, temp < 2000 {
      (ti, offi, sensi) = (3 * dT * dT / (1 << 33), 3 * t2 / 2, 5 * t2 / (1 << 3))
      if temp < -1500 {
        offi += 7 * (temp + 1500) * (temp + 1500)
        sensi += 4 * (temp + 1500) * (temp + 1500)
      }
    } else if isThirty {
      (ti, offi) = (2 * dT * dT / (1 << 37), t2 / (1 << 4))
    } else if temp < 2000 {
      (ti, offi, sensi) = (11 * dT * dT / (1 << 35), 31 * t2 / (1 << 3), 63 * t2 / (1 << 5))
    }
    off -= offi
    sens -= sensi
    return (temp - ti, (d1 * sens / (1 << 21) - off) / (1 << (isThirty ? 13 : 15)))
  }

  /// Pascal per unit of the pressure.
  var unit: Double { model == .thirtyBar ? 10 : 1 }

  func d2(forTemperature celsius: Double) -> Int64 {
    firstNumber { Double(self(d1: 0, d2: $0).temperature) >= celsius * 100 }
  }

  func d1(forPressure pascal: Double, d2: Int64) -> Int64 {
    firstNumber { Double(self(d1: $0, d2: d2).pressure) * unit >= pascal }
  }

  private func firstNumber(where isEnough: (Int64) -> Bool) -> Int64 {
    var (low, high): (Int64, Int64) = (0, (1 << 24) - 1)
    while low < high {
      let middle = (low + high) / 2
      if isEnough(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
