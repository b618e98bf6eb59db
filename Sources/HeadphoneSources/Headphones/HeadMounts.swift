// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// Finds the calibrated mounts of the wearer for a source of head motion: a look-up, so the driver does not depend on
/// files.
///
/// ```swift
/// let mounts = HeadMounts { key in key.side == .headphoneLeft ? folder.mount(of: key.address) : nil }
/// ```
///
/// It is asked on the source's thread, at the beginning of a stream and whenever another bud becomes active.
package struct HeadMounts: Sendable {
  /// Which sensor is meant.
  package struct Key: Hashable, Sendable {
    /// The address of the headphones, upper case with colons; nil = not known.
    package var address: String?
    /// The serial number of the active bud; nil = not known.
    package var serial: String?
    /// The active side; `.device` = not known, or a headband.
    package var side: FusedMotionSample.Location
    /// What they are; nil = not known.
    package var model: String?

    /// A key; leave out what is not known.
    package init(
      address: String? = nil, serial: String? = nil, side: FusedMotionSample.Location = .device, model: String? = nil
    ) {
      self.address = address
      self.serial = serial
      self.side = side
      self.model = model
    }
  }

  private let find: @Sendable (Key) -> HeadMount?

  /// A look-up; nil = there is no mount for this sensor.
  package init(_ find: @escaping @Sendable (Key) -> HeadMount?) { self.find = find }

  /// No mounts.
  package static let none = HeadMounts { _ in nil }

  /// The mount of a sensor, if its wearer has measured it.
  package func mount(of key: Key) -> HeadMount? { find(key) }
}
