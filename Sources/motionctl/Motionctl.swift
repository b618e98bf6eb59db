// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Logging

/// The command line of OpenCoreMotion: see, stream, fuse and plot motion.
///
/// Results go to standard output, everything else (headers, statistics, progress, errors) to standard error, so that a pipe
/// carries data only. Exit codes: 0 done, 1 failed, 64 wrong usage, 128 + signal number when a signal ended it.
@main
struct Motionctl: ParsableCommand {
  /// The version of the program and of the library it is built with (SemVer).
  static let version = "0.1.0"

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
        motionctl plot recording/ -o motion.png
      """,
    version: "motionctl \(version)",
    subcommands: [
      ListCommand.self, FormatsCommand.self, StreamCommand.self, ReplayCommand.self, RecordCommand.self,
      InfoCommand.self, CutCommand.self, ViewCommand.self,
      ConvertCommand.self,
      FuseCommand.self, PlotCommand.self, DepthCommand.self, AltitudeCommand.self, SwingCommand.self,
      StepsCommand.self, ActivityCommand.self, DayCommand.self, RecorderCommand.self, HistoryCommand.self,
      HeadphonesCommand.self, CalibrateCommand.self, DoctorCommand.self, BenchCommand.self,
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
    // A reader that goes away (`| head`) is seen as an error of write, not as the end of the process.
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow any more is an error of write as well, with a sentence.
    signal(SIGXFSZ, SIG_IGN)
    // The key that recentres headphones reaches every motionctl (pkill -USR1 motionctl): it must not end a recording.
    signal(SIGUSR1, SIG_IGN)
    LoggingSystem.bootstrap { _ in StandardErrorLog() }
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch is BrokenPipe {
      exit(withError: ExitCode.success)
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
}
