// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@_spi(MotionTools) import CoreMotion
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
    let rows = DeviceMotionRows(frame: command.frame.value, host: host)
    subscription = hub.subscribe(rows.stream, interval: SensorDuration(seconds: command.rate.interval) ?? .zero) {
      event, _ in
      guard case .motion(let motion) = event, let row = rows.row(for: event) else { return }
      recording.add(.fusedMotion(FusedMotionSample(row, time: motion.time)))
    }
  }

  func stop() { subscription.cancel() }
}
