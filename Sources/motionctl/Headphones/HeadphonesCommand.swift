// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import HeadphoneSources
import LinuxSources
import MotionHost
import MotionRecording
import MotionSensing
import MotionTools

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

/// `motionctl headphones status`: which headphones can follow a head now, and why the others cannot.
struct HeadphonesStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say which headphones can follow the head, and if not, why.",
    discussion: """
      Looks at every paired device and every head tracker, asks those that can be asked, and changes no setting; no motion is \
      started. Addresses are shown only with --addresses.

      The exit code is 0 when at least one can follow the head now, 2 when there are some but none can now, 3 when there are \
      none; 1 and 64 are mistakes, as everywhere.

      Examples:
        motionctl headphones status
        motionctl headphones status --json | jq '.headphones[].reason'
      """)

  @Argument(help: "The address of headphones (default: all that this computer knows, and MOTION_HEADPHONES).")
  var source: String?

  @OptionGroup var json: JSONOption

  @Flag(help: "Show the addresses of devices.")
  var addresses = false

  @Option(help: ArgumentHelp("How long headphones are given to answer (default: 4).", valueName: "seconds"))
  var wait: Seconds = Seconds(4)

  func run() throws {
    let survey = try HeadphoneSurvey.survey(source, timeout: wait.value)
    let out = OutputFile.standardOutput
    if json.isOn {
      try out.write(JSONLine.bytes(addresses ? survey : survey.withoutAddresses, isIndented: true))
    } else {
      try out.print(survey.lines(showsAddresses: addresses))
    }
    switch survey.verdict {
    case .canTrack: break
    case .cannotTrackNow: throw ProgramEnd(code: 2)
    case .none: throw ProgramEnd(code: 3)
    }
  }
}
