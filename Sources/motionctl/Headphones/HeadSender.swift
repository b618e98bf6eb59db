// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// An output and the place where its datagrams go, with what became of them.
final class HeadSender: Sendable {
  let output: HeadOutput
  private let sender: DatagramSender
  private let counts = Lock((sent: 0, lost: 0))

  init(output: HeadOutput, sender: DatagramSender) {
    self.output = output
    self.sender = sender
  }

  func send(_ pose: HeadPose) {
    let isSent = sender.send(output.packet(of: pose))
    counts.withLock { counts in
      if isSent { counts.sent += 1 } else { counts.lost += 1 }
    }
  }

  /// "opentrack → 127.0.0.1:4242: 250 sent, 3 with nobody listening".
  var words: String {
    let counts = counts.withLock { $0 }
    let name = output.name.prefix { $0 != "@" }
    return "\(name) → \(sender.place): \(Text.grouped(counts.sent)) sent"
      + (counts.lost > 0 ? ", \(Text.grouped(counts.lost)) that nobody took" : "")
  }
}
