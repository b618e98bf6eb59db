// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CLinuxInput
import Glibc

/// A bus of the kernel: `/dev/i2c-N` of the module i2c-dev.
///
/// A chip that a driver of the kernel holds is refused with `EBUSY`: two masters of one chip read each other's conversions.
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
