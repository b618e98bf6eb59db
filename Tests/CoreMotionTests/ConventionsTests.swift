// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionMath
import MotionSensing
import SimulatedSources
import Testing

@_spi(OpenCoreMotion) @testable import CoreMotion
@testable import MotionServices

/// Units, signs and headings: the step from SI to Core Motion.
@Suite struct ConventionsTests {
  private static func acceleration(_ force: Vector3<Device>) -> CMAcceleration {
    CoreMotionConventions.acceleration(force, unit: .metresPerSecondSquared)
  }

  /// S3: minus the specific force over g.
  @Test(arguments: [
    (Vector3<Device>(x: 0, y: 0, z: 1), (0.0, 0.0, -1.0)),  // face up
    (Vector3<Device>(x: 0, y: 1, z: 0), (0.0, -1.0, 0.0)),  // upright
    (Vector3<Device>(x: -0.5.squareRoot(), y: 0.5.squareRoot(), z: 0), (0.707, -0.707, 0.0)),  // tilted to the right
  ])
  func restReadsGravity(_ up: Vector3<Device>, _ expected: (Double, Double, Double)) {
    let value = Self.acceleration(up * standardGravity)
    #expect(abs(value.x - expected.0) < 2e-4 && abs(value.y - expected.1) < 2e-4 && abs(value.z - expected.2) < 2e-4)
    #expect(abs((value.x * value.x + value.y * value.y + value.z * value.z).squareRoot() - 1) < 1e-15)
  }

