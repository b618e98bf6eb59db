// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing

/// Where poses go: what stands behind `--to`.
///
/// `opentrack`, `freepie`, `osc:TARGET` or `osc:/ADDRESS token…`, each with an optional `@HOST`, `@HOST:PORT` or
/// `@:PORT`; and `ndjson`, which goes to standard output.
package struct HeadOutput: Hashable, Sendable {
  /// The form of a datagram.
  package enum Format: Hashable, Sendable {
    case opentrack, freePIE
    case osc(OSCTarget)
    case ndjson
  }

  /// As the person wrote it.
  package let name: String
  package let format: Format
  /// Nil = that of `--host`.
  package let host: String?
  /// Nil = that of `--port`, or the format's own.
  package let port: UInt16?

  package init?(argument: String) {
    name = argument
    var text = Substring(argument)
    var (host, port): (String?, UInt16?)
    if let at = text.lastIndex(of: "@") {
      guard let place = Self.place(text[text.index(after: at)...]) else { return nil }
      (host, port) = place
      text = text[..<at]
    }
    while text.last == " " { text.removeLast() }
    switch text.lowercased() {
    case "opentrack": format = .opentrack
    case "freepie": format = .freePIE
    case "ndjson":
      guard host == nil, port == nil else { return nil }
      format = .ndjson
    case let other where other.hasPrefix("osc:"):
      guard let target = OSCTarget(String(text.dropFirst(4))) else { return nil }
      format = .osc(target)
    default: return nil
    }
    (self.host, self.port) = (host, port)
  }

  /// `HOST`, `HOST:PORT`, `:PORT`, and an address of IPv6 in brackets.
  private static func place(_ text: Substring) -> (String?, UInt16?)? {
    guard let match = text.wholeMatch(of: /(\[[0-9A-Fa-f:.%a-z]+\]|[A-Za-z0-9._-]*)(?::([0-9]{1,5}))?/) else {
      return nil
    }
    var host = match.1
    if host.hasPrefix("[") { host = host.dropFirst().dropLast() }
    var port: UInt16?
    if let digits = match.2 {
      guard let number = UInt16(digits), number > 0 else { return nil }
      port = number
    }
    guard !host.isEmpty || port != nil else { return nil }
    return (host.isEmpty ? nil : String(host), port)
  }

  /// Whether it is sent over the network.
  package var isNetwork: Bool { format != .ndjson }

  /// The port where such a program listens; 0 for what is not sent.
  package var usualPort: UInt16 {
    switch format {
    case .opentrack: 4242
    case .freePIE: 5555
    case .osc(let target): target.port
    case .ndjson: 0
    }
  }

  /// The datagram of a pose; empty for what is not sent.
  func packet(of pose: HeadPose) -> [UInt8] {
    switch format {
    case .opentrack: OpentrackPacket.bytes(of: pose)
    case .freePIE: FreePIEPacket.bytes(of: pose)
    case .osc(let target): target.message(of: pose).bytes
    case .ndjson: []
    }
  }
}

/// An output and the place where its datagrams go, with what became of them.
package final class HeadSender: Sendable {
  package let output: HeadOutput
  private let sender: DatagramSender
  private let tally = Lock((sent: 0, lost: 0))

  /// Datagrams that went out, and that did not.
  package var counts: (sent: Int, lost: Int) { tally.withLock { $0 } }
  /// "127.0.0.1:4242".
  package var place: String { sender.place }

  package init(output: HeadOutput, sender: DatagramSender) {
    self.output = output
    self.sender = sender
  }

  package func send(_ pose: HeadPose) {
    let isSent = sender.send(output.packet(of: pose))
    tally.withLock { counts in
      if isSent { counts.sent += 1 } else { counts.lost += 1 }
    }
  }
}

/// Sends datagrams to one place, and never waits: of a pose only the newest is of use.
package final class DatagramSender: Sendable {
  /// "127.0.0.1:4242".
  package let place: String
  private let descriptor: Int32

  /// Throws one sentence when the host is not found.
  package init(host: String, port: UInt16) throws {
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
  package func send(_ packet: [UInt8]) -> Bool {
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

/// A datagram for opentrack's input “FreePIE UDP receiver” (opentrack/opentrack on GitHub, `tracker-freepie-udp`): a
/// byte that is skipped, a byte that says what follows, and twelve little-endian floats. 50 bytes, usually to port
/// 5555.
///
/// With flags 2, orientation alone, floats 0…2 are yaw, pitch and roll in radians; the others are 0.
enum FreePIEPacket {
  private static let orientationOnly: UInt8 = 2

  static func bytes(of pose: HeadPose) -> [UInt8] {
    var packet: [UInt8] = [0, orientationOnly]
    packet.reserveCapacity(50)
    let angles = [pose.yaw, pose.pitch, pose.roll].map(Float.init)
    for value in angles + Array(repeating: 0, count: 9) { packet.append(littleEndian: value.bitPattern) }
    return packet
  }
}

extension [UInt8] {
  mutating func append(bigEndian value: some FixedWidthInteger) { append(littleEndian: value.byteSwapped) }
}
