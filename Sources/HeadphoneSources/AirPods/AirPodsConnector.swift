// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
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

  package func close() { Glibc.close(descriptor) }
}
