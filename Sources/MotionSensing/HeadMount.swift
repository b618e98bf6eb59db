// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

/// The mounting of a motion sensor on a head: the rotation from the sensor's axes to those of the head.
///
/// A bud sits in the ear at an angle that differs between wearers, and its chip has an unknown angle in the bud. The
/// head's axes are +x to the right ear, +y to the nose, +z up. Two directions of gravity, measured by the bud,
/// determine all three: one while looking straight ahead, one with the chin lowered. The first gives the head's z; the
/// nod turns about the line through the ears, so the cross product of the two gives x. Turning about the vertical
/// changes neither, so the heading need not be kept.
package struct HeadMount: Hashable, Sendable {
  /// The sensor's axes (``Chip``) to the head's (``Device``).
  package var rotation: Rotation<Chip, Device>
  /// How far the chin was lowered when it was measured, rad; nil = not measured by a nod.
  package var nodAngle: Double?
  /// How far the directions of gravity scattered while the head was held still, rad, the larger of the poses; nil = not
  /// measured.
  package var spread: Double?

  /// A mount from its rotation and, where it was measured, its quality.
  package init(rotation: Rotation<Chip, Device>, nodAngle: Double? = nil, spread: Double? = nil) {
    self.rotation = rotation
    self.nodAngle = nodAngle
    self.spread = spread
  }

  /// The mount of directions of gravity (downwards, any length) in the sensor's axes: looking straight `ahead`, with
  /// the chin `lowered` and, if there is one, with the chin `raised`, which doubles the lever arm. Nil when the poses
  /// do not differ.
  ///
  /// z = −ahead, x = lowered × z (or raised × lowered, made perpendicular to z), y = z × x, each of length one: the
  /// rows of the matrix.
  package init?(ahead: Vector3<Chip>, lowered: Vector3<Chip>, raised: Vector3<Chip>? = nil, spread: Double? = nil) {
    guard let z = (-ahead).normalized else { return nil }
    let across = (raised ?? z).cross(lowered) * (raised == nil ? -1 : 1)
    // A hundredth of the vectors' lengths is a nod of half a degree.
    guard across.length > 0.01 * lowered.length * (raised?.length ?? 1),
      let x = (across - z * across.dot(z)).normalized
    else { return nil }
    let y = z.cross(x)
    guard let rotation = Rotation<Chip, Device>(matrix: Matrix3(x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z))
    else { return nil }
    self.init(rotation: rotation, nodAngle: ahead.angle(to: lowered), spread: spread)
  }

  /// The axes of the sensor taken as they are.
  package static let bud = HeadMount(rotation: .identity)

  /// That of one wearer of AirPods Pro 3, measured by look and nod: where nothing better is known it is a start, and
  /// ``levelled(at:)`` takes out most of the difference.
  package static let generic = HeadMount(
    rotation: Rotation(nearUnitW: 0.48419, x: -0.40546, y: -0.75741, z: 0.16581))

  /// The mount turned by the smallest rotation that brings a direction of gravity, seen by the sensor while its wearer
  /// looks straight ahead, to straight down. Nil for a direction that is none.
  package func levelled(at gravity: Vector3<Chip>) -> HeadMount? {
    guard let correction = Rotation<Device, Device>(levelling: rotation * -gravity) else { return nil }
    return HeadMount(rotation: correction * rotation, nodAngle: nodAngle, spread: spread)
  }

  /// The mount in the middle of this one and another one, for two nods in a row.
  package func averaged(with other: HeadMount) -> HeadMount {
    HeadMount(
      rotation: rotation.interpolated(to: other.rotation, fraction: 0.5), nodAngle: nodAngle ?? other.nodAngle,
      spread: [spread, other.spread].compactMap(\.self).max())
  }
}
