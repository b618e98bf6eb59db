// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// How likely it is that an activity is the right one.
public enum CMMotionActivityConfidence: Int, Sendable, BitwiseCopyable {
  case low = 0
  case medium = 1
  case high = 2
  /// Never a value: keeps a client's `default` behind all cases reachable (see ``CMAuthorizationStatus``).
  @available(*, unavailable) case _unlisted = -999
}
