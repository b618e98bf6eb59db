// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing

/// PyArrow as a child process, which turns Parquet into an Arrow stream or back.
///
/// People with Parquet files have PyArrow, and it knows every form of the format; the C++ library of Arrow is not in
/// Debian 12, and would be a hundred megabytes in a program of forty. So Parquet asks for `pip install pyarrow`, and
/// nothing else does. `MOTION_PYTHON` names the interpreter (default: `python3`).
final class ParquetProcess: Sendable {
  private static let variable = "MOTION_PYTHON"

  private let process = Process()
  private let errors = Pipe()
  /// The file that is read or written, for messages.
  private let place: String

  /// - Parameters:
  ///   - place: the Parquet file, for messages.
  ///   - input: nil = nothing is read from it.
  private init(_ arguments: [String], place: String, input: FileHandle?, output: FileHandle) throws {
    self.place = place
    let environment = ProcessInfo.processInfo.environment
    let python = environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 } ?? "python3"
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [python, "-c", String(decoding: PackageResources.parquet_py, as: UTF8.self)] + arguments
    // Large pieces go back to the system when they are free; the memory of a long file would grow otherwise.
    process.environment = environment.merging([
      "ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_MMAP_THRESHOLD_": "131072", "MALLOC_ARENA_MAX": "1",
    ]) { $1 }
    process.standardInput = input ?? FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    do { try process.run() } catch {
      throw CommandFailure("“\(place)”: /usr/bin/env cannot be started: \(error.localizedDescription)")
    }
  }

  /// Reads a Parquet file; the descriptor is the Arrow stream of its rows, and the caller's to close.
  static func reading(_ path: String, key: String?) throws -> (process: ParquetProcess, descriptor: Int32) {
    let pipe = Pipe()
    let process = try ParquetProcess(
      ["read", path] + option("--key", key), place: path, input: nil, output: pipe.fileHandleForWriting)
    try pipe.fileHandleForWriting.close()
    let descriptor = dup(pipe.fileHandleForReading.fileDescriptor)
    try pipe.fileHandleForReading.close()
    return (process, descriptor)
  }

  /// Writes Parquet into `output`; what is written into the descriptor is an Arrow stream. `like`: the file whose
  /// layout the output has.
  static func writing(
    into output: Descriptor, place: String, like: String? = nil, key: String? = nil
  ) throws -> (process: ParquetProcess, input: Descriptor) {
    let pipe = Pipe()
    let process = try ParquetProcess(
      ["write"] + option("--like", like) + option("--key", key), place: place, input: pipe.fileHandleForReading,
      output: FileHandle(fileDescriptor: output.number, closeOnDealloc: false))
    try pipe.fileHandleForReading.close()
    let descriptor = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_DUPFD_CLOEXEC, 0)
    try pipe.fileHandleForWriting.close()
    return (process, Descriptor(descriptor))
  }

  /// The rows of a Parquet file as a file of an Arrow stream, without a name in the file system: it is gone when the
  /// program ends, however it ends. Nil where the file is none of Parquet.
  static func table(of path: String) throws -> String? {
    // Folders, devices and pipes are none; a pipe would wait.
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let file = FileHandle(forReadingAtPath: path),
      (try? file.read(upToCount: 4)) == Data("PAR1".utf8)
    else { return nil }
    let descriptor: Descriptor
    do throws(SystemFailure) {
      descriptor = try TemporaryFiles.unnamed(URL(fileURLWithPath: path).lastPathComponent)
    } catch {
      throw CommandFailure("A temporary file for “\(path)” cannot be made: \(error.reason).")
    }
    let process = try ParquetProcess(
      ["read", path, "--most", String(Budget.disk(input: Int64(status.st_size)))], place: path, input: nil,
      output: FileHandle(fileDescriptor: descriptor.number, closeOnDealloc: false))
    try process.finish()
    return "/proc/self/fd/\(descriptor.number)"
  }

  private static func option(_ name: String, _ value: String?) -> [String] { value.map { [name, $0] } ?? [] }

  /// Waits for its end; fails with its sentence.
  func finish() throws {
    let text = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      let sentence = String(decoding: text, as: UTF8.self).split(separator: "\n").last.map(String.init) ?? ""
      switch process.terminationStatus {
      case 3, 127:
        throw CommandFailure(
          "“\(place)”: Parquet needs Python 3 with PyArrow (\(sentence)): pip install pyarrow, or set \(Self.variable) to an interpreter that has it."
        )
      default: throw CommandFailure("“\(place)”: \(sentence.isEmpty ? "the Parquet process was ended" : sentence)")
      }
    }
  }

  /// Ends it before its time.
  func cancel() { if process.isRunning { process.terminate() } }
}
