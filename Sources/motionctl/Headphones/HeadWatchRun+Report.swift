// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LinuxSources
import MotionSensing
import MotionServices

/// What a person is told while a head is followed, and at the end.
extension HeadWatchRun {
  /// For the drawing.
  var content: HeadView.Content {
    let status = headphones.status
    let outputs = senders.map(\.words)
    return state.withLock { state in
      var content = HeadView.Content()
      content.pose = state.follower.pose
      let name = [status?.name ?? headphones.selection.info.name, status?.protocolName].compactMap(\.self)
      content.name =
        name.joined(separator: " · ") + (headphones.selection.info.origin == .simulation ? " (no sensor is read)" : "")
      content.isConnected = state.connection?.isConnected ?? false
      content.side = (status?.speakingSide ?? state.connection?.location)?.words
      content.rate = status?.rate ?? state.rate
      if state.count > 0, headphones.isPaced { content.age = (ContinuousClock.now - state.arrival).seconds }
      content.battery = status?.batteryWords
      content.isWorn = status?.isWorn
      content.calibration = status?.calibration.rawValue
      content.discontinuities = state.discontinuities
      content.recentrings = state.follower.recentrings
      content.outputs = outputs
      if let problem = status?.problem ?? state.problem {
        content.problem = problem.message
      } else if let status, status.phase != .streaming {
        content.problem = status.sentence
      }
      return content
    }
  }

  /// The summary, and what remains to be thrown.
  func finish(_ outcome: Completion.Outcome) throws {
    // What can be read of the recording is kept whatever ended the run.
    var failure: (any Error)?
    do { try recorder?.finish() } catch { failure = error }
    if case .stopped(let error) = outcome { throw error }
    let (count, span, recentrings, refused, frozen, discontinuities) = state.withLock { state in
      (
        state.count, state.last - (state.first ?? state.last), state.follower.recentrings, state.follower.refused,
        state.follower.frozen, state.discontinuities
      )
    }
    var line = Text.count(count, "sample")
    if count > 1, span > 0 { line += ", mean rate \(Text.decimal(Double(count - 1) / span, places: 2)) Hz" }
    line += " over \(Text.duration(span)); recentred \(Text.count(recentrings, "time"))"
    if discontinuities > 0 { line += ", \(Text.count(discontinuities, "change")) of the frame" }
    StandardError.shared.say(line)
    if let warning = state.withLock({ $0.warning }) { StandardError.shared.say("  \(warning)") }
    if refused > 0 { StandardError.shared.say("  \(Text.count(refused, "sample")) without a usable attitude") }
    if frozen > 0 { StandardError.shared.say("  \(Text.count(frozen, "sample")) while nobody wore them") }
    for sender in senders { StandardError.shared.say("  \(sender.words)") }
    for line in StatisticsReport.lines(statistics) { StandardError.shared.say(line) }
    if let omissions = headphones.selection.omissions { StandardError.shared.say(omissions) }
    if let failure { throw failure }
    switch outcome {
    case .failed(let error): throw error
    case .interrupted(let number): throw ExitCode(Interruption.exitCode(number))
    case .done, .stopped: break
    }
    guard count == 0 else { return }
    throw CommandFailure(
      state.withLock { $0.problem }?.message ?? headphones.status?.sentence
        ?? "No motion came: the headphones are not connected, or nobody wears them.")
  }
}
