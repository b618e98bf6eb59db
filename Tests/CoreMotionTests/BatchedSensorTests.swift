// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import HeadphoneSimulation
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

/// A host on virtual time with a simulated device at 800 Hz, or what a test makes of it.
struct BatchBench {
  let clock = VirtualClock()
  let source: SimulatedSource
  let host: MotionHost

  /// With the manual gate the source starts at `host.play()`, so that several streams hear its very first sample.
  init(
    policy: HostPolicy = HostPolicy(), trajectory: any Trajectory = Shake(), gate: MotionHub.Gate = .open,
    _ change: (inout SimulatedSource.Configuration) -> Void = { _ in }
  ) {
    var configuration = SimulatedSource.Configuration()
    configuration.inertial = .together(.init(rate: 800))
    (configuration.magnetometer, configuration.pressure, configuration.temperature) = (nil, nil, nil)
    change(&configuration)
    source = SimulatedSource(trajectory: trajectory, configuration: configuration, name: "batches")
    host = MotionHost(device: source, clock: clock, gate: gate, policy: policy)
  }

  func manager() -> CMBatchedSensorManager { host.run { CMBatchedSensorManager() } }
}

/// S77–S79, D17: batches by handler and by property.
@Suite struct BatchedSensorTests {
  /// S78: the rates are the source's, reported and not asked for.
  @Test(arguments: [(800.0, 800, 200), (100, 100, 100), (801.92, 802, 200), (1600, 1600, 200), (500, 500, 167)])
  func frequenciesAreTheSources(_ rate: Double, _ accelerometer: Int, _ motion: Int) {
    let bench = BatchBench { $0.inertial = .together(.init(rate: rate)) }
    let manager = bench.manager()
    #expect(manager.accelerometerDataFrequency == accelerometer && manager.deviceMotionDataFrequency == motion)
    bench.host.run {
      #expect(CMBatchedSensorManager.isAccelerometerSupported && CMBatchedSensorManager.isDeviceMotionSupported)
    }
  }

  /// S31, S78, G35, D43: false and zero where there is none; a start is answered with one error.
  @Test func withoutSensorsNothingIsSupported() async {
    let clock = VirtualClock()
    let host = MotionHost(clock: clock)
    let codes = Box<[UInt32?]>([])
    host.run {
      #expect(!CMBatchedSensorManager.isAccelerometerSupported && !CMBatchedSensorManager.isDeviceMotionSupported)
      let manager = CMBatchedSensorManager()
      manager.startAccelerometerUpdates { _, error in codes.with { $0.append(NSError.motionCode(error)) } }
      manager.startDeviceMotionUpdates()
      #expect(!manager.isAccelerometerActive && !manager.isDeviceMotionActive)
      #expect(manager.accelerometerDataFrequency == 0 && manager.deviceMotionDataFrequency == 0)
    }
    let halfBench = BatchBench { $0.inertial = .apart(accelerometer: .init(rate: 800), gyroscope: nil) }
    halfBench.host.run {
      #expect(CMBatchedSensorManager.isAccelerometerSupported && !CMBatchedSensorManager.isDeviceMotionSupported)
      #expect(CMBatchedSensorManager().deviceMotionDataFrequency == 0)
    }
    await clock.settle()
    #expect(codes.value == [109])
  }

  /// S77: one batch a second, contiguous; sample 4 i of one belongs to state i of the other.
  @Test func batchesAreContiguousAndAligned() async {
    let bench = BatchBench(gate: .manual)
    let manager = bench.manager()
    let fast = Box<[[Double]]>([])
    let slow = Box<[[Double]]>([])
    manager.startAccelerometerUpdates { batch, error in
      #expect(error == nil && OperationQueue.current !== OperationQueue.main)
      fast.with { $0.append((batch ?? []).map(\.timestamp)) }
    }
    manager.startDeviceMotionUpdates { batch, error in
      #expect(error == nil)
      slow.with { $0.append((batch ?? []).map(\.timestamp)) }
    }
    #expect(manager.isAccelerometerActive && manager.isDeviceMotionActive && manager.accelerometerBatch == nil)
    bench.host.play()
    await bench.clock.advance(by: .milliseconds(5100))
    #expect(fast.value.map(\.count) == [800, 800, 800, 800, 800])
    #expect(slow.value.map(\.count) == [200, 200, 200, 200, 200])
    let expected: [Double] = (0..<4000).map { Double($0) / 800 }
    #expect(fast.value.flatMap(\.self) == expected)
    for (fast, slow) in zip(fast.value, slow.value) {
      #expect(slow.indices.allSatisfy { slow[$0] == fast[4 * $0] })
    }
    // The latest batch, by property; objects of its own at each reading.
    #expect(manager.accelerometerBatch?.first?.timestamp == 4 && manager.deviceMotionBatch?.count == 200)
    #expect(manager.deviceMotionBatch?.first !== manager.deviceMotionBatch?.first)
    manager.stopAccelerometerUpdates()
    manager.stopDeviceMotionUpdates()
    #expect(manager.accelerometerBatch == nil && manager.deviceMotionBatch == nil && !manager.isDeviceMotionActive)
    await bench.clock.advance(by: .seconds(2))
    #expect(fast.value.count == 5 && bench.host.device?.isRunning == false)
  }

