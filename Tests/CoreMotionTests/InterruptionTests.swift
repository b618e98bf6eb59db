// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import Testing

/// D19, D22, S48, S49: sources that end, leave or refuse; policies that deny; programs in the background.
@Suite struct InterruptionTests {
  /// D19: the service stays active, the last sample stays, nothing more arrives, no error.
  @Test func endOfAReplayKeepsTheLastSample() async {
    let bench = Bench(ScriptedSource(count: 20))
    let manager = bench.manager()
    let calls = Box(0)
    let errors = Box(0)
    manager.startDeviceMotionUpdates(to: serialQueue()) { _, error in
      calls.with { $0 += 1 }
      if error != nil { errors.with { $0 += 1 } }
    }
    await bench.clock.advance(by: .seconds(2))
    #expect(calls.value == 20 && errors.value == 0)
    #expect(manager.isDeviceMotionActive && manager.deviceMotion?.timestamp == 0.19)
    #expect(manager.isDeviceMotionAvailable)
    #expect(bench.host.device?.hasEnded == true && bench.runs == 1)
    manager.stopDeviceMotionUpdates()
    #expect(manager.deviceMotion == nil)
  }

  /// D19: one CMErrorNotAvailable to each handler, nil, unavailable; then samples come by themselves.
  @Test func unpluggingIsToldOnceToEachHandlerAndHeals() async {
    let bench = Bench()
    let manager = bench.manager()
    let codes = Box<[String]>([])
    let times = Box<[Double]>([])
    manager.startGyroUpdates(to: serialQueue()) { data, error in
      if let code = NSError.motionCode(error) { codes.with { $0.append("gyroscope \(code) \(data == nil)") } }
      if let data { times.with { $0.append(data.timestamp) } }
    }
    manager.startDeviceMotionUpdates(to: serialQueue()) { _, error in
      if let code = NSError.motionCode(error) { codes.with { $0.append("motion \(code) true") } }
    }
    manager.startAccelerometerUpdates()
    await bench.clock.advance(by: .seconds(1))
    #expect(manager.accelerometerData != nil && codes.value == [])
    bench.source.record.withLock { $0.failure = SensorError(.disconnected, "It was pulled out.") }
    await bench.clock.advance(by: .seconds(3))
    #expect(codes.value.sorted() == ["gyroscope 109 true", "motion 109 true"])
    #expect(!manager.isGyroAvailable && !manager.isDeviceMotionAvailable && !manager.isAccelerometerAvailable)
    #expect(manager.gyroData == nil && manager.deviceMotion == nil && manager.accelerometerData == nil)
    #expect(manager.isGyroActive && manager.isAccelerometerActive)
    #expect(bench.host.run { CMMotionManager.availableAttitudeReferenceFrames() } == [])
    bench.source.record.withLock { $0.failure = nil }
    let before = times.value.count
    await bench.clock.advance(by: .seconds(2))
    #expect(times.value.count > before + 100 && manager.isGyroAvailable && manager.accelerometerData != nil)
    #expect(times.value == times.value.sorted() && Set(times.value).count == times.value.count)
    #expect(codes.value.count == 2)
    // A second failure is another failure.
    bench.source.record.withLock { $0.failure = SensorError(.disconnected, "It was pulled out again.") }
    await bench.clock.advance(by: .seconds(2))
    #expect(codes.value.count == 4)
    manager.stopGyroUpdates()
    manager.stopDeviceMotionUpdates()
    manager.stopAccelerometerUpdates()
    #expect(await eventually { bench.host.device?.isRunning == false })
  }

  /// S48: a device node that refuses access.
  @Test func aRefusingDeviceIsNotAuthorised() async {
    let bench = Bench()
    bench.source.record.withLock { $0.failure = SensorError(.notPermitted, "The device may not be opened.") }
    let manager = bench.manager()
    let errors = Box<[NSError]>([])
    manager.startGyroUpdates(to: serialQueue()) { _, error in
      if let error { errors.with { $0.append(error as NSError) } }
    }
    await bench.clock.advance(by: .seconds(2))
    #expect(errors.value.map(\.code) == [Int(CMErrorNotAuthorized.rawValue)])
    #expect(errors.value.first?.localizedDescription.contains("may not be opened") == true)
    manager.stopGyroUpdates()
  }

