// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing
import Testing

@testable import MotionNetwork

/// Pages and requests over real sockets, with and without TLS.
@Suite struct WebServerTests {
  /// Answers with what it was asked.
  private final class Echo: WebHandler {
    let requests = Lock<[HTTPRequest]>([])

    func respond(to request: HTTPRequest) -> HTTPResponse {
      requests.withLock { $0.append(request) }
      if request.path == "/long" {
        return HTTPResponse(contentType: "application/octet-stream", body: [UInt8](repeating: 7, count: 5_000_000))
      }
      guard request.path == "/echo" else { return .text(404, "There is no such page.") }
      return HTTPResponse(contentType: "application/octet-stream", body: request.body)
    }
    func accepts(_ request: HTTPRequest) -> Bool { request.path == "/live" }
  }

  private static func server(
    _ handler: Echo = Echo(), security: WebSecurity = WebSecurity(), limits: WebLimits = WebLimits(),
    identity: TLSIdentity? = nil
  ) throws -> WebServer {
    let server = try WebServer(
      address: ListeningAddress(port: 0), security: security, limits: limits, identity: identity)
    try server.start(handler)
    return server
  }

  private static func request(
    _ method: String, _ target: String, body: String = "", fields: String = "", host: String = "localhost"
  ) -> String {
    "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
  }

  private static func answer(_ client: WebClient, hasBody: Bool = true) throws -> (status: Int, body: String) {
    let answer = try client.answer(hasBody: hasBody)
    return (answer.status, answer.text)
  }

  @Test func oneConnectionCarriesManyRequests() throws {
    let echo = Echo()
    let server = try Self.server(echo)
    defer { server.stop(grace: 1) }
    let client = try WebClient(port: server.address.port)
    // Two at once, one in pieces, one whose body waits for permission.
    client.send(Self.request("POST", "/echo?a=b%20c&d", body: "one") + Self.request("POST", "/echo", body: "two"))
    #expect(try Self.answer(client) == (200, "one"))
    #expect(try Self.answer(client) == (200, "two"))
    for byte in Self.request("POST", "/echo", body: "three").utf8 { client.send([byte]) }
    #expect(try Self.answer(client) == (200, "three"))
    let whole = Self.request("POST", "/echo", body: "four", fields: "Expect: 100-continue\r\n")
    client.send(String(whole.dropLast(4)))
    #expect(try client.readHead() == "HTTP/1.1 100 Continue")
    client.send("four")
    #expect(try Self.answer(client) == (200, "four"))
    client.send(Self.request("HEAD", "/echo"))
    #expect(try Self.answer(client, hasBody: false).status == 200)
    client.send(Self.request("GET", "/nothing"))
    #expect(try Self.answer(client) == (404, "There is no such page.\n"))
    client.send(Self.request("GET", "/echo", fields: "Connection: close\r\n"))
    #expect(try Self.answer(client).status == 200 && client.isEnded())
    let first = echo.requests.withLock { $0[0] }
    #expect(first.query == ["a": "b c", "d": ""] && first.path == "/echo" && first.peer == "127.0.0.1")
  }

