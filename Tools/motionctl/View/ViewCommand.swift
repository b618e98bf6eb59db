// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionNetwork
import MotionSensing
import MotionTools
import MotionViewer
import NetworkSources

/// `motionctl view`: the device in the browser.
struct ViewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "view", abstract: "Show a source or a recording in the browser, in three dimensions.",
    discussion: """
      One page: the device with its axes, gravity and user acceleration, north and the filter's 95 % bounds; its angles and other \
      numbers; strips over time. A recording has a time line to play and to search, and the attitude that the phone itself had recorded \
      as an outline; two are drawn over each other, with their difference. Key ? on the page lists the keys. The page works offline and \
      is for this computer only, unless --listen lets others in. Its address holds a token for this run: without it nobody sees the \
      page or records.

      Examples:
        motionctl view simulate:handheld
        motionctl view iio:
        motionctl view walk.csv
        motionctl view before.mcap after.mcap
        motionctl view walk.csv --frame arbitrary --frame magnetic
        motionctl view iio: --listen 192.168.1.20
      """)

  @Argument(
    help:
      "The address of a source or the path of a recording, or two beside each other (default: MOTION_SOURCE, else the sensors of this computer)."
  )
  var sources: [String] = []

  @Option(
    help: FrameOptions.help(
      "The frame that attitudes are measured against, short or in full; given twice, one source in both.",
      standard: "magnetic where there is a magnetometer, else arbitrary"))
  var frame: [ReferenceFrame] = []

  @OptionGroup var place: LocationOption

  @Option(help: ArgumentHelp("Where the page is. Default: any free port.", valueName: "port"))
  var port: UInt16?

  @OptionGroup var access: ListenOption

  @Option(help: ArgumentHelp("Where recordings go that are begun on the page.", valueName: "folder"))
  var folder = "."

  @Flag(inversion: .prefixedNo, help: "Open the page in the browser.")
  var open = true

  @OptionGroup var smooth: SmoothOption
  @OptionGroup(title: "Recordings, and tables of no known format")
  var reading: ReadingOptions

  @OptionGroup var range: LimitOption

  func validate() throws {
    if sources.count > 2 { throw ValidationError("Name one source, or two to compare.") }
    if frame.count > 2 { throw ValidationError("Give --frame once, or twice to compare.") }
    if frame.count == 2, sources.count == 2 {
      throw ValidationError("Compare two sources, or two frames of one source.")
    }
  }

  func run() throws {
    let assets = try ViewAssets()
    let selections =
      try sources.isEmpty
      ? [SourceSelection.openSensors(nil)]
      : sources.map { try SourceSelection.open($0, reading.choices) }
    let completion = Completion.endedBySignals(grace: Interruption.graceForFiles)
    let stream = ViewStream()
    let views = try ViewSession(
      selections, frames: frame, location: place.location, folder: folder,
      smooths: smooth.isOn, assets: assets, stream: stream)
    // On loopback too: other users of this computer reach the port, and so does every page in a browser.
    let ticket = WebTicket(for: WebSecurity.makeToken(bits: 128))
    var token = ticket.token
    let (server, place) = try serve(assets, ticket)
    stream.connect(to: server)
    for selection in selections { StandardError.shared.say(selection.headline) }
    try server.start(views)
    views.start()
    StandardError.shared.say("View it at \(place + token)")
    if let listen = access.listen, !ListeningAddress(host: listen, port: 0).isLoopback {
      let code = QRCode(place + token)?.terminalText(hasColors: Terminal.hasColour(STDERR_FILENO))
      if StandardError.shared.isTerminal, let code { StandardError.shared.say(code) }
      StandardError.shared.say(
        "Everyone who has this address sees the page and can record. It is for this run only; nothing is encrypted.")
    }
    if open { Browser.open(place + ticket.text) }
    let used = ProcessUse()
    let started = ContinuousClock.now
    let outcome = completion.run(every: .milliseconds(500)) {
      stream.send(state: views.state)
      if ticket.token != token {
        token = ticket.token
        StandardError.shared.say(
          "The ticket of the browser was used twice: another program of this computer may have taken it, and seen the motion. "
            + "End this run, or go on at \(place + token)")
      }
      let elapsed = (ContinuousClock.now - started).seconds
      StandardError.shared.show("\(Text.duration(elapsed)) · \(Text.count(stream.clientCount, "page")) · Ctrl-C ends")
      if let limit = range.limit, elapsed >= limit.value { completion.finish(.done) }
    }
    views.stop()
    server.stop(grace: 0.5)
    let report = RunReport(outcome, of: views.hubs)
    let statistics = server.statistics
    StandardError.shared.say(
      "\(Text.count(statistics.frames, "message")) to pages, \(Text.grouped(statistics.dropped)) dropped for slow ones")
    StandardError.shared.say(views.summary)
    StandardError.shared.say("  \(used.sentence)")
    try report.check(isEmpty: views.isEmpty)
  }

  /// The server, and the address to open, but for the token.
  ///
  /// Cached pages and service workers of an origin, host and port, live longer than the program that has left them, and
  /// read the token behind `#`: every run has an origin that no program could foresee. Linux is reached at all of 127/8.
  private func serve(_ assets: ViewAssets, _ ticket: WebTicket) throws -> (WebServer, String) {
    let host = access.listen ?? "127" + (0..<3).map { _ in ".\(Int.random(in: 1...254))" }.joined()
    var limits = WebLimits()
    // A browser opens six connections for the files of a page, and one for the samples.
    limits.clients = 64
    // Newest wins: a page that has fallen this far behind loses the oldest; ten seconds at 100 Hz.
    limits.queueBytes = 96 << 10
    let listensEverywhere = host == "0.0.0.0" || host == "::"
    let security = WebSecurity(
      hosts: listensEverywhere ? nil : [host, "[\(host)]"], token: ticket.token, pages: Set(assets.files.keys),
      ticket: ticket)
    let server = try WebServer(
      address: ListeningAddress(host: host, port: port ?? 0), security: security, subprotocols: ["motion-view"],
      limits: limits)
    // Of all addresses, the one that others can use.
    var shown = server.address
    if listensEverywhere { shown.host = LocalAddress.preferred }
    return (server, "http://\(shown.text)/#token=")
  }
}

/// The person's browser.
enum Browser {
  /// Asks the desktop to open an address; where there is none, nothing happens, and the address has been printed.
  static func open(_ address: String) {
    let environment = ProcessInfo.processInfo.environment
    guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["xdg-open", address]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { StandardError.shared.say("No browser was opened: open the address yourself.") }
  }
}
