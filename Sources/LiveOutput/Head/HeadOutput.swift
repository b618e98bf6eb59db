// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
package import MotionSensing

/// Sends where a head points to a program that listens for datagrams: opentrack, or one that renders sound.
///
/// Straight ahead is where it points at first, when the headphones are put on again, and at each ``recentre()``. While
/// no samples come the last pose is sent again: a receiver that hears nothing assumes that the tracker has gone.
package final class HeadOutput: LiveOutput {
  private struct State {
    var follower = HeadFollower()
    var sending = ContinuousClock.now
    var sent = 0
    var refused = 0
  }

  private let packet: @Sendable (HeadPose) -> [UInt8]
  private let sender: DatagramSender
  private let state = Lock(State())
  /// Without a sample for so long, the last pose is sent again.
  private static let patience = Duration.milliseconds(200)

  /// Throws one sentence when the host is not found.
  init(host: String, port: UInt16, packet: @escaping @Sendable (HeadPose) -> [UInt8]) throws {
    self.packet = packet
    sender = try DatagramSender(host: host, port: port)
  }

  package var place: String { "UDP to \(sender.place)" }
  package var summary: String {
    state.withLock {
      "\(sender.place): \($0.sent) sent" + ($0.refused > 0 ? ", \($0.refused) refused" : "")
        + "; recentred \($0.follower.recentrings) \($0.follower.recentrings == 1 ? "time" : "times")"
    }
  }

  /// Does nothing: only the pose is sent.
  package func send(
    _ body: [UInt8], on channel: LiveChannel, time: SensorInstant, logTime: SensorInstant
  ) {}

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

  package func stop(grace: Double) {}

  private func send(_ pose: HeadPose, _ state: inout State) {
    state.sending = .now
    if sender.send(packet(pose)) { state.sent += 1 } else { state.refused += 1 }
  }
}

/// Sends datagrams to one place, and never waits: of a pose only the newest is of use.
final class DatagramSender: Sendable {
  /// "127.0.0.1:4242".
  let place: String
  private let descriptor: Int32

  /// Throws one sentence when the host is not found.
  init(host: String, port: UInt16) throws {
    place = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    // unsafe: a list of the system's, freed below.
    var list: UnsafeMutablePointer<addrinfo>?
    let failure = getaddrinfo(host, String(port), &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard failure == 0 else {
      throw SensorError(
        .invalidRequest, "The host “\(host)” is not found: \(String(cString: gai_strerror(failure))).")
    }
    var entry = list
    var error = EADDRNOTAVAIL
    while let candidate = entry {
      let info = candidate.pointee
      let socket = socket(info.ai_family, info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), info.ai_protocol)
      if socket >= 0, connect(socket, info.ai_addr, info.ai_addrlen) == 0 {
        descriptor = socket
        return
      }
      error = errno
      if socket >= 0 { close(socket) }
      entry = info.ai_next
    }
    throw SensorError(.system, "Nothing can be sent to \(place).", errno: error)
  }

  deinit { close(descriptor) }

  /// False when it did not go out: the system's queue is full, or the other end does not listen.
  func send(_ packet: [UInt8]) -> Bool {
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    var sent = Foundation.send(descriptor, packet, packet.count, flags)
    // The error belongs to the datagram before: the other end did not listen then. This one is given its chance.
    if sent < 0, errno == ECONNREFUSED {
      sent = Foundation.send(descriptor, packet, packet.count, flags)
      return false
    }
    return sent == packet.count
  }
}

/// A datagram for opentrack's input “UDP over network”: six little-endian doubles, x, y, z in centimetres, then yaw,
/// pitch, roll in degrees (opentrack/opentrack on GitHub, `tracker-udp`). 48 bytes, usually to port 4242.
///
/// The signs are ours; opentrack has a switch per axis for others. There is no position: x, y, z are 0.
enum OpentrackPacket {
  static func bytes(of pose: HeadPose) -> [UInt8] {
    var packet: [UInt8] = []
    packet.reserveCapacity(48)
    let angles = [pose.yaw, pose.pitch, pose.roll].map { Angle(radians: $0).degrees }
    for value in [0, 0, 0] + angles { packet.append(littleEndian: value.bitPattern) }
    return packet
  }
}

extension [UInt8] {
  mutating func append(bigEndian value: some FixedWidthInteger) { append(littleEndian: value.byteSwapped) }
}
