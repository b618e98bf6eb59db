// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import LinuxSystem
public import MotionSensing

/// A depth sensor MS5837 (Bar30, Bar02 and similar) on an I²C bus of this computer, read without a kernel driver.
///
/// ```swift
/// let sensor = try MS5837Source(path: "1", options: ["model": "30ba"])   // ms5837:1?model=30ba
/// ```
///
/// Each sample takes two conversions, of the pressure and of the temperature, between which this thread sleeps; the
/// results are converted to pascal and °C with the chip's own coefficients. The time of a sample is the middle of its
/// pressure conversion. The sensor measures water pressure; the host sets the density of the water.
///
/// A disturbed transfer loses a sample and is counted (`statistics`). A chip that does not answer, or returns
/// garbage, for a second ends the run with an error; the next run resets it and reads its memory again.
///
/// Written from the data sheets' arithmetic and tested with a simulated chip; not tested on hardware.
public final class MS5837Source: SensorSource {
  /// The depth sensor: pressure with temperature, at the rate of the options.
  public let info: SensorInfo
  /// How it reads.
  package let options: MS5837Options
  /// Which of the family answered.
  package let model: MS5837Model
  let address: MS5837Address
  let buses: I2CBuses
  let state: Lock<SourceStatistics>
  /// The memory of the chip that was seen last.
  let memory: Lock<MS5837Memory>

  /// Looks for the chip of an address such as `1`, `/dev/i2c-1` or `1@0x76` (empty = the only bus): resets it and reads
  /// its memory. Throws an error that says what is missing; see `MS5837Options` for the options.
  public convenience init(path: String, options: [String: String]) throws(SensorError) {
    try self.init(path: path, options: try MS5837Options(options), buses: .system)
  }

  init(path: String, options: MS5837Options, buses: I2CBuses) throws(SensorError) {
    let address = try MS5837Address(path, buses: buses)
    let compensation: MS5837Compensation
    do {
      let chip = MS5837Chip(bus: try buses.open(address.path, address.chip), address: address.chip)
      try chip.reset()
      buses.pause(MS5837Chip.resetTime)
      compensation = try chip.compensation(options.model, at: address)
    } catch let error as SystemFailure {
      throw MS5837Problem.failure(error, address, wasThere: false, buses: buses)
    } catch let error as SensorError {
      throw error
    } catch {
      throw SensorError(.system, "The bus failed: \(error).", at: address.place)
    }
    self.options = options
    self.address = address
    self.buses = buses
    model = compensation.model
    memory = Lock(compensation.memory)
    state = Lock(SourceStatistics())
    info = SensorInfo(
      name: "\(compensation.model.name) at \(address)", origin: .hardware, pacing: .live, deviceClass: .module,
      channels: [
        .init(
          kind: .waterPressure, rates: options.rate.map { [$0] } ?? [10, 25, 50, 100], range: compensation.model.range)
      ],
      water: SensorInfo.Water(thermometerTimeConstant: options.thermometerTimeConstant),
      identity: "\(compensation.model.name) \(compensation.memory.text)")
  }

  /// What happened in the runs so far.
  package var statistics: SourceStatistics { state.withLock { $0 } }

  /// The numbers of the I²C buses whose nodes are in a folder (default: those of this computer), ascending. None is searched for a chip: a
  /// byte sent at random may change the settings of another one.
  package static func buses(in folder: String = "/dev") -> [Int] { I2CBuses.numbers(in: folder) }

  /// Delivers samples until the session stops; throws a `SensorError` when the chip is disconnected or fails.
  public func run(_ session: SensorSession) throws {
    var run = MS5837Run(source: self, session: session)
    try run.deliverAll()
  }
}

/// Where a chip is wired: a bus and an address on it.
struct MS5837Address: Sendable, Hashable, CustomStringConvertible {
  /// The node of the bus.
  var path: String
  /// 7 bits. Default 0x76, the family's own; another one stands behind an address translator.
  var chip = standardChip

  static let standardChip: UInt8 = 0x76
  static let folder = "/dev"

  /// From the path of a URI: `1`, `/dev/i2c-1`, either with `@0x77` behind it; empty = the only bus that there is.
  init(_ text: String, buses: I2CBuses) throws(SensorError) {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 {
      let digits = parts[1].lowercased()
      let number = digits.hasPrefix("0x") ? UInt8(digits.dropFirst(2), radix: 16) : UInt8(digits)
      // The rest of the seven bits is reserved by the bus.
      guard let number, (0x08...0x77).contains(number) else {
        throw SensorError(
          .invalidRequest,
          "“\(parts[1])” is not an address on an I²C bus; they range from 0x08 to 0x77, and an MS5837 has 0x76.")
      }
      chip = number
    }
    switch parts[0] {
    case "": path = Self.node(try Self.onlyBus(of: buses))
    case let name where name.hasPrefix("/"): path = String(name)
    case let name:
      guard let number = Int(name), number >= 0 else {
        throw SensorError(
          .invalidRequest,
          "“\(name)” is not an I²C bus: give its number or its node, as in ms5837:1 or ms5837:/dev/i2c-1.")
      }
      path = Self.node(number)
    }
  }

  private static func node(_ number: Int) -> String { "\(folder)/i2c-\(number)" }

  private static func onlyBus(of buses: I2CBuses) throws(SensorError) -> Int {
    let numbers = buses.numbers()
    guard let number = numbers.first else { throw MS5837Problem.noBuses }
    guard numbers.count == 1 else {
      let list = numbers.map(String.init).joined(separator: ", ")
      throw SensorError(
        .invalidRequest, "This computer has the I²C buses \(list): choose one, as in ms5837:\(number).")
    }
    return number
  }

  /// "0x76".
  var chipText: String { "0x" + String(chip, radix: 16) }
  var description: String { "\(chipText) on \(path)" }
  /// For messages about the bus.
  var place: SensorError.Place { SensorError.Place(file: path) }
  /// "1", where the path is a bus of the kernel.
  var busNumber: String { path.split(separator: "-").last.map(String.init) ?? path }
}
