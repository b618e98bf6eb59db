// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionNetwork
import MotionSensing

/// The sensors of a phone, by a page in its browser: no app is needed.
///
/// ```
/// MOTION_SOURCE=phone:browser
/// ```
///
/// A run offers the page over HTTPS and says its address, as a QR code too. The certificate is made at the start; the
/// browser warns of it once. Until a page sends, and while it is silent, nothing is delivered, which is no failure.
///
/// Browsers give 60 samples a second at most, and most of them round to 0.1 m/s² and 0.1 °/s: enough to try things out,
/// too coarse to calibrate. Axes are those of the phone held upright; they do not turn with the screen.
final class BrowserSource: SensorSource, PhonePage {
  /// The name says what a user must not forget.
  let info = SensorInfo(
    name: "phone (browser; at most 60 Hz, rounded to about 0.1 m/s² and 0.1 °/s)", origin: .hardware, pacing: .live,
    deviceClass: .phone, channels: [SensorInfo.Channel(kind: .inertial, rates: [60])])

  private let options: BrowserOptions
  private let announcer: PhoneAnnouncer
  private let handler = BrowserServer()
  private let token: String
  /// Stay the same for all runs, so that a page that is open goes on.
  private let place = Lock((identity: TLSIdentity?.none, port: UInt16?.none, announced: ""))

  /// - Throws: `invalidRequest` for http on an address that other computers reach.
  init(_ options: BrowserOptions, announcer: PhoneAnnouncer = PhoneAnnouncer()) throws(SensorError) {
    let host = options.host ?? (options.isSecure ? LocalAddress.preferred : "127.0.0.1")
    guard options.isSecure || ListeningAddress(host: host, port: 0).isLoopback else {
      throw SensorError(
        .invalidRequest,
        "Browsers give motion to secure pages only: use “tls=no” with “listen=127.0.0.1” alone, or leave it out.")
    }
    var options = options
    options.host = host
    self.options = options
    self.announcer = announcer
    token = options.token ?? WebSecurity.makeToken()
  }

  var phone: PhonePageStatus? {
    let address = place.withLock { $0.announced }
    return address.isEmpty ? nil : PhonePageStatus(address: address, waiting: handler.waiting)
  }

  /// What happened in the runs so far.
  var statistics: BrowserStatistics { handler.statistics }

  func run(_ session: SensorSession) throws {
    let server = try open()
    handler.attach(session)
    try server.start(handler)
    defer {
      server.stop(grace: 0.2)
      handler.detach()
      if let losses = handler.statistics.losses { announcer.warning(losses) }
    }
    var hearing = Hearing(announcer: announcer)
    while true {
      if session.isStopped { throw SourceStopped() }
      let samples = handler.takeSamples()
      for sample in samples where session.resumeAfter.map({ sample.time > $0 }) ?? true {
        try session.deliver(sample)
      }
      if let deadline = hearing.note(samples.count, handler.signs, at: session.clock.now) {
        _ = session.clock.wait(until: deadline, wake: session.wake)
      } else {
        _ = session.wake.wait(limit: nil)
      }
    }
  }

  /// Tells a person when a phone begins to send, falls silent and comes back.
  private struct Hearing {
    let announcer: PhoneAnnouncer
    var heard: SensorInstant?
    var isSilent = false

    /// After each wake; returns when silence has to be noticed.
    mutating func note(_ count: Int, _ signs: BrowserSigns, at now: SensorInstant) -> SensorInstant? {
      if count > 0 {
        if heard == nil {
          let kind = signs.acceleration == .gravity ? "iOS" : "the standard"
          announcer.notice("The phone sends motion; its browser has the signs of \(kind).")
        } else if isSilent, let heard {
          announcer.notice("The phone sends again after \(Int((now - heard).seconds)) s.")
        }
        (heard, isSilent) = (now, false)
      }
      guard let heard, !isSilent else { return nil }
      guard now - heard > PhoneRun.silence else { return heard + PhoneRun.silence + .milliseconds(1) }
      isSilent = true
      announcer.notice(
        "The phone has sent nothing for \(Int(PhoneRun.silence.seconds)) s: is the page in front, and the phone in this network?"
      )
      return nil
    }
  }

  /// The address of the page.
  private func address(_ server: ListeningAddress) -> String {
    "\(options.isSecure ? "https" : "http")://\(server.text)/\(token)/"
  }

  private func open() throws(SensorError) -> WebServer {
    let host = options.host ?? "127.0.0.1"
    let (known, port) = place.withLock { ($0.identity, $0.port) }
    var identity = known
    if options.isSecure, identity == nil {
      identity = try TLSIdentity.selfSigned(names: [host, "127.0.0.1", "localhost"])
    }
    var limits = WebLimits()
    (limits.clients, limits.bodyBytes) = (16, 64 << 10)
    let server = try WebServer(
      address: ListeningAddress(host: host, port: port ?? options.port),
      security: WebSecurity(hosts: [host.contains(":") ? "[\(host)]" : host], token: token), limits: limits,
      identity: identity)
    let page = address(server.address)
    let isNews = place.withLock { place in
      defer { place = (identity, server.address.port, page) }
      return place.announced != page
    }
    if isNews { announcer.notice(invitation(page, identity)) }
    return server
  }

  private func invitation(_ page: String, _ identity: TLSIdentity?) -> String {
    let warning = identity.map { identity in
      """

      The browser warns that it does not know this computer: choose to go on. Its certificate has the SHA-256 fingerprint
        \(identity.fingerprint)
      """
    }
    let code = QRCode(page).map { "\n\n\($0.terminalText(hasColors: announcer.hasColors))" }
    return """
      Waiting for a phone's browser. Scan the code with its camera, or open
        \(page)\(warning ?? "")\(code ?? "")
      """
  }
}

/// Where our page for a phone's browser is offered.
struct BrowserOptions: SourceSettings {
  /// A numeric address of this computer; nil, the default: the one by which it reaches its network.
  var host: String?
  /// 0 = the system chooses one.
  var port: UInt16 = 8443
  /// What the address holds so that only who has read it can send; nil, the default: new in each program.
  var token: String?
  /// False: http, which works for 127.0.0.1 only, because browsers give sensors to secure pages only.
  var isSecure = true

  /// Those of an address such as `phone:browser?port=8443`.
  static let table = SourceOptions<BrowserOptions>(
    "phone:browser",
    [
      .port(default: 8443) { $0.port = $1 }, .listen { $0.host = $1 }, .token { $0.token = $1 },
      .yesOrNo("tls", default: "yes") { $0.isSecure = $1 },
    ])
}
