// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionRecording
import MotionSensing

/// The file of a recording, or the files that it is cut into.
struct RecordFiles: Sendable {
  private let command: RecordCommand
  /// The file that is read, where a recording is recorded.
  private let source: String?
  private let description: RecordingDescription
  private let written = CountingByteSink.Counter()
  private let begun = Lock<[(path: String, identity: FileIdentity?)]>([])

  init(_ command: RecordCommand, _ description: RecordingDescription, readingFrom source: String?) {
    (self.command, self.description, self.source) = (command, description, source)
  }

  /// Bytes of all files.
  var bytes: Int64 { written.count }
  /// The paths of those begun so far.
  var paths: [String] { begun.withLock { $0.map(\.path) } }

  /// Removes what has been begun.
  func remove() {
    for file in begun.withLock({ $0 }) { file.identity?.remove(file.path) }
  }

  /// Begins the first file.
  func open() throws -> sending any RecordingWriter {
    guard command.rotateSize != nil || command.rotateEvery != nil else { return try begin(command.output).writer }
    try checkParts()
    let limits = RotatingWriter.Limits(size: command.rotateSize?.bytes, duration: command.rotateEvery?.duration)
    return try RotatingWriter(limits: limits) { (number) throws(SensorError) in
      try begin(RotatingWriter.path(command.output, number: number))
    }
  }

  /// A part of an earlier recording would end this one in its middle: it is found now.
  private func checkParts() throws {
    guard !command.force else { return }
    let output = URL(fileURLWithPath: command.output)
    let folder = output.deletingLastPathComponent().path
    let stem = output.deletingPathExtension().lastPathComponent + "-"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let part = names.sorted().first { name in
      guard name.hasPrefix(stem) else { return false }
      let number = name.dropFirst(stem.count).prefix(while: \.isNumber)
      return Int(number).map { RotatingWriter.path(output.lastPathComponent, number: $0) == name } ?? false
    }
    if let part {
      throw CommandFailure(
        "“\(part)” is a part of an earlier recording of this name: give another name, or --force to write over it.")
    }
  }

  private func begin(_ path: String) throws(SensorError) -> RotatingWriter.Part {
    if let source, SameFile.is(path, source) {
      throw SensorError(
        .invalidRequest, "This is what is being read: give the recording another name, so that it stays.",
        at: .init(file: path))
    }
    let file = try FileByteSink(path: path, overwrites: command.force)
    file.syncInterval = command.sync.interval
    let identity = file.identity
    begun.withLock { $0.append((path, identity)) }
    let sink = CountingByteSink(file, counter: written)
    do throws(SensorError) {
      let writer = try MCAPWriter(
        sink, description, compression: command.compress.value,
        views: RecordingViews.make(command.with, command.profile, description),
        profile: command.profile?.rawValue ?? "")
      return RotatingWriter.Part(writer: writer) { sink.count }
    } catch {
      // It could not even be begun: nothing is in it, and it would block the next attempt.
      identity?.remove(path)
      begun.withLock { $0.removeAll { $0.path == path } }
      throw error
    }
  }
}

/// What is written beside a recording's own streams.
enum RecordingCompanion: String, CaseIterable, ExpressibleByArgument { case motion, ros2, foxglove }

/// An agreed use of MCAP, whose messages are written instead of our own topics.
enum RecordingProfile: String, CaseIterable, ExpressibleByArgument { case ros2 }

/// How the chunks of an MCAP file are packed.
enum RecordingCompression: String, CaseIterable, ExpressibleByArgument {
  case none, zstd, lz4

  var value: MCAPCompression { MCAPCompression(rawValue: rawValue) ?? .none }
}

/// How often a recording is written to the disk, so that a power cut costs no more than that.
enum RecordingSync: ExpressibleByArgument {
  case never
  case every(Seconds)

  init?(argument: String) {
    if argument == "never" {
      self = .never
    } else {
      guard let seconds = Seconds(argument: argument), (0.1...3600).contains(seconds.value) else { return nil }
      self = .every(seconds)
    }
  }

  var defaultValueDescription: String { "1" }
  var interval: SensorDuration? {
    if case .every(let seconds) = self { SensorDuration(seconds: seconds.value) } else { nil }
  }
}

/// The same samples in the message types of other programs, for a new MCAP file.
enum RecordingViews {
  static func make(
    _ companions: [RecordingCompanion], _ profile: RecordingProfile?, _ description: RecordingDescription
  ) -> [any TopicView] {
    var views: [any TopicView] = []
    if companions.contains(.ros2) || profile == .ros2 { views.append(ROS2Views(description)) }
    if companions.contains(.foxglove) { views.append(FoxgloveViews(description)) }
    return views
  }

  /// Refuses what would be written twice, or against the profile.
  static func check(_ companions: [RecordingCompanion], _ profile: RecordingProfile?) throws {
    guard profile == .ros2, companions.contains(where: { $0 != .motion }) else { return }
    throw ValidationError(
      "--profile ros2 writes ROS 2 messages alone: beside it there is only --with motion, for their orientation.")
  }
}
