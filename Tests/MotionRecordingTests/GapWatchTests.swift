// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import MotionRecording

/// A recording says itself where a sensor paused.
@Suite struct GapWatchTests {
  private static func sample(_ milliseconds: Int64) -> SensorSample {
    .gyroscope(
      GyroscopeSample(
        time: SensorInstant(nanoseconds: milliseconds * 1_000_000), angularVelocity: Vector3(x: 0, y: 0, z: 0)))
  }

  private static func events(_ times: [Int64]) -> [RecordingEvent] {
    var watch = GapWatch()
    return times.compactMap { watch.update(sample($0)) }
  }

  @Test func aPauseSaysWhereItBeganHowLongItWasAndWhatItCost() {
    let expected = RecordingEvent.gap(
      SensorInstant(nanoseconds: 90_000_000), service: "gyroscope", duration: .milliseconds(110), lost: 10)
    #expect(Self.events((0..<10).map { $0 * 10 } + (20..<30).map { $0 * 10 }) == [expected])
  }

  @Test func jitterAndOneMissingSampleAreNoPause() {
    #expect(Self.events([0, 10, 21, 29, 40, 60, 70]).isEmpty)
  }

  @Test func aLastingChangeOfRateIsOnePauseOrTwoAndNotOnePerSample() {
    let times = (0..<20).map { Int64($0) * 10 } + (1..<50).map { 190 + Int64($0) * 40 }
    #expect((1...2).contains(Self.events(times).count))
  }

  @Test func whatTheRecordingSaysAlreadyIsNotSaidAgain() {
    let log = WriterLog()
    let recorder = Recorder(writer: LoggingWriter(log), waitsForRoom: true)
    for time in 0..<10 { recorder.append(.sample(Self.sample(Int64(time) * 10))) }
    let gap = RecordingEvent.gap(
      SensorInstant(nanoseconds: 90_000_000), service: "source", duration: .seconds(1), lost: nil)
    recorder.append(.event(gap))
    for time in 109..<119 { recorder.append(.sample(Self.sample(Int64(time) * 10))) }
    // This one is the sensor's own.
    recorder.append(.sample(Self.sample(2000)))
    #expect(throws: Never.self) { try recorder.finish() }
    let gaps = log.items.compactMap { item -> String? in
      if case .event(.gap(_, let service, _, _), _) = item { service } else { nil }
    }
    #expect(gaps == ["source", "gyroscope"])
  }
}
