// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing
import Testing

@testable import MotionNetwork

/// Files as answers: whole, in parts, and as slowly as the client takes them.
@Suite struct FileDownloadTests {
  /// A server of one file at `/file`; whatever else is asked for is answered at once.
  private final class Shelf: WebHandler {
    let path: String
    let server: WebServer

    /// A file of so many bytes, of which only the first are written: their number modulo 251.
    init(size: Int, written: Int, identity: TLSIdentity? = nil) throws {
      path = FileManager.default.temporaryDirectory.appendingPathComponent("shelf-\(UUID().uuidString)").path
      try Data(Self.bytes(0..<written)).write(to: URL(fileURLWithPath: path))
      truncate(path, size)
      server = try WebServer(address: ListeningAddress(port: 0), security: WebSecurity(), identity: identity)
      try server.start(self)
    }

    static func bytes(_ range: Range<Int>) -> [UInt8] { range.map { UInt8($0 % 251) } }

    func close() {
      server.stop(grace: 1)
      unlink(path)
    }

    func respond(to request: HTTPRequest) -> HTTPResponse {
      var response = HTTPResponse(contentType: "application/octet-stream", body: [])
      switch request.path {
      case "/file": response.file = path
      case "/folder": response.file = FileManager.default.temporaryDirectory.path
      case "/nothing": response.file = path + "x"
      case "/memory": response.body = [UInt8](repeating: 7, count: 5_000_000)
      default: return .text(200, "at once")
      }
      return response
    }
  }

  private static func ask(
    _ client: WebClient, _ path: String = "/file", method: String = "GET", fields: String...
  ) throws -> WebClient.Answer {
    try client.request(method, path, fields: fields)
  }

  @Test func aFileComesWholeOverOneConnection() throws {
    let size = 300_000
    let shelf = try Shelf(size: size, written: size)
    defer { shelf.close() }
    let client = try WebClient(port: shelf.server.address.port)
    let whole = try Self.ask(client)
    #expect(whole.status == 200 && whole.body == Shelf.bytes(0..<size))
    let head = try Self.ask(client, method: "HEAD")
    #expect(head.status == 200 && head.fields["Content-Length"] == "300000")
    // A range is a wish: the whole is always a right answer.
    #expect(try Self.ask(client, fields: "Range: bytes=0-9").body.count == size)
    #expect(try Self.ask(client, "/nothing").status == 404)
    #expect(try Self.ask(client, "/folder").status == 404)
    let last = try Self.ask(client, fields: "Connection: close")
    #expect(try last.body.count == size && client.isEnded())
  }

  @Test func anEmptyFileIsAnAnswerToo() throws {
    let shelf = try Shelf(size: 0, written: 0)
    defer { shelf.close() }
    let client = try WebClient(port: shelf.server.address.port)
    #expect(try Self.ask(client).status == 200)
    #expect(try Self.ask(client, "/other").body == Array("at once\n".utf8))
  }

  /// A connection that is to end afterwards, or a client that says so, used to have a second for all of it.
  @Test func aSlowClientGetsTheWholeHoweverLongItTakes() throws {
    let size = 3_000_000
    let shelf = try Shelf(size: size, written: size)
    defer { shelf.close() }
    for (path, count) in [("/file", size), ("/memory", 5_000_000)] {
      let client = try WebClient(port: shelf.server.address.port, window: 4096)
      client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      #expect(try client.readHead().contains("Content-Length: \(count)"))
      usleep(1_500_000)
      #expect(try client.readBytes(count).count == count && client.isEnded(), "\(path)")
    }
  }

  /// While a client does not read, no more of the file is read than the system's buffers and two pieces hold: what is
  /// cut off meanwhile never comes, and the client is not left to believe that it has the whole.
  @Test func aClientThatDoesNotReadStopsTheReading() throws {
    let size = 2_000_000_000
    let shelf = try Shelf(size: size, written: 1000)
    defer { shelf.close() }
    let port = shelf.server.address.port
    let idle = try (0..<4).map { _ in
      let client = try WebClient(port: port, window: 4096)
      client.send("GET /file HTTP/1.1\r\nHost: localhost\r\n\r\n")
      return client
    }
    for client in idle { #expect(try client.readHead().contains("Content-Length: \(size)")) }
    // Others are served as if they were not there.
    let other = try WebClient(port: port)
    for _ in 0..<20 { #expect(try Self.ask(other, "/other").status == 200) }
    truncate(shelf.path, 1000)
    for client in idle {
      var count = 0
      while (try? client.readBytes(1000)) != nil { count += 1000 }
      #expect((1000..<8_000_000).contains(count), "\(count)")
    }
  }

  @Test(.enabled("/usr/bin/curl is not installed") { FileManager.default.isExecutableFile(atPath: "/usr/bin/curl") })
  func aFileIsServedOverTLSToo() throws {
    let size = 5_000_000
    let shelf = try Shelf(size: size, written: size, identity: TLSIdentity.selfSigned(names: ["127.0.0.1"]))
    defer { shelf.close() }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
    process.arguments = ["-sk", "--max-time", "60", "https://127.0.0.1:\(shelf.server.address.port)/file"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    #expect(try pipe.fileHandleForReading.readToEnd() == Data(Shelf.bytes(0..<size)))
  }
}