  /// A recording in g reaches the client bit for bit, and so does one in microtesla.
  @Test func readingsInApplesUnitsKeepEveryBit() {
    var state: UInt64 = 1
    for _ in 0..<1000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let x = Double(Int64(bitPattern: state)) / 4e18
      let reading = Vector3<Device>(x: x, y: x / 3, z: -x / 7)
      let g = CoreMotionConventions.acceleration(reading, unit: .reversedGravity)
      #expect((g.x, g.y, g.z) == (reading.x, reading.y, reading.z))
      let field = CoreMotionConventions.magneticField(reading, unit: .microtesla)
      #expect((field.x, field.y, field.z) == (reading.x, reading.y, reading.z))
    }
  }

  @Test func teslaBecomesMicrotesla() {
    let field = CoreMotionConventions.magneticField(Vector3(x: 20e-6, y: 0, z: -45e-6), unit: .tesla)
    #expect(abs(field.x - 20) < 1e-12 && field.y == 0 && abs(field.z + 45) < 1e-12)
  }

  private static func state(
    force: Vector3<Device>, attitude: Rotation<Device, EastNorthUp> = .identity, hasHeading: Bool = true
  ) -> (DeviceMotion, DeviceMotion.Solution) {
    let solution = DeviceMotion.Solution(
      attitude: attitude, angularVelocity: Vector3(x: 0.1, y: 0.2, z: 0.3), hasHeading: hasHeading,
      inclinationStandardDeviation: 0.01, headingStandardDeviation: 0.05)
    let time = SensorInstant(nanoseconds: 1_500_000_000)
    return (
      DeviceMotion(
        time: time, accelerometer: AccelerometerSample(time: time, specificForce: force), sixAxis: solution,
        nineAxis: solution, field: .init(magneticField: Vector3(x: 0, y: 20e-6, z: -40e-6), accuracy: 2),
        isAtRest: false),
      solution
    )
  }

  private static func value(
    _ pair: (DeviceMotion, DeviceMotion.Solution), in frame: CMAttitudeReferenceFrame = .xArbitraryZVertical
  ) -> CMDeviceMotion {
    CMDeviceMotion(
      MotionRow(
        pair.0, pair.1, pair.1.attitude.relabeled(from: Device.self, to: NorthWestUp.self), pair.0.field,
        CoreMotionConventions.reference(of: frame)))
  }

  /// S3: a push towards +X reads negative x, and S4: gravity + userAcceleration is the accelerometer's reading.
  @Test func userAccelerationIsMinusTheCoordinateAcceleration() {
    // 2 m/s² of coordinate acceleration along +X, face up.
    let value = Self.value(Self.state(force: Vector3(x: 2, y: 0, z: standardGravity)))
    #expect(abs(value.userAcceleration.x + 2 / standardGravity) < 1e-15)
    #expect(abs(value.userAcceleration.z) < 1e-15 && (value.gravity.x, value.gravity.y, value.gravity.z) == (0, 0, -1))
    #expect(value.timestamp == 1.5 && value.rotationRate.z == 0.3)
  }

  /// S4, S5, for any attitude and any force.
  @Test func gravityAndUserAccelerationAddUpToTheReading() {
    for step in 0..<200 {
      let angle = Double(step)
      let attitude = Rotation<Device, EastNorthUp>(
        rotationVector: Vector3<Device>(x: sin(angle), y: cos(3 * angle), z: sin(7 * angle)) * 2)
      let force = Vector3<Device>(x: 20 * sin(5 * angle), y: 9 * cos(angle), z: 30 * sin(2 * angle))
      let value = Self.value(Self.state(force: force, attitude: attitude))
      let total = Self.acceleration(force)
      let (g, u) = (value.gravity, value.userAcceleration)
      #expect(abs(g.x + u.x - total.x) < 1e-15 * 8 && abs(g.y + u.y - total.y) < 1e-15 * 8)
      #expect(abs(g.z + u.z - total.z) < 1e-15 * 8)
      #expect(abs(g.x * g.x + g.y * g.y + g.z * g.z - 1) < 1e-14)
    }
  }

  /// S9, G23: the calibrated field appears only in the frames that use the magnetometer.
  @Test func fieldBelongsToFramesWithAMagnetometer() {
    let pair = Self.state(force: Vector3(x: 0, y: 0, z: standardGravity))
    let plain = Self.value(pair).magneticField
    #expect(plain.accuracy == .uncalibrated && (plain.field.x, plain.field.y, plain.field.z) == (0, 0, 0))
    let north = Self.value(pair, in: .xMagneticNorthZVertical).magneticField
    #expect(north.accuracy == .high && abs(north.field.y - 20) < 1e-12 && abs(north.field.z + 40) < 1e-12)
    var uncalibrated = pair
    uncalibrated.0.field?.accuracy = -1
    let field = Self.value(uncalibrated, in: .xMagneticNorthZVertical).magneticField
    #expect(field.accuracy == .uncalibrated && (field.field.x, field.field.y, field.field.z) == (0, 0, 0))
  }

  /// S28, S29: −1 outside the north frames, valid accuracy only with a heading.
  @Test func headingBelongsToNorthFrames() {
    let pair = Self.state(force: Vector3(x: 0, y: 0, z: standardGravity))
    for frame in [CMAttitudeReferenceFrame.xArbitraryZVertical, .xArbitraryCorrectedZVertical] {
      #expect(Self.value(pair, in: frame).heading == -1)
      #expect(Self.value(pair, in: frame).headingAccuracy < 0)
    }
    for frame in [CMAttitudeReferenceFrame.xMagneticNorthZVertical, .xTrueNorthZVertical] {
      let value = Self.value(pair, in: frame)
      #expect((0..<360).contains(value.heading))
      #expect(value.headingAccuracy > 0 && value.headingAccuracy <= 180)
      let lost = Self.value(
        Self.state(force: Vector3(x: 0, y: 0, z: standardGravity), hasHeading: false), in: frame)
      #expect(lost.headingAccuracy < 0)
    }
  }

  /// One standard deviation, degrees; of an azimuth that is unknown there is none.
  @Test func deviationsAreStatedWhereTheyAreKnown() {
    func values(_ hasHeading: Bool, _ frame: CMAttitudeReferenceFrame) -> (Double, Double) {
      let motion = Self.value(
        Self.state(force: Vector3(x: 0, y: 0, z: standardGravity), hasHeading: hasHeading), in: frame)
      return (motion.inclinationDeviation * .pi / 180, motion.headingDeviation * .pi / 180)
    }
    for frame in [
      CMAttitudeReferenceFrame.xArbitraryZVertical, .xArbitraryCorrectedZVertical, .xMagneticNorthZVertical,
    ] {
      let known = values(true, frame)
      #expect(abs(known.0 - 0.01) < 1e-15 && abs(known.1 - 0.05) < 1e-15)
      let lost = values(false, frame)
      #expect(abs(lost.0 - 0.01) < 1e-15 && (lost.1 < 0) == frame.usesMagnetometer)
    }
    let empty = CMDeviceMotion()
    #expect(empty.inclinationDeviation < 0 && empty.headingDeviation < 0)
  }

  /// D1 and S23, device flat: heading = (270° − yaw) mod 360, the azimuth of the top edge.
  @Test func flatHeadingFollowsTheTopEdge() {
    let down = CMAcceleration(x: 0, y: 0, z: -1)
    for (yaw, expected) in [(0.0, 270.0), (-90, 0), (90, 180), (180, 90), (-89.999, 359.999)] {
      let half = yaw * .pi / 360
      let heading = CMQuaternion(x: 0, y: 0, z: sin(half), w: cos(half)).headingDegrees(gravity: down)
      let difference = (heading - expected + 540).truncatingRemainder(dividingBy: 360) - 180
      #expect(abs(difference) < 1e-9 && (0..<360).contains(heading), "yaw \(yaw): \(heading)")
    }
  }

  /// D1: an upright phone's heading is where its back looks, at any azimuth.
  @Test func uprightHeadingFollowsTheBack() {
    for azimuth in stride(from: 0.0, to: 360, by: 15) {
      // In north-west-up the back (−Z) shall look to the azimuth (clockwise from x): first pitch by +90° about X, which
      // turns −Z to +Y (west, azimuth 270), then turn about the vertical.
      let turn = Rotation<NorthWestUp, NorthWestUp>(aboutZ: -(azimuth + 90) * .pi / 180)
      let pitch = Rotation<Device, NorthWestUp>(rotationVector: Vector3<Device>(x: .pi / 2, y: 0, z: 0))
      let q = turn * pitch
      let heading = CMQuaternion(x: q.x, y: q.y, z: q.z, w: q.w).headingDegrees(
        gravity: CMAcceleration(x: 0, y: -1, z: 0))
      let difference = (heading - azimuth + 540).truncatingRemainder(dividingBy: 360) - 180
      #expect(abs(difference) < 1e-9, "azimuth \(azimuth): \(heading)")
    }
  }

  /// D18: what the hub is asked for.
  @Test func intervalsBecomeDurations() {
    for fastest: TimeInterval in [0, -1, -Double.infinity, .nan] {
      #expect(CoreMotionConventions.interval(fastest) == .zero)
    }
    #expect(CoreMotionConventions.interval(0.01) == .milliseconds(10))
    #expect(CoreMotionConventions.interval(1e-9).nanoseconds <= 1)
    #expect(CoreMotionConventions.interval(.infinity) > .seconds(86_400 * 365))
    #expect(CoreMotionConventions.interval(.greatestFiniteMagnitude) > .seconds(86_400 * 365))
  }
}

