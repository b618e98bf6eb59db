// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionNetwork
package import MotionSensing

/// A DSU server ("cemuhook"): the motion of one controller for emulators of game consoles on this computer, UDP port
/// 26760.
///
/// Requests are read on a thread of their own, and whenever a state of motion comes. A client receives motion for five
/// seconds after each of its requests, as the protocol wants it. All receive every state, also while others flood the
/// server with requests (``DSUClients``).
package final class DSUServer: LiveOutput {
  /// The protocol's own default.
  package static let defaultPort: UInt16 = 26760
  /// ns for which a request holds.
  private static let patience: Int64 = 5_000_000_000
  /// Requests that are read at once: fewer than wait at the socket (some 270 of them, then the system drops new ones).
  private static let requestLimit = 128

  private struct State {
    var clients = DSUClients()
    var clientsSoFar = 0
    var sent = 0
    var refused = 0
    /// Until then the request of a client may be missing: there were more than are read at once, and some were dropped.
    var floodEnd = Int64.min
  }

  /// Where it listens, the port filled in.
  package let address: ListeningAddress
  package var place: String { "UDP at \(address.text)" }
  private let descriptor: Int32
  private let end = WakeSignal()
  private let number = UInt32.random(in: .min ... .max)
  private let state = Lock(State())
  private let now: @Sendable () -> Int64

  /// Listens at once, for programs of this computer; port 0 = the system chooses one. `now`: ns of a monotonic clock.
  package init(
    port: UInt16 = defaultPort, now: @escaping @Sendable () -> Int64 = { MonotonicClock().now.nanoseconds }
  ) throws(SensorError) {
    self.now = now
    let (descriptor, port) = try Socket.bound(ListeningAddress(port: port), SOCK_DGRAM)
    self.descriptor = descriptor
    address = ListeningAddress(port: port)
    try SystemThread.start("motion DSU") { [weak self, end] in
      while !end.wait(for: descriptor, limit: -1).isSignalled, let self {
        self.state.withLock { self.answer(self.now(), &$0) }
        // Under a flood the states of motion have their turn.
        usleep(500)
      }
      close(descriptor)
    }
  }

  deinit { end.signal() }

  package func show(_ motion: MotionRow) {
    state.withLock { state in
      let now = now()
      answer(now, &state)
      if now >= state.floodEnd { state.clients.forget(before: now) }
      state.clients.count { peer, count in
        if Socket.send(descriptor, DSUPacket.data(motion, count: count, server: number), to: peer) { state.sent += 1 }
      }
    }
  }

  package var summary: String {
    state.withLock {
      "\($0.clientsSoFar) \($0.clientsSoFar == 1 ? "client" : "clients") so far, packets sent: \($0.sent), invalid packets: \($0.refused)"
        + ($0.clients.replaced == 0 ? "" : ", replaced beyond \(DSUClients.limit) at once: \($0.clients.replaced)")
    }
  }

  private func answer(_ now: Int64, _ state: inout State) {
    for _ in 0..<Self.requestLimit {
      guard let (bytes, peer) = Socket.receive(descriptor) else { return }
      switch DSUPacket.request(bytes) {
      case .version: _ = Socket.send(descriptor, DSUPacket.versionReply(server: number), to: peer)
      case .slots(let slots):
        for slot in slots { _ = Socket.send(descriptor, DSUPacket.slotReply(slot, server: number), to: peer) }
      case .data:
        if state.clients.renew(peer, until: now + Self.patience) { state.clientsSoFar += 1 }
      case .otherData: break
      case nil: state.refused += 1
      }
    }
    state.floodEnd = now + Self.patience
  }
}

/// Which clients receive motion, in the order in which they came. Computers, and the programs of one, share the places:
/// those that take all of them keep out no new client, and take no place of one that was there before.
struct DSUClients {
  /// As many are served in about a tenth of the time between two states of motion.
  static let limit = 256
  /// ns; the protocol's clients ask again after a second or more.
  private static let haste: Int64 = 250_000_000

  private struct Client {
    let peer: Socket.Peer
    var deadline: Int64
    var isHasty = false
    var count: UInt32 = 0
  }

  private var clients: [Client] = []
  /// Those that have lost their place to a new one.
  private(set) var replaced = 0

  /// True when it is a new client.
  mutating func renew(_ peer: Socket.Peer, until deadline: Int64) -> Bool {
    if let index = clients.firstIndex(where: { $0.peer == peer }) {
      clients[index].isHasty = deadline - clients[index].deadline < Self.haste
      clients[index].deadline = deadline
      return false
    }
    if clients.count >= Self.limit {
      clients.remove(at: replaceable(by: peer))
      replaced += 1
    }
    clients.append(Client(peer: peer, deadline: deadline))
    return true
  }

  /// The place for a new client: of one that asks more often than any needs to, else of the computer that then has the
  /// most: there the older half stays, and chance decides (a crowd that asks in turn would always lose the place that it
  /// needs next).
  private func replaceable(by peer: Socket.Peer) -> Int {
    if let hasty = clients.firstIndex(where: \.isHasty) { return hasty }
    var shares = [peer.host: 1]
    for client in clients { shares[client.peer.host, default: 0] += 1 }
    let most = shares.values.max()
    let crowd = clients.indices.filter { shares[clients[$0].peer.host] == most }
    return crowd[Int.random(in: crowd.count / 2..<crowd.count)]
  }

  mutating func forget(before now: Int64) { clients.removeAll { $0.deadline <= now } }

  /// Calls `body` with each client and the number of its next packet.
  mutating func count(_ body: (Socket.Peer, UInt32) -> Void) {
    for index in clients.indices {
      body(clients[index].peer, clients[index].count)
      clients[index].count &+= 1
    }
  }
}
