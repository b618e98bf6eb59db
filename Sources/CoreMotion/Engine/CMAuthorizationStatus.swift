// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Whether the program may read motion.
public enum CMAuthorizationStatus: Int, Sendable, BitwiseCopyable {
  case notDetermined = 0, restricted = 1, denied = 2, authorized = 3
  /// Never a value. Apple may add cases, so programs write a plain `default` behind all of them; a case that cannot be
  /// named keeps the compiler from calling that `default` unreachable here. The module's other enumerations do the
  /// same.
  @available(*, unavailable) case _unlisted = -999

  /// The status itself, so that a class property that was a method once may be called (D47).
  public func callAsFunction() -> CMAuthorizationStatus { self }
}
