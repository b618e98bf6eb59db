// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSources
import MotionHost
import MotionSensing
import MotionServices

/// All headphones that this computer knows, each asked what it can do.
struct HeadphoneSurvey: Encodable, Sendable {
  enum Verdict: Sendable {
    case canTrack, cannotTrackNow, none
  }

  var headphones: [HeadphoneFinding]
  /// What keeps all of them from working; nil = nothing.
  var notice: String?

  var verdict: Verdict {
    if headphones.contains(where: \.canTrack) { return .canTrack }
    return headphones.isEmpty ? .none : .cannotTrackNow
  }

  var withoutAddresses: HeadphoneSurvey {
    var survey = self
    for index in survey.headphones.indices { survey.headphones[index].removeAddress() }
    return survey
  }

  func lines(showsAddresses: Bool) -> [String] {
    var lines = notice.map { [$0] } ?? []
    for finding in (showsAddresses ? self : withoutAddresses).headphones { lines += finding.lines }
    if headphones.isEmpty, notice == nil {
      lines.append("No headphones are known here. Pair some (bluetoothctl scan on, pair, trust), or name a source.")
    }
    return lines
  }

  /// Asks the headphones of an address, or all that there are; each has `patience` seconds to answer.
  static func take(_ text: String?, patience: Double) throws -> HeadphoneSurvey {
    let environment = ProcessInfo.processInfo.environment["MOTION_HEADPHONES"] ?? ""
    if let text { return HeadphoneSurvey(headphones: [try ask(text, patience: patience)]) }
    var survey = found(patience: patience)
    if !environment.isEmpty, !survey.headphones.contains(where: { $0.source == environment }) {
      survey.headphones.insert(try ask(environment, patience: patience), at: 0)
    }
    return survey
  }

  /// Opens the channel, listens to the connection and to nothing else, and closes it.
  static func ask(_ text: String, patience: Double) throws -> HeadphoneFinding {
    let headphones = try HeadphoneSelection.open(text)
    let info = headphones.selection.info
    var finding = HeadphoneFinding(name: info.name, source: text, canTrack: false)
    guard let hub = headphones.host().headphones else { return finding }
    let completion = Completion()
    let problem = Lock<SensorError?>(nil)
    let isConnected = Lock(false)
    let subscription = hub.subscribe(.connection, interval: .zero) { event, _ in
      switch event {
      case .ended: completion.finish(.done)
      case .failed(let error):
        problem.withLock { $0 = error }
        completion.finish(.done)
      case .connection(let connection):
        isConnected.withLock { $0 = connection.isConnected }
        if connection.isConnected { completion.finish(.done) }
      default: break
      }
    }
    let started = ContinuousClock.now
    _ = completion.wait(every: .milliseconds(50)) {
      let isOver = (ContinuousClock.now - started).seconds > patience
      // What is told after the channel opened (battery, wearing) takes a moment more.
      if isOver || headphones.status?.problem != nil { completion.finish(.done) }
    }
    if let status = headphones.status { finding.take(status) }
    subscription.cancel()
    finding.canTrack = isConnected.withLock { $0 }
    if !finding.canTrack {
      finding.reason =
        problem.withLock { $0 }?.message ?? headphones.status.map(reason)
        ?? "They are not connected, or nobody wears them."
    }
    if info.origin != .hardware { finding.name += info.origin == .simulation ? " (a simulation)" : " (a recording)" }
    return finding
  }

  /// Why headphones that were asked cannot follow a head now.
  private static func reason(_ status: HeadphoneStatus) -> String {
    if status.problem == nil, status.isWorn == false { return "Nobody wears them: put them on." }
    return status.sentence
  }
}
