// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Where the recorder of this user keeps the history: `MOTION_STORE`, else `opencoremotion/history.sqlite` in the
/// user's folder for states (`XDG_STATE_HOME`, else `~/.local/state`).
package struct HistoryFile: Sendable, Hashable {
  package var path: String
  /// Whether `MOTION_STORE` names it: then a recording or a simulation has its history there, too. Otherwise the file
  /// belongs to the sensors of this computer alone.
  package var isNamed: Bool

  package init(path: String, isNamed: Bool) { (self.path, self.isNamed) = (path, isNamed) }
}
