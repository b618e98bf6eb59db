// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Why a command could not do what it was asked for: one sentence on standard error, exit code 1.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String
  init(_ sentence: String) { description = sentence }
}

/// The reader of standard output has gone away (`| head`). Not a failure: the program ends quietly.
struct BrokenPipe: Error {}
