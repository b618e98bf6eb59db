// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

@testable import LiveOutput
@testable import MotionNetwork

/// The pieces of RFC 6455: digest, handshake, frames, queue.
@Suite struct WebSocketTests {
  @Test func theDigestIsThatOfThePublishedExamples() {
    func hex(_ text: String) -> String {
      SHA1.digest(Array(text.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
    // RFC 3174, 7.3.
    #expect(hex("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(
      hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
    #expect(hex("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    // RFC 6455, 1.3.
    #expect(WebSocketHandshake.acceptKey("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  // MARK: Handshake

  private static let handshake = WebSocketHandshake(subprotocols: FoxgloveProtocol.subprotocols)

  private static func status(_ request: String, hasRoom: Bool = true, token: String? = nil) -> Int {
    guard let head = HTTPRequestHead(Array(request.utf8).dropLast(4)) else { return 0 }
    let security = WebSecurity(
      allowedOrigins: ["https://app.foxglove.dev"], hosts: nil, token: token, allowsLocalPages: true)
    if case .answered(let refusal) = security.check(head) { return refusal.status }
    return switch handshake.answer(head, hasRoom: hasRoom) {
    case .accepted: 101
    case .refused(let refusal): refusal.status
    }
  }

  @Test(arguments: [
    (nil, 101), ("http://localhost:8080", 101), ("https://localhost", 101), ("http://127.0.0.1:3000", 101),
    ("http://127.9.9.9", 101), ("http://[::1]:5173", 101), ("http://[::1]", 101), ("https://app.foxglove.dev", 101),
    ("HTTPS://APP.FOXGLOVE.DEV", 101), ("https://app.foxglove.dev.evil.example", 403),
    ("http://localhost.evil.example", 403), ("http://127.0.0.1.evil.example", 403),
    ("http://127.0.0.1@evil.example", 403),
    ("http://evil.example:127", 403), ("http://127.0.0.256", 403), ("http://localhost:", 403), ("null", 403),
    ("file://", 403),
    ("", 403), ("https://evil.example", 403),
    // Addresses that are almost those of this computer: each part of the check decides one of them.
    ("http://127.255.255.255", 101), ("http://LOCALHOST:1", 101), ("http://128.0.0.1", 403), ("http://126.0.0.1", 403),
    ("http://0127.0.0.1", 403), ("http://127.0.1", 403), ("http://127.0.0.0.1", 403), ("http://127.0.0.0001", 403),
    ("http://127.0..1", 403), ("http://127.0.0.", 403), ("http://127.0.0.+1", 403), ("http://127.0.0.1:80a", 403),
    ("http://127.0.0.1:", 403), ("http://[::1]:", 403), ("http://[::1]x:80", 403), ("http://[::2]", 403),
    ("http://[::1", 403), ("http://localhos", 403), ("http://localhost/", 403), ("ws://localhost", 403),
    ("localhost", 403), ("//localhost", 403),
  ])
  func pagesOfThisComputerAndOfFoxgloveMayConnect(origin: String?, status: Int) {
    #expect(Self.status(WebClient.handshake(origin: origin)) == status)
  }

  /// One page of this computer does not vouch for another.
  @Test func everyOriginOfARequestIsChecked() {
    let one = "Origin: http://localhost\r\n"
    let request = WebClient.handshake(origin: "http://localhost")
    #expect(request.contains(one) && Self.status(request) == 101)
    let foreign = "Origin: https://evil.example\r\n"
    for both in [one + foreign, foreign + one] { #expect(Self.status(request.replacing(one, with: both)) == 403) }
    // A foreign page learns nothing of the rest.
    #expect(Self.status(request.replacing(one, with: foreign), hasRoom: false) == 403)
  }

  @Test func onlyListedSubprotocolsAreSpoken() {
    #expect(Self.status(WebClient.handshake(subprotocol: "foxglove.websocket.v1")) == 101)
    #expect(Self.status(WebClient.handshake(subprotocol: "mqtt, foxglove.sdk.v1")) == 101)
    #expect(Self.status(WebClient.handshake(subprotocol: "mqtt")) == 400)
    #expect(Self.status(WebClient.handshake(subprotocol: nil)) == 400)
    guard
      let head = HTTPRequestHead(
        Array(WebClient.handshake(subprotocol: "foxglove.websocket.v1, foxglove.sdk.v1").utf8).dropLast(4)),
      case .accepted(let response) = Self.handshake.answer(head, hasRoom: true)
    else {
      Issue.record("It was refused.")
      return
    }
    // The client's first choice.
    #expect(response.contains("Sec-WebSocket-Protocol: foxglove.websocket.v1\r\n"))
    #expect(response.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
  }

  @Test func whatIsNoWebSocketRequestIsRefusedByNumber() {
    #expect(Self.status(WebClient.handshake(), hasRoom: false) == 503)
    #expect(Self.status(WebClient.handshake(version: "8")) == 426)
    #expect(Self.status(WebClient.handshake(key: "c2hvcnQ=")) == 400)
    #expect(Self.status(WebClient.handshake(key: "no base 64 at all!")) == 400)
    #expect(Self.status("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") == 426)
    #expect(Self.status(WebClient.handshake().replacing("GET", with: "POST")) == 400)
    #expect(Self.status(WebClient.handshake().replacing("HTTP/1.1", with: "HTTP/1.0")) == 400)
    // Two keys, a blank before a colon, no request line.
    #expect(Self.status(WebClient.handshake().replacing("Host: localhost", with: "Sec-WebSocket-Key: x")) == 400)
    #expect(Self.status(WebClient.handshake().replacing("Host:", with: "Host :")) == 0)
    #expect(HTTPRequestHead(Array("GET /".utf8)) == nil)
    #expect(HTTPRequestHead([0xFF, 0xFE]) == nil)
  }

  @Test(arguments: [
    ("/", 403), ("/?token=", 403), ("/?token=12", 403), ("/?token=1234", 403), ("/?token=123", 101),
    ("/?a=b&token=123", 101),
    ("/token=123", 403), ("/123", 101), ("/123/", 101), ("/123?a=b", 101), ("/1234", 403), ("/12/3", 403),
  ])
  func aServerWithATokenWantsIt(target: String, status: Int) {
    let request = WebClient.handshake().replacing("GET / ", with: "GET \(target) ")
    #expect(Self.status(request, token: "123") == status)
  }

  // MARK: Frames

  private static func events(_ bytes: [UInt8], limit: Int = 1 << 16, step: Int = .max) throws -> [WebSocketEvent] {
    var decoder = WebSocketDecoder(limit: limit)
    var events: [WebSocketEvent] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      decoder.append(rest.prefix(step))
      rest = rest.dropFirst(step)
      while let event = try decoder.next() { events.append(event) }
    }
    return events
  }

  @Test(arguments: [1, 2, 3, 7, .max]) func framesAreCutWhereverTheBytesAreCut(step: Int) throws {
    // RFC 6455, 5.7: "Hello" masked, and in two fragments with a ping in between.
    let hello: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
    let long = [UInt8](repeating: 0x61, count: 70_000)
    let bytes =
      hello + WebClient.frame(0x01, Array("Hel".utf8)) + WebClient.frame(0x89, [7])
      + WebClient.frame(0x80, Array("lo".utf8)) + WebClient.frame(0x82, long[..<200])
      + WebClient.frame(0x82, long) + WebClient.frame(0x88, [0x03, 0xE8])
    #expect(
      try Self.events(bytes, limit: 70_000, step: step) == [
        .text("Hello"), .ping([7]), .text("Hello"), .binary(Array(long[..<200])), .binary(long), .close(1000),
      ])
  }

  @Test(
    arguments: [
      // Unmasked; reserved bit; opcode 3; fragmented ping; ping of 126 bytes; lengths not in their shortest form.
      ([0x81, 0x05, 0x48], WebSocketCloseCode.protocolError), ([0xC1, 0x80, 0, 0, 0, 0], .protocolError),
      ([0x83, 0x80, 0, 0, 0, 0], .protocolError), ([0x09, 0x80, 0, 0, 0, 0], .protocolError),
      ([0x89, 0xFE, 0, 126, 0, 0, 0, 0], .protocolError), ([0x81, 0xFE, 0, 5, 0, 0, 0, 0], .protocolError),
      ([0x81, 0xFF, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0], .protocolError),
      // A fragment of nothing, and a message inside another one.
      ([0x80, 0x80, 0, 0, 0, 0], .protocolError),
      ([0x01, 0x80, 0, 0, 0, 0, 0x81, 0x80, 0, 0, 0, 0], .protocolError),
      // Half a close code; text that is none, also over a fragment's end.
      ([0x88, 0x81, 0, 0, 0, 0, 3], .protocolError), ([0x81, 0x81, 0, 0, 0, 0, 0xFF], .notUTF8),
      ([0x01, 0x81, 0, 0, 0, 0, 0xC3, 0x80, 0x80, 0, 0, 0, 0], .notUTF8),
      // 64 KiB and one; 2⁶³ − 1 and 2⁶⁴ − 1 bytes, of which none has come.
      ([0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 1], .tooBig),
      ([0x82, 0xFF, 0x7F] + [UInt8](repeating: 0xFF, count: 7), .tooBig),
      ([0x82] + [UInt8](repeating: 0xFF, count: 9), .tooBig),
    ] as [([UInt8], WebSocketCloseCode)])
  func brokenRulesEndTheConnectionWithTheirCode(bytes: [UInt8], code: WebSocketCloseCode) {
    #expect(throws: WebSocketBreach(code: code, reason: "")) { try Self.events(bytes) }
  }

  @Test func fragmentsTogetherAreCappedLikeOneFrame() throws {
    let half = WebClient.frame(0x02, [UInt8](repeating: 0, count: 600))
    let rest = WebClient.frame(0x80, [UInt8](repeating: 0, count: 401))
    #expect(throws: WebSocketBreach(code: .tooBig, reason: "")) { try Self.events(half + rest, limit: 1000) }
    #expect(try Self.events(half + rest, limit: 1001).count == 1)
  }

  // MARK: Queue

  @Test func aFullQueueLosesItsOldestFramesAndTellsOnce() {
    var limits = WebLimits()
    limits.queueBytes = 10 * (100 + 48)
    var outbox = Outbox(limits: limits)
    for number in 0..<25 { outbox.push([UInt8](repeating: UInt8(number), count: 100)) }
    #expect(outbox.dropped == 15 && outbox.queuedBytes <= limits.queueBytes)
    var bytes: [UInt8] = []
    outbox.pop(.max, mayTell: false, to: &bytes) { _ in [0xEE] }
    #expect(stride(from: 0, to: bytes.count, by: 100).map { bytes[$0] } == Array(15..<25))
    #expect(outbox.isEmpty && outbox.owesNotice && outbox.passed == 10)
    bytes = []
    outbox.pop(.max, mayTell: true, to: &bytes) { [UInt8($0)] }
    #expect(bytes == [15] && !outbox.owesNotice)
  }

  /// What came before a client goes first, is shared and so takes no place in its queue, and is the first to go when the
  /// client is too slow, but for its last frame, which says that it is over.
  @Test func historyComesFirstAndIsTheFirstToBeDropped() {
    var limits = WebLimits()
    limits.queueBytes = 10 * (1 + 48)
    func queue(_ count: Int) -> Outbox {
      var outbox = Outbox(limits: limits)
      outbox.begin(with: (0..<100).map { [UInt8($0)] })
      for number in 0..<count { outbox.push([UInt8(200 + number)]) }
      return outbox
    }
    var (outbox, bytes) = (queue(10), [UInt8]())
    #expect(!outbox.isEmpty && outbox.queuedBytes == limits.queueBytes && outbox.dropped == 0)
    outbox.pop(50, mayTell: false, to: &bytes) { _ in [] }
    #expect(bytes == Array(0..<50) && !outbox.isEmpty)
    outbox.pop(.max, mayTell: false, to: &bytes) { _ in [] }
    #expect(bytes == Array(0..<100) + Array(200..<210) && outbox.isEmpty && outbox.passed == 110)
    (outbox, bytes) = (queue(12), [])
    outbox.pop(.max, mayTell: true, to: &bytes) { [UInt8($0)] }
    #expect(bytes == [99 + 2, 99] + Array(202..<212))
  }

  @Test func answersAreNeverDroppedButHaveAnEnd() {
    var limits = WebLimits()
    limits.answerBytes = 1000
    var outbox = Outbox(limits: limits)
    let kept = (0..<7).map { _ in outbox.pushAnswer([UInt8](repeating: 0, count: 100)) }
    #expect(kept == [true, true, true, true, true, true, false])
  }

  @Test func aLongQueueKeepsItsOrder() {
    var outbox = Outbox(limits: WebLimits())
    var (expected, seen): ([UInt8], [UInt8]) = ([], [])
    for number in 0..<5000 {
      outbox.push([UInt8(number & 0xFF)])
      expected.append(UInt8(number & 0xFF))
      if number % 3 == 0 { outbox.pop(seen.count + 2, mayTell: false, to: &seen) { _ in [] } }
    }
    outbox.pop(.max, mayTell: false, to: &seen) { _ in [] }
    #expect(seen == expected && outbox.queuedBytes == 0)
  }
}

/// Who may ask a server of pages: who has the token, in a field and nowhere else, and no other page.
struct WebSecurityTests {
  private static let token = "abcdefghijkmnpqrstuvwxyz23"
  private static let security = WebSecurity(token: token, pages: ["/", "/main.js"])

  /// The status and the answer; 0 = passed.
  private static func check(
    _ target: String, method: String = "GET", _ fields: String..., security: WebSecurity = security
  ) throws -> (status: Int, answer: HTTPResponse?) {
    let lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:8760"] + fields
    let head = try #require(HTTPRequestHead(Array(lines.joined(separator: "\r\n").utf8)))
    return switch security.check(head) {
    case .passed: (0, nil)
    case .answered(let response), .revoked(let response): (response.status, response)
    }
  }

  @Test(arguments: [
    ("Authorization: Bearer \(token)", 0, 0), ("Authorization: \(token)", 403, 403),
    ("Authorization: bearer \(token)", 0, 0), ("Authorization: Bearer ", 403, 403),
    ("Authorization: Bearer abcdefghijkmnpqrstuvwxyz2", 403, 403), ("Authorization: Bearer A\(token)", 403, 403),
    // Of a WebSocket beside the protocol, and of no other request.
    ("Sec-WebSocket-Protocol: motion-view, \(token)", 403, 0), ("Sec-WebSocket-Protocol: motion-view", 403, 403),
    ("Sec-WebSocket-Protocol: motion-view; \(token)", 403, 403),
    // What a browser sends to all ports, or shows to others.
    ("Cookie: motion-view-8760=\(token)", 403, 403), ("Cookie: token=\(token)", 403, 403),
    ("Referer: http://127.0.0.1:8760/#token=\(token)", 403, 403), ("X-Token: \(token)", 403, 403),
  ])
  func theTokenIsInAFieldThatNoBrowserSendsByItself(field: String, status: Int, upgraded: Int) throws {
    #expect(try Self.check("/session.json", field).status == status)
    #expect(try Self.check("/live", "Upgrade: websocket", "Connection: Upgrade", field).status == upgraded)
    for page in ["/", "/main.js"] { #expect(try Self.check(page, field).status == 0) }
  }

  @Test(arguments: [
    "/session.json", "/live", "/?token=", "/?token=\(token)", "/session.json?token=\(token)", "/\(token)/",
    "/live?token=\(token)", "/main.js?x", "/main.js/", "//", "/token",
  ])
  func withoutTheTokenTheAnswerSaysWhereItIs(target: String) throws {
    let (status, answer) = try Self.check(target)
    #expect(status == 403)
    let words = String(decoding: try #require(answer).body, as: UTF8.self)
    #expect(words.contains("Open the address that motionctl printed") && !words.contains(Self.token))
  }

  /// A page of another port of this computer is the same site for a cookie, but another origin.
  @Test(arguments: [
    ("http://127.0.0.1:8760", 0), ("http://127.0.0.1:3000", 403), ("http://localhost:8760", 403),
    ("http://localhost:3000", 403), ("http://127.0.0.1", 403), ("https://evil.example", 403), ("null", 403),
    ("http://127.0.0.1:8760.evil.example", 403),
  ])
  func onlyThePageOfThisServerMayAsk(origin: String, status: Int) throws {
    let known = "Authorization: Bearer \(Self.token)"
    #expect(try Self.check("/session.json", known, "Origin: \(origin)").status == status)
    #expect(try Self.check("/live", known, "Upgrade: websocket", "Origin: \(origin)").status == status)
    #expect(try Self.check("/", "Origin: \(origin)").status == status)
    // At all addresses of a computer the host is not checked, and the page may ask all the same.
    let open = WebSecurity(hosts: nil, token: Self.token, pages: [])
    #expect(try Self.check("/session.json", known, "Origin: \(origin)", security: open).status == status)
    // Without a token a foreign name that points here must not pass as the server's own.
    let bare = WebSecurity(hosts: nil)
    #expect(try Self.check("/", "Origin: \(origin)", security: bare).status == 403)
  }

  /// A ticket is for one thing: the token, once, for half a minute, and not what the token is for. After a second use no
  /// program has the token that another may have, too.
  @Test func aTicketGivesTheTokenOnce() async throws {
    let clock = VirtualClock()
    let (ticket, late) = (WebTicket(for: Self.token, clock: clock), WebTicket(for: Self.token, clock: clock))
    func status(_ method: String, _ target: String, _ known: String, _ ticket: WebTicket = ticket) throws -> Int {
      let security = WebSecurity(token: Self.token, pages: ["/"], ticket: ticket)
      let (status, answer) = try Self.check(
        target, method: method, "Authorization: bearer \(known)", security: security)
      #expect((answer?.body == Array("\(ticket.token)\n".utf8)) == (status == 200))
      return status
    }
    for (method, target) in [("GET", "/session.json"), ("GET", "/token"), ("POST", "/session.json")] {
      #expect(try status(method, target, ticket.text) == 403)
    }
    #expect(try status("POST", "/token?token=\(ticket.text)", "") == 403 && status("POST", "/token", "x") == 403)
    await clock.advance(by: .milliseconds(29_999))
    #expect(try status("POST", "/token", ticket.text) == 200 && status("POST", "/token", Self.token) == 200)
    #expect(try status("GET", "/live", ticket.text) == 403 && status("GET", "/live", Self.token) == 0)
    await clock.advance(by: .milliseconds(1))
    #expect(try status("POST", "/token", late.text, late) == 403 && late.token == Self.token)
    for _ in 0..<2 {
      #expect(try status("POST", "/token", ticket.text) == 403 && status("GET", "/live", Self.token) == 403)
      #expect(try status("GET", "/live", ticket.token) == 0)
    }
  }

  @Test func aTokenHasTheBitsThatAreAskedFor() {
    let tokens = (0..<100).map { _ in WebSecurity.makeToken(bits: 128) }
    #expect(Set(tokens).count == 100 && tokens.allSatisfy { $0.count == 26 })
    #expect(WebSecurity.makeToken().count == 16)
  }
}

/// What the outputs ask of the system's sockets.
@Suite struct SocketTests {
  /// A client whose computer has gone to sleep says nothing; the system has to find out.
  @Test func aClientThatAnswersNothingIsNoticedWithinHalfAMinute() throws {
    let (listener, port) = try Socket.listen(ListeningAddress(port: 0))
    defer { close(listener) }
    let client = try WebClient(port: port)
    var isExhausted = false
    let descriptor = try #require(Socket.accept(listener, isExhausted: &isExhausted))
    defer { close(descriptor) }
    func option(_ level: Int32, _ name: Int32) -> Int32 {
      var (value, size) = (Int32(-1), socklen_t(MemoryLayout<Int32>.size))
      return getsockopt(descriptor, level, name, &value, &size) == 0 ? value : -1
    }
    let tcp = Int32(IPPROTO_TCP)
    #expect(option(SOL_SOCKET, SO_KEEPALIVE) == 1)
    // Idle first, then unanswered questions.
    let idle = option(tcp, TCP_KEEPIDLE) + option(tcp, TCP_KEEPINTVL) * option(tcp, TCP_KEEPCNT)
    #expect((10...30).contains(idle))
    // With something on its way, the kernel asks nothing and repeats that for a quarter of an hour.
    #expect(option(tcp, TCP_USER_TIMEOUT) == 30_000)
    withExtendedLifetime(client) {}
  }
}
