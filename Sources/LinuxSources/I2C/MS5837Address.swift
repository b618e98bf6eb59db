// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

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
          .invalidRequest, "“\(parts[1])” is no address on an I²C bus; there are 0x08 to 0x77, and an MS5837 has 0x76.")
      }
      chip = number
    }
    switch parts[0] {
    case "": path = Self.node(try Self.onlyBus(of: buses))
    case let name where name.hasPrefix("/"): path = String(name)
    case let name:
      guard let number = Int(name), number >= 0 else {
        throw SensorError(
          .invalidRequest, "“\(name)” is no I²C bus: give its number or its node, as in ms5837:1 or ms5837:/dev/i2c-1.")
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
        .invalidRequest, "This computer has the I²C buses \(list): say which, as in ms5837:\(number).")
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
