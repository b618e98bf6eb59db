// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `motionctl stream`: the samples of one service as a program with `import CoreMotion` receives them.
struct StreamCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stream", abstract: "Print the samples of a motion service as they come.",
    discussion: """
      The samples go through CMMotionManager, so what is printed is what a client gets. Data goes to standard output; \
      the source's name, live statistics (on a terminal) and the summary go to standard error.

      Examples:
        motionctl stream simulate:handheld --for 5
        motionctl stream walk.csv --frame magnetic --rate 20
        motionctl stream simulate:spin --service gyro --format csv --count 100
        motionctl stream 'replay:walk.csv?speed=max' --format ndjson | jq .heading
        motionctl stream 'simulate:shake?rate=800' --service accelerometer --batched --for 5
        MOTION_SOURCE=simulate:rest motionctl stream --service accelerometer
        motionctl stream simulate:handheld --to foxglove
        motionctl stream walk.csv --to plotjuggler --rate max
      """)

  @Argument(help: "The address of a source or the path of a recording (default: MOTION_SOURCE).")
  var source: String?

  @OptionGroup
  var options: StreamOptions

  func run() throws { try StreamRun(options, SourceSelection.open(source))() }
}
