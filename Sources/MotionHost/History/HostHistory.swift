// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionSensing
package import MotionServices

/// What is known of a host's past: steps, activities and accelerations.
///
/// It is read from the file of the recorder (``MotionHost/historyFile``) where that exists. Where there is none, and
/// for recordings and simulations, the process keeps a history of its own in memory, from ``keep()`` or
/// ``recordAccelerometer(for:)`` on.
package final class HostHistory: Sendable {
  /// Seconds: the longest request and the longest answer (S73, S74).
  package static let longestRecording: TimeInterval = 43_200

  private let device: MotionHub?
  private let isHardware: Bool
  /// The host owns the history.
  private weak let host: MotionHost?
  private let memory = Lock<HistoryRecorder?>(nil)
  private let users = Lock(0)

  /// Keeps a history in memory following the device; it ends with the last one.
  package final class Use: Sendable {
    private let host: MotionHost
    fileprivate init(_ host: MotionHost) { self.host = host }
    deinit { host.history.endUse() }
  }

  init(host: MotionHost) {
    self.host = host
    device = host.device
    isHardware = device?.info.origin ?? .hardware == .hardware
  }

  /// Steps between two dates, interpolated at the edges: adjoining ranges add up. `isExact`: an end in the present
  /// means itself, not the run's now (D42), for a caller that counts from there on.
  package func steps(from start: Date, to end: Date, isExact: Bool = false) throws(SensorError) -> StepTotals {
    guard let store = try store() else { return StepTotals() }
    defer { reportDamage(of: store) }
    return try store.steps(from: start, to: isExact ? end : present(end))
  }

  /// Oldest first; the first may have begun before `start`.
  package func activities(from start: Date, to end: Date) throws(SensorError) -> [RecordedActivity] {
    guard let store = try store() else { return [] }
    defer { reportDamage(of: store) }
    return try store.activities(from: start, to: present(end))
  }

  private func reportDamage(of store: any History) {
    guard store.damagedRows > 0 else { return }
    host?.report("Damaged rows of the history are left out; “motionctl history” counts them.")
  }

  /// The accelerometer between two dates, both included, oldest first, decoded batch by batch while it is read; nil
  /// when nothing has ever been recorded. What this process has recorded itself follows what the recorder's file holds.
  package func accelerometer(from start: Date, to end: Date) throws(SensorError) -> AccelerationSequence? {
    let file = try file()
    let memory = memory.withLock { $0 }
    guard let memory else { return try file?.accelerometer(from: start, to: end) }
    memory.writeCollected(accelerometer: true)
    let own = try memory.sink.history.accelerometer(from: start, to: present(end))
    guard var all = try file?.accelerometer(from: start, to: end) else { return own }
    all.append(own)
    return all
  }

  /// Records the accelerometer for so many seconds from now, at most twelve hours (S73). A recorder that runs does that
  /// already; otherwise this process does, in memory, which is reported once.
  package func recordAccelerometer(for seconds: Double) {
    guard seconds > 0, let duration = SensorDuration(seconds: min(seconds, Self.longestRecording)) else { return }
    if let path = filePath {
      if HistoryProvider.linked?.isKeepingAccelerometer(path) == true { return }
      if isHardware {
        host?.report(
          "No recorder keeps the accelerometer: this program keeps it in memory, until it ends. “motionctl history record” goes on."
        )
      }
    }
    guard let recorder = recorder() else { return }
    recorder.recordAccelerometer(for: duration)
    recorder.start()
  }

  /// A service has started: a history in memory follows the device until what is returned is released, so that the
  /// source does not run without a use. Nil where there is a recorder's file.
  package func keep() -> Use? {
    guard let host else { return nil }
    if let path = filePath, access(path, F_OK) == 0 { return nil }
    users.withLock { $0 += 1 }
    recorder()?.start()
    return Use(host)
  }

  private func endUse() {
    users.withLock { $0 -= 1 }
    stopIfUnused()
  }

  /// Nothing wants the history to go on: neither a service nor a recording of the accelerometer.
  private func stopIfUnused() {
    guard let recorder = memory.withLock({ $0 }), !recorder.isRecordingAccelerometer else { return }
    guard users.withLock({ $0 == 0 }) else { return }
    // Outside the lock, because it waits for the source's thread, which may want it. A start meanwhile is done again.
    recorder.stop()
    if users.withLock({ $0 > 0 }) { recorder.start() }
  }

  /// The file that holds the history of this device, whether it exists or not; nil where this program cannot read it.
  private var filePath: String? {
    guard let file = host?.historyFile, isHardware || file.isNamed else { return nil }
    if HistoryProvider.linked == nil {
      guard access(file.path, F_OK) == 0 else { return nil }
      host?.report(LinkedProducts.missing("The recorder's history \(file.path)", product: "MotionHistory").message)
      return nil
    }
    return file.path
  }

  private func file() throws(SensorError) -> (any History)? {
    guard let filePath else { return nil }
    return try HistoryProvider.linked?.open(filePath)
  }

  /// What answers questions: the recorder's file, else the history in memory.
  private func store() throws(SensorError) -> (any History)? {
    if let file = try file() { return file }
    let memory = memory.withLock { $0 }
    memory?.writeCollected()
    return memory?.sink.history
  }

  /// The end that is meant: one in the present is the run's now, because a recording at full speed runs ahead of the
  /// wall clock.
  private func present(_ end: Date) -> Date { host?.onRun(end) ?? end }

  /// The history in memory, made when it is not there.
  private func recorder() -> HistoryRecorder? {
    guard let host, let device, HubStream.activity.isServed(by: device.info.kinds) else { return nil }
    let last = (try? file())?.flatMap { try? $0.lastIdentifier() } ?? 0
    return memory.withLock { memory -> HistoryRecorder? in
      if let memory { return memory }
      let recorder = HistoryRecorder(
        host: host, hub: device, sink: MemoryHistory(after: last), source: device.info.name, accelerometer: .none,
        onAccelerometerEnd: { [weak self] in self?.stopIfUnused() })
      memory = recorder
      return recorder
    }
  }
}

extension MotionHost {
  /// The history of this host's device.
  package var history: HostHistory {
    past.withLock { past in
      if let history = past.history { return history }
      let made = HostHistory(host: self)
      past.history = made
      return made
    }
  }

  /// Where a recorder keeps the history of this computer; nil, the default: this host keeps its own, in memory.
  package var historyFile: HistoryFile? {
    get { past.withLock { $0.file } }
    set { past.withLock { $0.file = newValue } }
  }
}

/// Where the recorder of this user keeps the history: `MOTION_STORE`, else `opencoremotion/history.sqlite` in the
/// user's folder for states (`XDG_STATE_HOME`, else `~/.local/state`).
package struct HistoryFile: Sendable, Hashable {
  package var path: String
  /// Whether `MOTION_STORE` names it: then a recording or a simulation has its history there, too. Otherwise the file
  /// belongs to the sensors of this computer alone.
  package var isNamed: Bool

  package init(path: String, isNamed: Bool) { (self.path, self.isNamed) = (path, isNamed) }
}
