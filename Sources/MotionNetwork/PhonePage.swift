// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A source that waits for the browser of a phone: what a person has to open there, and what is still missing.
package protocol PhonePage: Sendable {
  /// Nil while the source does not run.
  var phone: PhonePageStatus? { get }
}

/// What to tell a person who wants to use a phone as the sensor.
package struct PhonePageStatus: Sendable, Hashable {
  /// Of the page, with its token.
  package var address: String
  /// What has to happen before samples come, a sentence; nil while they come.
  package var waiting: String?

  package init(address: String, waiting: String?) { (self.address, self.waiting) = (address, waiting) }
}
