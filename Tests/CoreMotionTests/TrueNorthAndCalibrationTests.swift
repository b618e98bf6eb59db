// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import MotionTesting
import Testing

@testable import CoreMotion

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
