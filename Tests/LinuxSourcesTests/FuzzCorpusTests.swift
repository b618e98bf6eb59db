// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
import MotionSensing
import Testing

@testable import HeadphoneSources
@testable import LinuxSources

/// The inputs that libFuzzer begins with (Scripts/fuzz.sh), and each that has ended a parser once.
struct FuzzCorpusTests {
  private static func inputs(_ parser: String) throws -> [[UInt8]] {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try FileManager.default.contentsOfDirectory(
      at: tests.appendingPathComponent("Corpus/\(parser)"), includingPropertiesForKeys: nil
    ).map { Array(try Data(contentsOf: $0)) }
  }

  @Test func everyDescriptorOfTheCorpusIsReadOrRefused() throws {
    let devices = try Self.inputs("hid").map { HeadTrackerDescription(bytes: $0) }
    #expect(devices.contains { $0 != nil } && devices.contains { $0 == nil })
    for device in devices.compactMap(\.self) { #expect(device.intervals.lowerBound <= device.intervals.upperBound) }
  }

  @Test func everyPacketOfTheCorpusIsReadToItsEnd() throws {
    let inputs = try Self.inputs("aap")
    let counts = inputs.map { packets($0).count }
    #expect(zip(counts, inputs).allSatisfy { $0 <= $1.count })
    #expect(counts.contains { $0 > 0 })
  }
}
