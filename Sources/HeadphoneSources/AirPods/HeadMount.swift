// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

/// The mounting of a motion sensor on a head: the rotation from the sensor's axes to those of the head.
///
/// A bud sits in the ear at an angle that differs between wearers, and its chip has an unknown angle in the bud. The
/// head's axes are +x to the right ear, +y to the nose, +z up.
package struct HeadMount: Hashable, Sendable {
  /// The sensor's axes (``Chip``) to the head's (``Device``).
  package var rotation: Rotation<Chip, Device>

  /// A mount from its rotation.
  package init(rotation: Rotation<Chip, Device>) { self.rotation = rotation }

  /// The axes of the sensor taken as they are.
  package static let bud = HeadMount(rotation: .identity)

  /// That of one wearer of AirPods Pro 3, measured by a look ahead and a nod: a start, of which ``levelled(at:)`` takes
  /// out most of the difference to another wearer's.
  package static let generic = HeadMount(
    rotation: Rotation(nearUnitW: 0.48419, x: -0.40546, y: -0.75741, z: 0.16581))

  /// The mount turned by the smallest rotation that brings a direction of gravity, seen by the sensor while its wearer
  /// looks straight ahead, to straight down. Nil for a direction that is none.
  package func levelled(at gravity: Vector3<Chip>) -> HeadMount? {
    guard let correction = Rotation<Device, Device>(levelling: rotation * -gravity) else { return nil }
    return HeadMount(rotation: correction * rotation)
  }
}
