// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// A program that takes the place of this process: its output, its signals and its exit code are its own.
struct ProgramStart {
  private let words: [String]
  private let environment: [String: String]

  /// A program, looked for in `PATH`, with its arguments; `environment` is added to that of this process.
  init(_ words: [String], environment: [String: String]) {
    (self.words, self.environment) = (words, environment)
  }

  /// Returns only by throwing: with exit code 127 for a program that is not there, 126 for one that cannot be run, as shells have it.
  func replaceThisProcess() throws {
    for (name, value) in environment { setenv(name, value, 1) }
    // Signals that this process ignores would be ignored by the program as well.
    signal(SIGPIPE, SIG_DFL)
    signal(SIGXFSZ, SIG_DFL)
    fflush(nil)
    var arguments = words.map { strdup($0) } + [nil]
    guard let name = words.first, let file = arguments[0] else { throw CommandFailure("There is no program to start.") }
    execvp(file, &arguments)
    let code = errno
    for argument in arguments { free(argument) }
    guard code == ENOENT else {
      StandardError.shared.say("Error: “\(name)” cannot be run: \(String(cString: strerror(code))).")
      throw ExitCode(126)
    }
    StandardError.shared.say("Error: There is no program “\(name)”.")
    throw ExitCode(127)
  }
}
