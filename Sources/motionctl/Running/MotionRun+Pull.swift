// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@_spi(MotionTools) import CoreMotion
import Foundation
import MotionHost
import MotionRecording
import MotionSensing
import MotionServices

// A recording read to its end needs no hub: nobody else listens, and nothing waits for a clock.
extension MotionRun {
  /// The recording whose samples can be pulled; nil for what has to run in a hub.
  ///
  /// The numbers are the same either way: time line, estimator and rows are those of the hub. Without its locks and its
  /// hand-over of every sample the run takes two thirds of the processor time.
  var pulled: Recording? {
    guard memory == nil, FuseJob.isFit(selection) else { return nil }
    return (selection.entry.source as? ReplaySource)?.recording
  }

  /// As ``callAsFunction(take:)``, with the samples read on a thread of this run.
  func pull(
    _ recording: Recording, take: @escaping @Sendable (DeviceMotionRow) throws -> Void
  ) -> (outcome: Completion.Outcome, report: Report) {
    let latest = Lock(Report())
    let isAway = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      var report = Report()
      do {
        try pull(recording, &report, telling: { report in latest.withLock { $0 = report } }, take)
        completion.finish(.done)
      } catch let error as SensorError {
        completion.finish(.failed(error))
      } catch {
        completion.finish(.stopped(error))
      }
      latest.withLock { $0 = report }
      isAway.signal()
    }
    let outcome = wait { latest.withLock { ($0.rowCount, $0.duration) } }
    isAway.wait()
    return (outcome, latest.withLock { $0 })
  }

  private func pull(
    _ recording: Recording, _ report: inout Report, telling tell: (Report) -> Void,
    _ take: (DeviceMotionRow) throws -> Void
  ) throws {
    let reader = try recording.makeReader()
    let rows = DeviceMotionRows(frame: frame.value, host: host)
    let usesMagnetometer = rows.stream == .deviceMotion(usesMagnetometer: true)
    let kinds: SensorKinds = usesMagnetometer ? .inertial.union(.magnetometer) : .inertial
    var timeline = SampleTimeline(reordering: selection.info.reordering)
    var estimator = DeviceMotionEstimator(info: selection.info, run: 1)
    estimator.solutions = usesMagnetometer ? .nineAxis : .sixAxis
    defer {
      report.statistics = timeline.statistics
      report.omissions = SourceSelection.omissions(reader.statistics)
    }
    func next() throws(SensorError) -> SensorSample? {
      while let sample = try reader.next() {
        if !kinds.isDisjoint(with: sample.kinds) { return sample }
      }
      return nil
    }
    var untilLook = 0
    while let sample = try timeline.next(from: next) {
      untilLook -= 1
      if untilLook < 0 {
        if completion.isFinished { return }
        untilLook = 512
        tell(report)
      }
      guard let motion = estimator.update(sample) else { continue }
      if try !Self.take(.motion(motion), rows, limit, &report, take) { return }
    }
    if let motion = estimator.finish() { _ = try Self.take(.motion(motion), rows, limit, &report, take) }
  }
}
