// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ActivitySummary
import ArgumentParser
import Foundation
import MotionHost
import MotionSensing
import MotionServices
import MotionTools

/// What `steps` lets a person say about the person who moved and about the recording.
struct ActivityOptions: ParsableArguments {
  /// Where the device was worn.
  enum Placement: String, ExpressibleByArgument, CaseIterable {
    case body, wrist, head

    var value: ActivityEstimator.Placement {
      switch self {
      case .body: .body
      case .wrist: .wrist
      case .head: .head
      }
    }
  }

  @Option(
    help: ArgumentHelp(
      "The person's height, for the length of a step (default: MOTION_PERSON_HEIGHT, else 1.7).", valueName: "metres"))
  var height: Double?

  @OptionGroup var range: LimitOption

  @Option(
    help: ArgumentHelp(
      "Where the device was: body (pocket, hand, bag), wrist or head (default: by the kind of device).",
      valueName: "place"))
  var placement: Placement?

  @OptionGroup var json: JSONOption

  @OptionGroup(title: "Recordings, and tables of no known format")
  var reading: ReadingOptions

  func validate() throws {
    guard height.map((0.5...2.5).contains) ?? true else {
      throw ValidationError("--height takes metres from 0.5 to 2.5.")
    }
  }

  /// Opens what the person named; refuses what never ends.
  func open(_ name: String?) throws -> SourceSelection {
    let selection = try SourceSelection.open(name, reading: reading.choices())
    try selection.requireEnd(limit: range.limit)
    return selection
  }

  /// Runs over one source, as fast as it goes; `report` prints what was found and returns the words below a picture's
  /// title.
  func measure(
    _ name: String?, drawing picture: String?,
    report: (SourceSelection, ActivityRun.Result) throws -> String
  ) throws {
    let selection = try open(name)
    let run = try run(over: selection, keepsEpochs: picture != nil)
    try PictureFile.drawing(picture, readingFrom: selection.recordingPath) { picture in
      let result = try run()
      let subtitle = try report(selection, result)
      try picture?.write(ActivityPicture.chart(of: result.tally, title: selection.info.name, subtitle: subtitle))
      StandardError.shared.say(ActivityRun.remarks(selection, result))
    }
  }

  func run(over selection: SourceSelection, keepsEpochs: Bool = false) throws -> ActivityRun {
    try ActivityRun(
      selection, parameters: parameters(for: selection.info), limit: range.limit, keepsEpochs: keepsEpochs)
  }

  func parameters(for info: SensorInfo) throws -> ActivityEstimator.Parameters {
    var parameters = ActivityEstimator.Parameters()
    parameters.placement = placement?.value ?? ActivityEstimator.Placement(info.deviceClass)
    let environment = HostEnvironment(ProcessInfo.processInfo.environment)
    if let height = try height ?? environment.personHeight() { parameters.height = height }
    return parameters
  }
}
