// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionMath
import MotionSensing
import SimulatedSources
import Testing

@testable import CoreMotion
@testable import MotionServices

/// S20–S28, D20, G20: what each reference frame means, and how the frame is chosen and kept.
@Suite struct ReferenceFrameTests {
  /// S20, S21: yaw begins at 0 whatever the direction, then follows the device.
  @Test(arguments: [CMAttitudeReferenceFrame.xArbitraryZVertical, .xArbitraryCorrectedZVertical])
  func yawBeginsAtZeroInArbitraryFrames(_ frame: CMAttitudeReferenceFrame) {
    for start in [0.0, 77, 180, 271] {
      let events = [start, start, start + 30, start + 90].enumerated().map {
        MotionStates.flat(azimuth: $1, at: Int64($0) * 10)
      }
      let received = Received.from(events, through: MotionStates.translator(frame))
      for (yaw, expected) in zip(received.yawDegrees, [0.0, 0, -30, -90]) { #expect(abs(yaw - expected) < 1e-9) }
      #expect(received.samples.count == 4)
      #expect(!received.samples.contains { $0.heading != -1 })
    }
  }

  /// S20 from the first tilted sample on: the vertical stays the vertical.
  @Test func arbitraryFrameKeepsTheVertical() {
    let tilted = Rotation<Device, EastNorthUp>(rotationVector: Vector3<Device>(x: 0.4, y: -0.7, z: 0.2))
    var alignment = ReferenceFrameAlignment(.xArbitrary)
    let solution = DeviceMotionSolution.make(tilted)
    let attitude = alignment.attitude(of: solution, declination: 0)
    let up = Vector3<Device>(x: 0.1, y: 0.2, z: 0.3)
    #expect(abs((attitude * up).z - (tilted * up).z) < 1e-15)
    #expect(abs(CMQuaternion(x: attitude.x, y: attitude.y, z: attitude.z, w: attitude.w).yaw) < 1e-12)
  }

  /// S22, S23, G20: yaw is absolute in the north frames: (270° − azimuth of the top edge).
  @Test func yawIsAbsoluteInTheMagneticNorthFrame() {
    for azimuth in stride(from: 0.0, to: 360, by: 45) {
      let received = Received.from(
        [MotionStates.flat(azimuth: azimuth, at: 0)], through: MotionStates.translator(.xMagneticNorthZVertical))
      let expected = (270 - azimuth + 540).truncatingRemainder(dividingBy: 360) - 180
      let difference = ((received.yawDegrees.first ?? 999) - expected + 540).truncatingRemainder(dividingBy: 360) - 180
      #expect(abs(difference) < 1e-9)
      let heading = received.samples.first?.heading ?? 999
      #expect(abs((heading - azimuth + 540).truncatingRemainder(dividingBy: 360) - 180) < 1e-9)
    }
  }

  /// S22: yaw_true = yaw_magnetic − declination, so a heading from true north is larger by an eastern declination.
  @Test func trueNorthDiffersByTheDeclination() {
    for declination in [-0.3, 0, 0.07, 0.5] {
      func yaw(_ frame: CMAttitudeReferenceFrame) -> Double {
        var alignment = ReferenceFrameAlignment(CoreMotionConventions.reference(of: frame))
        let q = alignment.attitude(
          of: DeviceMotionSolution.make(Rotation(aboutZ: -0.4)), declination: declination)
        return CMQuaternion(x: q.x, y: q.y, z: q.z, w: q.w).yaw
      }
      #expect(abs(yaw(.xTrueNorthZVertical) - (yaw(.xMagneticNorthZVertical) - declination)) < 1e-12)
    }
  }

  /// S21: when the magnetometer finds north in the corrected frame, yaw does not jump.
  @Test func findingNorthDoesNotMoveTheCorrectedFrame() {
    let events =
      (0..<10).map { MotionStates.flat(azimuth: 10, at: $0 * 10, hasHeading: false) }
      + (10..<20).map { MotionStates.flat(azimuth: 200, at: $0 * 10, hasHeading: true) }
      + [MotionStates.flat(azimuth: 230, at: 200, hasHeading: true)]
    let yaws = Received.from(events, through: MotionStates.translator(.xArbitraryCorrectedZVertical)).yawDegrees
    #expect(yaws.count == 21)
    #expect(yaws.dropLast().allSatisfy { abs($0) < 1e-9 })
    #expect(abs((yaws.last ?? 999) + 30) < 1e-9)
  }

  /// G1, G20: before the first magnetometer sample a north frame gives no data, rather than an invented north.
  @Test func northFramesWaitForTheMagnetometer() {
    let events =
      (0..<3).map { MotionStates.flat(azimuth: 10, at: $0 * 10, accuracy: nil, hasHeading: false) }
      + (3..<6).map { MotionStates.flat(azimuth: 200, at: $0 * 10) }
    let received = Received.from(events, through: MotionStates.translator(.xMagneticNorthZVertical))
    #expect(received.samples.map(\.timestamp) == [0.03, 0.04, 0.05])
    #expect(received.errors == [])
  }

  private static let withMagnetometer: SensorKinds = [.accelerometer, .gyroscope, .magnetometer]

  /// S25: a bit mask of what the sensors allow; nothing without device motion.
  @Test func availableFramesFollowTheSensors() {
    func frames(_ host: MotionHost) -> CMAttitudeReferenceFrame {
      host.run { CMMotionManager.availableAttitudeReferenceFrames() }
    }
    #expect(frames(MotionHost()) == [])
    #expect(frames(Bench(ScriptedSource(kinds: .accelerometer)).host) == [])
    #expect(frames(Bench().host) == .xArbitraryZVertical)
    let host = Bench(ScriptedSource(kinds: Self.withMagnetometer)).host
    // S24: true north needs a location.
    #expect(frames(host) == CMAttitudeReferenceFrame(rawValue: 7))
    host.location = GeographicLocation(latitudeDegrees: 48.14, longitudeDegrees: 11.58, year: 2026.5)
    #expect(frames(host) == CMAttitudeReferenceFrame(rawValue: 15))
  }

  /// S24, S45: in pull mode nothing could tell why there is no sample, so it does not start, and the frame of before
  /// stays.
  @Test func trueNorthInPullModeNeedsALocation() async {
    let bench = Bench(ScriptedSource(kinds: Self.withMagnetometer))
    let manager = bench.manager()
    manager.startDeviceMotionUpdates(using: .xTrueNorthZVertical)
    #expect(!manager.isDeviceMotionActive && manager.attitudeReferenceFrame == .xArbitraryZVertical)
    manager.startDeviceMotionUpdates()
    await bench.clock.advance(by: .milliseconds(100))
    #expect(manager.deviceMotion != nil)
    manager.stopDeviceMotionUpdates()
    bench.host.location = GeographicLocation(latitudeDegrees: 48.14, longitudeDegrees: 11.58, year: 2026.5)
    manager.startDeviceMotionUpdates(using: .xTrueNorthZVertical)
    #expect(manager.isDeviceMotionActive && manager.attitudeReferenceFrame == .xTrueNorthZVertical)
    manager.stopDeviceMotionUpdates()
  }

  /// The same in a process of its own, whose log says why, once.
  @Test func aPullStartThatCannotRunLogsTheReason() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let manager = Bench(ScriptedSource(kinds: Self.withMagnetometer)).manager()
      for _ in 0..<3 { manager.startDeviceMotionUpdates(using: .xTrueNorthZVertical) }
    }
    let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
    #expect(lines.filter { $0.contains("True north") && $0.contains("MOTION_LOCATION") }.count == 1)
  }

  /// D20, D27: one error, no data, not active, and the frame of before stays.
  @Test(arguments: [
    CMAttitudeReferenceFrame.xMagneticNorthZVertical, .xTrueNorthZVertical, .xArbitraryCorrectedZVertical,
  ])
  func framesThatNeedAMissingMagnetometerAreRefused(_ frame: CMAttitudeReferenceFrame) async {
    let bench = Bench()
    let manager = bench.manager()
    let received = Box<[(Bool, UInt32?)]>([])
    manager.startDeviceMotionUpdates(using: frame, to: serialQueue()) { motion, error in
      received.with { $0.append((motion == nil, NSError.motionCode(error))) }
    }
    #expect(!manager.isDeviceMotionActive)
    await bench.clock.advance(by: .seconds(1))
    #expect(received.value.count == 1)
    #expect(received.value.first?.0 == true && received.value.first?.1 == CMErrorNotAvailable.rawValue)
    #expect(manager.attitudeReferenceFrame == .xArbitraryZVertical && manager.deviceMotion == nil)
    #expect(bench.runs == 0)
  }

  /// S25: no frame, or two at once, is the caller's mistake and is reported.
  @Test(arguments: [CMAttitudeReferenceFrame(), CMAttitudeReferenceFrame(rawValue: 3), .init(rawValue: 16)])
  func whatIsNoSingleFrameIsRefused(_ frame: CMAttitudeReferenceFrame) async {
    let bench = Bench()
    let manager = bench.manager()
    let codes = Box<[UInt32?]>([])
    manager.startDeviceMotionUpdates(using: frame, to: serialQueue()) { _, error in
      codes.with { $0.append(NSError.motionCode(error)) }
    }
    await bench.clock.advance(by: .milliseconds(100))
    #expect(codes.value == [CMErrorInvalidParameter.rawValue] && !manager.isDeviceMotionActive)
  }

  /// A restart in the same frame keeps the azimuth; another frame starts again.
  @Test func restartInTheSameFrameKeepsTheAzimuth() async {
    let source = ScriptedSource { _, time in
      [
        .inertial(
          InertialSample(
            time: time, angularVelocity: Vector3(x: 0, y: 0, z: 1),
            specificForce: Vector3(x: 0, y: 0, z: standardGravity)))
      ]
    }
    let bench = Bench(source)
    let manager = bench.manager()
    manager.startDeviceMotionUpdates()
    await bench.clock.advance(by: .seconds(1))
    let before = manager.deviceMotion?.attitude.yaw ?? 0
    #expect(abs(before - 1) < 0.05)
    manager.startDeviceMotionUpdates()
    await bench.clock.advance(by: .milliseconds(10))
    #expect(abs((manager.deviceMotion?.attitude.yaw ?? 0) - before - 0.01) < 0.01)
    // A pause in the background, or a cable pulled out, is no new start: yaw goes on from where it was.
    bench.host.suspend()
    await bench.clock.settle()
    await bench.clock.advance(by: .milliseconds(500))
    let paused = manager.deviceMotion?.attitude.yaw ?? 0
    bench.host.resume()
    await bench.clock.advance(by: .milliseconds(100))
    #expect(bench.runs == 2 && abs((manager.deviceMotion?.attitude.yaw ?? 0) - paused - 0.1) < 0.03)
    // After a stop it is: yaw begins at 0 again.
    manager.stopDeviceMotionUpdates()
    await bench.clock.advance(by: .milliseconds(10))
    manager.startDeviceMotionUpdates()
    await bench.clock.advance(by: .milliseconds(10))
    #expect(abs(manager.deviceMotion?.attitude.yaw ?? 9) < 0.05)
    manager.stopDeviceMotionUpdates()
  }
}

