// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import Testing

/// S31–S37, S43, D4, D27: start, stop, and what is there in between.
@Suite struct StartStopTests {
  /// S31, D27, D43: no crash, no data, not active; each handler gets one error.
  @Test func startingWithoutSensorsIsAnsweredOnce() {
    let manager = Bench.managerWithoutSensors()
    let queue = serialQueue()
    manager.startAccelerometerUpdates()
    let codes = Box<[UInt32?]>([])
    manager.startGyroUpdates(to: queue) { data, error in codes.with { $0.append(NSError.motionCode(error)) } }
    manager.startMagnetometerUpdates()
    manager.startDeviceMotionUpdates(to: queue) { data, error in codes.with { $0.append(NSError.motionCode(error)) } }
    #expect(!manager.isAccelerometerActive && !manager.isGyroActive)
    #expect(!manager.isMagnetometerActive && !manager.isDeviceMotionActive)
    queue.waitUntilAllOperationsAreFinished()
    #expect(codes.value == [109, 109])
  }

  /// D43: the sentence names what is missing, not the service alone.
  @Test func aSourceWithoutAGyroscopeIsNamed() {
    let manager = Bench(ScriptedSource(kinds: .accelerometer)).manager()
    let queue = serialQueue()
    let sentence = Box("")
    manager.startDeviceMotionUpdates(to: queue) { _, error in sentence.with { $0 = error?.localizedDescription ?? "" } }
    queue.waitUntilAllOperationsAreFinished()
    #expect(sentence.value == "The scripted device has no gyroscope, which this service needs.")
  }

  /// S32, S33: availability by the sensors that are there.
  @Test(arguments: [
    (SensorKinds.accelerometer, [true, false, false, false]), (.gyroscope, [false, true, false, false]),
    (.magnetometer, [false, false, true, false]), (.inertial, [true, true, false, true]),
    (.motion, [false, false, false, true]),
  ])
  func availabilityFollowsTheSensors(_ kinds: SensorKinds, _ expected: [Bool]) {
    let manager = Bench(ScriptedSource(kinds: kinds)).manager()
    let available = [
      manager.isAccelerometerAvailable, manager.isGyroAvailable, manager.isMagnetometerAvailable,
      manager.isDeviceMotionAvailable,
    ]
    #expect(available == expected)
  }

  /// S34, S35, D4: nil before the first sample, then the latest, nil after stop.
  @Test func pullModeKeepsTheLatestSampleUntilStop() async {
    let bench = Bench()
    let manager = bench.manager()
    #expect(manager.accelerometerData == nil)
    manager.startAccelerometerUpdates()
    #expect(manager.isAccelerometerActive)
    await bench.clock.advance(by: .seconds(1))
    #expect(manager.accelerometerData?.timestamp == 1)
    #expect(manager.accelerometerData?.acceleration.z == -1)
    #expect(manager.accelerometerData !== manager.accelerometerData)
    manager.stopAccelerometerUpdates()
    #expect(!manager.isAccelerometerActive && manager.accelerometerData == nil)
    await bench.clock.advance(by: .seconds(1))
    #expect(manager.accelerometerData == nil)
  }

  /// G13: each read of a pose gives a new object, so recentring one in place does not change another.
  @Test func noReaderSeesTheChangeOfAnotherOne() async throws {
    let bench = Bench()
    let manager = bench.manager()
    manager.startDeviceMotionUpdates()
    await bench.clock.advance(by: .seconds(1))
    let reference = try #require(manager.deviceMotion?.attitude)
    let before = reference.quaternion
    manager.deviceMotion?.attitude.multiply(byInverseOf: reference)
    let own = try #require(manager.deviceMotion?.attitude)
    own.multiply(byInverseOf: CMAttitude(CMQuaternion(x: 0, y: 0, z: 1, w: 0)))
    for attitude in [reference, try #require(manager.deviceMotion?.attitude)] {
      let now = attitude.quaternion
      #expect((now.x, now.y, now.z) == (before.x, before.y, before.z) && now.w == before.w)
    }
  }

  /// S33, G5: one flag and one latest sample per service.
  @Test func servicesAreIndependent() async {
    let bench = Bench()
    let manager = bench.manager()
    manager.startDeviceMotionUpdates()
    await bench.clock.advance(by: .milliseconds(100))
    #expect(manager.isDeviceMotionActive && manager.deviceMotion != nil)
    #expect(!manager.isAccelerometerActive && manager.accelerometerData == nil)
    #expect(!manager.isGyroActive && manager.gyroData == nil)
    manager.startGyroUpdates()
    manager.stopDeviceMotionUpdates()
    await bench.clock.advance(by: .milliseconds(100))
    #expect(manager.isGyroActive && manager.gyroData != nil && manager.deviceMotion == nil)
    manager.stopGyroUpdates()
  }

