// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The guest: Debian's own kernel in qemu, with virtual sensors that tests plug in and out (`Scripts/Guest/README.md`).
enum Guest {
  /// Whether this program runs there.
  static let isHere = ProcessInfo.processInfo.environment["OPENCOREMOTION_GUEST"] != nil

  /// Whether the long tests run too.
  static let isPatient = ProcessInfo.processInfo.environment["KERNEL_TEST_PATIENCE"] == "1"

  /// Whether the user may open the device nodes.
  static let isPrivileged = getuid() == 0

  /// CLOCK_MONOTONIC, s: the clock of time stamps and of the virtual hub.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
  }

  /// Runs a command of the guest and waits for it; its exit status.
  ///
  /// Not Foundation's `Process`: it waits until the last descendant is gone, and the virtual devices stay. And with no
  /// signal blocked, as they are on a dispatch thread: a virtual device must die when it is told to.
  @discardableResult
  static func run(_ command: String) throws -> Int32 {
    var child = pid_t()
    let arguments: [UnsafeMutablePointer<CChar>?] = (["/bin/sh", "-c", command] as [String]).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    guard posix_spawn(&child, "/bin/sh", nil, &attributes, arguments, environ) == 0 else {
      throw Failure(description: "The shell does not start.")
    }
    var status: Int32 = 0
    // A child that was not killed tells its status in the second byte.
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status >> 8 & 0xff
  }

  /// Plugs a sensor hub in that lies face up until `start` and then moves on the known path; waits until its devices
  /// exist.
  static func plugHub(_ sensors: [String], movingFrom start: Double, options: String = "") throws {
    try run(
      "guestctl unplug hub 2>/dev/null; usleep 300000; guestctl plug hub -s \(sensors.joined(separator: ",")) -m \(start) \(options)"
    )
    let names = ["accel": "accel_3d", "gyro": "gyro_3d", "magn": "magn_3d", "press": "press"]
    let wanted = sensors.compactMap { names[$0] }.joined(separator: " ")
    guard try run("guestctl wait \(wanted)") == 0 else { throw Failure(description: "No \(wanted).") }
  }

  static func unplugHub() throws { try run("guestctl unplug hub; usleep 300000") }

  struct Failure: Error, CustomStringConvertible { let description: String }
}

extension Double {
  /// For people.
  func rounded(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}
