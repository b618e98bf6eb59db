// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import Testing

@testable import LiveOutput
@testable import MotionNetwork

/// The DSU protocol: packets byte by byte, and a server asked over loopback.
@Suite struct DSUTests {
  /// 0.25, 0.5, −1 g with Core Motion's sign.
  private static let motion = MotionRow(
    time: SensorInstant(nanoseconds: 1_234_567_890), w: 1, vector: .zero, reference: .xArbitrary,
    angularVelocity: Vector3(x: .pi, y: .pi / 2, z: -.pi / 4), gravity: Vector3(x: 0.25, y: 0.5, z: -1),
    linearAcceleration: .zero, accelerationUnit: .reversedGravity)

  private static func request(_ event: UInt32, _ fields: [UInt8], length: Int? = nil) -> [UInt8] {
    var bytes = Array("DSUC".utf8) + [0xE9, 0x03]
    bytes += withUnsafeBytes(of: UInt16(length ?? fields.count + 4).littleEndian) { Array($0) }
    bytes += [0, 0, 0, 0, 7, 0, 0, 0]
    bytes += withUnsafeBytes(of: event.littleEndian) { Array($0) } + fields
    let checksum = crc32(bytes)
    withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(8..<12, with: $0) }
    return bytes
  }

  private static func float(_ bytes: [UInt8], _ offset: Int) -> Float {
    // Offsets as in the description: after the kind of event.
    let bits = bytes[(20 + offset)..<(24 + offset)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return Float(bitPattern: bits)
  }

  @Test func theChecksumIsTheCommonOne() {
    // The check value of the CRC catalogues.
    #expect(crc32(Array("123456789".utf8)) == 0xCBF4_3926)
  }

  @Test func aDataPacketHas100BytesInTheirPlaces() {
    var bytes = DSUPacket.data(Self.motion, count: 0x0102_0304, server: 0xAABB_CCDD)
    #expect(bytes.count == 100)
    #expect(Array(bytes[..<8]) == Array("DSUS".utf8) + [0xE9, 3, 84, 0])
    #expect(Array(bytes[12..<24]) == [0xDD, 0xCC, 0xBB, 0xAA, 2, 0, 0x10, 0, 0, 2, 2, 0])
    #expect(Array(bytes[31..<36]) == [1, 4, 3, 2, 1])
    #expect(Array(bytes[40..<44]) == [128, 128, 128, 128])
    // 1 234 567 µs.
    #expect(Array(bytes[68..<76]) == [0x87, 0xD6, 0x12, 0, 0, 0, 0, 0])
    #expect([56, 60, 64].map { Self.float(bytes, $0) } == [0.25, -1, -0.5])
    #expect([68, 72, 76].map { Self.float(bytes, $0) } == [-180, -45, 90])
    let checksum = bytes[8..<12].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    bytes.replaceSubrange(8..<12, with: [0, 0, 0, 0])
    #expect(checksum == crc32(bytes))
  }

  @Test func requestsAreUnderstoodOrNone() {
    func read(_ bytes: [UInt8]) -> DSUPacket.Request? { DSUPacket.request(bytes[...]) }
    #expect(read(Self.request(0x100000, [])) == .version)
    #expect(read(Self.request(0x100001, [2, 0, 0, 0, 0, 3])) == .slots([0, 3]))
    #expect(read(Self.request(0x100002, [0, 0, 0, 0, 0, 0, 0, 0])) == .data)
    #expect(read(Self.request(0x100002, [1, 2, 0, 0, 0, 0, 0, 0])) == .otherData)
    #expect(read(Self.request(0x100002, [2, 0, 1, 2, 3, 4, 5, 6])) == .otherData)
    // Five slots, 2³² − 1 slots, slot 4, fewer slots than declared, a longer length than there is, an unknown event.
    #expect(read(Self.request(0x100001, [5, 0, 0, 0, 0, 1, 2, 3, 0])) == nil)
    #expect(read(Self.request(0x100001, [255, 255, 255, 255, 0])) == nil)
    #expect(read(Self.request(0x100001, [1, 0, 0, 0, 4])) == nil)
    #expect(read(Self.request(0x100001, [4, 0, 0, 0, 0])) == nil)
    #expect(read(Self.request(0x100000, [], length: 400)) == nil)
    #expect(read(Self.request(0x100003, [])) == nil)
    let good = Self.request(0x100002, [0, 0, 0, 0, 0, 0, 0, 0])
    for length in 0..<good.count { #expect(read(Array(good[..<length])) == nil) }
    for index in good.indices {
      var damaged = good
      damaged[index] ^= 0x10
      #expect(read(damaged) == nil, "byte \(index)")
    }
  }

  @Test func aClientIsAnsweredAndHearsMotionUntilItIsForgotten() throws {
    let server = try DSUServer(port: 0)
    let client = try Socket.connectDatagrams(server.address)
    defer { close(client) }
    func ask(_ bytes: [UInt8]) { #expect(Socket.send(client, bytes[...]) == .done(bytes.count)) }
    func hear() -> [UInt8] {
      var entry = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
      poll(&entry, 1, 20_000)
      return Socket.receive(client).map { Array($0.bytes) } ?? []
    }
    server.show(Self.motion)
    ask(Self.request(0x100000, []))
    ask(Self.request(0x100001, [2, 0, 0, 0, 0, 1]))
    ask(Array("rubbish".utf8))
    ask(Self.request(0x100002, [0, 0, 0, 0, 0, 0, 0, 0]))
    server.show(Self.motion)
    server.show(Self.motion)
    #expect(Array(hear()[16...]) == [0, 0, 0x10, 0, 0xE9, 3])
    let (first, second) = (hear(), hear())
    #expect(first.count == 32 && Array(first[20..<23]) == [0, 2, 2])
    #expect(second.count == 32 && Array(second[20..<23]) == [1, 0, 0])
    for number in UInt8(0)..<2 {
      let data = hear()
      #expect(data.count == 100 && data[32] == number)
    }
    #expect(server.summary == "1 client so far, packets sent: 2, invalid packets: 1")
  }

  /// A server with clients, on a clock of their own.
  private final class Room {
    private let time = Lock(Int64(1_000_000_000))
    let server: DSUServer
    private(set) var clients: [Int32] = []
    private let request = DSUTests.request(0x100002, [0, 0, 0, 0, 0, 0, 0, 0])

    init(clients count: Int) throws {
      server = try DSUServer(port: 0) { [time] in time.withLock { $0 } }
      for _ in 0..<count { clients.append(try Socket.connectDatagrams(server.address)) }
    }

    deinit { for client in clients { close(client) } }

    func ask(_ client: Int) { #expect(Socket.send(clients[client], request[...]) == .done(request.count)) }
    func advance(_ seconds: Double) { time.withLock { $0 += Int64(seconds * 1e9) } }

    /// How many states of motion each client has received since the last call, after one more. Datagrams over loopback
    /// are there when the call that sent them returns.
    func received() -> [Int] {
      server.show(DSUTests.motion)
      return clients.map { client in
        var count = 0
        while Socket.receive(client)?.bytes.count == 100 { count += 1 }
        return count
      }
    }

    func served() -> [Int] { received().enumerated().filter { $0.element > 0 }.map(\.offset) }
  }

  /// As many clients as are served, and one more, which takes the place of one that was not among the first.
  @Test func oneClientMoreThanAreServedIsServedAtOnce() throws {
    let limit = DSUClients.limit
    let room = try Room(clients: limit + 1)
    // No more at once than wait at the socket.
    for client in 0..<limit {
      room.ask(client)
      if client % 64 == 63 { room.server.show(Self.motion) }
    }
    _ = room.received()
    room.ask(limit)
    let served = room.served()
    #expect(served.count == limit && served.starts(with: 0..<limit / 2) && served.last == limit)
    room.advance(5)
    #expect(room.served() == [])
    #expect(room.server.summary.hasPrefix("\(limit + 1) clients so far"))
    #expect(room.server.summary.hasSuffix("replaced beyond \(limit) at once: 1"))
  }

  private static func peer(_ host: UInt8, _ port: Int) -> Socket.Peer {
    Socket.Peer(bytes: [2, 0, UInt8(port >> 8), UInt8(port & 255), 127, 0, 0, host])
  }

  /// One computer asks from all ports it has; others are served, each as often as it has a share.
  @Test func computersShareThePlaces() {
    var clients = DSUClients()
    for port in 0..<1000 { _ = clients.renew(Self.peer(1, port), until: Int64(port)) }
    for port in 0..<200 { _ = clients.renew(Self.peer(2, port), until: 2000) }
    let isNew = (clients.renew(Self.peer(3, 0), until: 2000), clients.renew(Self.peer(3, 0), until: 3000))
    #expect(isNew == (true, false))
    var served: [UInt8: Set<Int>] = [:]
    clients.count { peer, _ in served[peer.bytes[7], default: []].insert(Int(peer.bytes[2]) << 8 | Int(peer.bytes[3])) }
    let shares = served.mapValues(\.count)
    #expect(shares[3] == 1 && [shares[1], shares[2]].allSatisfy { (127...128).contains($0 ?? 0) }, "\(shares)")
    // The first keep their places.
    #expect(served[1]?.isSuperset(of: 0..<64) == true)
    clients.forget(before: 1000)
    clients.count { peer, _ in #expect(peer.bytes[7] != 1) }
  }

  /// A crowd of sockets of one computer, each of which asks again and again: hastily, or as often as any client does. A
  /// client that was there before receives every state, and a new one receives one after each of its requests.
  @Test(arguments: [(300, 20), (300, 100), (256, 600), (257, 1000), (1000, 2000)])
  func aCrowdOfOneComputerKeepsOutNoClientAndDisplacesNone(size: Int, interval: Int) {
    var clients = DSUClients()
    // Milliseconds; a state of motion every ten of them.
    for time in 0..<6000 {
      func ask(_ port: Int) { _ = clients.renew(Self.peer(1, port), until: Int64(time + 5000) * 1_000_000) }
      if time % 1000 == 0 { ask(1) }
      if time > 500 {
        for port in time * size / interval..<(time + 1) * size / interval { ask(1000 + port % size) }
      }
      let asks = time >= 3000 && time % 1000 == 300
      if asks { ask(2) }
      guard asks || time % 10 == 0 else { continue }
      clients.forget(before: Int64(time) * 1_000_000)
      var served: Set<Int> = []
      clients.count { peer, _ in served.insert(Int(peer.bytes[2]) << 8 | Int(peer.bytes[3])) }
      #expect(served.contains(1) && (!asks || served.contains(2)) && served.count <= DSUClients.limit, "\(time) ms")
      // The hasty ones only take each other's places.
      if interval < 250, time > 3300 { #expect(served.contains(2), "\(time) ms") }
    }
  }

  /// A minute in which every client asks once a second, and a stranger as often as the system takes it.
  @Test(arguments: [false, true]) func eachOf200ClientsReceivesEveryState(isFlooded: Bool) throws {
    let room = try Room(clients: 201)
    for client in 0..<200 {
      room.ask(client)
      if client % 50 == 49 { room.server.show(Self.motion) }
    }
    _ = room.received()
    for second in 0..<60 {
      for client in 0..<200 {
        if isFlooded, client % 10 == 0 { for _ in 0..<30 { room.ask(200) } }
        room.ask(client)
        if client % 50 == 49 { room.server.show(Self.motion) }
      }
      room.advance(1)
      #expect(room.received()[..<200] == Array(repeating: 5, count: 200)[...], "second \(second)")
    }
  }
}
