// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MotionSensing

/// A length of time in seconds, above 0.
struct Seconds: ExpressibleByArgument {
  let value: Double

  /// A default.
  init(_ value: Double) { self.value = value }

  var defaultValueDescription: String { Text.decimal(value, places: 3) }

  init?(argument: String) {
    guard let value = Double(argument), value > 0, value <= 9e9 else { return nil }
    self.value = value
  }

  /// Whether a sample taken `elapsed` seconds after the first one is beyond this time. The microsecond takes up the rounding
  /// of time stamps, so that 2 s at 100 Hz are 200 samples.
  func isOver(after elapsed: Double) -> Bool { elapsed >= value - 1e-6 }
}