  /// S34, S43: once per sample, in order, (sample, nil); the property has the same numbers but is another object.
  @Test func pushModeCallsOncePerSampleInOrder() async {
    let bench = Bench()
    let manager = bench.manager()
    let received = Box<[(CMDeviceMotion?, Bool)]>([])
    manager.startDeviceMotionUpdates(to: serialQueue()) { motion, error in
      received.with { $0.append((motion, error == nil)) }
    }
    await bench.clock.advance(by: .seconds(1))
    let times = received.value.compactMap { $0.0?.timestamp }
    #expect(times == (0...100).map { Double($0) / 100 })
    #expect(!received.value.contains { !$0.1 })
    #expect(manager.deviceMotion?.timestamp == 1)
    #expect(manager.deviceMotion !== received.value.last?.0)
    manager.stopDeviceMotionUpdates()
  }

  /// Each of the four services delivers its own numbers.
  @Test func everyServiceDeliversItsOwnSamples() async {
    let source = ScriptedSource(kinds: [.accelerometer, .gyroscope, .magnetometer]) { _, time in
      [
        .inertial(
          InertialSample(
            time: time, angularVelocity: Vector3(x: 1, y: 2, z: 3),
            specificForce: Vector3(x: 0, y: standardGravity, z: 0))),
        .magnetometer(MagnetometerSample(time: time, reading: Vector3(x: 4, y: 5, z: 6), unit: .microtesla)),
      ]
    }
    let bench = Bench(source)
    let manager = bench.manager()
    manager.startAccelerometerUpdates()
    manager.startGyroUpdates()
    manager.startMagnetometerUpdates()
    manager.startDeviceMotionUpdates()
    await bench.clock.advance(by: .milliseconds(50))
    #expect(manager.accelerometerData?.acceleration.y == -1)
    #expect(manager.gyroData?.rotationRate.z == 3)
    #expect(manager.magnetometerData?.magneticField.y == 5)
    #expect(manager.deviceMotion?.gravity.y ?? 0 < -0.9)
    #expect(bench.runs == 1)
    manager.stopAccelerometerUpdates()
    manager.stopGyroUpdates()
    manager.stopMagnetometerUpdates()
    #expect(bench.host.device?.isRunning == true)
    manager.stopDeviceMotionUpdates()
    #expect(await eventually { bench.host.device?.isRunning == false })
  }

  /// The last stop really closes the source, and the next start opens it again and delivers new samples.
  @Test func lastStopClosesTheSourceAndTheNextStartOpensItAgain() async throws {
    let bench = Bench()
    let hub = try #require(bench.host.device)
    let first = bench.manager()
    let second = bench.manager()
    first.startDeviceMotionUpdates()
    second.startGyroUpdates()
    await bench.clock.advance(by: .milliseconds(100))
    first.stopDeviceMotionUpdates()
    #expect(hub.isRunning)
    second.stopGyroUpdates()
    #expect(await eventually { !hub.isRunning })
    await bench.clock.advance(by: .seconds(1))
    first.startDeviceMotionUpdates()
    await bench.clock.advance(by: .milliseconds(100))
    #expect(hub.runCount == 2 && bench.runs == 2)
    #expect(first.deviceMotion?.timestamp == 1.2)
    first.stopDeviceMotionUpdates()
  }

  /// A start that comes while the source still closes waits for it: devices are exclusive.
  @Test func theSourceNeverRunsTwiceAtOnce() async {
    let source = ScriptedSource(rate: 1000, pacing: .live)
    let host = MotionHost(device: source)
    let manager = Self.manager(on: host)
    for round in 0..<200 {
      manager.startDeviceMotionUpdates(to: serialQueue()) { _, _ in }
      if round % 5 == 0 { _ = await eventually(within: 0.002) { manager.deviceMotion != nil } }
      manager.stopDeviceMotionUpdates()
    }
    manager.startDeviceMotionUpdates()
    #expect(await eventually { manager.deviceMotion != nil })
    manager.stopDeviceMotionUpdates()
    #expect(await eventually { host.device?.isRunning == false })
    #expect(source.record.withLock { $0.mostOpen } == 1)
  }

  static func manager(on host: MotionHost) -> CMMotionManager { host.run { CMMotionManager() } }
}

