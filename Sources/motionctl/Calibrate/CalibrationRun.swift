// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionSensing
import MotionServices

/// The samples of a source as it is, handed to a measurement until that has enough.
struct CalibrationRun {
  let selection: SourceSelection
  let arguments: CalibrateArguments
  private let completion = Completion()

  /// Opens the source; throws when it lacks the sensor. From here on a signal ends the run, not the program.
  init(_ arguments: CalibrateArguments, needs kinds: SensorKinds) throws {
    self.arguments = arguments
    let environment = ProcessInfo.processInfo.environment
    var name = arguments.source
    if name == nil, environment["MOTION_SOURCE", default: ""].isEmpty {
      name = try HostEnvironment(environment.merging(["MOTION_CALIBRATION": "off"]) { $1 }).device()?.uri.description
    }
    selection = try SourceSelection.open(name, isRaw: true)
    guard selection.info.kinds.isSuperset(of: kinds) else {
      let missing = kinds.subtracting(selection.info.kinds).names.joined(separator: " and ")
      throw CommandFailure("“\(selection.name)” has no \(missing): there is nothing to calibrate.")
    }
    StandardError.shared.say(selection.headline)
  }

  /// Says what to do and, where a person sits at the terminal, waits for Return.
  func instruct(_ sentences: String...) {
    for sentence in sentences { StandardError.shared.say(sentence) }
    guard isatty(STDIN_FILENO) == 1, !arguments.yes, selection.info.pacing == .live else { return }
    StandardError.shared.say("Press Return to begin.")
    _ = readLine()
  }

  /// Runs until `take`, called on the source's thread, returns true, the source ends or the time is over; `status` makes the line
  /// that a person sees meanwhile. Returns the seconds of sample time.
  func collect(
    _ streams: [HubStream], status: () -> String, take: @escaping @Sendable (HubEvent) -> Bool
  ) throws -> Double {
    Interruption.begin(completion)
    let entry = selection.entry
    let hub = MotionHub(source: entry.source, clock: entry.clock, rate: entry.rate, gate: .settle(.milliseconds(50)))
    let (completion, patience) = (completion, arguments.patience)
    let span = Lock<(first: SensorInstant, last: SensorInstant)?>(nil)
    let subscriptions = streams.map { stream in
      hub.subscribe(stream, interval: .zero) { event, _ in
        guard !completion.isFinished else { return }
        switch event {
        case .ended: return completion.finish(.done)
        case .failed(let error): return completion.finish(.failed(error))
        default: break
        }
        if let time = event.sampleTime {
          let elapsed = span.withLock { span -> Double in
            let first = span?.first ?? time
            span = (first, max(time, span?.last ?? time))
            return (time - first).seconds
          }
          if elapsed > patience { return completion.finish(.done) }
        }
        if take(event) { completion.finish(.done) }
      }
    }
    let outcome = completion.wait { StandardError.shared.show(status()) }
    for subscription in subscriptions { subscription.cancel() }
    StandardError.shared.endStatus()
    for line in StatisticsReport.lines(hub.statistics) { StandardError.shared.say(line) }
    try outcome.check(interruption: "Stopped; nothing was written.")
    return span.withLock { $0.map { ($0.last - $0.first).seconds } ?? 0 }
  }
}

extension HubEvent {
  /// When its sample was taken; nil for everything but samples of single sensors.
  fileprivate var sampleTime: SensorInstant? {
    switch self {
    case .accelerometer(let sample): sample.time
    case .gyroscope(let sample): sample.time
    case .magnetometer(let sample): sample.time
    default: nil
    }
  }
}
