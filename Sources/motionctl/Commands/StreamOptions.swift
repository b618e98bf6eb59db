// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// What of a source is streamed, and how: the options of `stream` and `replay`.
struct StreamOptions: ParsableArguments {
  @Option(help: "What to print.")
  var service: MotionService = .deviceMotion

  @Option(help: "table for people (angles in degrees), ndjson or csv for programs (Core Motion's units).")
  var format: SampleFormat = .table

  @Option(help: ArgumentHelp("Wanted samples per second, or max for all of them.", valueName: "hertz"))
  var rate: SampleRate = .hertz(100)

  @Option(help: ReferenceFrame.help)
  var frame: ReferenceFrame = .arbitrary

  @Option(help: LocationArgument.help)
  var location: LocationArgument?

  @Option(name: .customLong("for"), help: ArgumentHelp("Stop after this much sample time.", valueName: "seconds"))
  var limit: Seconds?

  @Option(help: "Stop after this many samples.")
  var count: Int?

  @Flag(help: "Take the samples by the second, every one of them (accelerometer and device-motion).")
  var batched = false

  @OptionGroup(title: "Live views")
  var live: LiveOptions

  /// Whether anything is asked for that only printing or showing has: not the limit, nor the place.
  var choosesOutput: Bool {
    let plain = (service: MotionService.deviceMotion, format: SampleFormat.table, frame: ReferenceFrame.arbitrary)
    guard case .hertz(100) = rate else { return true }
    return service != plain.service || format != plain.format || frame != plain.frame || count != nil || batched
      || !live.targets.isEmpty
  }

  func validate() throws {
    if !live.targets.isEmpty {
      guard service == .deviceMotion, format == .table, count == nil, !batched else {
        throw ValidationError(
          "--to shows every service in its own form: leave --service, --format, --count and --batched out.")
      }
    }
    if batched, ![.accelerometer, .deviceMotion].contains(service) {
      throw ValidationError("--batched is for the services accelerometer and device-motion.")
    }
    if batched, frame != .arbitrary {
      throw ValidationError("Batches have no reference frame to choose: leave --frame out.")
    }
    if let count, count < 1 { throw ValidationError("--count must be at least 1.") }
  }
}
