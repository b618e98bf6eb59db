// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// An open I²C bus: two wires on which a master writes bytes to a chip and reads bytes from it, by the chip's 7-bit address.
protocol I2CBus: Sendable {
  /// Writes `bytes`, then reads `count` bytes, in one transaction; either may be none.
  func transfer(_ bytes: [UInt8], reading count: Int, address: UInt8) throws(SystemFailure) -> [UInt8]
}

/// Where buses come from; tests put their own in the place of the system's.
struct I2CBuses: Sendable {
  /// Opens a bus for one chip: its path, such as `/dev/i2c-1`, and the chip's address.
  var open: @Sendable (_ path: String, _ address: UInt8) throws(SystemFailure) -> any I2CBus = Self.openNode
  /// The numbers of the buses that there are, ascending.
  var numbers: @Sendable () -> [Int] = { Self.numbers(in: "/dev") }
  /// Lets a moment of real time pass where no session gives the time yet.
  var pause: @Sendable (SensorDuration) -> Void = Self.sleep

  /// The system's own.
  static let system = I2CBuses()

  /// The numbers of the nodes `i2c-N` in a folder, ascending.
  static func numbers(in folder: String) -> [Int] {
    SystemFiles.system.list(folder).compactMap { $0.hasPrefix("i2c-") ? Int($0.dropFirst(4)) : nil }.sorted()
  }

  private static func openNode(_ path: String, _ address: UInt8) throws(SystemFailure) -> any I2CBus {
    try LinuxI2CBus(path: path, address: address)
  }

  private static func sleep(_ duration: SensorDuration) { _ = WakeSignal().wait(limit: duration) }
}
