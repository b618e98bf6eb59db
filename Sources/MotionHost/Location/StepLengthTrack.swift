// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionSensing
package import MotionServices

/// The track of positions beside the steps of a person: it gives how long the steps are (``StepLengthCalibration``).
///
/// A file is read as far as the steps have come, so that a recording gives the same numbers at any speed. gpsd is
/// listened to; its fixes come when they come.
package final class StepLengthTrack: Sendable {
  fileprivate struct State {
    var odometer = Odometer()
    var calibration: StepLengthCalibration
    /// Reads the next fix of a file; nil for a receiver, and when the file is over.
    var file: (@Sendable () throws(SensorError) -> PositionFix?)?
  }

  private let state: Lock<State>
  private let report: @Sendable (String) -> Void
  private let listener = Lock<Task<Void, Never>?>(nil)

  /// Nil where the two have nothing in common: a receiver's positions belong to now, those of a recording or a
  /// simulation do not.
  ///
  /// `known`: what earlier tracks have said. `report` is told, once, why a track cannot be used.
  package init?(
    _ track: any PositionTrack, beside device: SensorInfo, known: StepLengthCalibration.Sums? = nil,
    report: @escaping @Sendable (String) -> Void
  ) {
    if track.isLive, device.origin != .hardware { return nil }
    self.report = report
    var state = State(calibration: StepLengthCalibration(known))
    state.file = track.reader(report: report)
    self.state = Lock(state)
    guard track.isLive else { return }
    let fixes = track.fixes(report: report)
    let task = Task { [weak self] in
      do { for try await fix in fixes { self?.state.withLock { $0.append(fix) } } } catch { report("\(error)") }
    }
    listener.withLock { $0 = task }
  }

  deinit { listener.withLock { $0 }?.cancel() }

  /// What the track and the steps have said so far.
  package var sums: StepLengthCalibration.Sums { state.withLock { $0.calibration.sums } }
  /// The person's own steps beside those of the model.
  package var correction: StepLengthCorrection { state.withLock { $0.calibration.correction } }

  /// The next steps: between two dates, `modelled` metres by the model with factor 1. What is known after them.
  package func update(from start: Date, to end: Date, modelled: Double) -> StepLengthCorrection {
    guard let start = SensorInstant(seconds: start.timeIntervalSince1970),
      let end = SensorInstant(seconds: end.timeIntervalSince1970)
    else { return correction }
    return state.withLock { state in
      do { while state.needsFixes(until: end) { try state.read() } } catch {
        state.file = nil
        report("\(error)")
      }
      state.calibration.update(from: start, to: end, modelled: modelled)
      return state.calibration.correction
    }
  }
}

extension StepLengthTrack.State {
  fileprivate func needsFixes(until end: SensorInstant) -> Bool {
    file != nil && calibration.end.map { $0 < end } ?? true
  }

  fileprivate mutating func read() throws(SensorError) {
    guard let fix = try file?() else { return file = nil }
    append(fix)
  }

  fileprivate mutating func append(_ fix: PositionFix) {
    if let piece = odometer.update(fix) { calibration.update(piece) }
  }
}
