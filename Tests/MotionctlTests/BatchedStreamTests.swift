// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `motionctl stream --batched`.
@Suite struct BatchedStreamTests {
  private static let fast = "simulate:shake?rate=800&speed=max&duration=2.5"

  /// Every sample, the rest behind the last border included, and the loop ends with the source.
  @Test func everySampleIsPrintedToTheLast() throws {
    let result = try MotionctlProcess.run(
      "stream", Self.fast, "--service", "accelerometer", "--batched", "--format", "csv")
    #expect(result.code == 0 && result.lines.count == 2001)
    let times = result.cells.dropFirst().compactMap { $0.first.flatMap { Double($0) } }
    #expect(times == (0..<2000).map { Double($0) / 800 })
    #expect(result.errors.contains("by the second") && result.errors.contains("wake-ups a second"))
  }

  @Test func deviceMotionComesAtTwoHundredHertz() throws {
    let result = try MotionctlProcess.run("stream", Self.fast, "--batched", "--format", "csv")
    #expect(result.lines.first.map(String.init) == deviceMotionHeader && result.lines.count == 501)
  }

  @Test func theLimitEndsIt() throws {
    let result = try MotionctlProcess.run(
      "stream", "simulate:rest?speed=max", "--batched", "--for", "1.5", "--format", "csv")
    #expect(result.code == 0 && (151...152).contains(result.lines.count))
  }

  @Test(arguments: [["--service", "gyro"], ["--frame", "magnetic"]])
  func whatBatchesDoNotHaveIsRefused(_ options: [String]) throws {
    let result = try MotionctlProcess(["stream", Self.fast, "--batched"] + options).finish()
    #expect(result.code == 64 && result.text.isEmpty)
  }

  @Test func aSourceWithoutTheSensorIsRefused() throws {
    let result = try MotionctlProcess.run("stream", "simulate:rest?gyroscope=no", "--batched")
    #expect(result.code == 1)
  }
}
