// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionRecording
package import MotionSensing

/// The file of a recording, or the files that it is cut into.
struct RecordFiles: Sendable {
  private let job: RecordJob
  /// The file that is read, where a recording is recorded.
  private let source: String?
  private let description: RecordingDescription
  private let written = ByteCounter()
  private let begun = Lock<[(path: String, identity: FileIdentity?)]>([])

  init(_ job: RecordJob, _ description: RecordingDescription, readingFrom source: String?) {
    (self.job, self.description, self.source) = (job, description, source)
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
    guard let rotation = job.rotation else { return try begin(job.output) }
    try checkParts()
    return try RotatingWriter(every: rotation) { (number) throws(SensorError) in
      try begin(RotatingWriter.path(job.output, number: number))
    }
  }

  /// A part of an earlier recording would end this one in its middle: it is found now.
  private func checkParts() throws {
    guard !job.force else { return }
    let output = URL(fileURLWithPath: job.output)
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

  private func begin(_ path: String) throws(SensorError) -> any RecordingWriter {
    if let source, let file = FileIdentity(path: source), FileIdentity(path: path) == file {
      throw SensorError(
        .invalidRequest, "This is what is being read: give the recording another name, so that it stays.",
        at: .init(file: path))
    }
    let file = try FileByteSink(path: path, overwrites: job.force)
    let identity = file.identity
    begun.withLock { $0.append((path, identity)) }
    file.counter = written
    do throws(SensorError) {
      return try job.mcap.writer(file, description)
    } catch {
      // It could not even be begun: nothing is in it, and it would block the next attempt.
      identity?.remove(path)
      begun.withLock { $0.removeAll { $0.path == path } }
      throw error
    }
  }
}

/// What is written beside a recording's own streams.
package enum RecordingCompanion: String, CaseIterable { case motion, ros2, foxglove }

/// An agreed use of MCAP, whose messages are written instead of our own topics.
package enum RecordingProfile: String, CaseIterable { case ros2 }

/// What an MCAP file holds beside our own topics, and how its chunks are packed.
package struct MCAPChoices: Sendable {
  /// Nil = none, or as the input where an MCAP file is cut.
  package var compression: MCAPCompression?
  package var companions: [RecordingCompanion] = []
  package var profile: RecordingProfile?

  package init() {}

  /// A new file.
  package func writer(_ sink: any ByteSink, _ description: RecordingDescription) throws(SensorError) -> MCAPWriter {
    var views: [any TopicView] = []
    if companions.contains(.ros2) || profile == .ros2 { views.append(ROS2Views(description)) }
    if companions.contains(.foxglove) { views.append(FoxgloveViews(description)) }
    return try MCAPWriter(
      sink, description, compression: compression ?? .none, views: views, profile: profile?.rawValue ?? "")
  }
}
