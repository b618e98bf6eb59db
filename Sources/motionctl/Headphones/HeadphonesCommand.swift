// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `motionctl headphones`: the motion of a head, by the headphones on it.
struct HeadphonesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "headphones",
    abstract: "Follow a head by its headphones: see it, send it to other programs, calibrate.",
    discussion: """
      The headphones are those of an address, else those of MOTION_HEADPHONES, else those found on this computer:
        airpods:                 AirPods or Beats that are connected; airpods:ADDRESS for one of several
        headtracker:             headphones with the open head-tracker protocol of Android
        simulate:headphones      a simulation
        replay:recording/        a recording

      Examples:
        motionctl headphones status
        motionctl headphones
        motionctl headphones --to opentrack
        motionctl headphones --to osc:scenerotator --to ndjson
        motionctl headphones calibrate
      """,
    subcommands: [HeadphonesWatchCommand.self, HeadphonesStatusCommand.self, HeadphonesCalibrateCommand.self],
    defaultSubcommand: HeadphonesWatchCommand.self)
}
