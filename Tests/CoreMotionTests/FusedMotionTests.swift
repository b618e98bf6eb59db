// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import MotionTesting
import Testing

@testable import CoreMotion

/// Motion that the source had fused itself: a phone's own output, a head tracker.
@Suite struct FusedMotionTests {
  /// Six decimals, as a logger prints them: not quite of length one, and it must stay so.
  private static func sample(_ milliseconds: Int64) -> MotionRow {
    MotionRow(
      time: SensorInstant(nanoseconds: milliseconds * 1_000_000), w: 0.923879, vector: Vector3(x: 0.1, y: 0.2, z: 0.31),
      reference: .xMagneticNorth, angularVelocity: Vector3(x: 0.01, y: 0.02, z: 0.03),
      gravity: Vector3(x: 0.011233, y: -0.027203, z: -0.999999),
      linearAcceleration: Vector3(x: 0.1, y: 0.7, z: -0.3), accelerationUnit: .reversedGravity,
      field: .init(reading: Vector3(x: 57.427162, y: -11.616119, z: -35.794952), unit: .microtesla, accuracy: 1),
      heading: AngleReading(270.000183, .degree), headingAccuracy: AngleReading(12, .degree))
  }

  private static func host() -> MotionHost {
    let info = SensorInfo(
      name: "recording", origin: .recording, pacing: .onDemand,
      channels: [.init(kind: .motion)], fusedReference: .xMagneticNorth)
    let samples = (0..<10).map { SensorSample.motion(sample($0 * 10)) }
    return MotionHost(
      device: MotionSensing.ScriptedSource(samples, info: info), clock: FreeRunningClock(), gate: .manual)
  }

  @Test func itsNumbersReachTheClientBitForBit() async throws {
    let run = try await RecordedRun.collect(Self.host(), frame: .xMagneticNorthZVertical)
    #expect(run.motions.count == 10 && run.errors.isEmpty)
    let motion = try #require(run.motions.first)
    #expect(motion.quaternion == [0.1, 0.2, 0.31, 0.923879])
    #expect(motion.gravity == [0.011233, -0.027203, -0.999999])
    #expect(motion.userAcceleration == [0.1, 0.7, -0.3])
    #expect(motion.rotationRate == [0.01, 0.02, 0.03])
    #expect(motion.field == [57.427162, -11.616119, -35.794952] && motion.accuracy == 1)
    #expect(motion.heading == 270.000183 && motion.headingAccuracy == 12)
  }

  /// A wrong column shows by its length: such a row is dropped and counted, and never reaches a client.
  @Test func whatIsNoRotationIsDroppedAndCounted() async throws {
    var wrong = Self.sample(10)
    wrong.w = 5
    let info = SensorInfo(
      name: "recording", origin: .recording, pacing: .onDemand, channels: [.init(kind: .motion)])
    let source = MotionSensing.ScriptedSource(
      [.motion(Self.sample(0)), .motion(wrong), .motion(Self.sample(20))], info: info)
    let host = MotionHost(device: source, clock: FreeRunningClock(), gate: .manual)
    let run = try await RecordedRun.collect(host)
    #expect(run.motions.map(\.timestamp) == [0, 0.02])
    #expect(host.device?.statistics.motion.nonFinite == 1)
  }

  /// S25, D20: without a raw magnetometer only the frame that the motion was fused in is there besides the arbitrary
  /// one.
  @Test func theFrameItWasFusedInIsAvailable() {
    Self.host().run {
      #expect(
        CMMotionManager.availableAttitudeReferenceFrames() == [.xArbitraryZVertical, .xMagneticNorthZVertical])
      #expect(CMMotionManager().isDeviceMotionAvailable && !CMMotionManager().isGyroAvailable)
    }
  }
}

/// S30, D46: device motion in the axes of a body, per manager.
@Suite struct MotionBodyTests {
  private func close(_ a: [Double], _ b: [Double]) -> Bool { zip(a, b).allSatisfy { abs($0 - $1) < 1e-9 } }

