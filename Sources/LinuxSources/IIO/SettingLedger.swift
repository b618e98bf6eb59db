// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Settings that were changed for the time of a run, and what they were before.
///
/// Settings of an IIO device outlive the program that made them (spec IIO-9): whoever reads next would get our watermark and our
/// clock. So every change is written down and undone, the last first.
struct SettingLedger: Sendable {
  private var changes: [(path: String, old: String)] = []
  private let files: SystemFiles

  init(files: SystemFiles) { self.files = files }

  /// Writes a setting unless it has the value already.
  mutating func set(_ path: String, to value: String) throws(SystemFailure) {
    let old = try files.read(path)
    guard old != value else { return }
    try files.write(path, value)
    changes.append((path, old))
  }

  /// The same for a setting that may be absent or refuse: true when it is as wanted now.
  @discardableResult
  mutating func trySetting(_ path: String, to value: String) -> Bool {
    do {
      try set(path, to: value)
      return true
    } catch {
      return false
    }
  }

  /// Undoes everything, as far as the device is still there.
  mutating func restore() {
    for change in changes.reversed() { try? files.write(change.path, change.old) }
    changes = []
  }
}
