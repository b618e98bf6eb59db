// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Logging

/// The host's voice: swift-log, label `motion`. Layers below only count; this is where counts become words.
enum HostLog {
  private static let logger = Logger(label: "motion")

  static func notice(_ text: String) { logger.notice("\(text)") }
  static func warning(_ text: String) { logger.warning("\(text)") }
  static func error(_ text: String) { logger.error("\(text)") }
}
