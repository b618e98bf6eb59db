// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Logging
import MotionSensing
import MotionTools

/// The command line of OpenCoreMotion: see, stream, fuse and plot motion.
///
/// Results go to standard output, everything else (headers, statistics, progress, errors) to standard error, so that a
/// pipe carries data only. Exit codes: 0 done, 1 failed, 64 wrong usage, 128 + signal number when a signal ended it.
@main
struct Motionctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "motionctl",
    abstract: "Motion data on Linux: attitude, gravity, user acceleration and rotation, as Core Motion gives them.",
    discussion: """
      A source is an address:
        simulate:handheld      a simulated device (see motionctl list)
        replay:walk.csv        a recording; a path alone means the same
      Options follow a question mark: replay:walk.csv?speed=max, simulate:handheld?rate=200&seed=7

      Examples:
        motionctl list
        motionctl stream simulate:handheld --for 5
        motionctl replay walk.csv --speed 2 -- ./MyProgram
        motionctl fuse recording/ -o motion.csv
        motionctl plot recording/ -o motion.svg
      """,
    version: "motionctl \(Tool.version)",
    groupedSubcommands: [
      CommandGroup(
        name: "Sources",
        subcommands: [ListCommand.self, DoctorCommand.self, CalibrateCommand.self, HeadphonesCommand.self]),
      CommandGroup(
        name: "Live",
        subcommands: [
          StreamCommand.self, ViewCommand.self, RecordCommand.self, ReplayCommand.self,
        ]),
      CommandGroup(
        name: "Recordings",
        subcommands: [InfoCommand.self, ConvertCommand.self, CutCommand.self, PlotCommand.self]),
      CommandGroup(
        name: "Motion",
        subcommands: [
          FuseCommand.self, StepsCommand.self, DepthCommand.self, AltitudeCommand.self, HistoryCommand.self,
        ]),
    ])

  @Flag(help: "Print the licences of this program and of what is linked into it.")
  var licenses = false

  func run() throws {
    guard licenses else { throw CleanExit.helpRequest(Self.self) }
    let line = Array("\n\(String(repeating: "=", count: 100))\n".utf8)
    let texts = [PackageResources.Notice_txt, PackageResources.Apache_2_0_txt, PackageResources.ThirdParty_txt]
    try OutputFile.standardOutput.write(Array(texts.joined(separator: line)))
  }

  static func main() {
    // The number of a closed standard stream must not be that of a file, which would get what is said.
    while case let number = open("/dev/null", O_RDONLY), number >= 0, number <= STDERR_FILENO || close(number) != 0 {}
    // A reader that goes away (`| head`) is seen as an error of write, not as the end of the process.
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow any more is an error of write as well, with a sentence.
    signal(SIGXFSZ, SIG_IGN)
    // The key that recentres headphones reaches every motionctl (pkill -USR1 motionctl): it must not end a recording.
    signal(SIGUSR1, SIG_IGN)
    LoggingSystem.bootstrap { _ in StandardErrorLog() }
    do {
      try refuseUnknownCommand(CommandLine.arguments.dropFirst())
      var command = try parseAsRoot()
      try command.run()
    } catch is BrokenPipe {
      exit(withError: ExitCode.success)
    } catch let end as ProgramEnd {
      Foundation.exit(end.code)
    } catch  where exitCode(for: error).isSuccess {
      // Help, and the version: on standard output, words of our own.
      exit(withError: error)
    } catch {
      // The sentence may name what stands in a file.
      let sentence = fullMessage(for: error)
      if !sentence.isEmpty { StandardError.shared.say(sentence) }
      Foundation.exit(exitCode(for: error).rawValue)
    }
  }

  /// To the parser a command that does not exist is an argument too many, of which it says nothing that helps.
  /// Behind “help” it shows the help of the whole.
  private static func refuseUnknownCommand(_ arguments: ArraySlice<String>) throws {
    var parent: any ParsableCommand.Type = self
    let isHelp = arguments.first == "help"
    for argument in isHelp ? arguments.dropFirst() : arguments {
      let (commands, hasDefault) = (parent.configuration.subcommands, parent.configuration.defaultSubcommand != nil)
      guard isHelp || (!commands.isEmpty && !hasDefault), !argument.hasPrefix("-"), argument != "help" else { return }
      if let known = commands.first(where: { $0._commandName == argument }) {
        parent = known
        continue
      }
      let nearest = Spelling.nearest(to: argument, of: commands.map { $0._commandName })
      throw ValidationError(
        "There is no command “\(argument)”\(nearest.map { ": did you mean “\($0)”?" } ?? ".")")
    }
  }
}