/// S37, D5: a second start replaces queue, handler, interval and frame of a service that runs.
@Suite struct ReplacementTests {
  @Test func secondStartReplacesHandlerAndIntervalWithoutLossOrRestart() async {
    let bench = Bench()
    let manager = bench.manager()
    let first = Box<[Double]>([])
    let second = Box<[Double]>([])
    manager.startDeviceMotionUpdates(to: serialQueue()) { motion, _ in first.with { $0.append(motion?.timestamp ?? -1) }
    }
    await bench.clock.advance(by: .milliseconds(500))
    manager.startDeviceMotionUpdates(to: serialQueue()) { motion, _ in
      second.with { $0.append(motion?.timestamp ?? -1) }
    }
    #expect(manager.isDeviceMotionActive && manager.deviceMotion?.timestamp == 0.5)
    await bench.clock.advance(by: .milliseconds(500))
    #expect(first.value == (0...50).map { Double($0) / 100 })
    #expect(second.value == (51...100).map { Double($0) / 100 })
    manager.deviceMotionUpdateInterval = 0.05
    manager.startDeviceMotionUpdates(to: serialQueue()) { motion, _ in first.with { $0.append(motion?.timestamp ?? -1) }
    }
    await bench.clock.advance(by: .milliseconds(500))
    #expect(first.value.dropFirst(51) == [1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.35, 1.4, 1.45, 1.5])
    #expect(bench.runs == 1)
    manager.stopDeviceMotionUpdates()
  }

  @Test func pushBecomesPullAndBack() async {
    let bench = Bench()
    let manager = bench.manager()
    let count = Box(0)
    manager.startGyroUpdates(to: serialQueue()) { _, _ in count.with { $0 += 1 } }
    await bench.clock.advance(by: .milliseconds(100))
    manager.startGyroUpdates()
    await bench.clock.advance(by: .milliseconds(100))
    #expect(count.value == 11 && manager.gyroData?.timestamp == 0.2)
    manager.startGyroUpdates(to: serialQueue()) { _, _ in count.with { $0 += 1 } }
    await bench.clock.advance(by: .milliseconds(100))
    #expect(count.value == 21 && bench.runs == 1)
    manager.stopGyroUpdates()
  }

  /// The first handler is released by the second start: nothing of the client stays behind.
  @Test func replacedAndStoppedHandlersAreReleased() async {
    final class Captured {}
    let bench = Bench()
    let manager = bench.manager()
    weak var first: Captured?
    weak var second: Captured?
    func start(_ captured: Captured) {
      manager.startDeviceMotionUpdates(to: serialQueue()) { _, _ in _ = captured }
    }
    do {
      let captured = Captured()
      first = captured
      start(captured)
    }
    await bench.clock.advance(by: .milliseconds(50))
    do {
      let captured = Captured()
      second = captured
      start(captured)
    }
    await bench.clock.advance(by: .milliseconds(50))
    #expect(await eventually { first == nil } && second != nil)
    manager.stopDeviceMotionUpdates()
    await bench.clock.settle()
    #expect(await eventually { second == nil })
  }

  /// A handler on a queue that never runs again must not hold the service up after it has been replaced.
  @Test func replacingAHandlerOnADeadQueueFreesTheSource() async {
    let source = ScriptedSource(count: 1000)
    let host = MotionHost(device: source, clock: FreeRunningClock())
    let manager = StartStopTests.manager(on: host)
    let dead = serialQueue()
    dead.isSuspended = true
    manager.startGyroUpdates(to: dead) { _, _ in }
    #expect(await eventually { dead.operationCount == 64 })
    let times = Box<[Double]>([])
    manager.startGyroUpdates(to: serialQueue()) { data, _ in times.with { $0.append(data?.timestamp ?? -1) } }
    #expect(await eventually { times.value.count == 1000 - 64 }, "\(times.value.count)")
    manager.stopGyroUpdates()
    dead.cancelAllOperations()
    dead.isSuspended = false
  }

  /// A manager that outlives one scope and is started in another is served by the sensors of the other.
  @Test func startInAnotherScopeMovesTheServiceToItsSensors() async {
    let first = Bench()
    let second = Bench()
    let manager = first.manager()
    manager.startGyroUpdates()
    await first.clock.advance(by: .milliseconds(50))
    #expect(manager.gyroData?.timestamp == 0.05)
    func startInSecond() { second.host.run { manager.startGyroUpdates() } }
    startInSecond()
    #expect(manager.isGyroActive)
    await second.clock.advance(by: .milliseconds(200))
    #expect(manager.gyroData?.timestamp == 0.2)
    #expect(await eventually { first.host.device?.isRunning == false })
    manager.stopGyroUpdates()
    #expect(await eventually { second.host.device?.isRunning == false })
  }
}