  /// Every quantity is the device's, turned exactly; a second manager stays with the device.
  @Test(arguments: [
    "turn to portrait", "turn to landscape left", "turn to landscape right", "turn to portrait upside down",
    "fold to 90°", "fold to 0", "fold to 135°",
  ])
  func motionFollowsTheBody(_ words: String) async throws {
    try await withMotion("rest 0.5 s, tilt 30° right in 0.5 s, turn 70° left in 1 s, shake 1 s") { device in
      let body = ScriptedBody()
      let (turned, plain) = (CMMotionManager(), CMMotionManager())
      turned.deviceMotionBody = body
      turned.startDeviceMotionUpdates()
      plain.startDeviceMotionUpdates()
      try body.perform(words)
      for _ in 0..<20 {
        await device.advance(by: .milliseconds(130))
        let (a, b) = (try #require(turned.deviceMotion), try #require(plain.deviceMotion))
        let q = body.rotationInDevice
        let inDevice = try #require(Rotation<Device, Device>(w: q.w, x: q.x, y: q.y, z: q.z))
        func same(_ body: [Double], _ device: [Double]) -> Bool {
          let v = inDevice * Vector3<Device>(x: body[0], y: body[1], z: body[2])
          return close([v.x, v.y, v.z], device)
        }
        #expect(same([a.gravity.x, a.gravity.y, a.gravity.z], [b.gravity.x, b.gravity.y, b.gravity.z]))
        #expect(
          same(
            [a.userAcceleration.x, a.userAcceleration.y, a.userAcceleration.z],
            [b.userAcceleration.x, b.userAcceleration.y, b.userAcceleration.z]))
        #expect(
          same(
            [a.rotationRate.x, a.rotationRate.y, a.rotationRate.z],
            [b.rotationRate.x, b.rotationRate.y, b.rotationRate.z]))
        // S14 holds in the body's axes, too.
        let m = a.attitude.rotationMatrix
        #expect(close([-m.m13, -m.m23, -m.m33], [a.gravity.x, a.gravity.y, a.gravity.z]))
      }
      turned.deviceMotionBody = nil
      await device.advance(by: .milliseconds(20))
      let (a, b) = (try #require(turned.deviceMotion), try #require(plain.deviceMotion))
      #expect((a.gravity.x, a.gravity.y, a.gravity.z) == (b.gravity.x, b.gravity.y, b.gravity.z))
    }
  }

  /// A device that lies on its left side, its top to the left, is upright for an interface in landscape.
  @Test func landscapeIsUprightInItsOwnAxes() async throws {
    try await withMotion("tilt 90° right in 0.5 s, rest 1 s") { device in
      let manager = CMMotionManager()
      manager.startDeviceMotionUpdates()
      try await device.playToEnd()
      let own = try #require(manager.deviceMotion).gravity
      let body = ScriptedBody()
      body.turn(to: own.x > 0 ? .landscapeRight : .landscapeLeft)
      manager.deviceMotionBody = body
      await device.advance(by: .milliseconds(20))
      #expect(abs(try #require(manager.deviceMotion).gravity.y + 1) < 0.01)
    }
  }

  /// Any other body leaves the device's axes.
  @Test func aBodyOfAnotherKindChangesNothing() async throws {
    final class View: NSObject, CMBodyIdentifiable {}
    try await withMotion("tilt 40° right in 0.5 s, rest 1 s") { device in
      let manager = CMMotionManager()
      manager.deviceMotionBody = View()
      manager.startDeviceMotionUpdates()
      try await device.playToEnd()
      #expect(try #require(manager.deviceMotion).gravity.x > 0.5 && manager.deviceMotionBody is View)
    }
  }

  @Test func wordsThatAreNotUnderstoodAreNamed() {
    #expect(throws: SensorError.self) { try ScriptedBody().perform("fold to 190") }
    #expect(throws: SensorError.self) { try ScriptedBody().perform("spin") }
  }