  /// Ten minutes of an accelerometer at 800 Hz and a gyroscope at 200 Hz, and one minute of both at 800 Hz: nothing
  /// lost, repeated or cut wrong. At full speed, so that the source waits for the handlers all the time.
  @Test(arguments: [(600.0, 200.0), (60, 800)]) func longRunsLoseNothing(_ seconds: Double, _ gyroscope: Double) async {
    var configuration = SimulatedSource.Configuration()
    configuration.inertial = .apart(accelerometer: .init(rate: 800), gyroscope: .init(rate: gyroscope))
    configuration.duration = seconds
    let source = SimulatedSource(trajectory: Rest(), configuration: configuration, name: "batches")
    let host = MotionHost(device: source, clock: FreeRunningClock(), gate: .manual)
    let manager = host.run { CMBatchedSensorManager() }
    struct Tally {
      var count = 0
      var batches = 0
      var wrong = 0
      /// Seconds between a batch's first sample and the whole second that it should begin at, at most.
      var cutError = 0.0
      mutating func take(_ times: [Double], rate: Double) {
        if let first = times.first { cutError = max(cutError, abs(first - Double(batches))) }
        batches += 1
        for time in times {
          if time != Double(count) / rate { wrong += 1 }
          count += 1
        }
      }
    }
    let (fast, slow) = (Box(Tally()), Box(Tally()))
    manager.startAccelerometerUpdates { batch, _ in
      let times = (batch ?? []).map(\.timestamp)
      fast.with { $0.take(times, rate: 800) }
    }
    manager.startDeviceMotionUpdates { batch, _ in
      let times = (batch ?? []).map(\.timestamp)
      slow.with { $0.take(times, rate: 200) }
    }
    host.play()
    let whole = Int(seconds)
    #expect(await eventually(within: 120) { fast.value.count == 800 * whole && slow.value.count == 200 * whole })
    #expect(fast.value.batches == whole && fast.value.wrong == 0)
    #expect(slow.value.batches == whole && slow.value.wrong == 0)
    #expect(fast.value.cutError < 1 / 800.0 && slow.value.cutError < 1 / 200.0)
    manager.stopAccelerometerUpdates()
    manager.stopDeviceMotionUpdates()
  }

  /// Fused from every sample: the attitude in the 200 Hz batch is the one that 800 Hz delivery gives.
  @Test func deviceMotionIsFusedFromEverySample() async {
    let bench = BatchBench(gate: .manual)
    let all = bench.host.run { CMMotionManager() }
    all.deviceMotionUpdateInterval = 0
    let every = Box<[Double: CMQuaternion]>([:])
    all.startDeviceMotionUpdates(to: serialQueue()) { motion, _ in
      if let motion { every.with { $0[motion.timestamp] = motion.attitude.quaternion } }
    }
    let manager = bench.manager()
    let batched = Box<[(Double, CMQuaternion)]>([])
    manager.startDeviceMotionUpdates { batch, _ in
      batched.with { $0 += (batch ?? []).map { ($0.timestamp, $0.attitude.quaternion) } }
    }
    bench.host.play()
    await bench.clock.advance(by: .milliseconds(2200))
    all.stopDeviceMotionUpdates()
    manager.stopDeviceMotionUpdates()
    #expect(batched.value.count == 400)
    for (time, attitude) in batched.value {
      let other = every.value[time]
      #expect(other?.w == attitude.w && other?.x == attitude.x && other?.z == attitude.z)
    }
  }

