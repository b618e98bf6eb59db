// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSources
package import MotionHistory
import MotionHost
import MotionSensing

/// The file that a command about the history works on: `--store`, else `MOTION_STORE`, else that of the user.
package struct StoreSelection {
  package let path: String
  /// Whether the person named it.
  let isNamed: Bool

  package init(_ option: String?) throws {
    if let option {
      (path, isNamed) = (URL(fileURLWithPath: option).standardizedFileURL.path, true)
      return
    }
    guard let file = try HostEnvironment(ProcessInfo.processInfo.environment).historyFile() else {
      throw CommandFailure("There is no place for the history: set HOME or MOTION_STORE, or name a file with --store.")
    }
    (path, isNamed) = (file.path, file.isNamed)
  }

  /// Refuses a recording or a simulation where the history of a person is, or would be.
  package func requirePlace(for selection: SourceSelection) throws {
    guard selection.info.origin != .hardware else { return }
    var variables = ProcessInfo.processInfo.environment
    variables["MOTION_STORE"] = nil
    let real = try HostEnvironment(variables).historyFile()?.path
    guard isNamed, path != real else {
      throw CommandFailure(
        "\(selection.name) is \(selection.info.origin == .recording ? "a recording" : "a simulation"): it is never written into your own history. Name another file with --store."
      )
    }
  }

  /// Refuses to mix what a person did with what a recording or a simulation says.
  static func requireSameKind(_ store: MotionStore, as selection: SourceSelection) throws {
    let isReal = selection.info.origin == .hardware
    let other = try store.sources().first {
      ["replay:", "simulate:"].contains(where: $0.hasPrefix) == isReal
    }
    guard let other else { return }
    throw CommandFailure(
      "This file holds the history of \(other): \(selection.name) is not mixed with it. Name another file with --store."
    )
  }

  /// The store, to be read.
  package func read() throws -> MotionStore {
    guard let store = try MotionStore.open(reading: path) else {
      throw CommandFailure(
        "There is no history at \(path): nothing has been recorded. “motionctl history record” begins one.")
    }
    return store
  }

  /// Bytes of the file and of its journal.
  package var size: Int64 {
    [path, path + "-wal"].reduce(0) { sum, path in
      var status = stat()
      return stat(path, &status) == 0 ? sum + Int64(status.st_size) : sum
    }
  }
}
