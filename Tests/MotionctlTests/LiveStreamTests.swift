// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `motionctl stream --to`: what other programs receive from a running stream.
@Suite struct LiveStreamTests {
  /// A socket of this computer that gives up after a while.
  private final class Peer {
    let descriptor: Int32
    private(set) var port: UInt16 = 0

    init(_ kind: __socket_type) {
      descriptor = socket(AF_INET, Int32(kind.rawValue), 0)
      var limit = timeval(tv_sec: 120, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    private func withAddress(_ port: UInt16, _ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Int32)
      -> UInt16?
    {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &size) }
      }
      return result == 0 ? UInt16(bigEndian: address.sin_port) : nil
    }

    func listen() {
      _ = withAddress(0) { bind(descriptor, $0, $1) }
      port = withAddress(0) { getsockname(descriptor, $0, &$1) } ?? 0
    }

    func connect(_ port: UInt16) -> Bool { withAddress(port) { Foundation.connect(descriptor, $0, $1) } != nil }
    func send(_ bytes: [UInt8]) { _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    func receive() -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      return Array(bytes[..<max(0, recv(descriptor, &bytes, bytes.count, 0))])
    }

    /// Everything until `text` has come, or the end.
    func receive(until text: String) -> String {
      var all: [UInt8] = []
      while !String(decoding: all, as: UTF8.self).contains(text) {
        let piece = receive()
        guard !piece.isEmpty else { break }
        all += piece
      }
      return String(decoding: all, as: UTF8.self)
    }
  }

  @Test func aFoxgloveClientSeesTheTopicsAndASubscriberTheirMessages() throws {
    let process = try MotionctlProcess(["stream", "simulate:rest", "--to", "foxglove:0", "--for", "60"])
    let port = try #require(Self.port(of: process))
    let client = Peer(SOCK_STREAM)
    #expect(client.connect(port))
    client.send(Self.request("foxglove.sdk.v1"))
    let greeting = client.receive(until: "opencoremotion.Temperature")
    #expect(greeting.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") && greeting.contains("serverInfo"))
    for topic in ["/motion/device", "/tf", "/sensor/accelerometer", "/sensor/gyroscope", "/sensor/magnetometer"] {
      #expect(greeting.contains("\"topic\":\"\(topic)\""))
    }
    // Masked with zeros: the text stands as it is.
    let wish = Array(#"{"op":"subscribe","subscriptions":[{"id":9,"channelId":1}]}"#.utf8)
    client.send([0x81, 0x80 | UInt8(wish.count), 0, 0, 0, 0] + wish)
    let data = client.receive(until: "\"attitudeReferenceFrame\":1,")
    #expect(data.contains("\"gravity\":{\"x\":"))
    process.send(SIGTERM)
    #expect(client.receive(until: "The program ends.").contains("The program ends."))
    let result = try process.finish()
    #expect(result.code == 143)
    #expect(result.errors.contains("Foxglove: 1 client so far"))
  }

  @Test func aRecordingBeginsWithItsFirstClient() throws {
    // Half a second.
    let folder = try TemporaryFolder()
    let times = (0..<50).map { 1_000_000_000_000 + $0 * 10_000_000 }
    try folder.writeRecording(
      accelerometer: times.map { "\($0),0.0,0.0,9.80665\n" }.joined(),
      gyroscope: times.map { "\($0),0.0,0.0,0.5\n" }.joined())
    let process = try MotionctlProcess(["stream", folder.url.path, "--to", "foxglove:0"])
    let port = try #require(Self.port(of: process))
    let client = Peer(SOCK_STREAM)
    #expect(client.connect(port))
    client.send(Self.request("foxglove.websocket.v1"))
    // In the first words of the server, before any sample: the raw sensors too, on the topics that their unit leads to.
    let greeting = client.receive(until: "}]}")
    #expect(greeting.contains("\"/sensor/accelerometer\"") && greeting.contains("\"/sensor/gyroscope\""))
    let text = greeting + client.receive(until: "The program ends.")
    #expect(text.contains(#""capabilities":["time"]"#) && text.contains("The program ends."))
    let result = try process.finish()
    #expect(result.code == 0 && result.errors.contains("begins when the first client has connected"))
  }

  @Test(arguments: [
    ["--to", "foxglov"], ["--to", "foxglove:70000"], ["--to", "opentrack@h:0"], ["--to", "plotjuggler"],
    ["--to", "foxglove", "--service", "gyro"], ["--listen", "0.0.0.0"],
  ])
  func whatMakesNoSenseIsRefused(arguments: [String]) throws {
    let result = try MotionctlProcess(["stream", "simulate:rest?speed=max", "--for", "1"] + arguments).finish()
    #expect(result.code == 64)
  }

  @Test func severalProgramsAreShownTheSameStream() throws {
    let receiver = try HeadListener()
    let result = try MotionctlProcess.run(
      "stream", "simulate:rest?speed=max", "--for", "2", "--to", "opentrack@:\(receiver.port)", "--to", "foxglove:0",
      "--to", "dsu:0")
    #expect(result.code == 0)
    for name in ["opentrack: 127.0.0.1:", "Foxglove: 0 clients so far", "DSU: UDP at 127.0.0.1:"] {
      #expect(result.errors.contains(name))
    }
    #expect(receiver.packets().contains { $0.count == 48 })
  }

  @Test func anAddressThatIsNotThisComputersIsSaidSo() throws {
    let result = try MotionctlProcess.run("stream", "simulate:rest", "--to", "foxglove:0", "--listen", "192.0.2.1")
    #expect(result.code == 1 && result.errors.contains("This computer does not have this address."))
  }

  @Test func aServerForOtherComputersHasAToken() throws {
    let process = try MotionctlProcess(["stream", "simulate:rest", "--to", "foxglove:0", "--listen", "0.0.0.0"])
    let port = try #require(Self.port(of: process))
    let client = Peer(SOCK_STREAM)
    #expect(client.connect(port))
    client.send(Self.request("foxglove.sdk.v1"))
    #expect(client.receive(until: "token").hasPrefix("HTTP/1.1 403 "))
    process.send(SIGINT)
    #expect(try process.finish().errors.contains("/?token="))
  }

  /// A handshake as a client of the protocol begins it; the key is that of RFC 6455, 1.3.
  private static func request(_ subprotocol: String) -> [UInt8] {
    let lines = [
      "GET / HTTP/1.1", "Host: localhost", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Protocol: \(subprotocol)",
    ]
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// The port that the server says on standard error.
  private static func port(of process: MotionctlProcess) -> UInt16? {
    var port: UInt16?
    waitUntil {
      let errors = process.errorsSoFar
      guard let line = errors.split(separator: "\n").first(where: { $0.hasPrefix("Foxglove: ws://") }),
        errors.contains(line + "\n")
      else { return false }
      let address = line.dropFirst("Foxglove: ws://".count).prefix { $0 != "/" }
      port = address.split(separator: ":").last.flatMap { UInt16($0) }
      return true
    }
    return port
  }
}
