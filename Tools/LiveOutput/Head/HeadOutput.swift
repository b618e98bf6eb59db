// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionNetwork
package import MotionSensing

/// Sends where a head points to a program that listens for datagrams: opentrack, or one that renders sound.
///
/// Straight ahead is where it points at first, when the headphones are put on again, and at each ``recentre()``. While
/// no samples come the last pose is sent again: a receiver that hears nothing assumes that the tracker has gone. Of a
/// pose only the newest is of use: nothing waits.
package final class HeadOutput: LiveOutput {
  private struct State {
    var follower = HeadFollower()
    var sending = ContinuousClock.now
    var sent = 0
    var refused = 0
  }

  private let packet: @Sendable (HeadPose) -> [UInt8]
  private let address: ListeningAddress
  private let descriptor: Int32
  private let state = Lock(State())
  /// Without a sample for so long, the last pose is sent again.
  private static let patience = Duration.milliseconds(200)

  /// Throws one sentence when the host is not found.
  init(_ address: ListeningAddress, packet: @escaping @Sendable (HeadPose) -> [UInt8]) throws(SensorError) {
    (self.packet, self.address) = (packet, address)
    descriptor = try Socket.connectDatagrams(address, isNamed: true)
  }

  deinit { close(descriptor) }

  package var place: String { "UDP to \(address.text)" }
  package var summary: String {
    state.withLock {
      "\(address.text): \($0.sent) sent" + ($0.refused > 0 ? ", \($0.refused) refused" : "")
        + "; recentred \($0.follower.recentrings) \($0.follower.recentrings == 1 ? "time" : "times")"
    }
  }

  package func show(_ motion: MotionRow) {
    state.withLock { state in
      if let pose = state.follower.update(motion) { send(pose, &state) }
    }
  }

  package func note(isConnected: Bool) { state.withLock { $0.follower.note(isConnected: isConnected) } }
  package func recentre() { state.withLock { $0.follower.recentre() } }

  package func tick() {
    state.withLock { state in
      guard let pose = state.follower.pose, ContinuousClock.now - state.sending > Self.patience else { return }
      send(pose, &state)
    }
  }

  private func send(_ pose: HeadPose, _ state: inout State) {
    state.sending = .now
    let packet = packet(pose)[...]
    let outcome = Socket.send(descriptor, packet)
    // The error belongs to the datagram before: the other end did not listen then. This one is given its chance.
    if outcome == .failed { _ = Socket.send(descriptor, packet) }
    if outcome == .done(packet.count) { state.sent += 1 } else { state.refused += 1 }
  }
}

/// A datagram for opentrack's input “UDP over network”: six little-endian doubles, x, y, z in centimetres, then yaw,
/// pitch, roll in degrees (opentrack/opentrack on GitHub, `tracker-udp`). 48 bytes, usually to port 4242.
///
/// The signs are ours; opentrack has a switch per axis for others. There is no position: x, y, z are 0.
enum OpentrackPacket {
  static func bytes(of pose: HeadPose) -> [UInt8] {
    var packet: [UInt8] = []
    let angles = [pose.yaw, pose.pitch, pose.roll].map { Angle(radians: $0).degrees }
    for value in [0, 0, 0] + angles { packet.append(littleEndian: value.bitPattern) }
    return packet
  }
}

/// Where a head points: its frame → a level one whose +y was straight ahead when it was last recentred.
///
/// Signs are those of Core Motion's headphones: turn left → yaw +, nod down → pitch −, tilt to the left shoulder → roll
/// −. Axes of the head: +x to the right ear, +y to the nose, +z up. Angles in rad, as ``CMAttitude`` has them (S13).
typealias HeadPose = Rotation<Device, NorthWestUp>

extension HeadPose {
  private var angles: YawPitchRoll { YawPitchRoll(w: w, x: x, y: y, z: z) }
  var yaw: Double { angles.yaw }
  var pitch: Double { angles.pitch }
  var roll: Double { angles.roll }
}

/// From the motion of headphones to the pose that goes out: straight ahead is taken off.
///
/// A pose q becomes Rz(−ψ) · q · r⁻¹ · Rz(ψ) with the reference r and its azimuth ψ: the rotation since the reference,
/// seen from a level frame that faces where the head faced then. So a turn of the head is yaw alone, also where the
/// headphones sit askew and their rest pose is not level (as with most people); r⁻¹ · q, which is what
/// `CMAttitude.multiply(byInverseOf:)` gives, would carry it into pitch and roll.
struct HeadFollower: Sendable {
  private var reference: HeadPose?
  private var wantsReference = true
  private var isWorn = true
  /// The latest pose; held while no samples come.
  private(set) var pose: HeadPose?
  /// How often straight ahead was set.
  private(set) var recentrings = 0

  /// The next sample counts as straight ahead.
  mutating func recentre() { wantsReference = true }

  /// The headphones are put on, or taken off: a head that wears nothing is not followed.
  mutating func note(isConnected: Bool) {
    if isConnected { recentre() }
    isWorn = isConnected
  }

  /// The pose of a sample; nil without a usable attitude, and while they are not worn.
  mutating func update(_ motion: MotionRow) -> HeadPose? {
    let square = motion.w * motion.w + motion.vector.dot(motion.vector)
    guard isWorn, abs(square - 1) < 0.05,
      let attitude = HeadPose(w: motion.w, x: motion.vector.x, y: motion.vector.y, z: motion.vector.z)
    else { return nil }
    if wantsReference {
      (reference, wantsReference) = (attitude, false)
      recentrings += 1
    }
    let facing = Rotation<NorthWestUp, NorthWestUp>(aboutZ: reference?.yaw ?? 0)
    let turned = facing.inverse * (attitude * (reference ?? attitude).inverse) * facing
    pose = turned.relabeled(from: Device.self, to: NorthWestUp.self)
    return pose
  }
}
