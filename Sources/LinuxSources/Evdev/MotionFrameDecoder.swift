// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CLinuxInput
import MotionSensing

/// What all axes of a controller read at one instant.
struct MotionFrame: Hashable, Sendable {
  /// When the kernel took it in.
  var time: SensorInstant
  /// The controller's own time: microseconds that wrap around after 71.6 minutes; nil when it sends none.
  var deviceTime: UInt32?
  /// Counts, by axis number: `ABS_X`, `ABS_Y`, `ABS_Z`, `ABS_RX`, `ABS_RY`, `ABS_RZ`.
  var counts: SIMD8<Int32>
}

/// Puts the events of a motion sensor together to frames.
///
/// An input device sends only what has changed: an axis that stays as it is sends nothing, for hours if need be (spec EV-3). So the values
/// are kept, beginning with those that the kernel holds, and every `SYN_REPORT` closes a frame with all of them.
///
/// A reader who was too slow finds `SYN_DROPPED` in his queue. What follows it, up to the next `SYN_REPORT`, is the rest of a frame whose
/// beginning is lost, and it is thrown away; then all axes have to be read from the kernel again (spec EV-5).
struct MotionFrameDecoder: Hashable, Sendable {
  /// What an event has brought about.
  enum Outcome: Hashable, Sendable {
    /// Nothing yet.
    case pending
    /// A frame is complete.
    case frame(MotionFrame)
    /// Frames were lost: give the decoder the kernel's values by ``seed(_:)``, then go on.
    case lost
  }

  private var counts = SIMD8<Int32>(repeating: 0)
  private var deviceTime: UInt32?
  private var isDiscarding = false

  /// Sets all axes to what the kernel holds.
  mutating func seed(_ counts: SIMD8<Int32>) {
    self.counts = counts
    deviceTime = nil
  }

  /// Takes the next event. Events of other kinds, such as a device may send besides, do nothing.
  mutating func take(_ event: InputEvent) -> Outcome {
    switch (Int32(event.type), Int32(event.code)) {
    case (EV_SYN, SYN_DROPPED):
      isDiscarding = true
    case (EV_SYN, SYN_REPORT):
      // The controller's time belongs to one frame: it is never carried into the next.
      defer { deviceTime = nil }
      guard isDiscarding else { return .frame(MotionFrame(time: event.time, deviceTime: deviceTime, counts: counts)) }
      isDiscarding = false
      return .lost
    case (EV_ABS, ABS_X...ABS_RZ) where !isDiscarding:
      counts[Int(event.code)] = event.value
    case (EV_MSC, MSC_TIMESTAMP) where !isDiscarding:
      deviceTime = UInt32(bitPattern: event.value)
    default:
      break
    }
    return .pending
  }
}
