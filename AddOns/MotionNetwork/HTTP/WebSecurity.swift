// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// What stands for the token of a server once, for half a minute: for the arguments of a program that opens the address,
/// which other users of a computer can read while it runs. A second use shows that two programs have read it: the token
/// is void then, and another one takes its place.
package final class WebTicket: Sendable {
  private enum Use { case none, one, several }

  package let text = WebSecurity.makeToken(bits: 128)
  private let state: Lock<(token: String, use: Use)>
  private let clock: any SensorClock
  private let end: SensorInstant

  package init(for token: String, clock: any SensorClock = MonotonicClock()) {
    (state, self.clock, end) = (Lock((token, .none)), clock, clock.now + .seconds(30))
  }

  /// The token that holds now.
  package var token: String { state.withLock { $0.token } }

  /// The answer to requests without the token.
  var refusal: HTTPResponse { state.withLock { $0.use } == .several ? Self.reused : WebSecurity.stranger }

  /// What becomes of a request for the token; nil for another text than the ticket's.
  func redeem(_ candidate: Substring) -> WebSecurity.Verdict? {
    guard WebSecurity.isEqual(candidate, text) else { return nil }
    return state.withLock { state in
      switch state.use {
      case .none where clock.now < end:
        state.use = .one
        return .answered(.text(200, state.token))
      case .one:
        state = (WebSecurity.makeToken(bits: 128), .several)
        return .revoked(Self.reused)
      case .none, .several: return nil
      }
    }
  }

  private static let reused = HTTPResponse.refusal(
    403,
    "The ticket was used already: another program of this computer may have taken it, and seen the motion. End this run, or open the address that motionctl printed last."
  )
}

