// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import MotionServices
import Testing

/// Eight recordings side by side give what each gives alone.
@Suite struct DeviceMotionBatchTests {
  private static func recordings(_ streams: [BatchStream]) -> [RecordedSamples] {
    streams.map { RecordedSamples(info: $0.info, samples: $0.samples) }
  }

  /// Different rates, lengths, phases, gaps, presets, a reading that is no number, a magnetometer that has to be calibrated
  /// first, and one that is not there.
  @Test(arguments: [false, true])
  func eachRecordingGivesWhatItGivesAlone(usesMagnetometer: Bool) throws {
    let recordings = Self.recordings(BatchStream.different)
    let together = MotionComparison.together(recordings, usesMagnetometer: usesMagnetometer)
    for (recording, states) in zip(recordings, together) {
      let alone = MotionComparison.alone(
        recording.info, recording.samples, usesMagnetometer: usesMagnetometer)
      #expect(alone.count > 20, "\(recording.info.name)")
      let difference = try #require(MotionComparison.difference(states, alone), "\(recording.info.name)")
      #expect(difference < 1e-6, "\(recording.info.name)")
    }
  }

  /// The streams of the test above do what they are there for.
  @Test func theStreamsReachEveryBranch() {
    let states = BatchStream.different.map { MotionComparison.alone($0.info, $0.samples, usesMagnetometer: true) }
    let uncalibrated = states[2]
    #expect(uncalibrated.first?.nineAxis?.hasHeading == false)
    #expect(uncalibrated.last?.nineAxis?.hasHeading == true)
    #expect(states[4].allSatisfy { $0.field == nil })
    #expect(states[4].count < Int(9 * 100) - 40)
    #expect(states.contains { $0.contains { $0.isAtRest } && $0.contains { !$0.isAtRest } })
  }

  /// Fewer than eight leave lanes empty; the rest of the list is nobody's.
  @Test(arguments: [0, 1, 3])
  func aBatchNeedNotBeFull(count: Int) {
    let recordings = Self.recordings(Array(BatchStream.different.prefix(count)))
    let together = MotionComparison.together(recordings, usesMagnetometer: true)
    #expect(together.count == count)
    for (recording, states) in zip(recordings, together) {
      let alone = MotionComparison.alone(recording.info, recording.samples, usesMagnetometer: true)
      #expect((MotionComparison.difference(states, alone) ?? 1) < 1e-6)
    }
  }

  /// A recording that has ended is not asked again, and what waited for its accelerometer comes out.
  @Test func anEndedRecordingIsNotAskedAgain() {
    let short = [SensorSample.accelerometer(0), .gyroscope(8)]
    let long = (Int64(0)..<50).map { SensorSample.inertial($0 * 10) }
    var endings = [0, 0]
    var places = [0, 0]
    var times: [[Int64]] = [[], []]
    var batch = DeviceMotionBatch([BatchStream().info, BatchStream().info], usesMagnetometer: false)
    batch.run(
      next: { lane in
        let samples = lane == 0 ? short : long
        guard places[lane] < samples.count else {
          endings[lane] += 1
          return nil
        }
        defer { places[lane] += 1 }
        return samples[places[lane]]
      },
      take: { times[$0].append($1.time.milliseconds) })
    #expect(endings == [1, 1])
    #expect(times[0] == [8] && times[1].count == 50)
  }

  @Test(
    .enabled(if: WaterData.has("iphone"), "needs the recordings in shared/data/iphone (OPENCOREMOTION_DATA)"),
    arguments: [false, true])
  func realRecordingsGiveWhatTheyGiveAlone(usesMagnetometer: Bool) throws {
    let names = ["pyojin_iphone_2019_06_11", "pyojin_iphone_2019_06_10"]
    let recordings = try names.map { name -> RecordedSamples in
      let recording = try Recording.open(path: WaterData.folder + "/iphone/" + name)
      let reader = try recording.makeReader()
      var timeline = SampleTimeline(reordering: recording.info.reordering)
      var samples: [SensorSample] = []
      // Half a minute: without optimisation the filters are slow.
      while samples.count < 9000, let sample = try timeline.next(from: reader.next) { samples.append(sample) }
      return RecordedSamples(info: recording.info, samples: samples)
    }
    let together = MotionComparison.together(recordings, usesMagnetometer: usesMagnetometer)
    for (recording, states) in zip(recordings, together) {
      let alone = MotionComparison.alone(recording.info, recording.samples, usesMagnetometer: usesMagnetometer)
      #expect(alone.count > 1000)
      let difference = try #require(MotionComparison.difference(states, alone), "\(recording.info.name)")
      #expect(difference < 1e-6, "\(recording.info.name)")
    }
  }
}

/// A time line that is pulled.
@Suite struct SampleTimelinePullTests {
  /// Pulled or pushed, the same samples come out in the same order.
  @Test(arguments: [0, 25] as [Int64])
  func pullingGivesWhatPushingGives(reordering: Int64) throws {
    let order: [Int64] = [0, 20, 10, 30, 30, 50, 40, 60, 70]
    let samples = order.map { SensorSample.gyroscope($0) } + [.accelerometer(65), .accelerometer(75)]
    var pushed = SampleTimeline(reordering: .milliseconds(reordering))
    var expected: [SensorInstant] = []
    for sample in samples {
      pushed.push(sample)
      while let next = pushed.pop() { expected.append(next.time) }
    }
    pushed.finish()
    while let next = pushed.pop() { expected.append(next.time) }

    var pulled = SampleTimeline(reordering: .milliseconds(reordering))
    var place = 0
    var times: [SensorInstant] = []
    while let next = try pulled.next(from: {
      defer { place += 1 }
      return place < samples.count ? samples[place] : nil
    }) {
      times.append(next.time)
    }
    #expect(times == expected && times.count == pulled.statistics.named.reduce(0) { $0 + $1.counts.delivered })
    #expect(pulled.statistics == pushed.statistics && place == samples.count + 1)
  }
}
