// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A udev rule that lets users other than root read motion sensors.
///
/// Each rule is defined next to the errors that ask for it.
package struct UdevRule: Sendable, Hashable {
  /// What it is for, for a person.
  package var purpose: String
  /// The line itself.
  package var text: String
  /// The file that errors name for it; any file there that sorts before `73-seat-late.rules` does.
  package var path: String

  /// A rule from its parts.
  package init(purpose: String, text: String, path: String) {
    (self.purpose, self.text, self.path) = (purpose, text, path)
  }
}
