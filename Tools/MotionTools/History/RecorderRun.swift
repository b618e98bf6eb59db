// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHistory
import MotionHost
import MotionSensing
import MotionServices

/// A source on its way into the history, until a signal, or until it ends.
package struct RecorderRun {
  private let selection: SourceSelection
  private let place: StoreSelection
  private let host: MotionHost
  private let recorder: HistoryRecorder
  private let writer: HistoryWriter
  private let completion: Completion

  private var isLive: Bool { selection.info.origin == .hardware }

  package init(_ selection: SourceSelection, _ place: StoreSelection, recordsAccelerometer: Bool) throws {
    (self.selection, self.place) = (selection, place)
    guard HubStream.activity.isServed(by: selection.info.kinds) else {
      throw CommandFailure("\(selection.info.name) has no accelerometer: there are no steps to record.")
    }
    // Before the file is opened: from here on a signal ends the recording, not the program.
    completion = .endedBySignals(grace: Interruption.graceForFiles)
    let address = selection.entry.uri.description
    let keeps = recordsAccelerometer && selection.info.kinds.contains(.accelerometer)
    let (store, notices) = try MotionStore.open(
      writing: place.path, as: .init(source: address, recordsAccelerometer: keeps, since: Date()))
    StandardError.shared.say(notices)
    try StoreSelection.requireSameKind(store, as: selection)
    try store.endOpenActivity(source: address)
    host = try selection.host(location: nil)
    guard let hub = host.device else { throw CommandFailure("\(selection.name) could not be opened.") }
    let isLive = selection.info.origin == .hardware
    writer = HistoryWriter(store: store, source: address, isLive: isLive) { StandardError.shared.say($0) }
    recorder = HistoryRecorder(
      host: host, hub: hub, sink: writer, source: address, accelerometer: keeps ? .always : .none,
      onEnd: { [completion] error in
        guard let error else { return completion.finish(.done) }
        guard isLive else { return completion.finish(.failed(error)) }
        StandardError.shared.say("\(error.description) Recording goes on when it is back.")
      })
    StandardError.shared.say(
      "\(selection.headline): steps\(keeps ? ", activities and the accelerometer" : " and activities") are kept in \(place.path)"
    )
  }

  package func callAsFunction() throws {
    recorder.start()
    let outcome = completion.run(every: .seconds(1)) {
      guard StandardError.shared.isTerminal, let range = recorder.range else { return }
      StandardError.shared.show(
        "\(Text.duration(range.upperBound.timeIntervalSince(range.lowerBound))), \(Text.bytes(place.size))")
    }
    recorder.stop()
    StandardError.shared.say(StatisticsReport.lines(recorder.statistics))
    if recorder.skipped > 0 {
      StandardError.shared.say("  \(Text.count(recorder.skipped, "sample")) had been recorded before and were left out")
    }
    if let problem = writer.problem {
      throw CommandFailure(
        "\(problem.description) It could not be written at the end either; lost are \(writer.unwritten).")
    }
    // A recorder of live sensors has no other end than a signal.
    if case .interrupted = outcome, isLive { return }
    try outcome.check()
  }
}
