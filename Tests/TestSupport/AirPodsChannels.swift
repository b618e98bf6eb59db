// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import HeadphoneSources
import MotionSensing

/// A channel to simulated buds on the session's own clock.
final class AirPodsMemoryChannel: AirPodsChannel {
  let address: String? = AirPodsPeer.address
  private let engine: Lock<AirPodsEngine>
  private let clock: any SensorClock

  init(engine: Lock<AirPodsEngine>, clock: any SensorClock) {
    self.engine = engine
    self.clock = clock
  }

  func wait(until deadline: SensorInstant, session: SensorSession) {
    let due = min(deadline, engine.withLock { $0.deadline })
    if due.nanoseconds == .max {
      // For ever, but on the clock: a virtual one must know that this thread sleeps.
      _ = session.clock.wait(until: SensorInstant(nanoseconds: .max - 1), wake: session.wake)
    } else {
      _ = session.clock.wait(until: due, wake: session.wake)
    }
  }

  func read(into buffer: inout [UInt8]) throws(SensorError) -> Int? {
    let now = clock.now
    guard let packet = engine.withLock({ $0.next(at: now) }) else { return nil }
    guard !packet.isEmpty else { throw AirPodsProblem.closed }
    let count = min(packet.count, buffer.count)
    buffer.replaceSubrange(0..<count, with: packet.prefix(count))
    return count
  }

  func write(_ packet: [UInt8]) throws(SensorError) {
    let now = clock.now
    engine.withLock { $0.receive(packet, at: now) }
  }

  func close() { engine.withLock { $0.close() } }
}

/// Simulated buds behind a real socket, in real time.
final class AirPodsSocketPeer: Sendable {
  private let descriptor: Int32
  private let engine: Lock<AirPodsEngine>

  /// Which of the engine's channels this is.
  private let number: Int

  private init(descriptor: Int32, engine: Lock<AirPodsEngine>) {
    self.descriptor = descriptor
    number = engine.withLock { $0.channel }
    self.engine = engine
  }

  /// Starts the buds' thread, which ends when either side closes; the other end of the pair is the client's.
  static func start(engine: Lock<AirPodsEngine>) throws(SensorError) -> any AirPodsChannel {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw SensorError(.system, "A pair of sockets for simulated headphones cannot be created.", errno: errno)
    }
    let peer = AirPodsSocketPeer(descriptor: ends[1], engine: engine)
    do { try SystemThread.start("simulated-buds") { peer.work() } } catch {
      MotionSensing.close(ends[0])
      MotionSensing.close(ends[1])
      throw error
    }
    return SocketChannel(descriptor: ends[0], address: AirPodsPeer.address)
  }

  private func work() {
    defer { MotionSensing.close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let clock = MonotonicClock()
    let number = number
    while true {
      // What is due goes out; an earlier channel is over, whether it has noticed or not.
      while let packet = engine.withLock({ $0.channel == number ? $0.next(at: clock.now) : [] }) {
        if packet.isEmpty { return }
        // A disconnected client may have left its last packets: they are read below.
        _ = send(descriptor, packet, packet.count, Int32(MSG_NOSIGNAL))
      }
      let left = (engine.withLock { $0.deadline } - clock.now).nanoseconds
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // Whole milliseconds, rounded up: the buds' radio is no more punctual.
      _ = poll(&waiting, 1, Int32(max(0, min(left, 100_000_000)) + 999_999) / 1_000_000)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) {
        engine.withLock { if $0.channel == number { $0.close() } }
        return
      }
      if count > 0 {
        let packet = Array(buffer[..<count])
        engine.withLock { if $0.channel == number { $0.receive(packet, at: clock.now) } }
      }
    }
  }
}
