// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

/// Where a head points: an attitude that is finite and of length one, by its type.
///
/// Signs are those of Core Motion's headphones: turn left → yaw +, nod down → pitch −, tilt to the left shoulder → roll
/// −. Axes of the head: +x to the right ear, +y to the nose, +z up.
package struct HeadPose: Hashable, Sendable {
  /// Head → a level frame whose +y was straight ahead when the pose was last recentred.
  package var attitude: Rotation<Device, NorthWestUp>

  package init(_ attitude: Rotation<Device, NorthWestUp>) { self.attitude = attitude }

  /// About the vertical, then about the ears, then about the nose; rad. Angles that are not finite count as 0.
  package init(yaw: Double, pitch: Double, roll: Double) {
    func turn(_ angle: Double, _ axis: Vector3<NorthWestUp>) -> Rotation<NorthWestUp, NorthWestUp> {
      Rotation(rotationVector: axis * (angle.isFinite ? angle : 0))
    }
    let turned =
      turn(yaw, .init(x: 0, y: 0, z: 1)) * turn(pitch, .init(x: 1, y: 0, z: 0)) * turn(roll, .init(x: 0, y: 1, z: 0))
    attitude = turned.relabeled(from: Device.self, to: NorthWestUp.self)
  }

  // S13, as ``CMAttitude``.

  private var angles: YawPitchRoll { YawPitchRoll(w: attitude.w, x: attitude.x, y: attitude.y, z: attitude.z) }
  /// Rad, −π…π, turned to the left +.
  package var yaw: Double { angles.yaw }
  /// Rad, −π/2…π/2, nose up +.
  package var pitch: Double { angles.pitch }
  /// Rad, −π…π, tilted to the right shoulder +.
  package var roll: Double { angles.roll }

  /// The same attitude in the frame of ambisonics, +x to the nose, +y to the left ear, +z up: (x, y, z, w) → (y, −x, z,
  /// w).
  var ambisonic: (w: Double, x: Double, y: Double, z: Double) {
    (attitude.w, attitude.y, -attitude.x, attitude.z)
  }
}

/// One of the three angles of a head, for options.
package enum HeadAngle: String, CaseIterable, Sendable {
  case yaw, pitch, roll

  package func value(of pose: HeadPose) -> Double {
    switch self {
    case .yaw: pose.yaw
    case .pitch: pose.pitch
    case .roll: pose.roll
    }
  }
}

/// Which angle goes out as which, and with which sign: `--axis-map yaw,-roll,pitch`, `--invert yaw,roll`.
///
/// Programs that receive a head's angles do not agree about signs. It works on angles, not on axes: an odd number of
/// inverted angles is no change of axes.
package struct AngleMap: Hashable, Sendable {
  private struct Part: Hashable, Sendable {
    var angle: HeadAngle
    var isInverted: Bool
  }
  /// What goes out as yaw, as pitch and as roll.
  private var parts: [Part]

  /// Every angle as it is.
  package static let identity = AngleMap(parts: HeadAngle.allCases.map { Part(angle: $0, isInverted: false) })

  private init(parts: [Part]) { self.parts = parts }

  /// `yaw,-roll,pitch`: three different angles, each with a minus where it is to be inverted.
  package init?(argument: String) {
    parts = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      let isInverted = word.hasPrefix("-")
      guard let angle = HeadAngle(rawValue: String(isInverted ? word.dropFirst() : word).lowercased()) else {
        return nil
      }
      parts.append(Part(angle: angle, isInverted: isInverted))
    }
    guard parts.count == 3, Set(parts.map(\.angle)).count == 3 else { return nil }
  }

  package var defaultValueDescription: String { "yaw,pitch,roll" }

  /// The same with these outgoing angles inverted.
  package func inverting(_ angles: AngleList) -> AngleMap {
    var map = self
    for (index, angle) in HeadAngle.allCases.enumerated() where angles.angles.contains(angle) {
      map.parts[index].isInverted.toggle()
    }
    return map
  }

  package func applied(to pose: HeadPose) -> HeadPose {
    // The way over angles and back would cost the last digits.
    guard self != .identity else { return pose }
    let values = parts.map { $0.angle.value(of: pose) * ($0.isInverted ? -1 : 1) }
    return HeadPose(yaw: values[0], pitch: values[1], roll: values[2])
  }
}

/// `yaw,roll`: some of the three angles.
package struct AngleList: Hashable, Sendable {
  package var angles: Set<HeadAngle>

  package init?(argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    let known = words.compactMap { HeadAngle(rawValue: $0.lowercased()) }
    guard known.count == words.count, Set(known).count == known.count else { return nil }
    angles = Set(known)
  }
}
