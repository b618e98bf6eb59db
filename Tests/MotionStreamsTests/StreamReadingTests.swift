// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import MotionTesting
import Testing

@testable import MotionStreams

/// What readers get: several at once, slow ones, and those of a test.
@Suite struct StreamReadingTests {
  @Test func severalStreamsRunAtOnceAndDoNotDisturbEachOther() async throws {
    try await withMotion([.rest(3)]) { (device: TestDevice) async throws in
      var fast = MotionUpdates.device(every: .milliseconds(10)).makeAsyncIterator()
      var slow = MotionUpdates.device(every: .milliseconds(50)).makeAsyncIterator()
      let other = MotionUpdates.device().makeAsyncIterator()
      await device.advance(by: .seconds(2))
      let (fastTimes, slowTimes) = (try await fast.take(190).map(\.timestamp), try await slow.take(38).map(\.timestamp))
      #expect(fastTimes.count == 190 && slowTimes.count == 38)
      let span = try #require(slowTimes.last) - slowTimes[0]
      #expect(abs(span - 37 * 0.05) < 0.011)
      withExtendedLifetime(other) {}
      // Two loops over one stream are two starts.
      let stream = MotionUpdates.accelerometer()
      var (first, second) = (stream.makeAsyncIterator(), stream.makeAsyncIterator())
      await device.advance(by: .milliseconds(100))
      let times = try await second.take(5).map(\.timestamp)
      #expect(try await first.take(8).map(\.timestamp).filter { $0 >= times[0] }.starts(with: times))
    }
  }

  @Test func aSlowReaderLosesNothing() async throws {
    try await withMotion([.rest(100)]) { (device: TestDevice) async throws in
      var iterator = MotionUpdates.accelerometer().makeAsyncIterator()
      await device.advance(by: .seconds(60))
      let times = try await iterator.take(6000).map(\.timestamp)
      #expect(times.count == 6000)
      #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.01) < 1e-9 })
    }
  }

  @Test func theNewestSamplesAreKeptOnRequest() async throws {
    try await withMotion([.rest(100)]) { (device: TestDevice) async throws in
      var newest = MotionUpdates.accelerometer(buffering: .newest(3)).makeAsyncIterator()
      await device.advance(by: .seconds(1))
      let times = try await newest.take(3).map(\.timestamp)
      #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.01) < 1e-9 })
      #expect(times.count == 3 && abs(device.elapsed - (times.last ?? 0)) < 0.011)
    }
  }

  /// A recording waits for a reader who owes 65,536 samples, and goes on when he reads.
  @Test func aRecordingWaitsForAReaderWhoIsFarBehind() async throws {
    let host = MotionHost(device: CountedSource(count: 200_000), clock: FreeRunningClock())
    try await host.run {
      var iterator = MotionUpdates.accelerometer(every: .zero).makeAsyncIterator()
      var last = -1.0
      for index in 0..<200_000 {
        let sample = try #require(try await iterator.next())
        if index == 0 {
          let end = Date() + 20
          while iterator.reader.buffer.unreadCount < 65_536, Date() < end {
            try await Task.sleep(for: .milliseconds(10))
          }
          try await Task.sleep(for: .milliseconds(100))
          #expect(iterator.reader.buffer.unreadCount == 65_536)
        }
        guard sample.timestamp > last else { Issue.record("out of order at \(index)"); return }
        last = sample.timestamp
      }
      #expect(abs(last - 199.999) < 1e-9)
    }
  }

  @Test func aStreamOfGivenSamplesIsForTests() async throws {
    let samples = [DeviceMotion(timestamp: 1), DeviceMotion(timestamp: 2)]
    var read: [DeviceMotion] = []
    for try await sample in MotionStream(samples) { read.append(sample) }
    #expect(read == samples)
    let broken = MotionStream<DeviceMotion>([], endingWith: MotionError(CMErrorNotAvailable, "No sensor."))
    #expect(await refusal(of: broken)?.sentence == "No sensor.")
  }
}