@Suite struct FrameSwitchTests {
  /// S26, S28, S35: after a switch the property never shows a sample of the old frame.
  @Test func theLatestSampleIsForgottenWhenTheFrameChanges() async {
    let clock = VirtualClock()
    let host = MotionHost(device: SimulatedSource(trajectory: Rest(), name: "rest"), clock: clock)
    let manager = host.run { CMMotionManager() }
    manager.startDeviceMotionUpdates(using: .xArbitraryZVertical)
    await clock.advance(by: .seconds(1))
    #expect(manager.deviceMotion?.heading == -1)
    manager.startDeviceMotionUpdates(using: .xMagneticNorthZVertical)
    #expect(manager.deviceMotion == nil && manager.isDeviceMotionActive)
    await clock.advance(by: .seconds(1))
    #expect((0..<360).contains(manager.deviceMotion?.heading ?? -1))
    // True north is unknown: that start does not count, and the one before goes on.
    manager.startDeviceMotionUpdates(using: .xTrueNorthZVertical)
    #expect(manager.attitudeReferenceFrame == .xMagneticNorthZVertical && manager.deviceMotion != nil)
    host.location = GeographicLocation(latitudeDegrees: 48.1, longitudeDegrees: 11.6, year: 2026)
    manager.startDeviceMotionUpdates(using: .xTrueNorthZVertical)
    #expect(manager.deviceMotion == nil && manager.isDeviceMotionActive)
    await clock.advance(by: .seconds(1))
    #expect((0..<360).contains(manager.deviceMotion?.heading ?? -1))
  }

  /// D5: in the same frame a second start loses nothing.
  @Test func theLatestSampleStaysInTheSameFrame() async {
    let clock = VirtualClock()
    let host = MotionHost(device: SimulatedSource(trajectory: Rest(), name: "rest"), clock: clock)
    let manager = host.run { CMMotionManager() }
    manager.startDeviceMotionUpdates()
    await clock.advance(by: .seconds(1))
    manager.startDeviceMotionUpdates()
    #expect(manager.deviceMotion != nil)
  }
}
