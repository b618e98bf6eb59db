// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionNetwork
import MotionSensing
import PhoneFormats

/// The port to which Sensor Logger pushes, shared by the sources of a program: the phone's own, its watch's, its
/// headphones'.
///
/// It listens while one of them runs. One phone at a time: a second one is refused with a sentence that its app shows.
final class SensorLoggerServer: WebHandler {
  /// The app can put pictures into its messages; larger ones are refused.
  static let bodyBytes = 4 << 20
  /// Messages without any usable sensor before the phone is told: the slow sensors come first.
  private static let patience = 3

  private struct State {
    var inboxes: [PhoneInbox] = []
    var phone: (device: String, heard: SensorInstant)?
    var useless = 0
    /// What no stream sees, in all and as the answers have said it.
    var counts = PhoneStatistics(), answered = PhoneStatistics()
  }

  /// Where it listens, and what the address must hold.
  let host: String
  private let port: UInt16
  let token: String
  private let state = Lock(State())
  private let web = Lock<WebServer?>(nil)

  init(_ options: PhoneOptions) {
    host = options.host ?? LocalAddress.preferred
    port = options.port
    token = options.token ?? WebSecurity.makeToken()
  }

  /// The address that the phone's camera opens, and the one for the app; nil while no source runs.
  var addresses: (page: String, push: String)? {
    guard let address = web.withLock({ $0?.address }) else { return nil }
    return ("http://\(address.text)/\(token)/", "http://\(address.text)/\(token)/data")
  }

  /// Requests that were refused, over all runs.
  var counts: PhoneStatistics { state.withLock { $0.counts } }

  /// Receives for one more source; the first one opens the port.
  func attach(_ inbox: PhoneInbox) throws(SensorError) {
    try web.withLock { (web) throws(SensorError) in
      if web == nil {
        var limits = WebLimits()
        limits.bodyBytes = Self.bodyBytes
        let server = try WebServer(
          address: ListeningAddress(host: host, port: port),
          security: WebSecurity(hosts: [host.contains(":") ? "[\(host)]" : host], token: token), limits: limits)
        try server.start(self)
        web = server
      }
    }
    state.withLock { $0.inboxes.append(inbox) }
  }

  /// The last one that leaves closes the port.
  func detach(_ inbox: PhoneInbox) {
    web.withLock { web in
      let isLast = state.withLock { state in
        state.inboxes.removeAll { $0 === inbox }
        return state.inboxes.isEmpty
      }
      guard isLast else { return }
      web?.stop(grace: 0.2)
      web = nil
    }
  }

  func respond(to request: HTTPRequest) -> HTTPResponse {
    guard request.path == "/data" else {
      guard request.path == "/", let push = request.head.value("host") else {
        return .text(404, "There is no such page. Sensor Logger pushes to /data.")
      }
      return SensorLoggerPage.response(push: "http://\(push)/\(token)/data")
    }
    guard request.method == "POST" else { return .text(405, "Sensor Logger pushes here with POST.") }
    do throws(SensorError) {
      return take(try SensorLoggerMessage(request.body))
    } catch {
      state.withLock { $0.counts.malformedMessages += 1 }
      return .text(400, error.description)
    }
  }

  private func take(_ message: SensorLoggerMessage) -> HTTPResponse {
    // The app's test message belongs to no recording.
    guard message.number != nil else { return .text(200, "OpenCoreMotion hears this phone.") }
    let now = MonotonicClock().now
    var account = PhoneStatistics()
    let (inboxes, isUseful, refusal) = state.withLock { state -> ([PhoneInbox], Bool, HTTPResponse?) in
      if let phone = state.phone, phone.device != message.device, now - phone.heard < PhoneHearing.silence {
        state.counts.otherPhones += 1
        return ([], false, .text(499, "Another phone is connected to OpenCoreMotion. Stop its recording first."))
      }
      state.phone = (message.device, now)
      let wanted = state.inboxes.reduce(into: Set<PhoneSensor>()) { $0.formUnion($1.device.sensors) }
      account.unreadable = message.unreadable
      account.ignored = message.readings.count { !wanted.contains($0.sensor) }
      account.received = account.unreadable + account.ignored
      state.counts = state.counts + account
      let isUseful = message.readings.contains { $0.sensor != .attitude && wanted.contains($0.sensor) }
      state.useless = isUseful ? 0 : state.useless + 1
      return (state.inboxes, isUseful, state.useless < Self.patience ? nil : Self.useless(message, state.inboxes))
    }
    let answers = inboxes.map { $0.put(message) }
    guard !answers.contains(where: { $0 == nil }) else {
      state.withLock { $0.counts.overflows += 1 }
      return .text(503, "The program does not keep up with the messages: this one was not taken.")
    }
    if let refusal { return refusal }
    // The app shows the text of this status.
    guard !isUseful || answers.contains(where: { $0?.isTaken == true }) else {
      let omissions = answers.compactMap { $0?.account }.reduce(account, +).omissions
      return .text(499, "Nothing of this message was taken: \(omissions.joined(separator: ", ")).")
    }
    // Answers without counts leave them for the next one.
    let own = state.withLock { state in
      defer { state.answered = state.counts }
      return state.counts.since(state.answered)
    }
    return .json(Array("{\(inboxes.reduce(own) { $0 + $1.answer() }.members)}".utf8))
  }

  private static func useless(_ message: SensorLoggerMessage, _ inboxes: [PhoneInbox]) -> HTTPResponse {
    let wanted: [String] = Set(inboxes.map(\.device)).map { device in
      switch device {
      case .phone: "Accelerometer, Gyroscope, Magnetometer and Barometer"
      case .watch: "Wrist Motion"
      case .headphones: "Headphone"
      }
    }
    let sent = message.unused.sorted().joined(separator: ", ")
    return .text(
      499,
      "OpenCoreMotion needs other sensors: switch on \(wanted.sorted().joined(separator: ", ")) in Sensor Logger."
        + (sent.isEmpty ? "" : " It sends \(sent)."))
  }
}

/// The page that the phone's camera opens: the address to copy into the app, which no link can set, and the app's own link.
enum SensorLoggerPage {
  static func response(push: String) -> HTTPResponse {
    let text = """
      <!doctype html>
      <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>OpenCoreMotion</title>
      <h1>Send this phone's motion</h1>
      <ol>
      <li>In the app <b>Sensor Logger</b> switch on Accelerometer, Gyroscope, Magnetometer and Barometer.</li>
      <li>Tap the gear, then <b>HTTP Push</b>, and set the push URL to<br>
      <input readonly size="60" aria-label="push URL" value="\(escaped(push))"></li>
      <li><a href="sensorlogger://start">Start recording</a>.</li>
      </ol>
      """
    return HTTPResponse(contentType: "text/html; charset=utf-8", body: Array(text.utf8))
  }

  /// The Host field of a request stands in the address, and is not ours.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }
}
