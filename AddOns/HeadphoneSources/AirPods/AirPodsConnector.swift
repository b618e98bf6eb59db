// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// Opens the channel to AirPods: a Bluetooth socket, or the simulator of a test.
package protocol AirPodsConnector: Sendable {
  /// Opens a channel to the headphones of an address (`AA:BB:CC:DD:EE:FF`; nil = those that are connected). Blocks
  /// while the radio looks for them, ends early when the session is stopped (`SourceStopped`), and throws a
  /// ``SensorError`` that says what to do.
  func connect(to address: String?, session: SensorSession) throws -> any AirPodsChannel
}

/// An open channel. Each read gives one packet, each write sends one; used by one thread.
package protocol AirPodsChannel: AnyObject {
  /// The address of the headphones at the other end; nil = not known.
  var address: String? { get }
  /// Waits until there is something to read, the session's clock shows `deadline`, or its wake signal comes, whichever
  /// is first.
  func wait(until deadline: SensorInstant, session: SensorSession)
  /// The next packet into `buffer`, without waiting: its length, or nil when there is none. Throws a ``SensorError``
  /// when the channel is closed or broken.
  func read(into buffer: inout [UInt8]) throws(SensorError) -> Int?
  /// Sends one packet.
  func write(_ packet: [UInt8]) throws(SensorError)
  /// Closes the channel; nothing else may be called afterwards.
  func close()
}

/// A channel over a socket that keeps packets apart: L2CAP, or one end of a local pair.
package final class SocketChannel: AirPodsChannel {
  package let address: String?
  private let descriptor: Int32

  /// Owns the descriptor from now on; it must not block.
  package init(descriptor: Int32, address: String?) {
    self.descriptor = descriptor
    self.address = address
  }

  package func wait(until deadline: SensorInstant, session: SensorSession) {
    let left = deadline.nanoseconds == .max ? -1 : max(0, (deadline - session.clock.now).nanoseconds)
    session.wake.wait(for: descriptor, limit: left)
  }

  package func read(into buffer: inout [UInt8]) throws(SensorError) -> Int? {
    while true {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 { return count }
      let failure = errno
      if count == 0 { throw AirPodsProblem.closed }
      switch failure {
      case EINTR: continue
      case EAGAIN: return nil
      default: throw AirPodsProblem.lost(errno: failure)
      }
    }
  }

  package func write(_ packet: [UInt8]) throws(SensorError) {
    while true {
      // Without a signal that would end the program: the peer may be gone.
      let count = send(descriptor, packet, packet.count, Int32(MSG_NOSIGNAL))
      if count >= 0 { return }
      let failure = errno
      guard failure == EINTR else { throw AirPodsProblem.lost(errno: failure) }
    }
  }

  package func close() { MotionSensing.close(descriptor) }
}

/// Opens the channel to AirPods over the kernel's Bluetooth sockets: L2CAP in basic mode on protocol number 0x1001 of
/// the classic link.
///
/// Two options matter, and both come before the connection. The link must be encrypted (security MEDIUM): on one that
/// is not, the buds accept every packet and never send their motion. And packets of up to ``inboundMTU`` bytes must be
/// welcome: the buds announce only services whose description fits. No privilege is needed, but the headphones must be
/// paired with this computer.
///
/// Written from public descriptions of the protocol and tested with simulated AirPods; not tested on hardware.
package struct L2CAPConnector: AirPodsConnector {
  /// The protocol number (PSM) of Apple's accessory protocol.
  package static let protocolNumber: UInt16 = 0x1001
  /// The largest packet that is received, bytes: descriptions of all services fit, and the buds' own limit (2582 seen)
  /// is no more.
  package static let inboundMTU: UInt16 = 2600
  /// How long the radio may look for the headphones; the kernel gives up by itself after 40 s at the latest.
  static let patience = SensorDuration.seconds(45)

  package func connect(to address: String?, session: SensorSession) throws -> any AirPodsChannel {
    let text = try address ?? Self.connectedHeadphones(BlueZ())
    guard let parsed = BluetoothAddress(text) else { throw AirPodsProblem.badAddress(text) }
    let socket = try L2CAPSocket(inboundMTU: Self.inboundMTU)
    do {
      try Self.connect(socket, parsed, session)
    } catch {
      MotionSensing.close(socket.descriptor)
      throw error
    }
    return SocketChannel(descriptor: socket.descriptor, address: parsed.text)
  }

  /// The address of the headphones that are connected to this computer and use the protocol.
  static func connectedHeadphones(_ bluetooth: BlueZ) throws(SensorError) -> String {
    guard bluetooth.isAdapterPresent else { throw AirPodsProblem.noAdapter(errno: nil) }
    return try headphones(of: try bluetooth.inventory())
  }

  /// Of several the first one with a motion sensor, then one of which nothing is known.
  package static func headphones(of inventory: BlueZ.Inventory) throws(SensorError) -> String {
    let speakers = inventory.devices.filter(\.offersAccessoryProtocol)
    let connected = speakers.filter(\.isConnected)
    let tracking = connected.first { $0.model?.hasMotionSensor == true } ?? connected.first { $0.model == nil }
    if let tracking { return tracking.address }
    if let silent = connected.first { throw AirPodsProblem.noneTracks(silent.model?.name ?? silent.name) }
    if !inventory.isPowered { throw AirPodsProblem.noAdapter(errno: nil) }
    throw AirPodsProblem.noneConnected(paired: speakers.contains(where: \.isPaired))
  }

  private static func connect(_ socket: L2CAPSocket, _ address: BluetoothAddress, _ session: SensorSession) throws {
    var failure = socket.connect(to: address.bytes, protocolNumber)
    let end = session.clock.now + patience
    while failure == EINPROGRESS || failure == EINTR {
      if session.isStopped { throw SourceStopped() }
      let left = end - session.clock.now
      guard left > .zero else {
        failure = ETIMEDOUT
        break
      }
      if session.wake.wait(for: socket.descriptor, POLLOUT, limit: left.nanoseconds).isReady {
        failure = socket.pendingError
        break
      }
    }
    guard failure == 0 else { throw AirPodsProblem.connecting(errno: failure, address: address.text) }
    // The kernel has raised the link to the level that was asked for, or the connection would have failed; a controller
    // that cannot encrypt is told here and not by silence.
    if let level = socket.securityLevel, level < L2CAPSocket.medium { throw AirPodsProblem.unencrypted(address.text) }
  }
}