  /// S49, D47: the property of 27.2, and the method of an earlier page.
  @Test func bothSpellingsOfTheStatusCompile() {
    MotionHost().run {
      let status: CMAuthorizationStatus = CMMotionManager.authorizationStatus
      #expect(status == .authorized && CMMotionManager.authorizationStatus() == .authorized)
      switch CMMotionManager.authorizationStatus() {
      case .authorized: break
      default: Issue.record("not authorised")
      }
    }
  }
}

/// S44, S45, D23, G21, G24: the two errors after which samples go on.
@Suite struct TrueNorthAndCalibrationTests {
  private static let munich = GeographicLocation(latitudeDegrees: 48.14, longitudeDegrees: 11.58, year: 2026.5)

  /// S45: 102 once and no data while the place is unknown; data as soon as it is known.
  @Test func trueNorthWithoutALocationIsToldOnceAndRecovers() {
    let host = MotionHost()
    let translator = MotionStates.translator(.xTrueNorthZVertical, host: host)
    let before = Received.from((0..<50).map { MotionStates.flat(at: $0 * 10) }, through: translator)
    #expect(before.errors == [CMErrorTrueNorthNotAvailable.rawValue] && before.samples.isEmpty)
    host.location = Self.munich
    let after = Received.from((50..<100).map { MotionStates.flat(at: $0 * 10) }, through: translator)
    #expect(after.errors == [] && after.samples.count == 50)
    host.location = nil
    let lost = Received.from((100..<150).map { MotionStates.flat(at: $0 * 10) }, through: translator)
    #expect(lost.errors == [CMErrorTrueNorthNotAvailable.rawValue] && lost.samples.isEmpty)
  }

  /// The same through a manager and a queue.
  @Test func aManagerReportsTrueNorthOnce() async {
    let source = ScriptedSource(kinds: [.accelerometer, .gyroscope, .magnetometer]) { _, time in
      [
        .magnetometer(MagnetometerSample(time: time, magneticField: Vector3(x: 0, y: 20e-6, z: -40e-6))),
        .inertial(.faceUp(at: time)),
      ]
    }
    let bench = Bench(source)
    let manager = bench.manager()
    let codes = Box<[UInt32]>([])
    let count = Box(0)
    manager.startDeviceMotionUpdates(using: .xTrueNorthZVertical, to: serialQueue()) { motion, error in
      if let code = NSError.motionCode(error) { codes.with { $0.append(code) } }
      if motion != nil { count.with { $0 += 1 } }
    }
    await bench.clock.advance(by: .seconds(1))
    #expect(manager.isDeviceMotionActive && manager.deviceMotion == nil)
    #expect(codes.value == [102] && count.value == 0)
    bench.host.location = Self.munich
    // Less than the patience with an uncalibrated magnetometer: no other error comes in between.
    await bench.clock.advance(by: .milliseconds(900))
    #expect(codes.value == [102] && count.value == 90)
    manager.stopDeviceMotionUpdates()
  }

  /// States of a magnetometer that is uncalibrated until `calibratedAt` ms, for `length` ms, at 100 Hz.
  private func episode(from start: Int64 = 0, calibratedAt: Int64, length: Int64) -> [DeviceMotion] {
    stride(from: start, to: start + length, by: 10).map {
      MotionStates.flat(at: $0, accuracy: $0 < calibratedAt ? -1 : 2, hasHeading: $0 >= calibratedAt)
    }
  }

