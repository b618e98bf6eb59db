// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionRecording
package import MotionSensing
import MotionServices

/// A recording read once from its beginning to its end, on the thread that asks: the loop of every command that reads
/// one.
///
/// It needs no hub: there is one reader, and nothing waits for a clock. The numbers are those of a hub; without its
/// locks and its hand-over of every sample the run takes two thirds of the processor time.
package struct RecordingPass {
  /// Samples between two looks at whether the run goes on.
  package static let stride = 4096

  private let reader: RecordingReader
  private let calibration: SensorCalibration?
  private var fusion: OfflineFusion?

  /// `fusion` nil = the sink takes the samples as they stand in the recording.
  package init(
    _ recording: Recording, through fusion: OfflineFusion? = nil, calibration: SensorCalibration? = nil
  ) throws(SensorError) {
    (reader, self.fusion, self.calibration) = (try recording.makeReader(), fusion, calibration)
  }

  /// Reads until the end, or until the sink has enough; false when `goesOn`, which is asked now and then with the number
  /// of samples so far and the time of the latest, has said no.
  package mutating func callAsFunction<Sink: SampleSink>(
    into sink: inout Sink, goesOn: (_ sink: Sink, _ count: Int, _ time: SensorInstant) throws -> Bool
  ) throws -> Bool {
    var count = 0
    guard var fusion else {
      while let sample = try next() {
        count += 1
        guard try sink.take(sample) else { return true }
        if count % Self.stride == 0, try !goesOn(sink, count, sample.time) { return false }
      }
      return true
    }
    // Not through the optional at every sample: it is large.
    defer { self.fusion = fusion }
    while let sample = try next() {
      count += 1
      guard try fusion.push(sample, into: &sink) else { return true }
      if count % Self.stride == 0, try !goesOn(sink, count, sample.time) { return false }
    }
    try fusion.finish(into: &sink)
    return true
  }

  private func next() throws(SensorError) -> SensorSample? {
    let sample = try reader.next()
    guard let calibration else { return sample }
    return sample.map { calibration.applied(to: $0) }
  }

  /// What is known of the sensors at the end; nil where nothing was computed from them.
  var learned: LearnedDevice? { fusion?.learned }

  /// What it amounted to.
  package var report: RunReport {
    var report = RunReport()
    (report.statistics, report.reading) = (fusion?.statistics, reader.statistics)
    report.notices = fusion?.notices ?? []
    return report
  }
}
