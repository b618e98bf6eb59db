// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// What can go wrong with a controller, each in a sentence that says what to do.
enum EvdevProblem {
  /// A udev rule that gives motion sensors to the user at the computer. Gamepads have it by themselves; their motion
  /// sensors do not (systemd issue 17691; PERM-3).
  static let rule = #"SUBSYSTEM=="input", ENV{ID_INPUT_ACCELEROMETER}=="1", TAG+="uaccess""#

  /// Where the rule goes: it must sort before 73-seat-late.rules.
  static let rulePath = "/etc/udev/rules.d/60-opencoremotion-controllers.rules"

  static func notPermitted(_ device: ControllerDevice, errno: Int32) -> SensorError {
    .closedNode(
      "the motion of “\(device.controllerName)”", rule: rule, at: rulePath, again: "plug the controller in",
      file: device.node, errno: errno)
  }

  static func disconnected(_ device: ControllerDevice, errno: Int32? = nil) -> SensorError {
    SensorError(
      .disconnected, "The controller “\(device.controllerName)” is not connected; plug it in or switch it on again.",
      at: .init(file: device.node), errno: errno)
  }

  static func noUnit(_ device: ControllerDevice) -> SensorError {
    SensorError(
      .unsupported,
      "The driver of “\(device.controllerName)” does not state how many counts are one g or one degree per second, so its "
        + "values cannot be used; a newer kernel may support it.",
      at: .init(file: device.node))
  }

  /// What a failed system call on a device means.
  static func failure(_ failure: SystemFailure, device: ControllerDevice) -> SensorError {
    switch failure.errno {
    case EACCES, EPERM: notPermitted(device, errno: failure.errno)
    case ENOENT, ENODEV, ENXIO: disconnected(device, errno: failure.errno)
    default:
      .refusal(
        by: "The driver of “\(device.controllerName)”", errno: failure.errno, file: device.node,
        advice: "Plug the controller in again.")
    }
  }
}

extension UdevRule {
  /// For game controllers: the user at the computer may read their motion.
  package static let controllers = UdevRule(
    purpose: "motion sensors of game controllers, for the logged-in user", text: EvdevProblem.rule,
    path: EvdevProblem.rulePath)
}
