// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LiveOutput
import MotionHost
import MotionSensing
import MotionTools

/// `motionctl headphones [watch]`: the pose of a head, on the terminal and to programs that want it.
struct HeadphonesWatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Show where the head points, and send it to other programs.",
    discussion: """
      On a terminal the head is drawn as in a mirror; elsewhere there is a line every fifth of a second, unless the pose is sent \
      somewhere. Angles are degrees: turned to the left is yaw +, nodded down is pitch −, tilted to the left shoulder is \
      roll −.

      --to sends every pose, and may be given more than once:
        opentrack                opentrack's input “UDP over network” (port 4242)
        freepie                  opentrack's input “FreePIE UDP receiver” (port 5555)
        osc:scenerotator         IEM SceneRotator (port 8000)
        osc:sparta               SPARTA (port 9000)
        osc:tascar:OBJECT        TASCAR (port 9877)
        osc:mach1                Mach1 (port 9901; address and port not confirmed)
        "osc:/ADDRESS yaw -pitch rollRad qw …"   a message of your own (port 9000)
        ndjson                   standard output: Core Motion's values, untouched by the options below
      A place may follow: opentrack@192.168.1.5:4242.

      Straight ahead is where the head points when the headphones are put on, and again at each recentring: space or r on \
      the terminal, “recentre” sent to the socket of --control (best for a key of the desktop: it reaches this program only), or the \
      signal USR1. While no samples come, or the headphones are not worn, the last pose is held. --record writes what the headphones say into a file \
      that motionctl headphones FILE shows again (motionctl record --headphones does so without following).

      Examples:
        motionctl headphones --to opentrack
        motionctl headphones airpods: --to osc:sparta --smoothing light --auto-recentre 20
        motionctl headphones simulate:headphones --to ndjson --for 5
        motionctl headphones --to opentrack --record head.mcap
        motionctl headphones --to "osc:/head yawRad pitchRad rollRad@:9001" --control /run/user/1000/head
        printf recentre | socat - UNIX-SENDTO:/run/user/1000/head
      """)

  @OptionGroup var input: HeadphoneArgument

  @Option(name: .customLong("to"), parsing: .singleValue, help: "Where poses are sent; see above.")
  var outputs: [HeadOutput] = []

  @Option(help: "The computer that poses are sent to.")
  var host = "127.0.0.1"

  @Option(help: "The port that poses are sent to, for a single --to (default: the program's usual one).")
  var port: UInt16?

  @OptionGroup var rate: RateOption
  @OptionGroup var range: LimitOption

  @Flag(inversion: .prefixedNo, help: "Putting the headphones on sets straight ahead.")
  var recentreOnWear = true

  @Option(
    help: ArgumentHelp(
      "Straight ahead follows the head, with this time constant: it hides drift, and pulls the view back (default: never).",
      valueName: "seconds"))
  var autoRecentre: Seconds?

  @Option(help: ArgumentHelp("A socket to make, which accepts the datagrams recentre and quit.", valueName: "path"))
  var control: String?

  @Option(help: ArgumentHelp("Angles to invert, such as yaw,roll.", valueName: "angles"))
  var invert: AngleList?

  @Option(
    help: ArgumentHelp(
      "What is sent as yaw, pitch and roll, such as yaw,-roll,pitch; a minus first needs --axis-map=-yaw,…",
      valueName: "angles"))
  var axisMap: AngleMap = .identity

  @Option(help: "Smooth a head that hardly moves: off, light or strong. Fast moves stay fast.")
  var smoothing: Smoothing = .off

  @Option(help: ArgumentHelp("Record what the headphones say, beside all else.", valueName: "file.mcap"))
  var record: String?

  func validate() throws {
    if let record, !record.lowercased().hasSuffix(".mcap") {
      throw ValidationError("A recording is an MCAP file: end its name with .mcap.")
    }
    let network = outputs.filter(\.isNetwork)
    if port != nil, network.count != 1 {
      throw ValidationError(
        "--port is for a single --to that goes over the network; write opentrack@HOST:PORT otherwise.")
    }
    if port == 0 { throw ValidationError("--port is from 1 to 65535.") }
    if Set(outputs).count != outputs.count { throw ValidationError("The same --to is given twice.") }
  }

  var parameters: HeadFollower.Parameters {
    var parameters = HeadFollower.Parameters()
    parameters.recentresOnWear = recentreOnWear
    parameters.automaticRecentring = autoRecentre?.value
    parameters.smoothing = smoothing.parameters
    parameters.map = invert.map(axisMap.inverting) ?? axisMap
    if case .hertz(let rate) = rate.rate { parameters.rate = rate }
    return parameters
  }

  func run() throws {
    let headphones = try HeadphoneSelection.open(input.source)
    let senders = try outputs.filter(\.isNetwork).map { output in
      HeadSender(
        output: output,
        sender: try DatagramSender(host: output.host ?? host, port: output.port ?? port ?? output.usualPort))
    }
    let screen = TerminalScreen()
    RecentreSignal.block()
    let completion = Completion.endedBySignals(
      grace: record == nil ? Interruption.grace : Interruption.graceForFiles, lastWords: { screen.restore() })
    let printsJSON = outputs.contains { $0.format == .ndjson }
    let draws = !printsJSON && TerminalScreen.isUsable
    // Before the recording: where the socket is refused, no file is left that would block the next try.
    let socket = try control.map { try ControlSocket(path: $0) }
    defer {
      socket?.close()
      screen.restore()
    }
    let recorder = try record.map { try HeadRecorder(headphones, path: $0, limit: range.limit, completion: completion) }
    let run = HeadWatchRun(
      headphones, parameters: parameters, senders: senders, limit: range.limit,
      text: printsJSON ? .json : !draws && outputs.isEmpty ? .lines : .none, completion: completion, recorder: recorder)
    RecentreSignal.begin { run.recentre() }
    socket?.listen { command in
      switch command {
      case .recentre: run.recentre()
      case .quit: completion.finish(.done)
      }
    }
    if !draws { StandardError.shared.say(headphones.selection.headline) }
    if draws || StandardError.shared.isTerminal {
      screen.readKeys { key in
        switch key {
        case UInt8(ascii: " "), UInt8(ascii: "r"): run.recentre()
        case UInt8(ascii: "q"): completion.finish(.done)
        default: break
        }
      }
    }
    let outcome: Completion.Outcome
    do {
      outcome = try run.follow(every: draws ? .milliseconds(50) : .milliseconds(200)) {
        guard draws else { return }
        var content = run.content
        if TerminalScreen.hasKeys { content.keys = "space or r: recentre · q: quit" }
        screen.draw(HeadView.lines(content, columns: TerminalScreen.columns))
      }
    } catch {
      try? recorder?.finish()
      throw error
    }
    screen.restore()
    try run.finish(outcome)
  }
}

/// SIGUSR1 as the request to recentre: for a key of the desktop, or a game pad's button, while a game has the keyboard.
enum RecentreSignal {
  private static var set: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR1)
    return signals
  }

  /// Keeps the signal from ending the program. Before any thread is made, as threads inherit what is blocked, and
  /// before ``Interruption`` begins.
  static func block() {
    var signals = set
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    // All other commands ignore it.
    signal(SIGUSR1, SIG_DFL)
  }

  /// Begins to listen; to be called once, after `Interruption` has blocked the signals that it waits for.
  static func begin(_ action: @escaping @Sendable () -> Void) {
    let waited = set
    Thread.detachNewThread {
      var signals = waited
      var number: Int32 = 0
      while true {
        if sigwait(&signals, &number) == 0 { action() }
      }
    }
  }
}
