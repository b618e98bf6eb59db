// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

/// S79, S80, D17: batches as asynchronous sequences.
@Suite struct BatchSequenceTests {
  /// A host at full speed whose source ends after `duration` seconds.
  private static func host(duration: Double?, _ policy: HostPolicy = HostPolicy()) -> MotionHost {
    var configuration = SimulatedSource.Configuration()
    configuration.inertial = .together(.init(rate: 800))
    configuration.duration = duration
    let source = SimulatedSource(trajectory: Shake(), configuration: configuration, name: "batches")
    return MotionHost(device: source, clock: FreeRunningClock(), policy: policy)
  }

  private static func manager(_ host: MotionHost) -> CMBatchedSensorManager { host.run { CMBatchedSensorManager() } }

  /// S79: the loop ends behind the last batch, and handler and sequence give the same samples.
  @Test func theLoopEndsWithTheRecording() async throws {
    let host = Self.host(duration: 3.5)
    let manager = Self.manager(host)
    var times: [Double] = []
    var sizes: [Int] = []
    for try await batch in manager.accelerometerUpdates() {
      sizes.append(batch.count)
      times += batch.map(\.timestamp)
    }
    #expect(sizes == [800, 800, 800, 400] && times == (0..<2800).map { Double($0) / 800 })
    var iterator = manager.deviceMotionUpdates().makeAsyncIterator()
    // The simulation is over: this stream has no sample at all, and says so (D19).
    await #expect(throws: NSError.self) { _ = try await iterator.next() }
  }

  /// S80: leaving the loop stops the stream.
  @Test func leavingTheLoopStopsTheStream() async throws {
    let host = Self.host(duration: nil)
    let manager = Self.manager(host)
    var count = 0
    for try await batch in manager.deviceMotionUpdates() {
      count += batch.count
      if count >= 500 { break }
    }
    #expect(count == 600)
    #expect(await eventually { host.device?.isRunning == false })
    #expect(!manager.isDeviceMotionActive)
  }

  /// S80: dropping the iterator stops it too, without a batch having been taken.
  @Test func droppingTheIteratorStopsTheStream() async {
    let host = Self.host(duration: nil)
    let manager = Self.manager(host)
    do {
      let iterator = manager.accelerometerUpdates().makeAsyncIterator()
      #expect(await eventually { host.device?.isRunning == true })
      withExtendedLifetime(iterator) {}
    }
    #expect(await eventually { host.device?.isRunning == false })
  }

  /// S80: two sequences at once, each with everything, and a handler beside them.
  @Test func twoSequencesAtOnceAreIndependent() async throws {
    let bench = BatchBench(gate: .manual) { $0.duration = 3 }
    let manager = bench.manager()
    let counts = Box(0)
    manager.startAccelerometerUpdates { batch, _ in counts.with { $0 += batch?.count ?? 0 } }
    let fast = manager.accelerometerUpdates().makeAsyncIterator()
    let slow = manager.deviceMotionUpdates().makeAsyncIterator()
    bench.host.play()
    await bench.clock.advance(by: .seconds(4))
    #expect(try await Self.total(fast) == 2400)
    var (iterator, motions) = (slow, 0)
    while let batch = try await iterator.next() { motions += batch.count }
    #expect(motions == 600 && counts.value == 2400)
    manager.stopAccelerometerUpdates()
  }

  private static func total(_ iterator: CMBatchedSensorManager.AccelerometerUpdates.Iterator) async throws -> Int {
    var (iterator, count) = (iterator, 0)
    while let batch = try await iterator.next() { count += batch.count }
    return count
  }

  /// S80: cancelling the task ends the loop, also while it waits.
  @Test func cancellationEndsTheLoop() async throws {
    let bench = BatchBench()
    let manager = bench.manager()
    let updates = manager.accelerometerUpdates()
    nonisolated(unsafe) let unsafeUpdates = updates
    let taken = Box(0)
    let task = Task {
      for try await _ in unsafeUpdates { taken.with { $0 += 1 } }
      return true
    }
    #expect(await eventually { bench.host.device?.isRunning == true })
    await bench.clock.advance(by: .milliseconds(1500))
    #expect(await eventually { taken.value == 1 })
    task.cancel()
    #expect(try await task.value)
    #expect(await eventually { bench.host.device?.isRunning == false })
  }

  /// D17: thrown at the first step; then the sequence is over.
  @Test func withoutAWorkoutTheSequenceThrows() async throws {
    var policy = HostPolicy()
    policy.hasActiveWorkout = false
    let manager = Self.manager(Self.host(duration: nil, policy))
    var iterator = manager.accelerometerUpdates().makeAsyncIterator()
    let code = await Self.code { _ = try await iterator.next() }
    #expect(code == CMErrorNotAuthorized.rawValue)
    #expect(try await iterator.next() == nil)
  }

  @Test func withoutASensorTheSequenceThrows() async throws {
    let manager = MotionHost().run { CMBatchedSensorManager() }
    let (first, second) = await (
      Self.code { for try await _ in manager.accelerometerUpdates() {} },
      Self.code { for try await _ in manager.deviceMotionUpdates() {} }
    )
    #expect(first == 109 && second == 109)
  }

  /// D19: what the source had said comes out before the error.
  @Test func aFailureIsThrownBehindTheLastBatch() async throws {
    let clock = VirtualClock()
    let source = ScriptedSource(rate: 100)
    let manager = MotionHost(device: source, clock: clock).run { CMBatchedSensorManager() }
    var iterator = manager.accelerometerUpdates().makeAsyncIterator()
    await clock.advance(by: .milliseconds(1500))
    source.record.withLock { $0.failure = SensorError(.disconnected, "It was pulled out.") }
    await clock.advance(by: .seconds(1))
    #expect(try await iterator.next()?.count == 100)
    #expect(try await iterator.next()?.count == 51)
    #expect(await Self.code { _ = try await iterator.next() } == 109)
    #expect(try await iterator.next() == nil)
  }

  private static func code(_ body: () async throws -> Void) async -> UInt32? {
    do {
      try await body()
      return nil
    } catch {
      return NSError.motionCode(error)
    }
  }
}
