// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

/// Whether the program may read motion.
public enum CMAuthorizationStatus: Int, Sendable, BitwiseCopyable {
  case notDetermined = 0
  case restricted = 1
  case denied = 2
  case authorized = 3
}

#endif
