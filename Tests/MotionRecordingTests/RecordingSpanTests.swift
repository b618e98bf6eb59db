// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import MotionTesting
import Testing

@testable import MotionRecording

/// A part of a recording, named by the options `from` and `to`, is a recording.
@Suite struct RecordingSpanTests {
  /// One second: late samples of four sensors.
  private func whole(_ folder: TemporaryFolder) throws -> (path: String, samples: [SensorSample]) {
    let path = try folder.write("a.mcap", MCAPFixture.file(MCAPFixture.items(count: 100)))
    return (path, try read(path).samples)
  }

  private func source(_ path: String, _ options: [String: String]) throws -> ReplaySource {
    try ReplaySource(path: path, options: options)
  }

  private func samples(_ recording: Recording) throws -> [SensorSample] {
    let reader = try recording.makeReader()
    var samples: [SensorSample] = []
    while let sample = try reader.next() { samples.append(sample) }
    #expect(try reader.next() == nil)
    return samples
  }

  @Test(
    arguments: [("0.25", nil), (nil, "0.5"), ("0.25", "0.5"), ("0", "100"), ("0.2501", "0.2601")]
      as [(String?, String?)])
  func theSamplesOfThePartAreThoseBetweenItsEnds(from: String?, to: String?) throws {
    let folder = try TemporaryFolder()
    let (path, all) = try whole(folder)
    let start = try #require(all.map(\.time).min())
    let options = ["from": from, "to": to].compactMapValues(\.self)
    let part = try source(path, options).recording
    let ends = (Double(from ?? "0") ?? 0, Double(to ?? "1e9") ?? 0)
    let wanted = all.filter { (ends.0..<ends.1).contains(($0.time - start).seconds) }
    #expect(try samples(part) == wanted && !wanted.isEmpty)
    #expect(part.start == start + (SensorDuration(seconds: ends.0) ?? .zero))
    let last = try #require(wanted.map(\.time).max())
    #expect(abs((part.duration ?? .zero).seconds - (last - part.start).seconds) < 0.02)
  }

  @Test func aPartThatIsNotThereIsRefused() throws {
    let folder = try TemporaryFolder()
    let (path, _) = try whole(folder)
    for (options, words) in [
      (["from": "5"], "nothing after 5.0 s"), (["from": "0.5", "to": "0.5"], "is empty"),
      (["from": "-1"], "seconds"), (["to": "nan"], "seconds"), (["to": "1e300"], "seconds"),
    ] {
      do throws(SensorError) {
        _ = try ReplaySource(path: path, options: options)
        Issue.record("\(options) was taken.")
      } catch {
        #expect(error.message.contains(words) && error.code == .invalidRequest)
      }
    }
  }

  @Test(arguments: [[:], ["loop": "yes"], ["clock": "now"]])
  func aPartKeepsThePromisesOfASource(options: [String: String]) async throws {
    let folder = try TemporaryFolder()
    let (path, _) = try whole(folder)
    let part = try source(path, options.merging(["from": "0.2", "to": "0.6"]) { $1 })
    let conformance = SourceConformance(source: part, sampleLimit: 1000, checksGravity: false)
    #expect(await conformance.violations() == [], "\(options)")
  }
}
