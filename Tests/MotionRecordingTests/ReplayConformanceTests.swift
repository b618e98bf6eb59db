// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording
import MotionSensing
import MotionTesting
import Testing

/// The promises that every source keeps, kept by replay in each format and mode.
@Suite struct ReplayConformanceTests {
  private static let recordings: [(name: String, files: [String: String])] = [
    ("tidy", Fixture.walk(rows: 60)), ("SensorLog", ["log.csv": Fixture.sensorLog(rows: 20)]),
    ("Sensor Logger", Fixture.sensorLogger()),
  ]

  @Test(arguments: recordings.indices, [[:], ["motion": "recorded"], ["loop": "yes"], ["clock": "now"]])
  func replayKeepsThePromisesOfASource(index: Int, options: [String: String]) async throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.recordings[index].files)
    let path = index == 1 ? folder.path + "/log.csv" : folder.path
    let source = try ReplaySource(path: path, options: options)
    // The fixtures hold made-up numbers, not a device under gravity.
    let conformance = SourceConformance(source: source, sampleLimit: 3000, checksGravity: false)
    #expect(await conformance.violations() == [], "\(Self.recordings[index].name) \(options)")
  }

  @Test(arguments: [[:], ["loop": "yes"], ["clock": "now"]])
  func aRecordingWithLateSamplesKeepsThem(options: [String: String]) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.mcap", MCAPFixture.file(MCAPFixture.items(count: 60)))
    let source = try ReplaySource(path: path, options: options)
    let conformance = SourceConformance(source: source, sampleLimit: 1000, checksGravity: false)
    #expect(await conformance.violations() == [], "\(options)")
  }

  @Test(.enabled(if: SharedData.has("mcap"), "needs the recordings in shared/data/mcap (OPENCOREMOTION_DATA)"))
  func aRealRecordingKeepsThem() async throws {
    let source = try ReplaySource(path: SharedData.phone("pyojin_iphone_2019_06_11"), options: [:])
    #expect(await SourceConformance(source: source).violations() == [])
  }
}
