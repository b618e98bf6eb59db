// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

/// The device motion that is computed while a source is recorded, written beside it.
final class MotionCompanion {
  private let subscription: Subscription

  /// Throws when the source has nothing from which motion could be computed in the wanted frame.
  static func check(_ command: RecordCommand, _ selection: SourceSelection) throws {
    let info = selection.info
    guard !info.kinds.contains(.fusedMotion) else {
      throw CommandFailure("\(info.name) computes its motion itself, and that is recorded: leave --with motion out.")
    }
    try MotionRequirements.check(command.frame, of: selection, on: selection.host(location: command.location))
  }

  init(_ command: RecordCommand, _ recording: SourceRecording) {
    let (host, hub) = (recording.host, recording.hub)
    let framing = Lock(command.frame.framing(on: host))
    let stream = framing.withLock { $0.stream }
    subscription = hub.subscribe(stream, interval: SensorDuration(seconds: command.rate.interval) ?? .zero) {
      event, _ in
      guard case .motion(let motion) = event, let row = framing.withLock({ $0.update(motion).row }) else { return }
      recording.add(.fusedMotion(row))
    }
  }

  func stop() { subscription.cancel() }
}
