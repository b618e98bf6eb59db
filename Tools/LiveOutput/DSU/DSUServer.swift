// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
package import MotionNetwork
package import MotionSensing

/// A DSU server ("cemuhook"): the motion of one controller for emulators of game consoles on this computer, UDP port
/// 26760.
///
/// It has no thread of its own: requests are read and answered whenever a state of motion comes, which is a hundred
/// times a second. A client receives motion for five seconds after each of its requests, as the protocol wants it. All
/// receive every state; a client that asks again keeps its place, also while others flood the server with requests.
package final class DSUServer: LiveOutput {
  /// The protocol's own default.
  package static let defaultPort: UInt16 = 26760
  /// ns for which a request holds.
  private static let patience: Int64 = 5_000_000_000
  /// Requests that are read at one state of motion: more than all clients send, and fewer than wait at the socket (some
  /// 270 of them, then the system drops new ones).
  private static let requestLimit = 128

  private struct State {
    var clients = DSUClients()
    var clientsSoFar = 0
    var sent = 0
    var refused = 0
    /// Requests for motion when there was no place.
    var turnedAway = 0
  }

  /// Where it listens, the port filled in.
  package let address: ListeningAddress
  package var place: String { "UDP at \(address.text)" }
  private let descriptor: Int32
  private let number = UInt32.random(in: .min ... .max)
  private let state = Lock(State())
  private let now: @Sendable () -> Int64

  /// Listens at once, for programs of this computer; port 0 = the system chooses one.
  package convenience init(port: UInt16 = defaultPort) throws(SensorError) {
    try self.init(port: port) { motion_monotonic_nanoseconds() }
  }

  /// `now`: ns of a monotonic clock.
  init(port: UInt16, now: @escaping @Sendable () -> Int64) throws(SensorError) {
    self.now = now
    let (descriptor, port) = try Socket.bound(ListeningAddress(port: port), SOCK_DGRAM)
    self.descriptor = descriptor
    address = ListeningAddress(port: port)
  }

  deinit { close(descriptor) }

  package func show(_ motion: MotionRow) {
    state.withLock { state in
      let now = now()
      // Where there are more requests than are read, that of a client may be among those that were dropped.
      let isFlooded = !answer(now, &state)
      if !isFlooded { state.clients.forget(before: now) }
      state.clients.count { peer, count in
        if Socket.send(descriptor, DSUPacket.data(motion, count: count, server: number), to: peer) { state.sent += 1 }
      }
    }
  }

  package var summary: String {
    state.withLock {
      "\($0.clientsSoFar) \($0.clientsSoFar == 1 ? "client" : "clients") so far, packets sent: \($0.sent), invalid packets: \($0.refused)"
        + ($0.turnedAway == 0 ? "" : ", requests beyond \(DSUClients.limit) clients at once: \($0.turnedAway)")
    }
  }

  /// False when there are more requests than were read.
  private func answer(_ now: Int64, _ state: inout State) -> Bool {
    for _ in 0..<Self.requestLimit {
      guard let (bytes, peer) = Socket.receive(descriptor) else { return true }
      switch DSUPacket.request(bytes) {
      case .version: _ = Socket.send(descriptor, DSUPacket.versionReply(server: number), to: peer)
      case .slots(let slots):
        for slot in slots { _ = Socket.send(descriptor, DSUPacket.slotReply(slot, server: number), to: peer) }
      case .data:
        switch state.clients.renew(peer, until: now + Self.patience) {
        case .known: break
        case .new: state.clientsSoFar += 1
        case .refused: state.turnedAway += 1
        }
      case .otherData: break
      case nil: state.refused += 1
      }
    }
    return false
  }
}

/// Who receives motion. Computers share the places: one that has taken all of them does not keep out another.
struct DSUClients {
  /// As many are served in about a tenth of the time between two states of motion.
  static let limit = 256

  enum Outcome { case known, new, refused }

  private var clients: [Socket.Peer: (deadline: Int64, count: UInt32)] = [:]

  /// Where all places are taken, a new client gets the place of the one whose request is the oldest of the computer that
  /// has the most, if it has more than that of the new one.
  mutating func renew(_ peer: Socket.Peer, until deadline: Int64) -> Outcome {
    if clients[peer] != nil {
      clients[peer]?.deadline = deadline
      return .known
    }
    if clients.count >= Self.limit {
      let computers = Dictionary(grouping: clients.keys, by: \.host)
      let own = computers[peer.host]?.count ?? 0
      guard let most = computers.values.max(by: { $0.count < $1.count }), most.count > own + 1,
        let oldest = most.min(by: { clients[$0]?.deadline ?? 0 < clients[$1]?.deadline ?? 0 })
      else { return .refused }
      clients[oldest] = nil
    }
    clients[peer] = (deadline, 0)
    return .new
  }

  mutating func forget(before now: Int64) { clients = clients.filter { $0.value.deadline > now } }

  /// Calls `body` with each client and the number of its next packet.
  mutating func count(_ body: (Socket.Peer, UInt32) -> Void) {
    for (peer, client) in clients {
      body(peer, client.count)
      clients[peer]?.count &+= 1
    }
  }
}
