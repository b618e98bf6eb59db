// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing

/// The file of a recording, or the files that it is cut into.
struct RecordFiles: Sendable {
  private let command: RecordCommand
  private let description: RecordingDescription
  private let written = CountingByteSink.Counter()
  private let names = Lock<[String]>([])

  init(_ command: RecordCommand, _ description: RecordingDescription) throws {
    (self.command, self.description) = (command, description)
  }

  /// Bytes of all files.
  var bytes: Int64 { written.count }
  /// The paths of those begun so far.
  var paths: [String] { names.withLock { $0 } }

  /// Takes away what has been begun.
  func remove() {
    for path in paths { unlink(path) }
  }

  /// Begins the first file.
  func open() throws -> sending any RecordingWriter {
    guard command.rotateSize != nil || command.rotateEvery != nil else { return try begin(command.output).writer }
    let limits = RotatingWriter.Limits(size: command.rotateSize?.bytes, duration: command.rotateEvery?.duration)
    return try RotatingWriter(limits: limits) { (number) throws(SensorError) in
      try begin(RotatingWriter.path(command.output, number: number))
    }
  }

  private func begin(_ path: String) throws(SensorError) -> RotatingWriter.Part {
    let file = try FileByteSink(path: path, overwrites: command.force)
    names.withLock { $0.append(path) }
    let sink = CountingByteSink(file, counter: written)
    do throws(SensorError) {
      let writer = try MCAPWriter(
        sink, description, compression: command.compress.value,
        views: RecordingViews.make(command.with, command.profile, description),
        profile: command.profile?.rawValue ?? "")
      return RotatingWriter.Part(writer: writer) { sink.count }
    } catch {
      // It could not even be begun: nothing is in it, and it would stand in the way of the next attempt.
      unlink(path)
      names.withLock { $0.removeAll { $0 == path } }
      throw error
    }
  }
}
