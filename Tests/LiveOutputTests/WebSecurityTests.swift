// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MotionNetwork

/// Who may ask a server of pages: who has the token, in the address or in the cookie of this port, and no other page.
struct WebSecurityTests {
  private static let token = "abcdefghijkmnpqrstuvwxyz23"
  private static let security = WebSecurity(token: token, cookie: "view")

  /// The status and the answer; 0 = passed.
  private static func check(
    _ target: String, method: String = "GET", _ fields: String..., security: WebSecurity = security
  ) throws -> (status: Int, answer: HTTPResponse?) {
    let lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:8760"] + fields
    let head = try #require(HTTPRequestHead(Array(lines.joined(separator: "\r\n").utf8)))
    return switch security.check(head, port: 8760) {
    case .passed: (0, nil)
    case .greeted(let response), .refused(let response): (response.status, response)
    }
  }

  @Test func theAddressLeavesTheTokenInACookieAndIsSeenNoMore() throws {
    for method in ["GET", "HEAD"] {
      let (status, answer) = try Self.check("/?token=\(Self.token)", method: method)
      let fields = Dictionary(uniqueKeysWithValues: try #require(answer).fields.map { ($0.name, $0.value) })
      #expect(status == 303 && fields["Location"] == "/")
      #expect(fields["Set-Cookie"] == "view-8760=\(Self.token); Path=/; HttpOnly; SameSite=Strict")
    }
    // A client that is no browser needs no cookie.
    #expect(try Self.check("/session.json?token=\(Self.token)").status == 0)
    #expect(try Self.check("/live?x=1&token=\(Self.token)", "Upgrade: websocket", "Connection: Upgrade").status == 0)
  }

  @Test(arguments: [
    ("view-8760=abcdefghijkmnpqrstuvwxyz23", 0), ("a=b; view-8760=abcdefghijkmnpqrstuvwxyz23; c=d", 0),
    // The one that another run, or another viewer at another port, has left.
    ("view-8760=old; view-8760=abcdefghijkmnpqrstuvwxyz23", 0), ("view-8761=abcdefghijkmnpqrstuvwxyz23", 403),
    ("view-8760=abcdefghijkmnpqrstuvwxyz2", 403), ("view-8760=", 403), ("view-8760", 403), ("", 403),
    ("xview-8760=abcdefghijkmnpqrstuvwxyz23", 403), ("view-8760=Abcdefghijkmnpqrstuvwxyz23", 403),
  ])
  func onlyTheCookieOfThisPortAndRunPasses(cookie: String, status: Int) throws {
    #expect(try Self.check("/", "Cookie: \(cookie)").status == status)
  }

  @Test(arguments: [
    "/", "/session.json", "/live", "/?token=", "/?token=abcdefghijkmnpqrstuvwxyz24", "/?Token=\(token)", "/\(token)/",
    "/?x=token=\(token)",
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
    let cookie = "Cookie: view-8760=\(Self.token)"
    #expect(try Self.check("/session.json", cookie, "Origin: \(origin)").status == status)
    #expect(try Self.check("/live?token=\(Self.token)", "Upgrade: websocket", "Origin: \(origin)").status == status)
    // At all addresses of a computer the host is not checked, and the page may ask all the same.
    let open = WebSecurity(hosts: nil, token: Self.token, cookie: "view")
    #expect(try Self.check("/session.json", cookie, "Origin: \(origin)", security: open).status == status)
    // Without a token a foreign name that points here must not pass as the server's own.
    let bare = WebSecurity(hosts: nil)
    #expect(try Self.check("/", "Origin: \(origin)", security: bare).status == 403)
  }

  @Test func aTicketGivesTheCookieOnce() throws {
    let security = WebSecurity(token: Self.token, cookie: "view", ticket: WebTicket("ticket"))
    for (target, status) in [
      ("/session.json?token=ticket", 403), ("/?token=", 403), ("/?token=ticke", 403), ("/?token=ticket", 303),
      ("/?token=ticket", 403), ("/?token=\(Self.token)", 303),
    ] {
      #expect(try Self.check(target, security: security).status == status, "\(target)")
    }
    #expect(try Self.check("/", "Cookie: view-8760=ticket", security: security).status == 403)
  }

  @Test func aTokenHasTheBitsThatAreAskedFor() {
    let tokens = (0..<100).map { _ in WebSecurity.makeToken(bits: 128) }
    #expect(Set(tokens).count == 100 && tokens.allSatisfy { $0.count == 26 })
    #expect(WebSecurity.makeToken().count == 16)
  }
}
