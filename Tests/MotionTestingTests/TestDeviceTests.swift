// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import MotionMath
import MotionSensing
import MotionTesting
import SimulatedSources
import Testing

/// What an app's motion code looks like: it makes its own manager and knows nothing of the kit.
private final class Listener: Sendable {
  struct Record {
    var samples: [CMDeviceMotion] = []
    var errors: [any Error] = []
  }
  // A manager may be used from any thread, although Apple's class does not say so to the compiler.
  nonisolated(unsafe) let manager = CMMotionManager()
  private let record = Lock(Record())

  func start(to queue: OperationQueue = OperationQueue(), _ frame: CMAttitudeReferenceFrame = .xArbitraryZVertical) {
    manager.deviceMotionUpdateInterval = 0.01
    manager.startDeviceMotionUpdates(using: frame, to: queue) { [record] motion, error in
      record.withLock {
        if let motion { $0.samples.append(motion) }
        if let error { $0.errors.append(error) }
      }
    }
  }

  var samples: [CMDeviceMotion] { record.withLock { $0.samples } }
  var errors: [any Error] { record.withLock { $0.errors } }
}

@Suite struct TestDeviceTests {
  private static let script: MotionScript = [
    .rest(1), .tilt(degrees: 30, .right, for: 0.5), .turn(degrees: 90, .left, for: 1), .rest(1),
  ]

  @Test func deliveredAttitudesFollowTheTruthOfTheScript() async throws {
    try await withMotion(Self.script) { device in
      let listener = Listener()
      listener.start(.xMagneticNorthZVertical)
      try await device.playToEnd()
      let last = try #require(listener.samples.last)
      #expect(abs(last.attitude.roll * 180 / .pi - 30) < 1)
      // The top edge began north and is west now.
      #expect(abs(last.heading - 270) < 3)
      for sample in listener.samples {
        let truth = try #require(device.truth(at: sample)).specificForce * (-1 / 9.80665)
        // S4: the two parts add up to what an ideal accelerometer reads.
        #expect(abs(sample.gravity.x + sample.userAcceleration.x - truth.x) < 1e-9)
        #expect(abs(sample.gravity.z + sample.userAcceleration.z - truth.z) < 1e-9)
      }
    }
  }

  @Test func steppingByTenMillisecondsDeliversExactlyTheDueSample() async {
    await withMotion(Self.script) { device in
      let listener = Listener()
      listener.start()
      await device.waitUntilHandlersHaveSeenEverything()
      await device.advance(by: .seconds(1))
      for _ in 0..<50 {
        let before = listener.samples.count
        await device.advance(by: .milliseconds(10))
        #expect(listener.samples.count == before + 1)
      }
      #expect(device.elapsed == 1.5)
    }
  }

