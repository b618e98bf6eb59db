// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionNetwork
import MotionSensing

/// Offers the page and takes its batches, one phone at a time; a source takes the samples from it.
///
/// POST instead of a WebSocket: iOS refuses WebSockets to a server whose certificate no authority vouches for, even
/// after the user has accepted the page. Requests of the page itself are not affected.
final class BrowserServer: WebHandler {
  /// Samples that wait for the source, at most.
  static let capacity = 20_000

  private struct State {
    var stream = BrowserStream()
    /// What had happened when the present page began.
    var past = PhoneStatistics()
    /// The page that sends: its session, the address of its phone, when it sent last.
    var page: (session: UInt64, peer: String, time: SensorInstant)?
    /// Pages that another one has replaced; the latest ones.
    var ended: [UInt64] = []
    var samples: [SensorSample] = []
    var run: (clock: any SensorClock, wake: WakeSignal)?
    /// A phone has loaded the page, and when the last samples came.
    var isOpened = false
    var delivered: SensorInstant?
    /// What the stream does not see.
    var refused = PhoneStatistics()
  }

  private let state = Lock(State())

  /// From now on samples go to this run.
  func attach(_ session: SensorSession) { state.withLock { $0.run = (session.clock, session.wake) } }

  /// The run has ended: what waited for it is of no use to another.
  func detach() {
    state.withLock {
      $0.run = nil
      $0.samples = []
    }
  }

  /// The samples that have arrived since.
  func takeSamples() -> [SensorSample] {
    state.withLock { state in
      defer { state.samples = [] }
      return state.samples
    }
  }

  /// What is known of the browser that sends.
  var signs: BrowserSigns { state.withLock { $0.stream.signs } }

  /// Everything that happened so far.
  var statistics: PhoneStatistics { state.withLock { $0.stream.statistics + $0.refused } }

  /// What must happen before samples come, for the person at the computer; nil while they come.
  var waiting: String? {
    state.withLock { state in
      guard let now = state.run?.clock.now else { return "The program does not read the phone at the moment." }
      if let delivered = state.delivered {
        guard now - delivered > PhoneHearing.silence else { return nil }
        let seconds = (now - delivered).nanoseconds / 1_000_000_000
        return "The phone has sent nothing for \(seconds) s: is the page in front, and the phone in this network?"
      }
      if state.stream.statistics.messages > 0 {
        return "The phone sends: move it a little, until the signs of its browser are known."
      }
      return state.isOpened
        ? "The phone has opened the page: tap “Send motion” there, and allow motion when it asks."
        : "No phone yet: scan the code with its camera, and go on if its browser warns of the certificate."
    }
  }

  // MARK: Requests

  func respond(to request: HTTPRequest) -> HTTPResponse {
    switch (request.method, request.path) {
    case ("POST", "/motion"): motion(request)
    case ("POST", "/goodbye"): goodbye(request)
    case ("GET", _), ("HEAD", _): page(request)
    default: .text(405, "The page sends its samples by POST to motion; everything else is GET.")
    }
  }

  private func page(_ request: HTTPRequest) -> HTTPResponse {
    if (request.method, request.path) == ("GET", "/") { state.withLock { $0.isOpened = true } }
    return Self.file(request.path) ?? .text(404, "There is no such page.")
  }

  /// The files of the page, which are part of the program; nil for another path.
  private static func file(_ path: String) -> HTTPResponse? {
    switch path {
    case "/", "/index.html": HTTPResponse(contentType: "text/html; charset=utf-8", body: PackageResources.index_html)
    case "/page.css": HTTPResponse(contentType: "text/css; charset=utf-8", body: PackageResources.page_css)
    case "/page.js": HTTPResponse(contentType: "text/javascript; charset=utf-8", body: PackageResources.page_js)
    case "/motion.js": HTTPResponse(contentType: "text/javascript; charset=utf-8", body: PackageResources.motion_js)
    // Browsers ask for it by themselves.
    case "/favicon.ico": HTTPResponse(status: 204, contentType: "image/x-icon", body: [])
    default: nil
    }
  }

  private func motion(_ request: HTTPRequest) -> HTTPResponse {
    let batch: BrowserBatch
    do throws(SensorError) {
      batch = try BrowserBatch(request.body)
    } catch {
      state.withLock { $0.refused.malformedMessages += 1 }
      return .text(400, error.message)
    }
    let (response, wake) = state.withLock { state -> (HTTPResponse, WakeSignal?) in
      guard let run = state.run else { return (.text(503, "The program does not want motion at the moment."), nil) }
      if let refusal = Self.refusal(batch, from: request.peer, at: run.clock.now, &state) { return (refusal, nil) }
      guard state.samples.count < Self.capacity else {
        state.refused.overflows += 1
        return (.text(503, "The program does not keep up with the samples: these were not taken."), nil)
      }
      let samples = state.stream.receive(batch, at: run.clock.now)
      state.samples += samples
      if !samples.isEmpty { state.delivered = run.clock.now }
      return (Self.report(state.stream, since: state.past), samples.isEmpty ? nil : run.wake)
    }
    wake?.signal()
    return response
  }

  /// Nil when the batch is of the page that sends, or of one that may take its place.
  private static func refusal(
    _ batch: BrowserBatch, from peer: String, at now: SensorInstant, _ state: inout State
  ) -> HTTPResponse? {
    guard !state.ended.contains(batch.session) else {
      state.refused.replacedPages += 1
      return .text(410, "Another page of this phone has taken over. To use this one, load it again.")
    }
    if let page = state.page, page.session != batch.session {
      // The same phone may open the page again; another one has to wait.
      guard page.peer == peer || now - page.time > PhoneHearing.silence else {
        state.refused.otherPhones += 1
        return .text(409, "Another phone is connected. Close its page first.")
      }
      state.ended = state.ended.suffix(15) + [page.session]
    }
    if state.page?.session != batch.session { state.past = state.stream.statistics }
    state.page = (batch.session, peer, now)
    return nil
  }

  /// The page says that it is being closed, with its last samples: another phone need not wait.
  private func goodbye(_ request: HTTPRequest) -> HTTPResponse {
    let batch = try? BrowserBatch(request.body)
    let response = batch?.readings.isEmpty == true ? HTTPResponse.text(200, "OK") : motion(request)
    state.withLock { if let batch, $0.page?.session == batch.session { $0.page = nil } }
    return response
  }

  /// What the page shows. Only words and numbers of our own: nothing to escape.
  private static func report(_ stream: BrowserStream, since past: PhoneStatistics) -> HTTPResponse {
    let counts = stream.statistics.since(past)
    let sign = ["unknown", "standard", "iOS"][Int(stream.signs.acceleration.rawValue)]
    let order = ["x, y, z", "z, x, y"][Int(stream.signs.rateOrder.rawValue)]
    return .json(
      Array(#"{"sign":"\#(sign)","order":"\#(order)","lost":\#(counts.lostSamples),\#(counts.members)}"#.utf8)
    )
  }
}
