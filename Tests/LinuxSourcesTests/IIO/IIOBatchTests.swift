// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

@testable import LinuxSources
@testable import MotionTesting

/// What listeners who take batches save (an 800 Hz batch costs a handful of wake-ups a second).
@Suite struct IIOBatchTests {
  @Test func eightHundredHertzInBatchesOfHalfASecondCostAHandfulOfReads() async throws {
    let fake = try FakeSensors()
    try fake.addInertialChip(rate: 800)
    let source = try fake.source()
    let request = SensorRequest(kinds: .inertial, interval: .zero, latency: .milliseconds(500))
    let count = Lock(0)
    let times = Lock<[SensorInstant]>([])
    let session = SensorSession(clock: MonotonicClock(), request: request) { sample, session throws(SourceStopped) in
      times.withLock { $0.append(sample.time) }
      let seen = count.withLock { count in
        count += 1
        return count
      }
      if seen >= 1200 {
        session.stop()
        throw SourceStopped()
      }
    }
    #expect(throws: SourceStopped.self) { try source.run(session) }
    // 1.5 s of samples: three batches of 400, each one wake and one read.
    #expect(source.statistics.wakes <= 6 && source.statistics.reads <= 6)
    #expect(fake.state.withLock { $0.writes }.contains("buffer/watermark=400"))
    #expect(fake.read(0, "buffer/watermark") == "1" && fake.read(0, "buffer/length") == "2")
    let steps = times.withLock { zip($0, $0.dropFirst()).map { ($1 - $0).nanoseconds } }
    #expect(steps.allSatisfy { abs($0 - 1_250_000) <= 1 })
  }

  @Test func aFifoOfTheChipWaitsAsLongAsAllowedAndIsPutBack() async throws {
    let fake = try FakeSensors()
    try fake.addInertialChip(rate: 200)
    try fake.add(0, ["buffer/hwfifo_timeout": "0.300000"])
    let collector = SampleCollector(try fake.source { $0.watermark = 20 }, clock: MonotonicClock()) { _, _ in
      fake.state.withLock { $0.writes }.contains("buffer/hwfifo_timeout=0.2")
    }
    #expect(await collector.began(within: .seconds(60)))
    #expect(fake.read(0, "buffer/hwfifo_timeout") == "0" && fake.read(0, "buffer/watermark") == "20")
    collector.session.update(SensorRequest(kinds: .inertial, interval: .zero, latency: .milliseconds(200)))
    #expect(await collector.ended())
    #expect(fake.read(0, "buffer/hwfifo_timeout") == "0.300000" && fake.read(0, "buffer/watermark") == "1")
  }

  /// One listener more must not cost the others a sample.
  @Test func aNewListenerAtTheSameRateChangesNothingAtTheDevice() async throws {
    let fake = try FakeSensors()
    try fake.addInertialChip(rate: 200)
    let source = try fake.source { $0.rate = 200 }
    let collector = SampleCollector(source, clock: MonotonicClock(), kinds: .gyroscope) { sample, _ in
      sample.kinds == .inertial
    }
    #expect(await collector.began(within: .seconds(60)))
    let writes = fake.state.withLock { $0.writes.count }
    collector.session.update(SensorRequest(kinds: .inertial, interval: .milliseconds(5)))
    #expect(await collector.ended())
    // What came after the change was to restore the settings, beginning with the buffer itself.
    #expect(fake.state.withLock { $0.writes[writes] } == "buffer/enable=0" && source.statistics.gaps == 0)
    let steps = zip(collector.samples, collector.samples.dropFirst()).map { ($1.time - $0.time).nanoseconds }
    #expect(steps.allSatisfy { abs($0 - 5_000_000) <= 1 })
  }

  /// a hub that says nothing is switched off and on, once.
  @Test func aSilentBufferIsSwitchedOffAndOnOnce() async throws {
    let fake = try FakeSensors()
    try fake.addInertialChip(rate: 200)
    fake.state.withLock { $0.deafness = 1 }
    let source = try fake.source()
    let collector = SampleCollector(source, clock: MonotonicClock()) { _, count in count >= 3 }
    #expect(await collector.ended())
    #expect(collector.samples.count == 3 && source.statistics.restarts == 1)
  }
}
