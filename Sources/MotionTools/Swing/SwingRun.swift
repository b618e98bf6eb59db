// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionAnalysis
import MotionHost
import MotionMath
package import MotionSensing
package import MotionServices

/// A source listened to for strokes: both streams of one hub through one detector.
///
/// A recording is read as fast as it goes; anything else runs on the clock that its address asks for.
package struct SwingRun {
  /// What the run emits, with times in seconds since the first sample of the accelerometer.
  package enum Event {
    /// g, the magnitude of the acceleration with gravity in it.
    case acceleration(time: Double, magnitude: Double)
    /// rad/s about the axis that points up.
    case rotation(time: Double, rate: Double)
    /// A stroke, and the instant that the seconds count from.
    case swing(Swing, origin: SensorInstant)
  }

  /// What runs through the streams; they share it, as both come on the source's thread.
  private struct Progress {
    var detector: SwingDetector
    var decimator: MotionDecimator
    var origin: SensorInstant?
  }

  private let selection: SourceSelection
  private let limit: Seconds?
  private let run: SourceRun
  private let progress: Lock<Progress>

  /// From here on a signal ends the run, not the program.
  package init(_ selection: SourceSelection, parameters: SwingDetector.Parameters, limit: Seconds?, needsEnd: Bool)
    throws
  {
    self.selection = selection
    self.limit = limit
    guard let accelerometer = selection.info.channel(.accelerometer) else {
      throw CommandFailure("\(selection.info.name) has no accelerometer.")
    }
    var parameters = parameters
    parameters.rate = accelerometer.rates.last ?? parameters.rate
    guard parameters.rate >= SwingDetector.lowestRate else {
      throw CommandFailure(
        "\(selection.info.name) measures the acceleration at \(Text.decimal(parameters.rate, places: 1)) Hz: the impact of a "
          + "ball is over between two samples. It takes at least \(Text.decimal(SwingDetector.lowestRate, places: 0)) Hz."
      )
    }
    if needsEnd { try selection.requireEnd(limit: limit) }
    progress = Lock(
      Progress(
        detector: SwingDetector(parameters: parameters),
        decimator: MotionDecimator(rate: selection.info.channel(.gyroscope)?.rates.last)))
    run = SourceRun(selection, runsFreely: selection.info.origin == .recording)
  }

  /// Runs; `emit` receives what happens, in order for each stream, and may throw to end the run.
  package func callAsFunction(
    emit: @escaping @Sendable (Event) throws -> Void
  ) throws -> (outcome: Completion.Outcome, statistics: TimelineStatistics) {
    let streams = [HubStream.accelerometer, .deviceMotion(usesMagnetometer: false)]
    let line = ProgressLine(selection, limit: limit, printsRows: true)
    let ending = run(
      streams.filter { $0.isServed(by: selection.info.kinds) }, status: line.update,
      motion: { motion in
        try progress.withLock { progress in
          var states: [DeviceMotion] = []
          progress.decimator.update(motion) { states.append($0) }
          for state in states { try report(state, &progress, emit) }
        }
        return true
      }
    ) { sample, _ in try process(sample, emit) }
    try finishStreams(emit)
    return ending
  }

  /// False when the time is over.
  private func process(_ sample: SensorSample, _ emit: (Event) throws -> Void) throws -> Bool {
    switch sample {
    case .accelerometer(let sample):
      let (elapsed, origin, swings) = progress.withLock { progress in
        let origin = progress.origin ?? sample.time
        progress.origin = origin
        let elapsed = (sample.time - origin).seconds
        let isOver = limit?.isOver(after: elapsed) ?? false
        return (elapsed, origin, isOver ? nil : progress.detector.update(sample))
      }
      guard let swings else { return false }
      try emit(.acceleration(time: elapsed, magnitude: sample.specificForce.length / standardGravity))
      for swing in swings { try emit(.swing(swing, origin: origin)) }
    case .motion(let motion):
      try progress.withLock { progress in
        let up = (motion.gravity * motion.accelerationUnit.scale).normalized ?? .zero
        let rate = motion.angularVelocity.dot(up)
        try report(progress.detector.update(motion), rate: rate, at: motion.time, progress, emit)
      }
    default: break
    }
    return true
  }

  private func report(_ state: DeviceMotion, _ progress: inout Progress, _ emit: (Event) throws -> Void) throws {
    guard let solution = state.sixAxis else { return }
    let swings = progress.detector.update(state)
    try report(swings, rate: solution.angularVelocity.dot(solution.up), at: state.time, progress, emit)
  }

  private func report(
    _ swings: [Swing], rate: Double, at time: SensorInstant, _ progress: Progress, _ emit: (Event) throws -> Void
  ) throws {
    let origin = progress.origin ?? time
    try emit(.rotation(time: (time - origin).seconds, rate: rate))
    for swing in swings { try emit(.swing(swing, origin: origin)) }
  }

  /// No more will come: what the filters and the detector still hold.
  private func finishStreams(_ emit: (Event) throws -> Void) throws {
    try progress.withLock { progress in
      var states: [DeviceMotion] = []
      progress.decimator.finish { states.append($0) }
      for state in states { try report(state, &progress, emit) }
      guard let origin = progress.origin else { return }
      for swing in progress.detector.finish() { try emit(.swing(swing, origin: origin)) }
    }
  }
}
