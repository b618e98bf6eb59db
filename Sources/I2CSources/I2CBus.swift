// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CLinuxInput
import Glibc
import LinuxSystem
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

/// A bus of the kernel: `/dev/i2c-N` of the module i2c-dev.
///
/// A chip that a kernel driver uses is refused with `EBUSY`: two masters of one chip would read each other's
/// conversions.
final class LinuxI2CBus: I2CBus {
  private let descriptor: Int32

  init(path: String, address: UInt8) throws(SystemFailure) {
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFailure(errno: errno) }
    let problem = motion_i2c_select(descriptor, UInt16(address))
    guard problem == 0 else {
      close(descriptor)
      throw SystemFailure(errno: problem)
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  func transfer(_ bytes: [UInt8], reading count: Int, address: UInt8) throws(SystemFailure) -> [UInt8] {
    guard let written = UInt16(exactly: bytes.count), let read = UInt16(exactly: count) else {
      throw SystemFailure(errno: EINVAL)
    }
    var answer = [UInt8](repeating: 0, count: count)
    var problem: Int32
    repeat {
      problem = motion_i2c_transfer(descriptor, UInt16(address), bytes, written, &answer, read)
    } while problem == EINTR
    // Here it is the wires that are busy, with another master or a chip that holds them down; no driver has the chip.
    if problem == EBUSY { problem = EAGAIN }
    guard problem == 0 else { throw SystemFailure(errno: problem) }
    return answer
  }
}