  /// An end gives what is left, however short.
  @Test func theEndOfARecordingGivesTheRest() async {
    let bench = BatchBench(gate: .manual) { $0.duration = 2.5 }
    let manager = bench.manager()
    let counts = Box<[Int]>([])
    let slow = Box<[Int]>([])
    manager.startAccelerometerUpdates { batch, _ in counts.with { $0.append(batch?.count ?? -1) } }
    manager.startDeviceMotionUpdates { batch, _ in slow.with { $0.append(batch?.count ?? -1) } }
    bench.host.play()
    await bench.clock.advance(by: .seconds(5))
    #expect(counts.value == [800, 800, 400] && slow.value == [200, 200, 100])
    // D19: the service stays active and its last batch readable.
    #expect(manager.isAccelerometerActive && manager.accelerometerBatch?.count == 400)
    manager.stopAccelerometerUpdates()
    manager.stopDeviceMotionUpdates()
  }

  /// D17: one CMErrorNotAuthorized and no data.
  @Test func withoutAWorkoutAStartGivesOneError() async {
    var policy = HostPolicy()
    policy.hasActiveWorkout = false
    let bench = BatchBench(policy: policy)
    let manager = bench.manager()
    let calls = Box<[UInt32?]>([])
    manager.startAccelerometerUpdates { batch, error in
      #expect(batch == nil)
      calls.with { $0.append(NSError.motionCode(error)) }
    }
    manager.startDeviceMotionUpdates()
    await bench.clock.advance(by: .seconds(3))
    #expect(calls.value == [111] && !manager.isAccelerometerActive && bench.runs == 0)
    #expect(manager.deviceMotionBatch == nil)
  }

  /// D17: a workout that ends while a service runs: one error, then nothing until there is another.
  @Test func aWorkoutThatEndsIsToldOnce() async {
    let bench = BatchBench()
    let manager = bench.manager()
    let words = Box<[String]>([])
    manager.startAccelerometerUpdates { batch, error in
      words.with { $0.append(batch.map { "\($0.count)" } ?? "\(NSError.motionCode(error) ?? 0)") }
    }
    await bench.clock.advance(by: .milliseconds(1500))
    bench.host.policy.hasActiveWorkout = false
    await bench.clock.advance(by: .seconds(3))
    #expect(manager.accelerometerBatch == nil)
    bench.host.policy.hasActiveWorkout = true
    await bench.clock.advance(by: .seconds(2))
    #expect(words.value == ["800", "111", "800", "800"])
    manager.stopAccelerometerUpdates()
  }

  /// D22, D43: one error and no data.
  @Test func deniedMotionIsAnsweredAndBringsNothing() async {
    var policy = HostPolicy()
    policy.authorization = .denied
    let bench = BatchBench(policy: policy)
    #expect(bench.host.run { CMBatchedSensorManager.authorizationStatus } == .denied)
    let manager = bench.manager()
    let codes = Box<[UInt32?]>([])
    manager.startAccelerometerUpdates { _, error in codes.with { $0.append(NSError.motionCode(error)) } }
    await bench.clock.advance(by: .seconds(2))
    #expect(codes.value == [111] && bench.runs == 0)
    manager.stopAccelerometerUpdates()
  }

  /// D5: a second start loses nothing of the second that has begun and repeats nothing.
  @Test func aSecondStartLosesNothing() async {
    let bench = BatchBench()
    let manager = bench.manager()
    let times = Box<[Double]>([])
    manager.startAccelerometerUpdates { batch, _ in times.with { $0 += (batch ?? []).map(\.timestamp) } }
    await bench.clock.advance(by: .milliseconds(1500))
    let other = Box(0)
    manager.startAccelerometerUpdates { batch, _ in
      other.with { $0 += 1 }
      times.with { $0 += (batch ?? []).map(\.timestamp) }
    }
    await bench.clock.advance(by: .milliseconds(1600))
    #expect(times.value == (0..<2400).map { Double($0) / 800 } && other.value == 2)
    manager.stopAccelerometerUpdates()
  }

