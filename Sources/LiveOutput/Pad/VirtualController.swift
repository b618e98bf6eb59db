// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
package import MotionSensing
import Synchronization

/// A virtual DualSense on /dev/uhid: to other programs a controller like any other.
///
/// The kernel's hid-playstation makes a gamepad and a motion sensor of it, which SDL 3 and others read; SDL 2 reads its
/// reports from /dev/hidraw. It has no buttons, lights or motors. When the program ends, however it ends, the kernel
/// unplugs it.
package final class VirtualController: Sendable {
  /// As the reports name it, such as "02:5f:1c:09:ab:33": a locally administered one, which no maker has.
  package let address: String
  private let descriptor: Int32
  private let node: String
  private let features: [UInt8: [UInt8]]
  private let wake = WakeSignal()
  private let hasEnded = Atomic(false)

  /// Opens /dev/uhid; other programs see nothing before ``plugIn()``.
  package init(root: SystemRoot = SystemRoot()) throws(SensorError) {
    try wake.check()
    node = root.nodes + "/uhid"
    descriptor = Glibc.open(node, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    let failure = errno
    let bytes = [0x02] + (0..<5).map { _ in UInt8.random(in: .min ... .max) }
    address = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
    features = DualSense.features(address: bytes)
    guard descriptor >= 0 else { throw PadProblem.failure(failure, file: node) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Appears. The kernel asks for what a DualSense says of itself, which a thread answers until the end.
  package func plugIn() throws(SensorError) {
    try SystemThread.start("virtual pad") { self.answer() }
    try write(
      UHIDEvent.create(
        name: VirtualDevice.controllerName, port: "opencoremotion", unique: address, vendor: DualSense.vendor,
        product: DualSense.product, descriptor: DualSense.descriptor))
  }

  /// Sends an input report. One that comes while the kernel still sets the controller up, or after its end, is not
  /// delivered.
  package func send(_ report: [UInt8]) throws(SensorError) {
    if !hasEnded.load(ordering: .acquiring) { try write(UHIDEvent.input(report)) }
  }

  /// Disappears.
  package func unplug() {
    guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    try? write(UHIDEvent.destroy)
    wake.signal()
  }

  private func write(_ event: [UInt8]) throws(SensorError) {
    while Glibc.write(descriptor, event, event.count) < 0 {
      if errno == EINTR { continue }
      throw PadProblem.failure(errno, file: node)
    }
  }

  private func answer() {
    var bytes = [UInt8](repeating: 0, count: UHIDEvent.maximumBytes)
    while !hasEnded.load(ordering: .acquiring) {
      wake.wait(for: descriptor, limit: -1)
      let count = read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      guard count > 0 else { return }
      if let reply = UHIDEvent.reply(to: bytes[..<count], features: features) { try? write(reply) }
    }
  }
}

/// What keeps a virtual controller from being made, in a sentence that says what to do.
enum PadProblem {
  /// Not among the rules of `motionctl doctor --rule`, which are for reading: who may write here can type, too.
  static let rule = #"KERNEL=="uhid", TAG+="uaccess", OPTIONS+="static_node=uhid""#
  static let rulePath = "/etc/udev/rules.d/60-opencoremotion-pad.rules"

  static func failure(_ errno: Int32, file: String) -> SensorError {
    switch errno {
    case ENOENT, ENODEV, ENXIO:
      SensorError(
        .notFound,
        "The kernel makes no virtual controllers now: load its module (sudo modprobe uhid); a container needs the node as well.",
        at: .init(file: file), errno: errno)
    case EACCES, EPERM:
      SensorError(
        .notPermitted,
        "This program may not make a virtual controller. Run it with sudo; or put this line into \(rulePath): \(rule) and say "
          + "sudo udevadm control --reload && sudo udevadm trigger /dev/uhid. With the line every program of the logged-in user "
          + "can make input devices, keyboards too.",
        at: .init(file: file), errno: errno)
    default: .refusal(by: "The kernel's uhid", errno: errno, file: file)
    }
  }
}
