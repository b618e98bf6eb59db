// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionNetwork
import MotionSensing
import PhoneFormats

/// A phone whose app sends JSON over UDP, SensaGram or ZIG SIM: `phone:udp?port=8080`.
///
/// Datagrams carry no password. So the socket has a named address, the first phone that sends is heard until it has
/// been silent for ten seconds, and the others are counted. What the network loses cannot be seen: the datagrams have
/// no numbers.
final class DatagramSource: SensorSource {
  let info = SensorInfo(
    name: "phone (UDP)", origin: .hardware, pacing: .live, deviceClass: .phone,
    channels: [
      .init(kind: .accelerometer), .init(kind: .gyroscope), .init(kind: .magnetometer), .init(kind: .airPressure),
    ], reordering: PhoneStream.reordering)

  /// Where datagrams are received.
  struct Options: SourceSettings {
    var host: String?
    var port: UInt16 = 8080

    static let table = SourceOptions<Options>(
      "phone:udp", [.port(default: 8080) { $0.port = $1 }, .listen { $0.host = $1 }])
  }

  /// The largest datagram of IPv4, and datagrams that are read before samples are delivered.
  private static let limits = (bytes: 65_507, turn: 256)
  /// How long a phone must be silent before another one may take its place.
  private static let hold = SensorDuration.seconds(10)

  private let options: Options
  private let announcer: PhoneAnnouncer
  private let state = Lock((statistics: PhoneStatistics(), address: ListeningAddress?.none))

  init(options: [String: String], announcer: PhoneAnnouncer = PhoneAnnouncer()) throws(SensorError) {
    self.options = try Options(options)
    self.announcer = announcer
  }

  /// What happened in the present or the last run.
  var statistics: PhoneStatistics { state.withLock { $0.statistics } }

  /// Where it listens while a run is under way.
  var address: ListeningAddress? { state.withLock { $0.address } }

  func run(_ session: SensorSession) throws {
    let host = options.host ?? LocalAddress.preferred
    let (descriptor, port) = try Socket.bindDatagrams(ListeningAddress(host: host, port: options.port))
    let isFirst = state.withLock { state in
      defer { state.address = ListeningAddress(host: host, port: port) }
      return state.address == nil
    }
    defer {
      close(descriptor)
      state.withLock { $0.address = nil }
    }
    if isFirst {
      announcer.notice("Waiting for a phone: let SensaGram or ZIG SIM (JSON) send by UDP to \(host), port \(port).")
    }
    var run: PhoneRun?
    var phone: (peer: Socket.Peer, platform: PhoneUnits.Platform?, heard: SensorInstant)?
    var sessions = 0
    var early = PhoneStatistics()
    defer {
      if let run { run.sayLosses(run.statistics) }
    }
    while true {
      if session.isStopped { throw SourceStopped() }
      for _ in 0..<Self.limits.turn {
        guard let (bytes, peer) = Socket.receive(descriptor, limit: Self.limits.bytes) else { break }
        let now = session.clock.now
        if let phone, phone.peer != peer, now - phone.heard < Self.hold {
          early.otherPhones += 1
          continue
        }
        guard let message = try? DatagramMessage(Array(bytes), arrival: now) else {
          early.malformedMessages += 1
          continue
        }
        if run == nil {
          run = PhoneRun(session: session, device: .phone, units: message.units, announcer: announcer)
        }
        // Another phone has another clock, another app other units.
        if phone?.peer != peer || phone?.platform != message.units.platform {
          sessions += 1
          run?.begin("\(sessions)", units: message.units)
        }
        phone = (peer, message.units.platform, now)
        switch message {
        case .android(let reading): if let reading { try run?.receive(readings: [reading], at: now) }
        case .zigSim(let readings): try run?.receive(readings: readings, at: now)
        }
      }
      try run?.deliver()
      var all = run?.statistics ?? PhoneStatistics()
      (all.otherPhones, all.malformedMessages) = (early.otherPhones, early.malformedMessages)
      state.withLock { $0.statistics = all }
      let limit = run?.deadline.map { max(0, ($0 - session.clock.now).nanoseconds) } ?? -1
      session.wake.wait(for: descriptor, limit: limit)
    }
  }
}
