// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import MotionTesting
import Testing

@testable import MotionStreams

/// How a stream begins and ends.
@Suite struct StreamLifeTests {
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

  @Test func aStreamThatIsOverKeepsNothingAlive() async throws {
    try await withMotion([.rest(10)]) { (device: TestDevice) async throws in
      weak var left: AnyObject?
      weak var failed: AnyObject?
      do {
        var iterator = MotionUpdates.device().makeAsyncIterator()
        await device.advance(by: .milliseconds(100))
        _ = try await iterator.next()
        left = iterator.reader.buffer
        let broken = MotionUpdates.water().makeAsyncIterator()
        await device.waitUntilHandlersHaveSeenEverything()
        failed = broken.reader.buffer
        #expect(left != nil && failed != nil)
      }
      #expect(await device.hasStopped())
      #expect(left == nil && failed == nil)
    }
  }

  /// Cancelling at any moment, while samples arrive at full speed, ends every loop and every run of the source.
  @Test func cancellingAtAnyMomentEndsEveryLoop() async throws {
    for round in 0..<40 {
      let host = MotionHost(device: CountedSource(count: 1_000_000), clock: FreeRunningClock())
      await host.run {
        let readers = (0..<4).map { index in
          Task {
            var last = -1.0
            for try await sample in MotionUpdates.accelerometer(
              every: .zero, buffering: index == 0 ? .newest(2) : .everything)
            {
              guard sample.timestamp > last else { return false }
              last = sample.timestamp
            }
            return true
          }
        }
        try? await Task.sleep(for: .microseconds(137 * round))
        for reader in readers { reader.cancel() }
        for reader in readers { #expect((try? await reader.value) == true) }
        #expect(await host.hasStopped())
      }
    }
  }
}
