// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionHost
import MotionRecording
import MotionSensing
import MotionTools

/// `motionctl replay`: a recording as if it happened now, printed, shown live, or given to a program.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Play a recording: to the terminal, to a live view, or to a program.",
    discussion: """
      The samples come at the pace at which they were recorded, or at another one with --speed. Behind “--” stands a program that \
      uses Core Motion: it takes motionctl's place and gets the recording as its device, or as its headphones where the recording is \
      one of headphones. Any recording will do (motionctl info says what is in it).

      Examples:
        motionctl replay walk.mcap
        motionctl replay walk.csv --from 1m --for 10 --speed max --format csv > part.csv
        motionctl replay head.mcap --to foxglove
        motionctl replay 'walk.mcap?loop=yes' --speed 4 -- ./MyProgram --verbose
        motionctl replay walk.mcap --speed max -- swift test
      """)

  @OptionGroup var stream: StreamOptions

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("A program and its arguments, behind “--”.", valueName: "program"))
  var program: [String] = []

  @Option(help: ArgumentHelp("How many times as fast as it was recorded, or max.", valueName: "factor"))
  var speed: String?

  @OptionGroup var begin: BeginOption
  @OptionGroup var play: PlayOptions

  @OptionGroup var role: HeadphonesFlag

  func validate() throws {
    _ = try begin.seconds()
    guard !program.isEmpty else {
      if role.isOn { throw ValidationError("--headphones is for a program: write it behind “--”.") }
      return
    }
    if stream.choosesOutput {
      throw ValidationError(
        "A program asks for what it wants itself: of the stream's options only --for and --location go with it.")
    }
  }

  func run() throws {
    let name = stream.input.source ?? ProcessInfo.processInfo.environment["MOTION_SOURCE", default: ""]
    let address = try address(of: name)
    let selection = try SourceSelection.open(address, name: name)
    for warning in selection.assumptions + selection.warnings { StandardError.shared.say("\(name): \(warning)") }
    guard let executable = program.first else { return try StreamRun(stream, selection)() }
    let isHeadphones = role.isOn || selection.info.deviceClass == .headphones
    let variable = isHeadphones ? "MOTION_HEADPHONES" : "MOTION_SOURCE"
    StandardError.shared.say(selection.headline)
    StandardError.shared.say("\(variable)='\(address)' \(executable)")
    var environment = [variable: address.description]
    if let place = stream.frame.location { environment["MOTION_LOCATION"] = place.text }
    try replaceThisProcess(with: executable, environment)
  }

  /// The recording's address with what the options say; its path is whole, because a program may go to another folder.
  private func address(of recording: String) throws -> SourceURI {
    var address = try SourceSelection.address(of: recording)
    guard address.scheme == "replay" else {
      throw CommandFailure("“\(recording)” is no recording: motionctl stream shows any source.")
    }
    if let speed { address.options["speed"] = speed }
    if let from = try begin.seconds() { address.options["from"] = "\(from)" }
    if let motion = play.motion { address.options["motion"] = motion.rawValue }
    if play.skipErrors { address.options["errors"] = DamagePolicy.skip.rawValue }
    address.path = URL(fileURLWithPath: address.path).standardizedFileURL.path
    // A command that prints counts the seconds of its rows; a program cannot.
    if !program.isEmpty, let limit = stream.input.range.limit {
      guard address.options["loop"] != "yes" else {
        throw CommandFailure("A loop has no end that --for could set for a program: leave out one of the two.")
      }
      let part = try ReplayOptions(address.options).recording
      let end = part.from.seconds + limit.value
      address.options["to"] = "\(part.to.map { min($0.seconds, end) } ?? end)"
    }
    return address
  }

  /// The program, looked for in `PATH`, takes the place of this process: its output, its signals and its exit code are
  /// its own; `environment` is added to that of this process. Returns only by throwing: with exit code 127 for a program
  /// that is not there, 126 for one that cannot be run, as shells have it.
  private func replaceThisProcess(with name: String, _ environment: [String: String]) throws {
    for (name, value) in environment { setenv(name, value, 1) }
    // Signals that this process ignores would be ignored by the program as well.
    signal(SIGPIPE, SIG_DFL)
    signal(SIGXFSZ, SIG_DFL)
    signal(SIGUSR1, SIG_DFL)
    fflush(nil)
    var arguments = program.map { strdup($0) } + [nil]
    execvp(name, &arguments)
    let code = errno
    for argument in arguments { free(argument) }
    guard code == ENOENT else {
      StandardError.shared.say("Error: “\(name)” cannot be run: \(String(cString: strerror(code))).")
      throw ProgramEnd(code: 126)
    }
    StandardError.shared.say("Error: There is no program “\(name)”.")
    throw ProgramEnd(code: 127)
  }
}
