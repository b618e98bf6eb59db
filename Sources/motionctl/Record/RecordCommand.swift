// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionHost
import MotionRecording
import MotionSensing
import MotionServices

/// `motionctl record`: everything that a source says, into an MCAP file.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record a source into an MCAP file, as it comes.",
    discussion: """
      Every sensor of the source is recorded at its highest rate (or about --rate, where the source can choose), with the times of \
      the measurements and of their arrival, the reports of a connection, failures and gaps. Samples are written as the sensor gave \
      them; a calibration in force is stored beside them. Ctrl-C ends the recording properly. Each second what is there is written \
      to the disk: a recording that is killed, whose disk is full or whose power fails is read up to there (--sync). The file is \
      locked, so a second recording of the same name is refused.

      Examples:
        motionctl record -o walk.mcap
        motionctl record iio: -o walk.mcap --for 10m --compress zstd
        motionctl record simulate:handheld -o test.mcap --for 5 --with motion
        motionctl record -o day.mcap --rotate-every 10m
        MOTION_HEADPHONES=simulate:headphones motionctl record --headphones -o head.mcap --for 5
      """)

  @Argument(help: "The address of a source (default: MOTION_SOURCE, else the sensors of this computer).")
  var source: String?

  @Option(name: [.short, .long], help: "The file to write, such as walk.mcap.")
  var output: String

  @Flag(help: "Record the headphones (default source: MOTION_HEADPHONES, else those of this computer).")
  var headphones = false

  @Option(
    name: .customLong("for"), help: ArgumentHelp("Stop after this much sample time: 90, 10m, 1h.", valueName: "time"))
  var limit: TimeSpan?

  @Option(help: ArgumentHelp("Wanted samples per second, or max for what the source can.", valueName: "hertz"))
  var rate: SampleRate = .fastest

  @Option(help: "zstd and lz4 need the system's library of that name.")
  var compress: RecordingCompression = .none

  @Option(
    help:
      "Besides: motion (the device motion computed from the sensors), ros2 (the same samples as ROS 2 messages), foxglove (the motion as transforms). May be repeated."
  )
  var with: [RecordingCompanion] = []

  @Option(help: "ros2 writes ROS 2 messages alone, as the bag of another recorder.")
  var profile: RecordingProfile?

  @Option(help: ReferenceFrame.help)
  var frame: ReferenceFrame = .arbitrary

  @Option(help: LocationArgument.help)
  var location: LocationArgument?

  @Option(help: ArgumentHelp("Begin a new file when this size is reached: 100MB, 1GB.", valueName: "size"))
  var rotateSize: ByteSize?

  @Option(help: ArgumentHelp("Begin a new file after this much sample time: 10m, 1h.", valueName: "time"))
  var rotateEvery: TimeSpan?

  @Option(
    help: ArgumentHelp(
      "How often to write to the disk what was recorded, and whether to at the end: seconds, or never (the system does when it likes).",
      valueName: "seconds|never"))
  var sync: RecordingSync = .every(Seconds(1))

  @Flag(
    help:
      "Write the whole address of the source into the file, with folders of this computer and addresses of devices (default: only what may be given away)."
  )
  var fullSource = false

  @Flag(help: "Write over files that are there.")
  var force = false

  func validate() throws {
    guard output.lowercased().hasSuffix(".mcap") else {
      throw ValidationError(
        "A recording is an MCAP file: end its name with .mcap (motionctl convert makes other formats of it).")
    }
    try RecordingViews.check(with, profile)
    if let limit, limit.duration <= .zero { throw ValidationError("--for must be above 0.") }
    if let rotateEvery, rotateEvery.duration < .seconds(1) {
      throw ValidationError("--rotate-every must be at least one second.")
    }
    if let rotateSize, rotateSize.bytes < 10_000 { throw ValidationError("--rotate-size must be at least 10kB.") }
  }

  func run() throws {
    let selection = try RecordSource.open(source, isHeadphones: headphones)
    let run = try RecordRun(self, selection)
    StandardError.shared.say(selection.headline)
    try run.record()
  }
}

