// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// What can go wrong with a head tracker, each in a sentence that says what to do.
enum HeadTrackerProblem {
  /// For what has the items of a head tracker in its report descriptor: the page of sensors, the custom sensor, the
  /// rotation. One for all Bluetooth devices, or all of Sony's, would open keyboards and game controllers too.
  static let rule =
    #"SUBSYSTEM=="hidraw", PROGRAM=="/bin/sh -c 'od -An -v -tx1 -w4096 /sys$devpath/device/report_descriptor | grep -q 0[567].20.*0[9ab].e1.*0[ab].44.05'", GROUP="input", MODE="0660", TAG+="uaccess""#

  /// Where the rule goes: it must sort before 73-seat-late.rules.
  static let rulePath = "/etc/udev/rules.d/60-opencoremotion-head-trackers.rules"

  static func noTracker(_ wanted: String, known: [HeadTrackerDevice], root: SystemRoot) -> SensorError {
    let names = known.map { "“\($0.name)”" }.joined(separator: ", ")
    return SensorError(
      .notFound,
      "There is no head tracker\(wanted.isEmpty ? "" : " “\(wanted)”"); "
        + (names.isEmpty ? "connect headphones that have one (bluetoothctl connect ADDRESS)." : "there are \(names)."),
      at: .init(file: root.hidDevices))
  }

  /// The kernel's sensor hub holds the device, and what it could pass it on with, hid-sensor-custom, frees what is behind
  /// its node while programs have it open, which has brought the kernel down when headphones went.
  static func closed(_ device: HeadTrackerDevice) -> SensorError {
    SensorError(
      .busy,
      "The kernel driver hid_sensor_hub uses the head tracker “\(device.name)”, so it has no hidraw node. Switch that driver off (echo "
        + "\"blacklist hid_sensor_hub\" | sudo tee /etc/modprobe.d/opencoremotion-head-trackers.conf) and restart the computer; "
        + "sensors of the computer itself that need the driver rest until the line is removed.",
      at: .init(file: device.kernelName))
  }

  static func notPermitted(_ device: HeadTrackerDevice, path: String, errno: Int32) -> SensorError {
    .closedNode(
      "the head tracker “\(device.name)”", rule: rule, at: rulePath, again: "connect the headphones", file: path,
      errno: errno)
  }

  static func busy(_ device: HeadTrackerDevice) -> SensorError {
    SensorError(
      .busy, "Another program uses the head tracker “\(device.name)”; end it.",
      at: device.node.map { .init(file: $0) },
      errno: EBUSY)
  }

  static func otherProtocol(_ device: HeadTrackerDevice, text: String) -> SensorError {
    SensorError(
      .unsupported,
      "“\(device.name)” looks like a head tracker, but its protocol is “\(text)”; this version supports "
        + "#AndroidHeadTracker#1.x and #2.x.",
      at: device.node.map { .init(file: $0) })
  }

  /// The reports contradict themselves where the rotation is read the wrong way round.
  static func otherDirection(_ chosen: HeadTrackerOptions.Direction) -> SensorError {
    let other = HeadTrackerOptions.Direction.allCases.first { $0 != chosen } ?? chosen
    return SensorError(
      .malformed,
      "By the head tracker's rates its rotation has the opposite direction, so the head turns the wrong way: open it with "
        + "headtracker:?direction=\(other.rawValue), and please tell this project which headphones they are.")
  }

  /// What a failed system call means; nil = the device was disconnected, which is not an error of a source that waits
  /// for it.
  static func failure(
    _ failure: SystemFailure, _ device: HeadTrackerDevice, path: String
  ) -> SensorError? {
    switch failure.errno {
    case EACCES, EPERM, EROFS: notPermitted(device, path: path, errno: failure.errno)
    case ENOENT, ENODEV, ENXIO, EPIPE: nil
    case EBUSY: busy(device)
    default:
      .refusal(
        by: "The head tracker “\(device.name)”", errno: failure.errno, file: path,
        advice: "Connect the headphones again.")
    }
  }
}

extension UdevRule {
  /// For head trackers.
  package static let headTrackers = UdevRule(
    purpose: "head trackers in headphones, for the logged-in user and the group input",
    text: HeadTrackerProblem.rule, path: HeadTrackerProblem.rulePath)
}
