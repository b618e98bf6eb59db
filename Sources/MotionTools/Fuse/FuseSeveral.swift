// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording
import MotionSensing

// Several inputs, each with a file of its own.
extension FuseJob {
  /// One that fails does not stop the others; those that are fit for it run side by side. The outcomes are in the order
  /// of the items.
  package func fuse(_ items: [BatchPlan.Item]) throws -> [BatchOutcome] {
    var outcomes: [BatchOutcome] = []
    var together: [RecordingBatch.Input] = []
    for item in items {
      if let input = input(of: item), items.count > 1 {
        together.append(input)
        continue
      }
      // In the order of the inputs: what came before is finished first.
      outcomes += try fuse(together)
      together = []
      do {
        let report = try fuse(item.input, to: item.output)
        outcomes.append(BatchOutcome(item, rows: report.rowCount, seconds: report.duration))
      } catch let error as ProgramEnd {
        // A signal ends all.
        throw error
      } catch {
        outcomes.append(BatchOutcome(item, failure: error))
        StandardError.shared.say(BatchOutcome.line(of: error, item))
      }
    }
    return try outcomes + fuse(together)
  }

  /// An input that can run beside others, or has failed already; nil = it wants a run of its own.
  private func input(of item: BatchPlan.Item) -> RecordingBatch.Input? {
    // What was learned is one device's.
    guard learned == nil else { return nil }
    do {
      let selection = try open(item.input)
      guard let recording = RecordingFusion.recording(of: selection) else { return nil }
      return RecordingBatch.Input(item: item, duration: selection.duration) { lines, goesOn in
        try fuse(item, recording, selection, &lines, goesOn)
      }
    } catch {
      return RecordingBatch.Input(item: item) { _, _ in throw error }
    }
  }

  private func fuse(_ inputs: [RecordingBatch.Input]) throws -> [BatchOutcome] {
    inputs.isEmpty ? [] : try RecordingBatch(inputs).run()
  }

  /// One recording into its file, on a thread of a batch.
  private func fuse(
    _ item: BatchPlan.Item, _ recording: Recording, _ selection: SourceSelection, _ lines: inout [String],
    _ goesOn: RecordingBatch.GoesOn
  ) throws -> BatchOutcome {
    let started = ContinuousClock.now
    let frame = frame ?? .arbitrary
    let host = try selection.host(location: location)
    try MotionRequirements.check(frame, of: selection, on: host)
    var fusion = try RecordingFusion(
      recording, selection.info, frame.framing(on: host), limit: limit, smooths: smooths)
    let format = try rowFormat(of: item.output)
    let file = try OutputFile.open(item.output, readingFrom: recording.path)
    lines.append(selection.headline)
    do {
      var writer = RowWriter(file: file, format: format)
      var report = MotionRun.Report()
      let isWhole = try fusion.run(
        &report, goesOn: { goesOn($0.rowCount, $0.duration) }, write: { try writer.append($0) })
      if isWhole {
        try Self.requireRows(report, selection)
        try writer.flush()
        try file.commit()
      } else {
        file.discard()
      }
      lines += summary(report, selection, elapsed: ContinuousClock.now - started)
      if !isWhole { lines.append("Interrupted: \(item.output) was not written.") }
      return BatchOutcome(item, rows: report.rowCount, seconds: report.duration)
    } catch {
      file.discard()
      throw error
    }
  }
}
