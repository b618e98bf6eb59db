// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HeadphoneSources
import LinuxSources
package import MotionHost
package import MotionRecording
package import MotionSensing
import MotionServices

/// The source that a command works on, opened, with its origin in words.
package struct SourceSelection {
  /// As the person wrote it.
  package let name: String
  package let entry: SourceCatalog.Entry

  package var info: SensorInfo { entry.source.info }

  /// The calibration that is around the source.
  package var calibrated: CalibratedSource? { entry.source as? CalibratedSource }

  /// The source without a calibration around it.
  package var base: any SensorSource { calibrated?.base ?? entry.source }
  /// The recording that is played; nil for anything else.
  package var replay: ReplaySource? { base as? ReplaySource }

  /// Seconds of sample time; nil when it is not known or has no end.
  package var duration: Double? {
    if let replay {
      return entry.uri.options["loop"] == "yes" ? nil : replay.recording.duration?.seconds
    }
    return entry.uri.options["duration"].flatMap(Double.init)
  }

  /// The file or folder that is read; nil for a simulation.
  package var recordingPath: String? { replay?.recording.path }

  /// What is odd about a recording's beginning, in sentences.
  package var warnings: [String] { replay?.recording.warnings ?? [] }

  /// What was assumed of a table that was read without a map, in sentences.
  package var assumptions: [String] { replay?.recording.assumptions ?? [] }

  /// Both as lines below a summary.
  package var remarkLines: [String] { Self.remarkLines(assumptions, warnings) }

  package static func remarkLines(_ assumptions: [String], _ warnings: [String]) -> [String] {
    assumptions.map { "  assumed: \($0)" } + warnings.map { "  warning: \($0)" }
  }

  /// Opens what the person named.
  ///
  /// - Parameters:
  ///   - text: an address, or the path of a recording; nil = `MOTION_SOURCE`.
  ///   - reading: how a recording is read; of anything else nothing may be chosen.
  ///   - isRaw: whether a calibration is left off, for measuring the sensors as they are.
  package static func open(
    _ text: String?, _ reading: ReadingChoices = ReadingChoices(), isRaw: Bool = false
  ) throws -> SourceSelection {
    let environment = ProcessInfo.processInfo.environment["MOTION_SOURCE"] ?? ""
    guard let text = text ?? (environment.isEmpty ? nil : environment) else {
      throw CommandFailure(
        "No source: name one, such as simulate:handheld or the path of a recording, iio: for the sensors of this computer, evdev: for a game controller, phone: for a phone, or set MOTION_SOURCE."
      )
    }
    var address = try address(of: text)
    if let option = reading.options.first, address.scheme != "replay" {
      throw CommandFailure("\(option) is for recordings only, and “\(text)” is none.")
    }
    if isRaw {
      guard address.options.updateValue("off", forKey: "calibration") ?? "off" == "off" else {
        throw CommandFailure("Sensors are calibrated as they are: leave calibration=FILE out of “\(text)”.")
      }
    }
    return try open(address, name: text, reading)
  }

  /// Opens an address; `name` is how the person wrote it.
  package static func open(
    _ address: SourceURI, name: String, _ reading: ReadingChoices = ReadingChoices()
  ) throws -> SourceSelection {
    let catalog = try HostEnvironment(ProcessInfo.processInfo.environment).catalog()
    let entry = try catalog.open(
      address,
      with: reading.options.isEmpty
        ? nil
        : { (address) throws(SensorError) in
          var options = try ReplayOptions(address.options)
          reading.apply(to: &options.recording)
          return try ReplaySource(path: address.path, options: options)
        })
    // A program may wait for an adapter; a command fails.
    guard address.scheme != "airpods" || BlueZ().isAdapterPresent else {
      throw CommandFailure("\(name): \(HeadphoneSurvey.noAdapter)")
    }
    return SourceSelection(name: name, entry: entry)
  }

  /// The sensors that a command reads: named, by the environment, or the best of this computer.
  package static func openSensors(_ name: String?) throws -> SourceSelection {
    guard name == nil, ProcessInfo.processInfo.environment["MOTION_SOURCE", default: ""].isEmpty,
      let found = try environment.device()
    else { return try open(name) }
    return SourceSelection(name: found.uri.description, entry: found)
  }

  /// The headphones of an address or recording; nil = `MOTION_HEADPHONES`, else those of this computer.
  package static func openHeadphones(_ name: String?) throws -> SourceSelection {
    let variable = ProcessInfo.processInfo.environment["MOTION_HEADPHONES"] ?? ""
    guard
      let name = try name ?? (variable.isEmpty ? environment.headphones()?.uri.description : variable)
    else {
      throw CommandFailure(
        "No headphones: name some, such as airpods:, headtracker:, simulate:headphones or the path of a recording, or set MOTION_HEADPHONES. "
          + "“motionctl headphones” says what this computer has, and what is missing."
      )
    }
    let selection = try open(name)
    let kinds = selection.info.kinds
    guard kinds.contains(.motion) || kinds.isSuperset(of: .inertial) else {
      throw CommandFailure("“\(name)” has no motion to follow.")
    }
    return selection
  }

  /// The address that a person means: one as it is, or the path of a recording with or without options.
  package static func address(of text: String) throws -> SourceURI {
    if let scheme = text.split(separator: ":", maxSplits: 1).first, text.contains(":"),
      SourceRegistry.scheme(scheme.lowercased()) != nil
    {
      return try SourceURI(text)
    }
    if FileManager.default.fileExists(atPath: text) { return SourceURI(scheme: "replay", path: text) }
    // A path with options behind it.
    let path = text.prefix { $0 != "?" }
    if path.count < text.count, FileManager.default.fileExists(atPath: String(path)) {
      return try SourceURI("replay:" + text)
    }
    // What stands before a colon is a scheme, unless it is part of a path and like none.
    let scheme = text.contains(":") ? text.prefix { $0 != ":" } : ""
    let schemes = SourceRegistry.schemes.map(\.name)
    guard !scheme.isEmpty, !text.contains("/") || Spelling.nearest(to: String(scheme), of: schemes) != nil else {
      throw CommandFailure("There is no file or folder “\(path)”.")
    }
    return try SourceURI(text)
  }

  /// "simulated device (handheld): a simulation, no sensor is read".
  package var headline: String {
    let origin =
      switch info.origin {
      case .simulation: "a simulation, no sensor is read"
      case .recording: info.kinds.contains(.motion) ? "a recording, with the motion it holds" : "a recording"
      case .hardware: "a sensor"
      }
    let calibrated = calibrated?.file.date.map { ", calibrated on \(Text.date($0))" } ?? ""
    return "\(name): \(info.name) (\(origin)\(calibrated))"
  }

  /// Refuses a source that never ends where a whole result is wanted.
  package func requireEnd(limit: Seconds?) throws {
    guard limit == nil else { return }
    let options = entry.uri.options
    if entry.uri.scheme == "simulate", options["duration"] == nil {
      throw CommandFailure("\(name) never ends: say how much of it you want, such as --for 10.")
    }
    if options["loop"] == "yes" {
      throw CommandFailure("\(name) repeats for ever: leave loop=yes out or say --for SECONDS.")
    }
  }

  /// A host with this source as its device; `clock` nil = the one that the address asks for.
  package func host(clock: (any SensorClock)? = nil, location: LocationArgument?) throws -> MotionHost {
    let host = MotionHost(
      device: entry.source, clock: clock ?? entry.pace.clock, rate: clock == nil ? entry.pace.rate : 1,
      gate: entry.pace.gate,
      location: try place(location), memory: memory())
    host.policy.personHeight = try Self.environment.personHeight()
    return host
  }

  private static var environment: HostEnvironment { HostEnvironment(ProcessInfo.processInfo.environment) }

  /// Where the device is: as the person says, else as the environment says.
  package func place(_ location: LocationArgument?) throws -> GeographicLocation? {
    try location?.location ?? Self.environment.location()
  }

  /// The memory that the environment has for a live sensor; nil for a recording or a simulation.
  func memory() -> (any SensorMemory)? { Self.environment.memories?.memory(of: info) }

  /// Real seconds after which a run over `limit` of the source's time ends in any case: a source that stalls must not
  /// keep it from its end; the second is for its start. Nil on a clock that never waits.
  package func timeout(over limit: Double?) -> Double? {
    limit.flatMap { entry.pace.clock.isFreeRunning ? nil : $0 / entry.pace.rate + 1 }
  }
}

extension SourceSelection {
  /// The recording that is read, from its beginning to its end; nil for anything else, and for one that repeats.
  package var recording: Recording? {
    guard entry.uri.options["loop"] != "yes", entry.uri.options["clock"] != "now" else { return nil }
    return replay?.recording
  }

  /// The same files with the motion that the phone had computed itself; nil where they hold none beside raw samples.
  package var recordedMotion: Recording? {
    guard let recording, !info.kinds.contains(.motion) else { return nil }
    var options = recording.options
    options.motion = .recorded
    return try? Recording.open(path: recording.path, options: options)
  }
}
