// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing

/// The files of a conversion, or of a part: each appears under its name when all are whole, and none is written over
/// unasked.
package final class ConvertOutput {
  private let inputs: [String]
  private let force: Bool
  private var files: [OutputFile] = []
  private var sinks: [OutputFileSink] = []
  /// What went wrong where a writer can only throw a sensor's error.
  var failure: (any Error)?
  private(set) var names: [String] = []

  /// The first failure of a file, in words for a person.
  package var firstFailure: (any Error)? { failure ?? sinks.lazy.compactMap(\.failure).first }

  /// None of `inputs` is written over, whatever `force` says.
  package init(readingFrom inputs: [String], force: Bool) {
    self.inputs = inputs
    self.force = force
  }

  /// A sink into a new file; `-` is standard output.
  package func sink(_ path: String) throws -> OutputFileSink {
    var status = stat()
    if path != "-", !force, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      throw CommandFailure("“\(path)” is there already: give another name, or --force to write over it.")
    }
    let file = try OutputFile.open(path, readingFrom: inputs)
    files.append(file)
    names.append(path)
    let sink = OutputFileSink(file)
    sinks.append(sink)
    return sink
  }

  package func commit() throws {
    while let file = files.first {
      files.removeFirst()
      try file.commit()
    }
  }

  /// Leaves things as they were.
  package func discard() {
    for file in files { file.discard() }
    files = []
  }
}

/// Bytes on their way into an ``OutputFile``, in blocks.
package final class OutputFileSink: ByteSink {
  private static let block = 1 << 18

  private let file: OutputFile
  /// What a write met: a writer can only throw it on as a sensor's error.
  private(set) var failure: (any Error)?
  /// Bytes so far.
  package private(set) var count: Int64 = 0
  private var held: [UInt8] = []

  init(_ file: OutputFile) {
    self.file = file
    held.reserveCapacity(Self.block + 4096)
  }

  func write(_ bytes: Span<UInt8>) throws(SensorError) {
    count += Int64(bytes.count)
    if bytes.count < Self.block {
      held.append(bytes)
      if held.count >= Self.block { try flush() }
    } else {
      // A block as it is: copying it would cost as much as making it.
      try flush()
      try write(through: bytes)
    }
  }

  func flush() throws(SensorError) {
    var bytes = held
    held = []
    try write(through: bytes.span)
    bytes.removeAll(keepingCapacity: true)
    held = bytes
  }

  private func write(through bytes: Span<UInt8>) throws(SensorError) {
    do { try file.write(bytes) } catch {
      failure = error
      throw SensorError(.system, "\(error)")
    }
  }

  func finish() throws(SensorError) { try flush() }
}
