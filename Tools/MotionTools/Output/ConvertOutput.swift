// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionRecording
import MotionSensing

/// The files of a conversion, or of a part: each appears under its name when all are whole, and none is written over
/// unasked.
package final class ConvertOutput {
  private let input: String
  private let force: Bool
  private var files: [OutputFile] = []
  /// What went wrong where a writer can only throw a sensor's error.
  var failure: (any Error)?
  private(set) var names: [String] = []

  /// What a writer's error stands for.
  package func cause(of error: any Error) -> any Error {
    failure ?? ((error as? SensorError)?.errno == EPIPE ? BrokenPipe() : error)
  }

  /// The input is not written over, whatever `force` says.
  package init(readingFrom input: String, force: Bool) { (self.input, self.force) = (input, force) }

  /// A sink into a new file; `-` is standard output.
  package func sink(_ path: String) throws -> FileByteSink {
    if path != "-", !force, FileIdentity(path: path) != nil {
      throw CommandFailure("“\(path)” is there already: give another name, or --force to write over it.")
    }
    let file = try OutputFile.open(path, readingFrom: input)
    files.append(file)
    names.append(path)
    return file.sink
  }

  package func commit() throws {
    while !files.isEmpty { try files.removeFirst().commit() }
  }

  /// Leaves things as they were.
  package func discard() {
    for file in files { file.discard() }
    files = []
  }
}
