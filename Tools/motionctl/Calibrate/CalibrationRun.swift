// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionMath
import MotionRecording
import MotionSensing
import MotionServices
import MotionTools

/// The samples of a source as it is, handed to a measurement until that has enough.
struct CalibrationRun {
  let selection: SourceSelection
  let arguments: CalibrateArguments

  /// Opens the source; throws when it lacks the sensor. From here on a signal ends the run, not the program.
  init(_ arguments: CalibrateArguments, needs kinds: SensorKinds) throws {
    self.arguments = arguments
    let environment = ProcessInfo.processInfo.environment
    var name = arguments.input.source
    if name == nil, environment["MOTION_SOURCE", default: ""].isEmpty {
      name = try HostEnvironment(environment.merging(["MOTION_CALIBRATION": "off"]) { $1 }).device()?.uri.description
    }
    selection = try SourceSelection.open(name, isRaw: true)
    guard selection.info.kinds.isSuperset(of: kinds) else {
      let missing = kinds.subtracting(selection.info.kinds).names.joined(separator: " and ")
      throw CommandFailure("“\(selection.name)” has no \(missing): there is nothing to calibrate.")
    }
    StandardError.shared.say(selection.headline)
  }

  /// Says what to do and, where a person sits at the terminal, waits for Return.
  func instruct(_ sentences: String...) {
    StandardError.shared.say(sentences)
    guard isatty(STDIN_FILENO) == 1, !arguments.yes, selection.info.pacing == .live else { return }
    StandardError.shared.say("Press Return to begin.")
    _ = readLine()
  }

  /// Runs until `process` returns true, the source ends or the time is over; `status` makes the line that a person sees
  /// meanwhile. Returns the measurement and the seconds of sample time.
  func collect<Calibrator: Sendable>(
    _ streams: [HubStream], with calibrator: Calibrator, status: @escaping (Calibrator) -> String,
    process: @escaping @Sendable (inout Calibrator, SensorSample) -> Bool
  ) throws -> (calibrator: Calibrator, seconds: Double) {
    let limit = arguments.input.range.limit ?? Seconds(300)
    var run = SourceRun(selection, streams, limit: limit)
    run.runsFreely = false
    let (sink, report) = run(
      CalibrationSink(calibrator: calibrator, time: RunTime(limit: limit), process: process),
      status: { StandardError.shared.show(status($0.calibrator)) })
    StandardError.shared.say(report.lines)
    try report.check(isEmpty: sink.time.isEmpty, interruption: "Stopped; nothing was written.")
    return (sink.calibrator, sink.time.duration)
  }
}

/// Samples, of one sensor each, on their way into a measurement.
private struct CalibrationSink<Calibrator: Sendable>: SampleSink, Sendable {
  var calibrator: Calibrator
  var time: RunTime
  let process: @Sendable (inout Calibrator, SensorSample) -> Bool

  mutating func take(_ sample: SensorSample) -> Bool {
    if case .inertial(let pair) = sample {
      return take(.accelerometer(pair.accelerometer)) && take(.gyroscope(pair.gyroscope))
    }
    return time.pass(sample.time) != nil && !process(&calibrator, sample)
  }
}

/// Puts a new calibration of one sensor into the device's file, beside what the file has of the others.
struct CalibrationKeeper {
  /// Which part of the file.
  let section: WritableKeyPath<CalibrationFile, CalibrationFile.Section?>
  /// "gyroscope".
  let name: String
  /// The unit of the figures, "rad/s".
  let unit: String

  /// Where the file is, and what is in it now.
  typealias Place = (path: String, file: CalibrationFile)

  /// Before anything is measured: a file that cannot be used is said at once, not after the work.
  func place(for run: CalibrationRun) throws -> Place {
    let info = run.selection.info
    let device = info.identity ?? info.name
    let path: String
    if let output = run.arguments.output {
      path = output
    } else {
      guard info.origin == .hardware, let identity = info.identity, !identity.isEmpty else {
        throw CommandFailure(
          "“\(run.selection.name)” is no sensor that can be recognised the next day: name a file with --output.")
      }
      let environment = HostEnvironment(ProcessInfo.processInfo.environment)
      guard let folder = try environment.calibrations() else {
        throw CommandFailure(
          "There is no folder for calibrations: name a file with --output, or set MOTION_CALIBRATION to a folder.")
      }
      path = folder.file(of: identity)
    }
    let file = try CalibrationFile(path: path) ?? CalibrationFile(device: device)
    guard file.device == device else {
      throw CommandFailure(
        "“\(path)” is the calibration of “\(file.device)”, and this is “\(device)”: give it another name.")
    }
    return (path, file)
  }

  /// Writes, unless what is there is better and is not to be replaced; says what it did.
  func keep(
    offset: Vector3<Device>, matrix: Matrix3 = .identity, quality: CalibrationFile.Quality, in place: Place,
    of run: CalibrationRun
  ) throws {
    let old = place.file[keyPath: section]
    guard
      let correction = SensorCorrection(
        offset: offset, matrix: matrix, axes: old?.correction.axes ?? .identity)
    else {
      throw CommandFailure("The numbers that were measured cannot be the errors of a \(name); nothing was written.")
    }
    if let old, let oldQuality = old.quality, oldQuality.standardError < quality.standardError {
      let sentence =
        "The calibration of \(Text.date(old.date)) is better: its standard error is "
        + "\(figure(oldQuality.standardError)), this one's \(figure(quality.standardError))."
      guard run.arguments.yes || isWanted(sentence) else {
        throw CommandFailure("\(sentence) Nothing was written; say --yes to replace it.")
      }
      StandardError.shared.say("\(sentence) It is replaced, as you said.")
    } else if let old {
      StandardError.shared.say("The calibration of \(Text.date(old.date)) is replaced.")
    }
    var file = place.file
    file[keyPath: section] = .init(date: Date(), correction: correction, quality: quality)
    try file.write(to: place.path)
    let errors = "error \(figure(quality.errorBefore)) before, \(figure(quality.errorAfter)) after"
    try OutputFile.standardOutput.print(
      ["\(name): \(errors); standard error \(figure(quality.standardError))", "written to \(place.path)"])
    let isUsed = run.arguments.output == nil
    StandardError.shared.say(
      isUsed
        ? "It is applied whenever this device is read; motionctl list says so."
        : "It is applied to an address with the option calibration=\(place.path).")
  }

  /// Asks on a terminal.
  private func isWanted(_ sentence: String) -> Bool {
    guard isatty(STDIN_FILENO) == 1 else { return false }
    StandardError.shared.say("\(sentence) Replace it all the same? [y/N]")
    return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
  }

  /// "4.1e-05 rad/s", three digits.
  func figure(_ value: Double) -> String { "\(String(format: "%.3g", value)) \(unit)" }

  /// "(0.004, -0.003, 0.002) rad/s".
  func figure(_ value: Vector3<Device>) -> String {
    "(\([value.x, value.y, value.z].map { String(format: "%.4g", $0) }.joined(separator: ", "))) \(unit)"
  }
}