/// The source of a recording: named, by the environment, or found.
enum RecordSource {
  static func open(_ name: String?, isHeadphones: Bool) throws -> SourceSelection {
    if let name { return try SourceSelection.open(name) }
    if isHeadphones { return try HeadphoneSelection.open(nil).selection }
    let environment = ProcessInfo.processInfo.environment
    if environment["MOTION_SOURCE", default: ""].isEmpty, let found = try SourceSelection.ofThisComputer() {
      return found
    }
    return try SourceSelection.open(nil)
  }
}

/// A source on its way into one or several files, with a line about how it goes.
struct RecordRun {
  private let command: RecordCommand
  private let selection: SourceSelection
  private let files: RecordFiles
  private let recorder: Recorder
  private let recording: SourceRecording
  private let completion = Completion()

  /// Opens the (first) file. From here on a signal ends the recording, not the program.
  init(_ command: RecordCommand, _ selection: SourceSelection) throws {
    (self.command, self.selection) = (command, selection)
    guard !selection.info.kinds.subtracting(.connection).isEmpty else {
      throw CommandFailure("\(selection.info.name) measures nothing: there is nothing to record.")
    }
    Interruption.begin(completion, grace: Interruption.graceForFiles)
    let environment = HostEnvironment(ProcessInfo.processInfo.environment)
    let place = try command.location?.location ?? environment.location()
    let memory = environment.memories?.memory(of: selection.info)
    if Self.wantsMotion(command, selection) { try MotionCompanion.check(command, selection) }
    var description = try RecordingDescription(
      recording: selection.entry, application: "motionctl \(Motionctl.version)")
    if command.fullSource { description.source = selection.entry.uri.description }
    files = RecordFiles(command, description, readingFrom: selection.recordingPath)
    let completion = completion
    recorder = Recorder(writer: try files.open(), waitsForRoom: selection.info.pacing == .onDemand) {
      completion.finish(.stopped($0))
    }
    recording = SourceRecording(
      selection.entry, recorder: recorder, interval: SensorDuration(seconds: command.rate.interval) ?? .zero,
      limit: command.limit?.duration, isHeadphones: command.headphones, location: place, memory: memory
    ) { ending in
      switch ending {
      case .finished: completion.finish(.done)
      case .failed(let error): completion.finish(.failed(error))
      case .interrupted(let error):
        StandardError.shared.say("\(error.description) The recording goes on when it is back.")
      }
    }
  }

  /// Whether motion is computed: because it is asked for, or because Foxglove shows nothing but attitudes.
  private static func wantsMotion(_ command: RecordCommand, _ selection: SourceSelection) -> Bool {
    if command.with.contains(.motion) { return true }
    let kinds = selection.info.kinds
    return command.with.contains(.foxglove) && !kinds.contains(.fusedMotion) && kinds.isSuperset(of: .inertial)
  }

  /// Records until the source ends, the limit, a signal or a failure.
  func record() throws {
    let companion = Self.wantsMotion(command, selection) ? MotionCompanion(command, recording) : nil
    let started = ContinuousClock.now
    recording.start()
    let timeout = selection.timeout(over: command.limit?.duration.seconds)
    var fellSilent = false
    let outcome = completion.wait {
      let elapsed = (ContinuousClock.now - started).seconds
      StandardError.shared.show(
        RecordReport.line(
          recorder.progress, bytes: files.bytes, elapsed: elapsed, limit: command.limit?.duration.seconds))
      if let timeout, elapsed > timeout {
        fellSilent = true
        completion.finish(.done)
      }
    }
    companion?.stop()
    recording.stop()
    var failure: SensorError?
    do { try recorder.finish() } catch { failure = error }
    StandardError.shared.endStatus()
    for line in RecordReport.summary(recorder.progress, files: files, statistics: recording.hub.statistics) {
      StandardError.shared.say(line)
    }
    if fellSilent { StandardError.shared.say("  the source fell silent before the time was over") }
    if let omissions = selection.omissions { StandardError.shared.say(omissions) }
    if recorder.progress.samples == 0 {
      // Nothing is kept that would block the next attempt.
      files.remove()
    } else if failure != nil {
      StandardError.shared.say(
        "The recording can be read up to its last whole chunk: motionctl info shows how far that is.")
    }
    if let failure { throw failure }
    switch outcome {
    case .failed(let error): throw error
    case .stopped(let error): throw error
    case .interrupted(let number): throw ExitCode(Interruption.exitCode(number))
    case .done: break
    }
    if recorder.progress.samples == 0 {
      throw CommandFailure("\(selection.info.name) gave no sample: there is no recording.")
    }
  }
}

