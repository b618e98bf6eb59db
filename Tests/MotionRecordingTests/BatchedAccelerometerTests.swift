// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionRecording
import MotionSensing
import Testing

/// The 800 Hz accelerometer of a watch, batch by batch: Documentation/Formats.md 4.9. The texts are made up in the form
/// of the real one.
@Suite struct BatchedAccelerometerTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  static let text = """

    56257.44241896361,-0.25,0.5,-1
    56257.44367096361,-0.25,0.5,-0.75

    56257.44492296361,0.125,0.5,-1.5

    """

  private func samples(_ text: String, _ options: RecordingOptions = .init()) throws -> [AccelerometerSample] {
    try read(folder.write("log.csv", text), options).samples.compactMap {
      if case .accelerometer(let sample) = $0 { sample } else { nil }
    }
  }

  @Test func theEmptyLinesAreNoSamplesAndTheUnitIsG() throws {
    let samples = try samples(Self.text)
    #expect(samples.map(\.time.nanoseconds) == [56_257_442_418_964, 56_257_443_670_964, 56_257_444_922_964])
    #expect(samples.map(\.reading.z) == [-1, -0.75, -1.5])
    // Core Motion's signs: g times the standard gravity, turned round.
    #expect(samples.first?.specificForce.z == standardGravity)
  }

  @Test func itIsTheAccelerometerOfAWatch() throws {
    let recording = try Recording.open(path: folder.write("log.csv", Self.text))
    #expect(recording.info.kinds == .accelerometer && recording.info.deviceClass == .watch)
    #expect(recording.info.name.contains("batched accelerometer"))
  }

  @Test func linesOfWindowsAreReadToo() throws {
    #expect(try samples(Self.text.replacing("\n", with: "\r\n")).count == 3)
  }

  @Test func damageIsSaidWithItsPlace() throws {
    let broken = Self.text.replacing("0.125", with: "0.1x25")
    let error = #expect(throws: SensorError.self) { try samples(broken) }
    #expect(error?.code == .malformed && error?.place?.line == 5 && error?.place?.column == "x")
    #expect(error?.place?.file.hasSuffix("log.csv") == true)
    var options = RecordingOptions()
    options.damage = .skip
    #expect(try samples(broken, options).count == 2)
  }

  @Test func tooFewFieldsAreDamage() throws {
    let error = #expect(throws: SensorError.self) { try samples(Self.text.replacing("0.125,0.5,-1.5", with: "0.125")) }
    #expect(error?.place?.line == 5)
  }

  @Test func fourNumbersWithoutTheEmptyLineAreNotTakenForIt() throws {
    #expect(throws: SensorError.self) { try Recording.open(path: folder.write("a.csv", String(Self.text.dropFirst()))) }
    #expect(throws: SensorError.self) { try Recording.open(path: folder.write("b.csv", "")) }
    #expect(throws: SensorError.self) { try Recording.open(path: folder.write("c.csv", "\n1,2,3\n")) }
  }

  @Test func whoAsksForRecordedMotionIsToldThatThereIsNone() throws {
    var options = RecordingOptions()
    options.motion = .recorded
    let error = #expect(throws: SensorError.self) { try samples(Self.text, options) }
    #expect(error?.message.contains("accelerometer only") == true)
  }
}