  /// D19: one error per failure; what was held comes with the next batch.
  @Test func aFailureIsToldOnceAndNothingHeldIsLost() async {
    let clock = VirtualClock()
    let source = ScriptedSource(rate: 100)
    let manager = MotionHost(device: source, clock: clock).run { CMBatchedSensorManager() }
    let times = Box<[Double]>([])
    let codes = Box<[UInt32?]>([])
    manager.startAccelerometerUpdates { batch, error in
      if error != nil { codes.with { $0.append(NSError.motionCode(error)) } }
      times.with { $0 += (batch ?? []).map(\.timestamp) }
    }
    await clock.advance(by: .milliseconds(1500))
    source.record.withLock { $0.failure = SensorError(.disconnected, "It was pulled out.") }
    await clock.advance(by: .seconds(2))
    #expect(codes.value == [109] && manager.accelerometerBatch == nil && manager.isAccelerometerActive)
    source.record.withLock { $0.failure = nil }
    await clock.advance(by: .seconds(3))
    #expect(codes.value == [109])
    #expect(Array(times.value.prefix(151)) == (0..<151).map { Double($0) / 100 })
    #expect(times.value == times.value.sorted() && (times.value.last ?? 0) > 4.9)
    manager.stopAccelerometerUpdates()
  }

  /// A sensor that falls silent beside others: its batch is cut within 1.5 s of its border.
  @Test func aSilentSensorsBatchIsNotHeldForEver() async {
    let bench = BatchBench {
      $0.faults = [Fault(.gap(duration: 10), at: 1.5, kinds: .accelerometer)]
    }
    let manager = bench.manager()
    let counts = Box<[Int]>([])
    manager.startAccelerometerUpdates { batch, _ in counts.with { $0.append(batch?.count ?? -1) } }
    manager.startDeviceMotionUpdates()
    await bench.clock.advance(by: .milliseconds(3500))
    #expect(counts.value == [800, 400])
    manager.stopAccelerometerUpdates()
    manager.stopDeviceMotionUpdates()
  }

  /// A recording waits while four batches are unfinished, and nothing is lost.
  @Test func aRecordingWaitsForASlowHandler() async {
    let count = 20_000
    let host = MotionHost(device: ScriptedSource(count: Int64(count)), clock: FreeRunningClock())
    let manager = host.run { CMBatchedSensorManager() }
    let gate = DispatchSemaphore(value: 0)
    let times = Box<[Double]>([])
    let furthest = Box(0)
    manager.startAccelerometerUpdates { batch, _ in
      let finished = times.value.count
      if finished == 0 { gate.wait() }
      let ahead = (host.device?.statistics.accelerometer.delivered ?? 0) - finished
      furthest.with { $0 = max($0, ahead) }
      times.with { $0 += (batch ?? []).map(\.timestamp) }
    }
    #expect(await eventually { (host.device?.statistics.accelerometer.delivered ?? 0) > 400 })
    gate.signal()
    #expect(await eventually { times.value.count == count })
    #expect(times.value == (0..<count).map { Double($0) / 100 })
    #expect(furthest.value <= 501 && (host.device?.stalls ?? 0) > 0)
    manager.stopAccelerometerUpdates()
  }

  /// Motion that a source has fused itself comes in batches too, its numbers unchanged.
  @Test func motionThatCameFusedIsBatched() async {
    let clock = VirtualClock()
    let host = MotionHost(device: SimulatedHeadphones(), clock: clock)
    let manager = host.run { CMBatchedSensorManager() }
    #expect(manager.deviceMotionDataFrequency == 50 && manager.accelerometerDataFrequency == 0)
    let counts = Box<[Int]>([])
    manager.startDeviceMotionUpdates { batch, _ in counts.with { $0.append(batch?.count ?? -1) } }
    await clock.advance(by: .milliseconds(2100))
    #expect(counts.value == [50, 50])
    manager.stopDeviceMotionUpdates()
  }

  /// S46.
  @Test func aDroppedManagerEndsItsUpdates() async {
    let bench = BatchBench()
    do {
      let manager = bench.manager()
      manager.startAccelerometerUpdates { _, _ in }
      manager.startDeviceMotionUpdates()
      await bench.clock.advance(by: .milliseconds(100))
    }
    #expect(await eventually { bench.host.device?.isRunning == false })
  }
}

extension BatchBench {
  var runs: Int { host.device?.runCount ?? -1 }
}
