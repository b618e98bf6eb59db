// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `motionctl bench`: how good and how fast the library is on recorded data.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measure the library on recordings with known truth.",
    subcommands: [BenchAccuracyCommand.self])
}
