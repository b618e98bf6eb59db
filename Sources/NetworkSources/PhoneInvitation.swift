// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionNetwork

/// What a person reads when a phone's source begins to listen.
enum PhoneInvitation {
  static func text(page: String, push: String, hasColors: Bool) -> String {
    let code = QRCode(page).map { "\n\n\($0.terminalText(hasColors: hasColors))" } ?? ""
    return """
      Waiting for a phone. Scan the code with its camera, or set the push URL of Sensor Logger (gear, HTTP Push) to
        \(push)\(code)
      """
  }
}
