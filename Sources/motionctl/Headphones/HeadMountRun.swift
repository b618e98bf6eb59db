// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LinuxSources
import MotionHost
import MotionSensing
import MotionServices

/// Headphones in the axes of the bud, handed to a calibrator until it has enough, with its prompts told to the wearer.
struct HeadMountRun {
  /// A mount and the side that it is of.
  struct Measured: Sendable {
    var result: LookAndNodCalibrator.Result
    var side: FusedMotionSample.Location
  }

  private struct State {
    var calibrator: LookAndNodCalibrator
    var side: FusedMotionSample.Location?
    var prompt: LookAndNodCalibrator.Prompt?
    var hint: LookAndNodCalibrator.Hint?
    var progress = 0.0
    var first: SensorInstant?
  }

  private let headphones: HeadphoneSelection
  private let parameters: LookAndNodCalibrator.Parameters
  /// Seconds.
  private let limit: Double

  init(_ headphones: HeadphoneSelection, parameters: LookAndNodCalibrator.Parameters, limit: Double) {
    (self.headphones, self.parameters, self.limit) = (headphones, parameters, limit)
  }

  /// Runs to the end; throws one sentence when there is no result.
  func measure(_ completion: Completion) throws -> Measured {
    guard let hub = headphones.host().headphones else { throw CommandFailure("There are no headphones.") }
    let state = Lock(State(calibrator: LookAndNodCalibrator(parameters: parameters)))
    let subscription = hub.subscribe(.deviceMotion(usesMagnetometer: false), interval: .zero) { event, _ in
      guard !completion.isFinished else { return }
      switch event {
      case .ended: completion.finish(.done)
      case .failed(let error) where hub.hasEnded: completion.finish(.failed(error))
      case .failed(let error): StandardError.shared.say(error.message)
      case .fusedMotion(let sample):
        if state.withLock({ take(sample, &$0) }) { completion.finish(.done) }
      default: break
      }
    }
    let started = ContinuousClock.now
    let outcome = completion.wait {
      let (progress, hint) = state.withLock { ($0.progress, $0.hint) }
      StandardError.shared.show(
        "\(ProgressLine.bar(progress)) \(hint?.sentence ?? (headphones.status?.problem?.message ?? ""))")
      if headphones.isPaced, (ContinuousClock.now - started).seconds > limit + 10 { completion.finish(.done) }
    }
    subscription.cancel()
    StandardError.shared.endStatus()
    switch outcome {
    case .failed(let error): throw error
    case .stopped(let error): throw error
    case .interrupted(let number):
      StandardError.shared.say("Stopped; nothing was written.")
      throw ExitCode(Interruption.exitCode(number))
    case .done: break
    }
    return try state.withLock { state in
      guard let result = state.calibrator.result else { throw Self.failure(state, headphones) }
      return Measured(result: result, side: state.side ?? .device)
    }
  }

  /// True when it is enough.
  private func take(_ sample: FusedMotionSample, _ state: inout State) -> Bool {
    let first = state.first ?? sample.time
    state.first = first
    if (sample.time - first).seconds > limit { return true }
    if let side = state.side, side != sample.location {
      StandardError.shared.say("The other bud speaks now; it is measured from the beginning.")
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
    // Whoever has the chin on the chest does not read: a bell (BEL of ASCII) says that it goes on.
    StandardError.shared.say((StandardError.shared.isTerminal ? "\u{07}" : "") + prompt.sentence)
  }

  private static func failure(_ state: State, _ headphones: HeadphoneSelection) -> CommandFailure {
    guard state.first != nil else {
      return CommandFailure(
        "No motion came, and nothing was written. "
          + (headphones.status?.sentence ?? "The headphones are not connected, or nobody wears them."))
    }
    let hint = state.hint.map { " \($0.sentence)" } ?? ""
    return CommandFailure("It ended at “\(state.calibrator.prompt.sentence)”\(hint) Nothing was written.")
  }
}