  /// S44, G24: exactly once per calibration episode, and no sample is lost for it.
  @Test(arguments: [
    CMAttitudeReferenceFrame.xMagneticNorthZVertical, .xArbitraryCorrectedZVertical,
  ])
  func movementIsAskedForOncePerEpisode(_ frame: CMAttitudeReferenceFrame) {
    let translator = MotionStates.translator(frame)
    let first = Received.from(episode(calibratedAt: 5000, length: 10_000), through: translator)
    #expect(first.errors == [CMErrorDeviceRequiresMovement.rawValue])
    #expect(first.samples.count == 1000)
    let second = Received.from(
      episode(from: 10_000, calibratedAt: 15_000, length: 10_000), through: translator)
    #expect(second.errors == [CMErrorDeviceRequiresMovement.rawValue])
    #expect(second.samples.count == 1000)
  }

  /// A magnetometer that calibrates within a second asks for no movement; frames without it never ask.
  @Test func noMovementIsAskedForWithoutNeed() {
    let quick = Received.from(
      episode(calibratedAt: 900, length: 5000), through: MotionStates.translator(.xMagneticNorthZVertical))
    #expect(quick.errors == [])
    let plain = Received.from(
      episode(calibratedAt: .max, length: 5000), through: MotionStates.translator(.xArbitraryZVertical))
    #expect(plain.errors == [] && plain.samples.count == 500)
  }

  /// A calibration whose dip (63° here) is not that of the place is not called high; without a place it is believed.
  @Test func highAccuracyNeedsTheDipOfThePlace() {
    let singapore = GeographicLocation(latitudeDegrees: 1.35, longitudeDegrees: 103.8, year: 2026.5)
    for (place, expected) in [
      (nil, CMMagneticFieldCalibrationAccuracy.high), (Self.munich, .high), (singapore, .medium),
    ] {
      let host = MotionHost(location: place)
      let received = Received.from(
        episode(calibratedAt: 0, length: 1000), through: MotionStates.translator(.xMagneticNorthZVertical, host: host))
      #expect(received.samples.count == 100)
      let accuracies = Set(received.samples.map(\.magneticField.accuracy.rawValue))
      #expect(accuracies == [expected.rawValue], "\(host.dipAngle ?? 0) rad")
    }
  }

  /// D23: the notice goes to the host's hook only when the display is shown; the error comes in both cases.
  @Test func theNoticeFollowsTheDisplay() async {
    for shows in [true, false] {
      let host = MotionHost()
      let notices = Box<[String]>([])
      host.calibrationHook = { notice in notices.with { $0.append(notice) } }
      let translator = MotionStates.translator(.xMagneticNorthZVertical, host: host, showsDisplay: shows)
      let received = Received.from(episode(calibratedAt: .max, length: 5000), through: translator)
      #expect(received.errors == [CMErrorDeviceRequiresMovement.rawValue])
      if shows {
        #expect(await eventually { notices.value.count == 1 })
        #expect(notices.value.first?.hasSuffix(".") == true)
      }
      translator.settings.withLock { $0.showsDeviceMovementDisplay = true }
      let again = Received.from(
        episode(from: 5000, calibratedAt: 5000, length: 100) + episode(from: 6000, calibratedAt: .max, length: 2000),
        through: translator)
      #expect(again.errors.count == 1)
      #expect(await eventually { notices.value.count == (shows ? 2 : 1) })
    }
  }

  /// The hook is the client's code: it may stop the very service that called it.
  @Test func theHookMayStopTheService() async {
    let source = ScriptedSource(kinds: [.accelerometer, .gyroscope, .magnetometer], rate: 1000, pacing: .live)
    let host = MotionHost(device: source)
    let manager = StartStopTests.manager(on: host)
    let called = Box(false)
    host.calibrationHook = { _ in
      manager.stopDeviceMotionUpdates()
      called.with { $0 = true }
    }
    manager.showsDeviceMovementDisplay = true
    // No magnetometer sample ever comes: after a second of patience the hook is called.
    manager.startDeviceMotionUpdates(using: .xMagneticNorthZVertical)
    #expect(await eventually { called.value })
    #expect(await eventually { source.record.withLock { $0.open } == 0 })
    #expect(!manager.isDeviceMotionActive)
  }
}
