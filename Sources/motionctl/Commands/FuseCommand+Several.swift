// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

// Several inputs, each with a file of its own.
extension FuseCommand {
  /// One that fails does not stop the others; those that are fit for it run side by side.
  func fuse(_ items: [FusePlan.Item]) throws {
    var failures = 0
    var together: [FuseBatch.Input] = []
    for item in items {
      if let input = input(of: item), items.count > 1 {
        together.append(input)
        continue
      }
      // In the order of the inputs: what came before is finished first.
      failures += try fuse(together)
      together = []
      do {
        try fuse(item.input, to: item.output)
      } catch let error as ExitCode {
        // A signal ends all.
        throw error
      } catch {
        failures += 1
        StandardError.shared.say(Self.line(of: error, item))
      }
    }
    failures += try fuse(together)
    guard failures > 0 else { return }
    StandardError.shared.say("\(failures) of \(Text.count(items.count, "input")) failed.")
    throw ExitCode.failure
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

  private func fuse(_ inputs: [FuseBatch.Input]) throws -> Int {
    inputs.isEmpty ? 0 : try FuseBatch(inputs, command: self).run()
  }

  static func line(of error: any Error, _ item: FusePlan.Item) -> String { "Error: \(item.input): \(error)" }
}