@Suite struct RawAndCalibratedTests {
  /// S2, S6, S7, S8: the raw services keep g, rad/s with the gyroscope's bias, and µT with the device's own field;
  /// device motion has bias and field removed. S24: until then the person is asked once to move the device.
  @Test func rawServicesKeepWhatDeviceMotionRemoves() async throws {
    let source = try SimulatedSource(
      scenario: "poses", options: ["hardIron": "30:-20:10", "bias": "0.05", "duration": "40"])
    let host = MotionHost(device: source, clock: FreeRunningClock(), gate: .manual)
    let (acceleration, rate, raw) = (Box(CMAcceleration()), Box(CMRotationRate()), Box(CMMagneticField()))
    let (motion, errors) = (Box<CMDeviceMotion?>(nil), Box<[Int]>([]))
    let queue = serialQueue()
    let manager = host.run { CMMotionManager() }
    manager.startAccelerometerUpdates(to: queue) { data, _ in
      data.map { data in acceleration.with { $0 = data.acceleration } }
    }
    manager.startGyroUpdates(to: queue) { data, _ in data.map { data in rate.with { $0 = data.rotationRate } } }
    manager.startMagnetometerUpdates(to: queue) { data, _ in data.map { data in raw.with { $0 = data.magneticField } } }
    manager.startDeviceMotionUpdates(using: .xMagneticNorthZVertical, to: queue) { sample, error in
      if let sample { motion.with { $0 = sample } }
      if let error { errors.with { $0.append((error as NSError).code) } }
    }
    host.play()
    #expect(await eventually { host.device?.hasEnded == true && queue.operationCount == 0 })

    let last = try #require(motion.value)
    let length = { (x: Double, y: Double, z: Double) in (x * x + y * y + z * z).squareRoot() }
    #expect(abs(length(acceleration.value.x, acceleration.value.y, acceleration.value.z) - 1) < 0.01)
    #expect(abs(rate.value.x - 0.05) < 0.002 && abs(rate.value.z - 0.05) < 0.002)
    #expect(abs(last.rotationRate.x) < 0.002 && abs(last.rotationRate.z) < 0.002)
    let field = last.magneticField.field
    #expect(last.magneticField.accuracy.rawValue >= 0)
    #expect(abs(raw.value.x - field.x - 30) < 2 && abs(raw.value.y - field.y + 20) < 2)
    #expect(abs(raw.value.z - field.z - 10) < 2)
    #expect(errors.value == [Int(CMErrorDeviceRequiresMovement.rawValue)])
  }
}
