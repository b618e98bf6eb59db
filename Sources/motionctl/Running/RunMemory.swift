// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

/// The memory of one run of a command: begins with a file if there is one, and keeps what the run leaves.
///
/// How long ago the file's numbers were learned is taken as unknown, whatever its date: the same recording and the same file
/// give the same rows today and tomorrow.
struct RunMemory: SensorMemory {
  /// What the file held; nil when there was none.
  let start: LearnedDevice?
  private let latest = Lock<LearnedDevice?>(nil)

  /// `path` nil, or of a file that does not exist: nothing is known.
  init(startingWith path: String?) throws(SensorError) {
    guard let path, let file = try LearnedDeviceFile(path: path) else {
      start = nil
      return
    }
    start = file.learned.widened(elapsed: .infinity)
  }

  func recall() -> LearnedDevice? { start }

  func keep(_ learned: LearnedDevice) { latest.withLock { $0 = learned } }

  /// Writes what the run left; refuses to write over a file that is something else.
  func write(to path: String) throws {
    guard let learned = latest.withLock({ $0 }) else {
      throw CommandFailure(
        "--learn has nothing to write: nothing was computed from raw sensors.")
    }
    _ = try LearnedDeviceFile(path: path)
    try LearnedDeviceFile(device: "", learnedAt: nil, learned: learned).write(to: path)
  }
}