/// The device motion that is computed while a source is recorded, written beside it.
final class MotionCompanion {
  private let subscription: Subscription

  /// Throws when the source has nothing from which motion could be computed in the wanted frame.
  static func check(_ command: RecordCommand, _ selection: SourceSelection) throws {
    let info = selection.info
    guard !info.kinds.contains(.fusedMotion) else {
      throw CommandFailure("\(info.name) computes its motion itself, and that is recorded: leave --with motion out.")
    }
    try MotionRequirements.check(command.frame, of: selection, on: selection.host(location: command.location))
  }

  init(_ command: RecordCommand, _ recording: SourceRecording) {
    let (host, hub) = (recording.host, recording.hub)
    let framing = Lock(command.frame.framing(on: host))
    let stream = framing.withLock { $0.stream }
    subscription = hub.subscribe(stream, interval: SensorDuration(seconds: command.rate.interval) ?? .zero) {
      event, _ in
      guard case .motion(let motion) = event, let row = framing.withLock({ $0.update(motion).row }) else { return }
      recording.add(.fusedMotion(row))
    }
  }

  func stop() { subscription.cancel() }
}

/// How a recording goes, and how it went, in words.
enum RecordReport {
  /// "12.0 s, 48 s left: 1.2 MB, 100 kB/s, none lost; accelerometer and gyroscope 1,200 (100 Hz), magnetometer 600 (50 Hz)": what may be cut
  /// off on a narrow terminal comes last.
  static func line(_ progress: Recorder.Progress, bytes: Int64, elapsed: Double, limit: Double?) -> String {
    let covered = progress.streams.map { ($0.last - $0.first).seconds }.max() ?? 0
    let streams = progress.streams.map { stream in
      name(stream.kinds) + " \(Text.grouped(stream.samples))" + rate(stream)
    }
    let speed = elapsed > 0 ? ", \(Text.bytes(Int64(clamping: Double(bytes) / elapsed)))/s" : ""
    let what = streams.isEmpty ? "no sample yet" : streams.joined(separator: ", ")
    // A recording that is copied runs faster than its time.
    let pace = covered > 0 ? elapsed / covered : 1
    let left = limit.map { ", \(Text.duration(max(0, (($0 - covered) * min(1, pace)).rounded()))) left" } ?? ""
    return "\(Text.duration(covered))\(left): \(Text.bytes(bytes))\(speed), \(lost(progress)); \(what)"
  }

  /// A line for each stream and one for each thing that was lost.
  static func summary(_ progress: Recorder.Progress, files: RecordFiles, statistics: TimelineStatistics) -> [String] {
    let paths = files.paths
    let place = paths.count == 1 ? paths[0] : "\(paths.count) files, \(paths.first ?? "") to \(paths.last ?? "")"
    let covered = progress.streams.map { ($0.last - $0.first).seconds }.max() ?? 0
    var lines = [
      "\(place): \(Text.count(progress.samples, "sample")) over \(Text.duration(covered)), \(Text.bytes(files.bytes)), \(lost(progress))"
    ]
    for stream in progress.streams {
      lines.append("  \(name(stream.kinds)): \(Text.count(stream.samples, "sample"))\(rate(stream))")
    }
    if progress.events > 0 { lines.append("  \(Text.count(progress.events, "event"))") }
    let gaps = statistics.gaps
    if gaps > 0 { lines.append("  the source paused: \(Text.count(gaps, "gap")) over all sensors") }
    return lines
  }

  private static func name(_ kinds: SensorKinds) -> String { Text.list(kinds.names) }

  private static func rate(_ stream: Recorder.Progress.Stream) -> String {
    stream.rate.map { " (\(Text.decimal($0, places: 1)) Hz)" } ?? ""
  }

  private static func lost(_ progress: Recorder.Progress) -> String {
    progress.lost == 0 ? "none lost" : "\(Text.grouped(progress.lost)) LOST: the disk was too slow"
  }
}
