// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing
import Testing

/// The inputs that libFuzzer begins with (Scripts/fuzz.sh), and each that has ended a reader once: read or refused,
/// never a trap.
@Suite struct FuzzCorpusTests {
  static func files(_ parser: String) throws -> [URL] {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try FileManager.default.contentsOfDirectory(
      at: tests.appendingPathComponent("Corpus/\(parser)"), includingPropertiesForKeys: nil)
  }

  @Test(arguments: ["mcap", "zip"], [true, false])
  func everyInputOfTheCorpusIsReadOrRefused(parser: String, skipsErrors: Bool) throws {
    var options = RecordingOptions()
    options.damage = skipsErrors ? .skip : .stop
    var (samples, refused) = (0, 0)
    for file in try Self.files(parser) {
      do {
        let reader = try Recording.open(path: file.path, options: options).makeReader()
        while try reader.next() != nil { samples += 1 }
      } catch {
        #expect(error.message.hasSuffix("."), "\(error)")
        refused += 1
      }
    }
    // The corpus goes deep: some of it is a recording, some of it is not.
    #expect(samples > 0 && refused > 0)
  }
}