  @Test func theDeviceKnowsTheStepsThatItHasTaken() async throws {
    try await withMotion("rest 1 s, walk 30 s at 120 steps a minute") { device in
      #expect(device.stepCount == 0)
      let listener = Listener()
      listener.start()
      await device.advance(by: .seconds(11))
      #expect(device.stepCount == 20)
      try await device.playToEnd()
      #expect(device.stepCount == 60)
    }
    await withoutMotion { device in #expect(device.stepCount == 0) }
  }

  /// D44: the run's clock is the one of the delivered dates, with and without listeners.
  @Test func theDeviceTellsTheDateOfTheRun() async throws {
    try await withMotion("rest 2 s, walk 60 s") { device in
      let begin = device.now
      #expect(abs(begin.timeIntervalSinceNow) < 1)
      await device.advance(by: .seconds(3600))
      #expect(abs(device.now.timeIntervalSince(begin) - 3600) < 1e-6)
      let pedometer = CMPedometer()
      let ends = Lock<[Date]>([])
      pedometer.startUpdates(from: Date()) { data, _ in if let data { ends.withLock { $0.append(data.endDate) } } }
      await device.advance(by: .seconds(62))
      #expect(abs(device.now.timeIntervalSince(begin) - 3662) < 1e-6)
      let last = try #require(ends.withLock { $0.last })
      #expect((0..<4).contains(device.now.timeIntervalSince(last)))
    }
  }

  /// S73, S74: what was recorded a moment ago is there; nothing waits for a block to be full.
  @Test func twoSecondsOfRecordingAreThereAtOnce() async throws {
    try await withMotion("rest 10 s") { device in
      let recorder = CMSensorRecorder()
      let begin = device.now
      recorder.recordAccelerometer(forDuration: 2)
      for seconds in [1, 2] {
        await device.advance(by: .seconds(1))
        let list = try #require(recorder.accelerometerData(from: begin - 1, to: device.now))
        var (samples, count) = (NSFastEnumerationIterator(list), 0)
        while samples.next() != nil { count += 1 }
        #expect(abs(count - seconds * 50) <= 1, "\(count) after \(seconds) s")
      }
    }
  }

  @Test func theSameScriptGivesTheSameNumbers() async {
    func timesAndRolls() async -> [[Double]] {
      await withMotion(Self.script, MotionSetup { $0.errors = .phone }) { device in
        let listener = Listener()
        listener.start()
        await device.advance(by: .seconds(2))
        return listener.samples.map { [$0.timestamp, $0.attitude.roll, $0.userAcceleration.x] }
      }
    }
    let (first, second) = (await timesAndRolls(), await timesAndRolls())
    #expect(first.count > 150)
    #expect(first == second)
  }

  @Test func devicesSideBySideDoNotDisturbEachOther() async throws {
    let rolls = try await withThrowingTaskGroup(of: (Double, Double).self) { group in
      for degrees in stride(from: -40.0, through: 40, by: 20) {
        group.addTask {
          try await withMotion([.rest(0.5), .tilt(degrees: degrees, .right, for: 0.5), .rest(1)]) { device in
            let listener = Listener()
            listener.start()
            try await device.playToEnd()
            return (degrees, (listener.samples.last?.attitude.roll ?? .nan) * 180 / .pi)
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(rolls.count == 5)
    for (asked, delivered) in rolls { #expect(abs(asked - delivered) < 1) }
  }

  @Test func aHandlerOnTheMainQueueIsWaitedFor() async throws {
    try await withMotion(Self.script) { device in
      let listener = Listener()
      listener.start(to: .main)
      try await device.playToEnd()
      #expect(listener.samples.count > 300)
    }
  }

  @Test @MainActor func aTestOnTheMainActorCanWaitForTheMainQueue() async throws {
    try await withMotion(Self.script) { device in
      let listener = Listener()
      listener.start(to: .main)
      try await device.advance(until: { listener.samples.count >= 20 }, within: .seconds(2))
      #expect(listener.samples.count == 20)
    }
  }

  @Test func whileDeniedNothingArrives() async throws {
    try await withMotion("rest 10 s") { device in
      let listener = Listener()
      listener.start()
      await device.advance(by: .seconds(1))
      await device.deny()
      #expect(CMMotionManager.authorizationStatus == .denied)
      let count = listener.samples.count
      await device.advance(by: .seconds(1))
      #expect(listener.samples.count == count)
      await device.allow()
      await device.advance(by: .seconds(1))
      #expect(listener.samples.count > count)
    }
  }

  /// S49, D22: a raw sensor that is denied from the beginning, by the policy alone.
  @Test func aRawSensorCanBeDenied() async throws {
    try await withMotion("rest 10 s", MotionSetup { $0.policy.authorization = .denied }) { device in
      #expect(CMMotionManager.authorizationStatus == .denied)
      let manager = CMMotionManager()
      manager.startAccelerometerUpdates()
      await device.advance(by: .seconds(1))
      #expect(manager.accelerometerData == nil)
      await device.allow()
      await device.advance(by: .seconds(1))
      #expect(CMMotionManager.authorizationStatus == .authorized && manager.accelerometerData != nil)
    }
  }

  @Test func whileSuspendedNothingArrivesAndServicesStayActive() async throws {
    try await withMotion("rest 10 s") { device in
      let listener = Listener()
      listener.start()
      await device.advance(by: .seconds(1))
      await device.suspend()
      let count = listener.samples.count
      await device.advance(by: .seconds(1))
      #expect(listener.samples.count == count)
      #expect(listener.manager.isDeviceMotionActive)
      await device.resume()
      await device.advance(by: .seconds(1))
      #expect(listener.samples.count > count)
    }
  }

  /// S65: the app is suspended, the device is not.
  @Test func stepsOfTheBackgroundAreCounted() async throws {
    try await withMotion("rest 1 s, walk 60 s, rest 10 s") { device in
      let (pedometer, start) = (CMPedometer(), device.now)
      let counts = Lock<[Int]>([])
      pedometer.startUpdates(from: start) { data, _ in counts.withLock { $0.append(data?.numberOfSteps.intValue ?? -1) }
      }
      await device.advance(by: .seconds(15))
      await device.suspend()
      let before = counts.withLock { $0 }
      await device.advance(by: .seconds(20))
      #expect(counts.withLock { $0 } == before)
      await device.resume()
      try await device.playToEnd()
      let answer = Lock<Int?>(nil)
      pedometer.queryPedometerData(from: start, to: device.now) { data, _ in
        answer.withLock { $0 = data?.numberOfSteps.intValue }
      }
      await device.advance(by: .zero)
      let steps = device.stepCount
      #expect(steps > 100 && abs((counts.withLock { $0.last } ?? 0) - steps) <= 4, "\(counts.withLock { $0 })")
      #expect(abs((answer.withLock { $0 } ?? 0) - steps) <= 4)
    }
  }

  @Test @MainActor func asynchronousCodeIsWaitedFor() async throws {
    try await withMotion("rest 1 s, shake 2 s") { device in
      let count = Lock(0)
      let task = Task {
        let manager = CMMotionManager()
        let motions = AsyncStream<Double> { continuation in
          manager.startDeviceMotionUpdates(to: OperationQueue()) { @Sendable motion, _ in
            if let motion { continuation.yield(motion.timestamp) }
            count.withLock { $0 += 1 }
          }
        }
        for await _ in motions {}
        manager.stopDeviceMotionUpdates()
      }
      try await device.playToEnd()
      #expect(count.withLock { $0 } > 250)
      task.cancel()
    }
  }

  @Test func anUnpluggedSensorIsToldOnceAndComesBack() async throws {
    try await withMotion("rest 10 s") { device in
      let listener = Listener()
      listener.start()
      await device.advance(by: .seconds(1))
      await device.unplug()
      #expect(listener.errors.count == 1)
      #expect(listener.manager.deviceMotion == nil)
      let count = listener.samples.count
      await device.advance(by: .seconds(2))
      #expect(listener.errors.count == 1)
      #expect(listener.samples.count == count)
      await device.replug()
      await device.advance(by: .seconds(2))
      #expect(listener.samples.count > count + 100)
    }
  }

  @Test func aMissingSensorIsUnavailable() async throws {
    try await withMotion("rest", MotionSetup { $0.hasMagnetometer = false }) { _ in
      #expect(!CMMotionManager().isMagnetometerAvailable)
      #expect(CMMotionManager().isDeviceMotionAvailable)
    }
    try await withMotion("rest", MotionSetup { $0.hasGyroscope = false }) { _ in
      #expect(!CMMotionManager().isDeviceMotionAvailable)
      #expect(CMMotionManager().isAccelerometerAvailable)
    }
    await withoutMotion { _ in #expect(!CMMotionManager().isAccelerometerAvailable) }
  }

  @Test func trueNorthIsThereWithALocation() async throws {
    try await withMotion("rest 3 s") { device in
      device.location = GeographicLocation(latitudeDegrees: 48.14, longitudeDegrees: 11.58, year: 2026.5)
      let listener = Listener()
      listener.start(.xTrueNorthZVertical)
      try await device.playToEnd()
      let declination = try #require(device.location?.declination) * 180 / .pi
      #expect(abs(try #require(listener.samples.last).heading - declination) < 1)
    }
  }

  @Test func playingWithoutAListenerSaysWhatIsMissing() async {
    await withMotion(Self.script) { device in
      let error = await #expect(throws: SensorError.self) { try await device.playToEnd() }
      #expect(error?.message.contains("Nothing listens") == true)
    }
  }

  @Test func aConditionThatNeverHoldsEndsWithASentence() async {
    await withMotion(Self.script) { device in
      let error = await #expect(throws: SensorError.self) {
        try await device.advance(until: { false }, within: .milliseconds(100))
      }
      #expect(error?.message.contains("did not become true") == true)
      #expect(device.elapsed == 0.1)
    }
  }

  @Test func aMistakeInTheScriptIsThrownBeforeTheTestRuns() async {
    await #expect(throws: SensorError.self) { try await withMotion("jump") { _ in Issue.record("It ran.") } }
    await #expect(throws: SensorError.self) {
      try await withMotion(recording: "no-such-file.csv") { _ in Issue.record("It ran.") }
    }
  }

  /// Through the registry: the kit does not know the product that reads recordings.
  @Test func aRecordingIsPlayed() async throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized.path
    try await withMotion(recording: root + "/Examples/MotionTestingExample/Fixtures/walk.csv") { device in
      let manager = CMMotionManager()
      manager.startAccelerometerUpdates()
      try await device.playToEnd()
      #expect(manager.accelerometerData != nil)
    }
  }

  @Test func aSourceOfOnesOwnPlaysToItsEnd() async throws {
    let samples = (1...50).map { number in
      SensorSample.accelerometer(
        AccelerometerSample(
          time: SensorInstant(nanoseconds: Int64(number) * 10_000_000), specificForce: .init(x: 0, y: 0, z: 9.80665)))
    }
    let device = TestDevice(source: ScriptedSource(samples))
    try await device.run {
      let (manager, count) = (CMMotionManager(), Lock(0))
      manager.startAccelerometerUpdates(to: OperationQueue()) { data, _ in
        if data != nil { count.withLock { $0 += 1 } }
      }
      try await device.playToEnd()
      #expect(count.withLock { $0 } == 50)
    }
  }

  @Test func outsideEveryDeviceThereAreNoSensors() async {
    await withMotion([.rest(1)]) { _ in }
    #expect(!CMMotionManager().isAccelerometerAvailable)
  }
}
