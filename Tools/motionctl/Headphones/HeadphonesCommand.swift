// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LiveOutput
import MotionTools

/// `motionctl headphones`: the headphones that follow a head, and programs that follow it with them.
struct HeadphonesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "headphones",
    abstract: "List headphones, say what is missing, and send where the head points to other programs.",
    discussion: """
      Without --to it looks at every paired device and every head tracker, asks those that can be asked, and changes no setting. The \
      exit code is 0 when at least one can follow the head now, 2 when there are some but none can now, 3 when there are none.

      With --to it follows the headphones of an address, else those of MOTION_HEADPHONES, else those found: airpods: (AirPods or \
      Beats; airpods:ADDRESS for one of several), headtracker: (the open protocol of Android), simulate:headphones, or a recording. \
      Turned to the left is yaw +, nodded down is pitch −, tilted to the left shoulder is roll −. Straight ahead is where the head \
      points when the headphones are put on, and at the signal USR1. While no samples come the last pose is held.

      AirPods sit differently in every ear: levelled at the first still second, yaw is right, and a nod leaks into roll by some degrees.

      Examples:
        motionctl headphones
        motionctl headphones --json | jq '.headphones[].reason'
        motionctl headphones --to opentrack
        motionctl headphones airpods: --to osc:scenerotator
        motionctl headphones --to "osc:/head yawRad pitchRad rollRad@:9001"
      """)

  @OptionGroup var input: SourceOptions
  @OptionGroup var live: LiveOptions
  @OptionGroup var json: JSONOption

  func validate() throws {
    if live.targets.isEmpty, input.range.limit != nil { throw ValidationError("--for goes with --to.") }
    if !live.targets.isEmpty, json.isOn { throw ValidationError("--json is for the list: leave out --to.") }
  }

  func run() throws {
    guard live.targets.isEmpty else {
      return try LiveRun(live, SourceSelection.openHeadphones(input.source), limit: input.range.limit)()
    }
    let survey = try HeadphoneSurvey.survey(input.source)
    try json.print(survey, isIndented: true, or: survey.lines)
    switch survey.verdict {
    case .canTrack: break
    case .cannotTrackNow: throw ProgramEnd(code: 2)
    case .none: throw ProgramEnd(code: 3)
    }
  }
}
