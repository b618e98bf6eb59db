// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSources
package import MotionHistory
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
    let report = RunReport(outcome, of: [host.device].compactMap(\.self))
    StandardError.shared.say(StatisticsReport.lines(recorder.statistics))
    if recorder.skipped > 0 {
      StandardError.shared.say("  \(Text.count(recorder.skipped, "sample")) had been recorded before and were left out")
    }
    if let problem = writer.problem {
      throw CommandFailure(
        "\(problem.description) It could not be written at the end either; lost are \(writer.unwritten).")
    }
    // A recorder of live sensors has no other end than a signal.
    let isEmpty = recorder.statistics.isEmpty
    if case .interrupted = outcome, isLive, !isEmpty { return }
    try report.check(isEmpty: isEmpty)
  }
}

/// The file that a command about the history works on: `--store`, else `MOTION_STORE`, else that of the user.
package struct StoreSelection {
  package let path: String
  /// Whether the person named it.
  let isNamed: Bool

  package init(_ option: String?) throws {
    if let option {
      (path, isNamed) = (URL(fileURLWithPath: option).standardizedFileURL.path, true)
      return
    }
    guard let file = try HostEnvironment(ProcessInfo.processInfo.environment).historyFile() else {
      throw CommandFailure("There is no place for the history: set HOME or MOTION_STORE, or name a file with --store.")
    }
    (path, isNamed) = (file.path, file.isNamed)
  }

  /// Refuses a recording or a simulation where the history of a person is, or would be.
  package func requirePlace(for selection: SourceSelection) throws {
    guard selection.info.origin != .hardware else { return }
    var variables = ProcessInfo.processInfo.environment
    variables["MOTION_STORE"] = nil
    let real = try HostEnvironment(variables).historyFile()?.path
    guard isNamed, path != real else {
      throw CommandFailure(
        "\(selection.name) is \(selection.info.origin == .recording ? "a recording" : "a simulation"): it is never written into your own history. Name another file with --store."
      )
    }
  }

  /// Refuses to mix what a person did with what a recording or a simulation says.
  static func requireSameKind(_ store: MotionStore, as selection: SourceSelection) throws {
    let isReal = selection.info.origin == .hardware
    let other = try store.sources().first {
      ["replay:", "simulate:"].contains(where: $0.hasPrefix) == isReal
    }
    guard let other else { return }
    throw CommandFailure(
      "This file holds the history of \(other): \(selection.name) is not mixed with it. Name another file with --store."
    )
  }

  /// The store, to be read.
  package func read() throws -> MotionStore {
    guard let store = try MotionStore.open(reading: path) else {
      throw CommandFailure(
        "There is no history at \(path): nothing has been recorded. “motionctl history record” begins one.")
    }
    return store
  }

  /// Bytes of the file and of its journal.
  package var size: Int64 {
    [path, path + "-wal"].reduce(0) { sum, path in
      var status = stat()
      return stat(path, &status) == 0 ? sum + Int64(status.st_size) : sum
    }
  }
}
