// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

// For who pulls a recording instead of being handed it.
extension SampleTimeline {
  /// The next sample in order of time from `source`, which returns nil at its end; nil when all has come out.
  public mutating func next(
    from source: () throws(SensorError) -> SensorSample?
  ) throws(SensorError) -> SensorSample? {
    while true {
      if let sample = pop() { return sample }
      guard !isDraining else { return nil }
      if let sample = try source() {
        if reordering <= .zero {
          // Nothing has to wait: straight through, with the same counts.
          if admit(sample) { return sample }
          continue
        }
        push(sample)
      } else {
        finish()
      }
    }
  }
}
