// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import MotionTesting
import Testing

@testable import MotionStreams

/// How a stream begins, ends, fails and is shared.
@Suite(.timeLimit(.minutes(5))) struct StreamLifeTests {
  private static let munich = GeographicLocation(latitudeDegrees: 48.14, longitudeDegrees: 11.58, year: 2026.5)

  @Test func aStreamStartsWithItsLoopAndNotBefore() async throws {
    await withMotion([.rest(1)]) { device in
      let stream = MotionUpdates.device()
      #expect(!device.isRunning)
      let iterator = stream.makeAsyncIterator()
      await device.advance(by: .milliseconds(100))
      #expect(device.isRunning)
      withExtendedLifetime(iterator) {}
    }
  }

  @Test func leavingTheLoopStopsTheUpdates() async throws {
    try await withMotion([.rest(1)]) { (device: TestDevice) async throws in
      let reader = Task {
        var count = 0
        for try await _ in MotionUpdates.device() {
          count += 1
          if count == 5 { break }
        }
        return count
      }
      while !device.isRunning { await Task.yield() }
      await device.advance(by: .milliseconds(200))
      #expect(try await reader.value == 5)
      #expect(await device.hasStopped())
    }
  }

  @Test func aDroppedIteratorStopsTheUpdates() async throws {
    try await withMotion([.rest(1)]) { (device: TestDevice) async throws in
      do {
        var iterator = MotionUpdates.accelerometer().makeAsyncIterator()
        await device.advance(by: .milliseconds(100))
        #expect(try await iterator.next() != nil)
        #expect(device.isRunning)
      }
      #expect(await device.hasStopped())
    }
  }

  @Test func aCancelledTaskEndsItsLoopWithoutAnErrorAndStopsTheUpdates() async throws {
    try await withMotion([.rest(1)]) { (device: TestDevice) async throws in
      let count = Box(0)
      let reader = Task {
        for try await _ in MotionUpdates.device() { count.with { $0 += 1 } }
      }
      while !device.isRunning { await Task.yield() }
      await device.advance(by: .milliseconds(200))
      reader.cancel()
      try await reader.value
      #expect(await device.hasStopped())
      #expect(count.value > 0)
    }
  }

  @Test func aTaskThatIsCancelledBeforehandReadsNothing() async throws {
    try await withMotion([.rest(1)]) { (device: TestDevice) async throws in
      let reader = Task {
        while !Task.isCancelled { await Task.yield() }
        for try await _ in MotionUpdates.device() { return true }
        return false
      }
      reader.cancel()
      #expect(try await reader.value == false)
      #expect(await device.hasStopped())
    }
  }

  @Test func aServiceThatIsMissingThrowsAtOnceWithASentence() async throws {
    await withoutMotion { _ in
      let errors = [
        await refusal(of: MotionUpdates.device()), await refusal(of: MotionUpdates.accelerometer()),
        await refusal(of: MotionUpdates.gyroscope()), await refusal(of: MotionUpdates.magnetometer()),
        await refusal(of: MotionUpdates.headphones()), await refusal(of: MotionUpdates.headphoneStatus()),
        await refusal(of: MotionUpdates.headphoneActivity()), await refusal(of: MotionUpdates.steps()),
        await refusal(of: MotionUpdates.walkingEvents()), await refusal(of: MotionUpdates.activity()),
        await refusal(of: MotionUpdates.relativeAltitude()), await refusal(of: MotionUpdates.absoluteAltitude()),
        await refusal(of: MotionUpdates.water()), await refusal(of: MotionUpdates.accelerometerBatches()),
        await refusal(of: MotionUpdates.deviceMotionBatches()),
      ]
      for (index, error) in errors.enumerated() {
        #expect(
          error.map { !$0.isNotice && $0.sentence.hasSuffix(".") } == true, "\(index): \(String(describing: error))")
      }
    }
  }

  @Test func withoutPermissionAStreamThrows() async throws {
    try await withMotion("walk 5 s", MotionSetup { $0.policy.authorization = .denied }) {
      (_: TestDevice) async throws in
      #expect(await refusal(of: MotionUpdates.device())?.code == CMErrorNotAuthorized)
      #expect(await refusal(of: MotionUpdates.steps())?.code == CMErrorMotionActivityNotAuthorized)
      #expect(await refusal(of: MotionUpdates.activity())?.code == CMErrorMotionActivityNotAuthorized)
    }
  }

  @Test func anUnpluggedSensorEndsTheStreamBehindItsSamplesAndANewLoopGoesOn() async throws {
    try await withMotion([.rest(10)]) { (device: TestDevice) async throws in
      var iterator = MotionUpdates.accelerometer().makeAsyncIterator()
      await device.advance(by: .milliseconds(100))
      await device.unplug()
      var count = 0
      await #expect(throws: MotionError.self) { while try await iterator.next() != nil { count += 1 } }
      #expect(count >= 10)
      #expect(try await iterator.next() == nil)
      await device.replug()
      var again = MotionUpdates.accelerometer().makeAsyncIterator()
      await device.advance(by: .seconds(1))
      #expect(try await again.next() != nil)
    }
  }

  @Test func aNoticeIsToldAndDoesNotEndTheStream() async throws {
    try await withMotion([.rest(10)]) { (device: TestDevice) async throws in
      let notices = Box<[MotionError]>([])
      let stream = MotionUpdates.device(.xTrueNorth, onNotice: { notice in notices.with { $0.append(notice) } })
      var iterator = stream.makeAsyncIterator()
      await device.advance(by: .seconds(1))
      #expect(notices.value.map(\.code) == [CMErrorTrueNorthNotAvailable])
      #expect(notices.value.allSatisfy { $0.isNotice && !$0.sentence.isEmpty })
      device.location = Self.munich
      await device.advance(by: .seconds(4))
      let sample = try #require(try await iterator.next())
      #expect(sample.heading != nil)
    }
  }

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
      #expect(abs(device.elapsed - times[2]) < 0.011)
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

  @Test func anErrorIsAnNSErrorOfCoreMotionToo() throws {
    let error: any Error = MotionError(CMErrorNotAuthorized, "Not permitted.")
    #expect((error as NSError).domain == CMErrorDomain)
    #expect((error as NSError).code == Int(CMErrorNotAuthorized.rawValue))
    #expect(error.localizedDescription == "Not permitted.")
  }
}
