// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A udev rule that lets users other than root read motion sensors.
///
/// The texts are next to the errors that request them; other code finds them here.
package struct UdevRule: Sendable, Hashable {
  /// What it is for, for a person.
  package var purpose: String
  /// The line itself.
  package var text: String
  /// The file that errors name for it; any file there that sorts before `73-seat-late.rules` does.
  package var path: String

  /// For the buffers of IIO devices: members of the group `iio` may use them.
  package static let sensors = UdevRule(
    purpose: "buffered reading of this computer's own sensors, for the group iio", text: IIOProblem.rule,
    path: IIOProblem.rulePath)

  /// For game controllers: the user at the computer may read their motion.
  package static let controllers = UdevRule(
    purpose: "motion sensors of game controllers, for the logged-in user", text: EvdevProblem.rule,
    path: EvdevProblem.rulePath)

  /// For head trackers that the kernel's driver hid-sensor-custom passes on.
  package static let headTrackers = UdevRule(
    purpose: "head trackers in headphones, for the logged-in user and the group input",
    text: HeadTrackerProblem.rule, path: HeadTrackerProblem.rulePath)

  /// For head trackers with a node of their own.
  package static let rawHeadTrackers = UdevRule(
    purpose: "head trackers in Sony's headphones if hid_sensor_hub is not loaded", text: HeadTrackerProblem.rawRule,
    path: HeadTrackerProblem.rulePath)

  /// All of them.
  package static var all: [UdevRule] { [sensors, controllers, headTrackers, rawHeadTrackers] }
}