/// The kernel's socket of L2CAP over a classic (BR/EDR) link: non-blocking, closed at exec, the link encrypted.
///
/// The structures come with BlueZ's development files and not with the kernel's headers, so their bytes are written down
/// here from the kernel's own definition, little endian as all computers are that this runs on.
private struct L2CAPSocket {
  /// The security level of an encrypted link; 1 is low, 3 high.
  static let medium: UInt8 = 2
  /// PF_BLUETOOTH; SOL_BLUETOOTH and its BT_SECURITY; SOL_L2CAP and its L2CAP_OPTIONS.
  private static let family: Int32 = 31
  private static let bluetooth = (level: Int32(274), security: Int32(4)), l2cap = (level: Int32(6), options: Int32(1))

  let descriptor: Int32

  /// `inboundMTU`: bytes of the largest packet that is received.
  init(inboundMTU: UInt16) throws(SensorError) {
    let kind = SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    descriptor = socket(Self.family, Int32(kind), 0)
    guard descriptor >= 0 else { throw AirPodsProblem.socket(errno: errno) }
    // struct bt_security: the level, the size of the key.
    let security = [Self.medium, 0]
    // struct l2cap_options, of which only the second number is set: the kernel fills in the others.
    var options = [UInt8](repeating: 0, count: 12)
    var length = socklen_t(options.count)
    guard setsockopt(descriptor, Self.bluetooth.level, Self.bluetooth.security, security, 2) == 0,
      getsockopt(descriptor, Self.l2cap.level, Self.l2cap.options, &options, &length) == 0
    else { throw failed() }
    options.replaceSubrange(2..<4, with: AirPodsCommand.bytes(inboundMTU))
    guard setsockopt(descriptor, Self.l2cap.level, Self.l2cap.options, options, 12) == 0 else { throw failed() }
  }

  private func failed() -> SensorError {
    let number = errno
    close(descriptor)
    return AirPodsProblem.socket(errno: number)
  }

  /// Begins to connect: 0 when connected, EINPROGRESS, or another error number.
  func connect(to address: [UInt8], _ protocolNumber: UInt16) -> Int32 {
    // struct sockaddr_l2: family, protocol number, address (its last byte first), channel, kind of address, padding.
    var peer = AirPodsCommand.bytes(UInt16(Self.family)) + AirPodsCommand.bytes(protocolNumber)
    peer += address.reversed() + [0, 0, 0, 0]
    // unsafe: the bytes of an address, as the call wants them.
    let result = peer.withUnsafeBytes { bytes in
      bytes.baseAddress.map {
        MotionSensing.connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
      } ?? -1
    }
    return result == 0 ? 0 : errno
  }

  /// The error number of a connection that was begun; 0 = none.
  var pendingError: Int32 {
    var (error, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : errno
  }

  /// Nil where the kernel does not say it.
  var securityLevel: UInt8? {
    var security: [UInt8] = [0, 0]
    var length = socklen_t(2)
    let result = getsockopt(descriptor, Self.bluetooth.level, Self.bluetooth.security, &security, &length)
    return result == 0 ? security[0] : nil
  }
}

/// A Bluetooth address, six bytes.
struct BluetoothAddress: Hashable, Sendable {
  /// As written, the first one first.
  let bytes: [UInt8]

  /// From `AA:BB:CC:DD:EE:FF`; nil for anything else.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let bytes = parts.compactMap { $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) ? UInt8($0, radix: 16) : nil }
    guard parts.count == 6, bytes.count == 6 else { return nil }
    self.bytes = bytes
  }

  /// Upper case with colons.
  var text: String {
    bytes.map { byte in
      let text = String(byte, radix: 16, uppercase: true)
      return text.utf8.count == 1 ? "0" + text : text
    }.joined(separator: ":")
  }
}
