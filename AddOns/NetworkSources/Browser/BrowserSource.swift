// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionNetwork
package import MotionSensing

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
package final class BrowserSource: SensorSource {
  /// The name says what a user must not forget.
  package let info = SensorInfo(
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

  /// The address of the page, with its token, and what has to happen before samples come, a sentence; nil while the
  /// source does not run, and nil while they come.
  package var page: (address: String, waiting: String?)? {
    let address = place.withLock { $0.announced }
    return address.isEmpty ? nil : (address, handler.waiting)
  }

  /// What happened in the runs so far.
  var statistics: PhoneStatistics { handler.statistics }

  package func run(_ session: SensorSession) throws {
    let server = try open()
    handler.attach(session)
    try server.start(handler)
    defer {
      server.stop(grace: 0.2)
      handler.detach()
      if let losses = handler.statistics.losses { announcer.warning(losses) }
    }
    var hearing = PhoneHearing(announcer, of: "page")
    while true {
      if session.isStopped { throw SourceStopped() }
      let samples = handler.takeSamples()
      for sample in samples where session.resumeAfter.map({ sample.time > $0 }) ?? true {
        try session.deliver(sample)
      }
      let now = session.clock.now
      if !samples.isEmpty {
        if hearing.heard == nil {
          let kind = handler.signs.acceleration == .gravity ? "iOS" : "the standard"
          announcer.notice("The phone sends motion; its browser has the signs of \(kind).")
        }
        hearing.hear(at: now)
      }
      _ = hearing.notice(at: now)
      // Without a deadline it waits for a batch or a stop.
      _ = session.clock.wait(until: hearing.deadline ?? SensorInstant(nanoseconds: .max), wake: session.wake)
    }
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
    let page = "\(options.isSecure ? "https" : "http")://\(server.address.text)/\(token)/"
    place.withLock { $0 = (identity, server.address.port, page) }
    let warning = identity.map { identity in
      """

      The browser warns that it does not know this computer: choose to go on. Its certificate has the SHA-256 fingerprint
        \(identity.fingerprint)
      """
    }
    announcer.invite(
      "Waiting for a phone's browser. Scan the code with its camera, or open\n  \(page)\(warning ?? "")", page: page)
    return server
  }
}