  /// D22, D43, S49: one error, nothing arrives and the status reads denied; samples begin by themselves when it is
  /// allowed again.
  @Test(arguments: ["authorization", "usage description", "immersive space"])
  func deniedMotionIsAnsweredAndBringsNothing(_ gate: String) async {
    var policy = HostPolicy()
    switch gate {
    case "authorization": policy.authorization = .denied
    case "usage description": policy.hasUsageDescription = false
    default: policy.hasImmersiveSpace = false
    }
    let bench = Bench(policy: policy)
    let manager = bench.manager()
    func status() -> CMAuthorizationStatus { bench.host.run { CMMotionManager.authorizationStatus } }
    #expect(status() == .denied)
    let calls = Box(0)
    let codes = Box<[UInt32?]>([])
    manager.startDeviceMotionUpdates(to: serialQueue()) { motion, error in
      if motion == nil { codes.with { $0.append(NSError.motionCode(error)) } } else { calls.with { $0 += 1 } }
    }
    await bench.clock.advance(by: .seconds(1))
    #expect(codes.value == [111] && calls.value == 0 && bench.runs == 0 && manager.deviceMotion == nil)
    bench.host.policy = HostPolicy()
    await bench.clock.advance(by: .seconds(1))
    #expect(status() == .authorized)
    #expect(calls.value > 90 && manager.deviceMotion?.timestamp == 2)
    bench.host.policy = policy
    await bench.clock.settle()
    let before = calls.value
    await bench.clock.advance(by: .seconds(1))
    #expect(calls.value == before && codes.value.count == 1 && bench.host.device?.isRunning == false)
    manager.stopDeviceMotionUpdates()
  }

  @Test(arguments: [
    (HostPolicy.Authorization.notDetermined, CMAuthorizationStatus.notDetermined), (.restricted, .restricted),
    (.denied, .denied), (.authorized, .authorized),
  ])
  func statusIsThePolicys(_ policy: HostPolicy.Authorization, _ status: CMAuthorizationStatus) {
    let bench = Bench()
    bench.host.policy.authorization = policy
    #expect(bench.host.run { CMMotionManager.authorizationStatus } == status)
  }

  /// In the background nothing arrives; services stay active and go on in the foreground.
  @Test func suspensionPausesActiveServices() async {
    let bench = Bench()
    let manager = bench.manager()
    let times = Box<[Double]>([])
    manager.startGyroUpdates(to: serialQueue()) { data, _ in times.with { $0.append(data?.timestamp ?? -1) } }
    await bench.clock.advance(by: .milliseconds(100))
    bench.host.suspend()
    await bench.clock.settle()
    await bench.clock.advance(by: .seconds(1))
    #expect(manager.isGyroActive && times.value.last == 0.1 && bench.host.device?.isRunning == false)
    bench.host.resume()
    await bench.clock.advance(by: .milliseconds(100))
    #expect(times.value.last == 1.2 && !times.value.contains { $0 > 0.1 && $0 < 1.1 })
    manager.stopGyroUpdates()
  }

  /// A resume does not lift what the policy forbids.
  @Test func suspensionAndPolicyAddUp() async {
    let bench = Bench()
    let manager = bench.manager()
    manager.startGyroUpdates()
    bench.host.suspend()
    await bench.clock.settle()
    // The reading of the first moment may have come before the suspension.
    let last = manager.gyroData?.timestamp
    bench.host.policy.authorization = .denied
    bench.host.resume()
    await bench.clock.advance(by: .milliseconds(100))
    #expect(manager.gyroData?.timestamp == last)
    bench.host.policy.authorization = .authorized
    await bench.clock.advance(by: .milliseconds(100))
    #expect(manager.gyroData.map { $0.timestamp > last ?? 0 } == true)
    manager.stopGyroUpdates()
  }
}