  @Test(arguments: [
    ("GET /echo\r\n\r\n", 400), ("PUT /echo HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
    ("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8000000\r\n\r\n", 413),
    ("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    ("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400),
    // A number is digits and nothing else.
    ("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: +5\r\n\r\nhello", 400),
    ("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5, 5\r\n\r\nhello", 400),
    ("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0x5\r\n\r\nhello", 400),
    ("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
    // What others may take for the end of a line, or of the request.
    ("GET /echo HTTP/1.1\r\nHost: localhost\r\nX: a\rY: b\r\n\r\n", 400),
    ("GET /echo HTTP/1.1\r\nHost: localhost\r\nX: a\nY: b\r\n\r\n", 400),
    ("GET /echo HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n", 400),
    ("GET /echo HTTP/1.1\r\nHost: localhost\r\nX: a\u{1B}b\r\n\r\n", 400),
    ("GET /echo HTTP/1.1\r\nHost: localhost\r\n X: b\r\n\r\n", 400),
    ("GET /echo\0 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET /echo HTTP/1.1\r\nHost: localhost\r\nX: a\tb\r\n\r\n", 200),
    ("GET /echo HTTP/1.9\r\nHost: localhost\r\n\r\n", 400), ("GET /echo HTTP/2.0\r\nHost: localhost\r\n\r\n", 400),
    ("GET /echo HTTP/1.0\r\nHost: localhost\r\n\r\n", 200),
    ("GET /live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n\r\n", 426),
    ("GET /echo HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421), ("GET /echo HTTP/1.1\r\n\r\n", 421),
    ("GET /echo HTTP/1.1\r\nHost: 192.168.1.5:80\r\n\r\n", 200),
    ("GET /echo HTTP/1.1\r\nHost: 192.168.1.5:80\r\nOrigin: http://192.168.1.5:80\r\n\r\n", 200),
    ("GET /echo HTTP/1.1\r\nHost: 192.168.1.5:80\r\nOrigin: http://evil.example\r\n\r\n", 403),
  ])
  func whatIsWrongIsRefusedByNumber(request: String, status: Int) throws {
    let server = try Self.server(security: WebSecurity(hosts: ["192.168.1.5"]))
    defer { server.stop(grace: 1) }
    let client = try WebClient(port: server.address.port)
    client.send(request)
    #expect(try Self.answer(client).status == status)
  }

  @Test func aTicketThatIsUsedTwiceCutsOffThoseWhoHadTheToken() throws {
    let ticket = WebTicket(for: "token")
    let server = try Self.server(security: WebSecurity(token: "token", pages: [], ticket: ticket))
    defer { server.stop(grace: 1) }
    let clients = try (0..<4).map { _ in try WebClient(port: server.address.port) }
    clients[0].send(WebClient.handshake("/live", subprotocol: "token"))
    #expect(try Self.answer(clients[0], hasBody: false).status == 101)
    #expect(try clients[1].request("GET", "/echo", fields: ["Authorization: Bearer token"]).status == 200)
    let field = "Authorization: Bearer \(ticket.text)"
    #expect(try clients[2].request("POST", "/token", fields: [field]).text == "token\n")
    let again = try clients[3].request("POST", "/token", fields: [field])
    #expect(again.status == 403 && again.text.contains("was used already"))
    #expect(try clients[0].readFrame().opcode == 8 && Self.answer(clients[1]).body == again.text)
  }

  /// A connection that is to end afterwards, or a client that says so, used to have a second for all of it.
  @Test func aSlowClientGetsTheWholeHoweverLongItTakes() throws {
    let server = try Self.server()
    defer { server.stop(grace: 1) }
    let client = try WebClient(port: server.address.port, window: 4096)
    client.send("GET /long HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(try client.readHead().contains("Content-Length: 5000000"))
    usleep(1_500_000)
    #expect(try client.readBytes(5_000_000).count == 5_000_000 && client.isEnded())
  }

  @Test func aHeadHasALimit() throws {
    let server = try Self.server()
    defer { server.stop(grace: 1) }
    let client = try WebClient(port: server.address.port)
    client.send(Self.request("GET", "/echo", fields: "X: \(String(repeating: "x", count: 9000))\r\n"))
    #expect(try Self.answer(client).status == 431)
  }

  @Test func aWebSocketBeginsWhereItIsAccepted() throws {
    let server = try Self.server()
    defer { server.stop(grace: 1) }
    for (path, status) in [("/live", 101), ("/echo", 404)] {
      let client = try WebClient(port: server.address.port)
      client.send(WebClient.handshake("\(path)", subprotocol: nil))
      #expect(try Int(client.readHead().split(separator: " ")[1]) == status)
    }
  }

  /// A client that only connects does not keep out those that ask.
  @Test func halfOpenConnectionsDisturbNobody() throws {
    var limits = WebLimits()
    limits.handshakes = 8
    let server = try Self.server(limits: limits)
    defer { server.stop(grace: 1) }
    let early = try WebClient(port: server.address.port)
    early.send(Self.request("POST", "/echo", body: "1"))
    #expect(try Self.answer(early).status == 200)
    let idle = try (0..<200).map { _ in
      let client = try WebClient(port: server.address.port)
      client.send("POST /echo HT")
      return client
    }
    let late = try WebClient(port: server.address.port)
    for client in [early, late] {
      client.send(Self.request("POST", "/echo", body: "2"))
      #expect(try Self.answer(client) == (200, "2"))
    }
    #expect(try idle[0].isEnded())
  }

  /// They are all there before the honest client comes, and none of them ever goes.
  @Test(arguments: [
    "", "GET /echo HT", request("POST", "/echo", fields: "X: y\r\n").replacing("Length: 0", with: "Length: 9"),
    request("GET", "/echo"), WebClient.handshake("/live", subprotocol: nil),
  ])
  func fiveHundredSilentConnectionsCostAClientNoTime(words: String) throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = max(limit.rlim_cur, min(4096, limit.rlim_max))
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    // A client that waited for the silent ones to be closed would wait for ten minutes; the sockets of this test have
    // two.
    var limits = WebLimits()
    (limits.handshakeSeconds, limits.bodySeconds, limits.idleSeconds) = (600, 600, 600)
    let server = try Self.server(limits: limits)
    defer { server.stop(grace: 1) }
    let silent = try (0..<500).map { _ in
      let client = try WebClient(port: server.address.port)
      client.send(words)
      return client
    }
    let client = try WebClient(port: server.address.port)
    client.send(Self.request("POST", "/echo", body: "hello"))
    #expect(try Self.answer(client) == (200, "hello"))
    let live = try WebClient(port: server.address.port)
    live.send(WebClient.handshake("/live", subprotocol: nil))
    #expect(try live.readHead().hasPrefix("HTTP/1.1 101 "))
    // A client that has sent a message keeps its place.
    try live.settle()
    for client in silent.prefix(20) { client.send(words) }
    let more = try (0..<20).map { _ in try WebClient(port: server.address.port) }
    for client in more { client.send(WebClient.handshake("/live", subprotocol: nil)) }
    for client in more { _ = try client.readHead() }
    try live.settle()
  }

  /// Tiny messages without end, or as many bytes as there are: a client has its share, and all together a turn.
  @Test(arguments: [0, 1000, 16 << 10]) func aTurnOfReadingHasAnEnd(size: Int) {
    var (budget, clients, messages) = (InputBudget(), 0, 0)
    while !budget.isSpent {
      budget.begin()
      while budget.hasShare {
        budget.spend(size)
        messages += 1
      }
      clients += 1
    }
    #expect((6...8).contains(clients) && messages <= 256 && messages * size <= 144 << 10)
  }

  /// What is pipelined is answered in its order, also when it is more than a turn takes.
  @Test func aThousandRequestsAtOnceAreAnsweredInTheirOrder() throws {
    let server = try Self.server()
    defer { server.stop(grace: 1) }
    let client = try WebClient(port: server.address.port)
    client.send((0..<1000).map { Self.request("POST", "/echo", body: "\($0)") }.joined())
    for number in 0..<1000 { #expect(try Self.answer(client) == (200, "\(number)")) }
  }

  /// Two seconds, however the first request is begun; a body may take longer.
  @Test func aHandshakeHasTwoSeconds() throws {
    let server = try Self.server()
    defer { server.stop(grace: 1) }
    let clients = try ["", "GET /echo HT"].map { words in
      let client = try WebClient(port: server.address.port)
      client.send(words)
      return client
    }
    for client in clients { #expect(try client.isEnded()) }
    #expect(WebLimits().handshakeSeconds == 2 && WebLimits().bodySeconds >= 10)
  }

  // MARK: TLS

  /// A foreign client, as the one in this file speaks no TLS.
  /// Forty requests of a megabyte at once, of which each keeps back its end.
  @Test func longRequestsTogetherTakeABoundedAmountOfMemory() throws {
    var limits = WebLimits()
    limits.bodiesBytes = 4 << 20
    let server = try Self.server(limits: limits)
    defer { server.stop(grace: 1) }
    let part = String(repeating: "x", count: 600_000)
    let clients = try (0..<40).map { _ in
      let client = try WebClient(port: server.address.port)
      client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n" + part)
      return client
    }
    // Six of them fit; a short one does, too.
    waitUntil { server.statistics.refused >= 33 }
    let honest = try WebClient(port: server.address.port)
    honest.send(Self.request("POST", "/echo", body: "short"))
    #expect(try Self.answer(honest) == (200, "short"))
    #expect(server.statistics.refused <= 35)
    withExtendedLifetime(clients) {}
  }

  private static func curl(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
    process.arguments = ["--silent", "--show-error", "--max-time", "20"] + arguments
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let hasCurl = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

  @Test(.enabled("/usr/bin/curl is not installed", { hasCurl })) func pagesAreServedOverTLS() throws {
    let identity = try TLSIdentity.selfSigned(names: ["127.0.0.1", "localhost", "::1"])
    #expect(identity.fingerprint.split(separator: ":").count == 32)
    let server = try Self.server(identity: identity)
    defer { server.stop(grace: 1) }
    let address = "https://127.0.0.1:\(server.address.port)/echo"
    #expect(try Self.curl("--insecure", "--data", "hello", address) == "hello")
    let long = String(repeating: "0123456789", count: 50_000)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("body-\(server.address.port)")
    try Data(long.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try Self.curl("--insecure", "--data-binary", "@\(file.path)", address) == long)
    // The certificate is its own authority, and no other name passes.
    #expect(try Self.curl(address).contains("certificate"))
    #expect(try TLSIdentity.selfSigned(names: ["localhost"]).fingerprint != identity.fingerprint)
  }

  @Test(.enabled("/usr/bin/curl is not installed", { hasCurl })) func plainTextOnTheHTTPSPortGetsASentence() throws {
    let server = try Self.server(identity: TLSIdentity.selfSigned(names: ["127.0.0.1"]))
    defer { server.stop(grace: 1) }
    let client = try WebClient(port: server.address.port)
    client.send(Self.request("GET", "/echo"))
    let (status, body) = try Self.answer(client)
    #expect(status == 400 && body.contains("https://"))
    let noise = try WebClient(port: server.address.port)
    noise.send([22, 3, 1] + [UInt8](repeating: 0xAA, count: 500))
    #expect(try Self.curl("--insecure", "--data", "x", "https://127.0.0.1:\(server.address.port)/echo") == "x")
  }

  @Test func namesThatAreNoneMakeNoCertificate() {
    #expect(throws: SensorError.self) { try TLSIdentity.selfSigned(names: []) }
    #expect(throws: SensorError.self) { try TLSIdentity.selfSigned(names: ["1.2.3"]) }
    #expect(throws: SensorError.self) { try TLSIdentity.selfSigned(names: ["a,DNS:b"]) }
  }
}