/// Who may ask a server: checked for every request, before anything of it is used.
///
/// A page of any web site may try to reach this computer; its browser names the site in `Origin`, and in `Host` the
/// name under which it found the address (a foreign name that points here is how DNS rebinding works). Programs without
/// `Origin` pass.
package struct WebSecurity: Sendable {
  /// Pages that may ask beside those of this computer: scheme, host and port as browsers write them.
  package var allowedOrigins: [String]
  /// Names and addresses of this server beside those of loopback; nil = any.
  package var hosts: [String]?
  /// What the address must hold as its first part (`/TOKEN/data`) or as `?token=TOKEN`; nil = nothing.
  package var token: String?
  /// For a server of a page: addresses of files without anything secret, which everyone gets. No other address holds the
  /// token then: the page sends it as `Authorization: Bearer TOKEN`, and for a WebSocket beside the subprotocol.
  ///
  /// Not as a cookie, which a browser sends to all ports of a host, those of other users' programs included.
  package var pages: Set<String>?
  /// `POST /token` gives the token for it; which token holds is known here.
  package var ticket: WebTicket?
  /// Pages of any port of this computer may ask too, not only those of the server.
  package var allowsLocalPages: Bool

  package init(
    allowedOrigins: [String] = [], hosts: [String]? = [], token: String? = nil, pages: Set<String>? = nil,
    ticket: WebTicket? = nil, allowsLocalPages: Bool = false
  ) {
    (self.allowedOrigins, self.hosts, self.token, self.pages) = (allowedOrigins, hosts, token, pages)
    (self.ticket, self.allowsLocalPages) = (ticket, allowsLocalPages)
  }

  /// A token that cannot be guessed, of letters and digits that are easy to read: five bits each. Default: 80 bits.
  package static func makeToken(bits: Int = 80) -> String {
    let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
    return String((0..<((bits + 4) / 5)).compactMap { _ in letters.randomElement() })
  }

  enum Verdict {
    /// The target without the token.
    case passed(Substring)
    /// Refused, or the token for the ticket.
    case answered(HTTPResponse)
    /// Refused, as is from now on what all other connections send.
    case revoked(HTTPResponse)
  }

  func check(_ head: HTTPRequestHead) -> Verdict {
    let name = Self.name((head.value("host") ?? "").lowercased()) ?? ""
    if let hosts, !Self.isLoopback(name), !hosts.contains(where: { $0.lowercased() == name }) {
      return .answered(
        .refusal(421, "This server is not called \(Self.printable(name)): use the address that it printed."))
    }
    if let origin = head.values("origin").first(where: { !isAllowed(origin: $0, host: head.value("host")) }) {
      return .answered(
        .refusal(403, "The page \(Self.printable(origin)) may not connect, only pages of this server."))
    }
    guard let token = ticket?.token ?? token else { return .passed(head.target[...]) }
    if let pages {
      let given = Self.tokens(in: head)
      let refusal = ticket?.refusal ?? Self.stranger
      let isKnown = given.contains { Self.isEqual($0, token) }
      if head.method == "POST", head.target == "/token" {
        let verdict = isKnown ? .answered(.text(200, token)) : given.first.flatMap { ticket?.redeem($0) }
        return verdict ?? .answered(refusal)
      }
      return isKnown || pages.contains(head.target) ? .passed(head.target[...]) : .answered(refusal)
    }
    let path = head.target.dropFirst()
    let first = path.prefix { $0 != "/" && $0 != "?" }
    if Self.isEqual(first, token) {
      let rest = path.dropFirst(first.count)
      return .passed(rest.hasPrefix("/") ? rest : "/" + rest)
    }
    let isInQuery = Self.tokens(in: head.target).contains { Self.isEqual($0, token) }
    return isInQuery ? .passed(head.target[...]) : .answered(Self.stranger)
  }

  fileprivate static let stranger = HTTPResponse.refusal(
    403, "Open the address that motionctl printed last: it holds the token of this run.")

  /// What the scripts of a page send.
  private static func tokens(in head: HTTPRequestHead) -> [Substring] {
    head.values("authorization").compactMap { $0.prefix(7).lowercased() == "bearer " ? $0.dropFirst(7) : nil }
      + (WebSocketHandshake.isWanted(head) ? head.list("sec-websocket-protocol").map { $0[...] } : [])
  }

  /// Takes as long for any two texts of these lengths.
  static func isEqual(_ text: Substring, _ token: String) -> Bool {
    let (a, b) = (Array(text.utf8), Array(token.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func tokens(in target: String) -> [Substring] {
    guard let mark = target.firstIndex(of: "?") else { return [] }
    return target[mark...].dropFirst().split(separator: "&").compactMap { part in
      part.hasPrefix("token=") ? part.dropFirst(6) : nil
    }
  }

  /// A page of the server itself, host and port; one that is allowed by name; where wanted, any of this computer.
  ///
  /// That page has the server's `Host`, which was checked, or it needs the token, which no foreign name has.
  private func isAllowed(origin: String, host: String?) -> Bool {
    let origin = origin.lowercased()
    if allowedOrigins.contains(where: { $0.lowercased() == origin }) { return true }
    guard let scheme = ["http://", "https://"].first(where: origin.hasPrefix) else { return false }
    let authority = String(origin.dropFirst(scheme.count))
    if hosts != nil || token != nil, authority == host?.lowercased() { return true }
    guard allowsLocalPages, let name = Self.name(authority) else { return false }
    return Self.isLoopback(name)
  }

  /// The host of an authority in lower case; nil where the port is none.
  private static func name(_ authority: String) -> String? {
    guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else { return authority }
    let port = authority[authority.index(after: colon)...]
    guard HTTPRequestHead.number(port) != nil else { return nil }
    return String(authority[..<colon])
  }

  /// `localhost`, `127.0.0.1`, `[::1]`, and nothing that only begins like them.
  private static func isLoopback(_ name: String) -> Bool {
    if name == "localhost" || name == "[::1]" { return true }
    let bytes = name.split(separator: ".", omittingEmptySubsequences: false)
    return bytes.count == 4 && bytes[0] == "127"
      && bytes.allSatisfy { $0.count <= 3 && HTTPRequestHead.number($0) ?? 256 < 256 }
  }

  /// A stranger's text in an answer.
  private static func printable(_ text: String) -> String {
    String(
      text.unicodeScalars.prefix(100).filter { $0.isASCII && $0.value > 0x20 && $0.value != 0x7F }.map(Character.init))
  }
}
