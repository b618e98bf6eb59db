// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath
import MotionSensing

/// Turns the reports of a bud into the motion of the head.
///
/// With m the rotation bud → head and q the attitude bud → world: the head's attitude is q · m⁻¹, and rates and
/// accelerations are those of the bud, rotated by m. Gravity follows from the attitude. A bud's azimuth is its own:
/// when the other one begins to send, or the mount changes, a turn about the vertical keeps the published azimuth
/// continuous, and the jump is counted.
struct HeadMotion: Sendable {
  /// How the mount was chosen.
  private(set) var calibration = HeadphoneStatus.Calibration.none
  /// Times that the attitude's reference has jumped.
  private(set) var discontinuities = 0
  private var mount = HeadMount.identity
  private var bud = BudAttitude()
  /// About the vertical: from the bud's world to the published one.
  private var turn = Rotation<NorthWestUp, NorthWestUp>.identity
  private var last: (time: SensorInstant, attitude: Rotation<Device, NorthWestUp>, rate: Double)?
  /// The next report is fitted to the published azimuth.
  private var isJumping = false
  private var levelling: Levelling?

  /// How long a prediction of the azimuth across a jump is worth something.
  private static let prediction = 0.25

  /// Sets the mount of the sensor that sends from now on. A generic one is levelled at the first still second, unless
  /// `isLevelled`.
  mutating func use(_ mount: HeadMount, _ calibration: HeadphoneStatus.Calibration) {
    self.mount = mount
    self.calibration = calibration
    levelling = calibration == .generic ? Levelling() : nil
    jump()
  }

  /// Another sensor sends, or the same one after having been away: its azimuth has nothing to do with the one before. A
  /// generic mount is levelled again.
  mutating func jump() {
    bud.reset()
    if levelling != nil || calibration == .generic { levelling = Levelling() }
    guard last != nil, !isJumping else { return }
    isJumping = true
    discontinuities += 1
  }

  /// The motion of the head.
  mutating func sample(
    of report: MotionReport, at time: SensorInstant, location: MotionRow.Location
  ) -> MotionRow {
    let attitude = bud.update(report)
    let down = attitude.inverse * Vector3<NorthWestUp>(x: 0, y: 0, z: -1)
    if let gravity = levelling?.update(down, rate: report.angularVelocity.length, at: time) {
      levelling = nil
      if let levelled = mount.levelled(at: gravity) {
        mount = levelled
        isJumping = last != nil
        if isJumping { discontinuities += 1 }
      }
    }
    let own = attitude * mount.inverse
    let rate = mount * report.angularVelocity
    if isJumping { align(own, at: time) }
    let head = turn * own
    last = (time, head, (head * rate).z)
    let sign: Double = head.w < 0 ? -1 : 1
    return MotionRow(
      time: time, w: head.w * sign, vector: Vector3(x: head.x, y: head.y, z: head.z) * sign, reference: .xArbitrary,
      angularVelocity: rate,
      // The bud's g stay readings in their unit.
      gravity: head.inverse * Vector3<NorthWestUp>(x: 0, y: 0, z: -1),
      linearAcceleration: mount * report.userAcceleration, accelerationUnit: .reversedGravity,
      location: location)
  }

  /// Turns the bud's world so that the azimuth goes on from where it was.
  private mutating func align(_ own: Rotation<Device, NorthWestUp>, at time: SensorInstant) {
    isJumping = false
    guard let last else { return }
    let passed = (time - last.time).seconds
    let ahead = passed <= Self.prediction ? last.rate * passed : 0
    turn = Rotation(aboutZ: Self.azimuth(of: last.attitude) + ahead - Self.azimuth(of: own))
  }

  /// The azimuth of the nose, rad: Core Motion's yaw, atan2(2(wz − xy), 1 − 2(x² + z²)).
  private static func azimuth(of q: Rotation<Device, NorthWestUp>) -> Double {
    Scalar.atan2(2 * (q.w * q.z - q.x * q.y), 1 - 2 * (q.x * q.x + q.z * q.z))
  }
}

/// Waits for a second of stillness and says where gravity is.
struct Levelling: Sendable {
  /// Seconds.
  static let duration = 1.0
  /// rad/s.
  static let largestRate = 0.1
  /// rad between a direction and the first one of the second.
  static let largestSpread = Angle(degrees: 1.5).radians

  private var start: SensorInstant?
  private var first: Vector3<Chip>?
  private var sum = Vector3<Chip>.zero

  /// Mean direction of gravity over the second that this report completes, bud axes.
  mutating func update(_ gravity: Vector3<Chip>, rate: Double, at time: SensorInstant) -> Vector3<Chip>? {
    if rate >= Self.largestRate { start = nil }
    if let first, first.angle(to: gravity) > Self.largestSpread { start = nil }
    guard let start else {
      (self.start, first, sum) = (time, gravity, gravity)
      return nil
    }
    sum += gravity
    return (time - start).seconds >= Self.duration ? sum.normalized : nil
  }
}

/// The mounting of a motion sensor on a head: the rotation from the sensor's axes to those of the head.
///
/// A bud sits in the ear at an angle that differs between wearers, and its chip has an unknown angle in the bud. The
/// head's axes are +x to the right ear, +y to the nose, +z up.
package typealias HeadMount = Rotation<Chip, Device>

extension HeadMount {
  /// That of one wearer of AirPods Pro 3, measured by a look ahead and a nod: a start, of which ``levelled(at:)`` takes
  /// out most of the difference to another wearer's.
  package static var generic: HeadMount { HeadMount(nearUnitW: 0.48419, x: -0.40546, y: -0.75741, z: 0.16581) }

  /// The mount turned by the smallest rotation that brings a direction of gravity, seen by the sensor while its wearer
  /// looks straight ahead, to straight down. Nil for a direction that is none.
  package func levelled(at gravity: Vector3<Chip>) -> HeadMount? {
    Rotation<Device, Device>(levelling: self * -gravity).map { $0 * self }
  }
}
