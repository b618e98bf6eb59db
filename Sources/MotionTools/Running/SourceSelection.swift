// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HeadphoneSources
import LinuxSources
package import MotionHost
package import MotionRecording
package import MotionSensing
package import MotionServices

/// The source that a command works on, opened, with its origin in words.
package struct SourceSelection {
  /// As the person wrote it.
  package let name: String
  package let entry: SourceCatalog.Entry

  package var info: SensorInfo { entry.source.info }

  /// The recording that is played, with or without a calibration around it; nil for anything else.
  private var replay: ReplaySource? {
    ((entry.source as? CalibratedSource)?.base ?? entry.source) as? ReplaySource
  }

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

  /// What a recording left out, as a sentence; nil when it was complete.
  package var omissions: String? {
    replay.flatMap { Self.omissions($0.statistics) }
  }

  /// The same of one pass over a recording.
  package static func omissions(_ statistics: RecordingStatistics) -> String? {
    guard !statistics.omissions.isEmpty else { return nil }
    let reasons = RecordingStatistics.Reason.allCases.compactMap { reason in
      statistics.omissions[reason].map { "\($0.count) \(reason.rawValue) (first \($0.firstPlace))" }
    }
    return "  left out of the recording: " + reasons.joined(separator: ", ")
  }

  /// What each sensor misses of a recording, a line per sensor; nothing where all of it is there. `statistics`: those
  /// sensors are said already.
  package static func pauses(
    _ coverage: RecordingCoverage, besides statistics: TimelineStatistics = TimelineStatistics()
  ) -> [String] {
    let said = statistics.named.filter { $0.counts.delivered > 0 }.map(\.name)
    let rest = coverage.incomplete.filter { stream in
      !said.contains { stream.kind.names.first?.hasSuffix($0) ?? false }
    }
    return rest.map { "  \(InfoReport.Stream($0, device: "", start: $0.first ?? .init(nanoseconds: 0)).line)" }
  }

  /// Opens what the person named.
  ///
  /// - Parameters:
  ///   - text: an address, or the path of a recording; nil = `MOTION_SOURCE`.
  ///   - reading: how a recording is read; of anything else nothing may be chosen.
  ///   - calibration: a file of a calibration to use.
  ///   - isRaw: whether a calibration is left off, for measuring the sensors as they are.
  package static func open(
    _ text: String?, reading: ReadingChoices = ReadingChoices(), calibration: String? = nil, isRaw: Bool = false
  ) throws -> SourceSelection {
    let environment = ProcessInfo.processInfo.environment["MOTION_SOURCE"] ?? ""
    guard let text = text ?? (environment.isEmpty ? nil : environment) else {
      throw CommandFailure(
        "No source: name one, such as simulate:handheld or the path of a recording, iio: for the sensors of this computer, evdev: for a game controller, phone: for a phone, or set MOTION_SOURCE."
      )
    }
    var address = try address(of: text)
    for (name, value) in reading.addressOptions.sorted(by: { $0.key < $1.key }) {
      guard address.scheme == "replay" else {
        throw CommandFailure("\(name)=\(value) is for recordings only, and “\(text)” is none.")
      }
      address.options[name] = value
    }
    if let calibration, address.options.updateValue(calibration, forKey: "calibration") ?? calibration != calibration {
      throw CommandFailure("Give the calibration once: --calibration, or calibration=FILE in “\(text)”.")
    }
    if isRaw {
      guard address.options.updateValue("off", forKey: "calibration") ?? "off" == "off" else {
        throw CommandFailure("Sensors are calibrated as they are: leave calibration=FILE out of “\(text)”.")
      }
    }
    return try open(address, name: text)
  }

  /// Opens an address; `name` is how the person wrote it.
  package static func open(_ address: SourceURI, name: String) throws -> SourceSelection {
    let entry = try HostEnvironment(ProcessInfo.processInfo.environment).catalog().open(address)
    // A program may wait for an adapter; a command fails.
    guard address.scheme != "airpods" || BlueZ().isAdapterPresent else {
      throw CommandFailure("\(name): \(HeadphoneSurvey.noAdapter)")
    }
    return SourceSelection(name: name, entry: entry)
  }

  /// The best sensors of this computer; nil when it has none.
  static func ofThisComputer() throws -> SourceSelection? {
    let environment = ProcessInfo.processInfo.environment.merging(["MOTION_SOURCE": ""]) { $1 }
    return try HostEnvironment(environment).device().map { SourceSelection(name: $0.uri.description, entry: $0) }
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
    guard text.contains(":"), !text.contains("/") else {
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
    let calibrated = (entry.source as? CalibratedSource)?.date.map { ", calibrated on \(Text.date($0))" } ?? ""
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

  /// A host with this source as its device; `clock` nil = the one that the address asks for, `memory` nil = the
  /// one that the environment has for a live sensor, and none for a recording or a simulation.
  package func host(
    clock: (any SensorClock)? = nil, location: LocationArgument?, memory: (any SensorMemory)? = nil
  ) throws -> MotionHost {
    let environment = HostEnvironment(ProcessInfo.processInfo.environment)
    let place = try location?.location ?? environment.location()
    let host = MotionHost(
      device: entry.source, clock: clock ?? entry.clock, rate: clock == nil ? entry.rate : 1, gate: entry.gate,
      location: place, memory: memory ?? environment.memories?.memory(of: info))
    host.policy.personHeight = try environment.personHeight()
    return host
  }

  /// Real seconds after which a run over `limit` of the source's time ends in any case: a source that stalls must not
  /// keep it from its end; the second is for its start. Nil on a clock that never waits.
  package func timeout(over limit: Double?) -> Double? {
    limit.flatMap { entry.clock.isFreeRunning ? nil : $0 / entry.rate + 1 }
  }

  /// The end of a run over the source: what remains to be said, or thrown. After a failed write only that is said.
  package func finish(
    _ outcome: Completion.Outcome, _ statistics: TimelineStatistics, summary: [String], used: ProcessUse? = nil
  ) throws {
    if case .stopped = outcome {} else { say(summary, statistics, used) }
    try outcome.check()
  }

  /// What a run amounted to, what happened to the samples, what was left out, and what it cost.
  package func say(_ summary: [String], _ statistics: TimelineStatistics, _ used: ProcessUse? = nil) {
    StandardError.shared.say(
      summary + StatisticsReport.lines(statistics) + [omissions, used.map { "  \($0.sentence)" }].compactMap(\.self))
  }
}

extension SourceSelection {
  /// The recording that is read, from its beginning to its end; nil for anything else, and for one that repeats.
  package var recording: Recording? {
    guard entry.uri.options["loop"] != "yes", entry.uri.options["clock"] != "now" else { return nil }
    return ((entry.source as? CalibratedSource)?.base as? ReplaySource ?? entry.source as? ReplaySource)?.recording
  }

  /// The same files with the motion that the phone had computed itself; nil where they hold none beside raw samples.
  package var recordedMotion: Recording? {
    guard let recording, !info.kinds.contains(.motion) else { return nil }
    var options = recording.options
    options.motion = .recorded
    return try? Recording.open(path: recording.path, options: options)
  }
}
