// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording

/// What became of one of several inputs.
package struct FuseOutcome: Sendable {
  package var item: FusePlan.Item
  package var rows = 0
  /// Sample time.
  package var seconds = 0.0
  /// What went wrong, as a sentence; nil = nothing.
  package var failure: String?

  package init(_ item: FusePlan.Item, _ report: MotionRun.Report) {
    (self.item, rows, seconds) = (item, report.rowCount, report.duration)
  }

  package init(_ item: FusePlan.Item, failure: any Error) { (self.item, self.failure) = (item, "\(failure)") }
}

// Several inputs, each with a file of its own.
extension FuseJob {
  /// One that fails does not stop the others; those that are fit for it run side by side. The outcomes are in the order of the items.
  package func fuse(_ items: [FusePlan.Item]) throws -> [FuseOutcome] {
    var outcomes: [FuseOutcome] = []
    var together: [FuseBatch.Input] = []
    for item in items {
      if let input = input(of: item), items.count > 1 {
        together.append(input)
        continue
      }
      // In the order of the inputs: what came before is finished first.
      outcomes += try fuse(together)
      together = []
      do {
        outcomes.append(FuseOutcome(item, try fuse(item.input, to: item.output)))
      } catch let error as ProgramEnd {
        // A signal ends all.
        throw error
      } catch {
        outcomes.append(FuseOutcome(item, failure: error))
        StandardError.shared.say(Self.line(of: error, item))
      }
    }
    return try outcomes + fuse(together)
  }

  /// Says how many of several inputs failed, with the exit code of a failure; nothing where none did.
  package static func requireSuccess(_ outcomes: [FuseOutcome]) throws {
    let failures = outcomes.count { $0.failure != nil }
    guard failures > 0 else { return }
    StandardError.shared.say("\(failures) of \(Text.count(outcomes.count, "input")) failed.")
    throw ProgramEnd.failure
  }

  /// An input that can run beside others, or has failed already; nil = it wants a run of its own.
  private func input(of item: FusePlan.Item) -> FuseBatch.Input? {
    // What was learned is one device's.
    guard learned == nil else { return nil }
    do {
      let selection = try open(item.input)
      return RecordingFusion.recording(of: selection) != nil
        ? FuseBatch.Input(item: item, selection: .success(selection)) : nil
    } catch {
      return FuseBatch.Input(item: item, selection: .failure(error))
    }
  }

  private func fuse(_ inputs: [FuseBatch.Input]) throws -> [FuseOutcome] {
    inputs.isEmpty ? [] : try FuseBatch(inputs, job: self).run()
  }

  package static func line(of error: any Error, _ item: FusePlan.Item) -> String { "Error: \(item.input): \(error)" }
}
