// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionRecording
import MotionSensing

/// A recording as a person names it for a command that looks into the file: a path, or an address with options such as
/// `walk.mcap?from=10&to=20`.
struct RecordingArgument {
  /// As it was written.
  let name: String
  /// The file or folder.
  let path: String
  let options: RecordingOptions
  /// Whether all of the file is meant, read as it is: its messages may be taken as they are.
  let isWhole: Bool

  init(_ name: String, skipsErrors: Bool = false) throws {
    self.name = name
    let address = try SourceSelection.address(of: name)
    guard address.scheme == "replay" else { throw CommandFailure("“\(name)” is no recording.") }
    path = address.path
    var options = try ReplayOptions(address.options).recording
    if skipsErrors { options.skipsErrors = true }
    self.options = options
    var plain = RecordingOptions()
    plain.skipsErrors = options.skipsErrors
    isWhole = options == plain
  }
}
