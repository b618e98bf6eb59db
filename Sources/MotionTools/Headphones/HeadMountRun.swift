// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HeadphoneSources
import LinuxSources
package import MotionAnalysis
import MotionHost
import MotionMath
import MotionRecording
package import MotionSensing
import MotionServices

/// Headphones in the axes of the bud, handed to a calibrator until it has enough, with its prompts shown to the wearer.
package struct HeadMountRun {
  /// A mount and the side that it is of.
  package struct Measured: Sendable {
    package var result: LookAndNodCalibrator.Result
    package var side: MotionRow.Location
  }

  private struct State {
    var calibrator: LookAndNodCalibrator
    var side: MotionRow.Location?
    var prompt: LookAndNodCalibrator.Prompt?
    var hint: LookAndNodCalibrator.Hint?
    var progress = 0.0
    var first: SensorInstant?
  }

  private let headphones: HeadphoneSelection
  private let parameters: LookAndNodCalibrator.Parameters
  /// Seconds.
  private let limit: Double

  package init(_ headphones: HeadphoneSelection, parameters: LookAndNodCalibrator.Parameters, limit: Double) {
    (self.headphones, self.parameters, self.limit) = (headphones, parameters, limit)
  }

  /// Runs to the end; throws one sentence when there is no result.
  package func measure(_ completion: Completion) throws -> Measured {
    guard let hub = headphones.host().headphones else { throw CommandFailure("There are no headphones.") }
    let state = Lock(State(calibrator: LookAndNodCalibrator(parameters: parameters)))
    let (outcome, _) = SourceRun(hub, completion: completion)(
      [.deviceMotion(usesMagnetometer: false)], deadline: headphones.isPaced ? limit + 10 : nil,
      absence: { StandardError.shared.say($0.message) },
      status: { _ in
        let (progress, hint) = state.withLock { ($0.progress, $0.hint) }
        StandardError.shared.show(
          "\(ProgressLine.bar(progress)) \(hint?.sentence ?? (headphones.status?.problem?.message ?? ""))")
      }
    ) { sample, _ in
      guard case .motion(let row) = sample else { return true }
      return !state.withLock { update(row, &$0) }
    }
    try outcome.check(interruption: "Stopped; nothing was written.")
    return try state.withLock { state in
      guard let result = state.calibrator.result else { throw Self.failure(state, headphones) }
      return Measured(result: result, side: state.side ?? .device)
    }
  }

  /// True when it is enough.
  private func update(_ sample: MotionRow, _ state: inout State) -> Bool {
    let first = state.first ?? sample.time
    state.first = first
    if (sample.time - first).seconds > limit { return true }
    if let side = state.side, side != sample.location {
      StandardError.shared.say("The other bud is active now; it is measured from the beginning.")
      state.calibrator = LookAndNodCalibrator(parameters: parameters)
      state.prompt = nil
    }
    state.side = sample.location
    if state.prompt == nil { say(state.calibrator.prompt, &state) }
    let step = state.calibrator.update(sample)
    (state.progress, state.hint) = (step.progress, step.hint)
    if step.prompt != state.prompt {
      if let hint = step.hint { StandardError.shared.say(hint.sentence) }
      say(step.prompt, &state)
    }
    return step.prompt == .done
  }

  private func say(_ prompt: LookAndNodCalibrator.Prompt, _ state: inout State) {
    state.prompt = prompt
    // With the chin on the chest the screen cannot be read: a bell (BEL of ASCII) says that it goes on.
    StandardError.shared.say((StandardError.shared.isTerminal ? "\u{07}" : "") + prompt.sentence)
  }

  private static func failure(_ state: State, _ headphones: HeadphoneSelection) -> CommandFailure {
    guard state.first != nil else {
      return CommandFailure(
        "No motion came, and nothing was written. "
          + (headphones.status?.sentence ?? "The headphones are not connected, or not worn."))
    }
    let hint = state.hint.map { " \($0.sentence)" } ?? ""
    return CommandFailure("It ended at “\(state.calibrator.prompt.sentence)”\(hint) Nothing was written.")
  }
}
