// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import OrientationFusion
import Testing

@testable import MotionServices

/// From samples to states of motion: which samples give one, and what it holds. How good the attitude is, is tested
/// with the filter itself.
@Suite struct DeviceMotionEstimatorTests {
  private func estimator(_ solutions: DeviceMotionEstimator.Solutions) -> DeviceMotionEstimator {
    let info = SensorInfo(
      name: "test", origin: .simulation, pacing: .onDemand,
      channels: [.init(kind: .inertial), .init(kind: .magnetometer, isCalibrated: true)])
    var estimator = DeviceMotionEstimator(info: info)
    estimator.solutions = solutions
    return estimator
  }

  /// One per gyroscope sample; the first waits for the first accelerometer sample.
  @Test func eachGyroscopeSampleGivesOneState() throws {
    var estimator = estimator(.sixAxis)
    #expect(estimator.update(.gyroscope(0)) == nil)
    let first = estimator.update(.accelerometer(5, z: 9.5))
    #expect(try #require(first).time == .milliseconds(0))
    #expect(estimator.update(.gyroscope(10)) == nil)
    let state = estimator.update(.accelerometer(16, z: 9.7))
    let motion = try #require(state)
    #expect(motion.time == .milliseconds(10) && motion.field == nil)
    #expect(motion.sixAxis != nil && motion.nineAxis == nil)
    #expect(estimator.update(.magnetometer(17)) == nil && estimator.update(.pressure(18)) == nil)
    #expect(estimator.update(.inertial(20))?.accelerometer.time == .milliseconds(20))
  }

  /// An old reading would pass for a motion: no state while the accelerometer is silent, and again when it speaks.
  @Test func aSilentAccelerometerGivesNoState() {
    var estimator = estimator(.sixAxis)
    for step in Int64(0)..<20 { _ = estimator.update(.inertial(step * 10)) }
    var states: [DeviceMotion] = []
    for step in Int64(20)..<100 {
      if let state = estimator.update(.gyroscope(step * 10)) { states.append(state) }
    }
    #expect(states.allSatisfy { $0.time - $0.accelerometer.time <= DeviceMotionEstimator.longestSilence })
    #expect((24...26).contains(states.count))
    #expect(estimator.update(.inertial(1000)) != nil)
  }

  /// The sensors come apart every 10 ms; `offset` says how long after the gyroscope the accelerometer speaks.
  @Test(arguments: [(2, 2), (4, 4), (6, -4), (9, -1)] as [(Int64, Int64)])
  func aStateIsMadeFromTheNearestAccelerometerSample(offset: Int64, distance: Int64) {
    var estimator = estimator(.sixAxis)
    var states: [DeviceMotion] = []
    for step in Int64(0)..<20 {
      if let state = estimator.update(.gyroscope(step * 10)) { states.append(state) }
      if let state = estimator.update(.accelerometer(step * 10 + offset, z: 9.8)) { states.append(state) }
    }
    #expect(states.count >= 18)
    #expect(states.map(\.time) == states.map(\.time).sorted())
    // The first ones come before the accelerometer's rate is known.
    for state in states.dropFirst(2) {
      #expect((state.accelerometer.time - state.time).nanoseconds == distance * 1_000_000)
    }
  }

  @Test func aStateThatWaitsComesOutAtTheEnd() throws {
    var estimator = estimator(.sixAxis)
    _ = estimator.update(.accelerometer(0, z: 9.8))
    #expect(estimator.update(.gyroscope(8)) == nil)
    let last = estimator.finish()
    #expect(try #require(last).time == .milliseconds(8))
    #expect(estimator.finish() == nil)
  }

  /// Up is a unit vector in device axes: +z, lying face up.
  @Test func faceUpHasUpAlongZ() throws {
    var estimator = estimator([.sixAxis, .nineAxis])
    var last: DeviceMotion?
    for step in Int64(0)..<100 {
      if step % 2 == 0 { _ = estimator.update(.magnetometer(step * 10)) }
      last = estimator.update(.inertial(step * 10)) ?? last
    }
    let motion = try #require(last)
    for solution in [try #require(motion.sixAxis), try #require(motion.nineAxis)] {
      #expect(abs(solution.up.length - 1) < 1e-12 && solution.up.z > 0.999_999)
      #expect(solution.angularVelocity.length < 1e-3)
    }
    #expect(motion.sixAxis?.hasHeading == false)
    let field = try #require(motion.field)
    #expect(field.magneticField.isFinite && (-1...2).contains(field.accuracy))
  }

  @Test func nobodyAskingMeansNoWork() {
    var estimator = estimator([])
    for step in Int64(0)..<10 { #expect(estimator.update(.inertial(step * 10)) == nil) }
    estimator.solutions = .sixAxis
    #expect(estimator.update(.inertial(100))?.sixAxis != nil)
    estimator.solutions = []
    #expect(estimator.update(.inertial(110)) == nil)
  }

  /// A value: the same samples give bit-identical output, and a copy goes its own way.
  @Test func theSameSamplesGiveTheSameBits() {
    func run() -> [Rotation<Device, EastNorthUp>] {
      var estimator = estimator(.sixAxis)
      return (Int64(0)..<200).compactMap { estimator.update(.inertial($0 * 10, turning: 0.5))?.sixAxis?.attitude }
    }
    #expect(run() == run() && run().count > 150)
    var original = estimator(.sixAxis)
    _ = original.update(.inertial(0))
    var copy = original
    _ = copy.update(.inertial(1000, turning: 3))
    var reference = estimator(.sixAxis)
    _ = reference.update(.inertial(0))
    #expect(original.update(.inertial(10))?.sixAxis?.attitude == reference.update(.inertial(10))?.sixAxis?.attitude)
  }
}

/// D45: a north frame before its first heading, and how it is turned to its north.
@Suite struct NorthFrameTests {
  /// A flat device at rest whose top edge points to `azimuth` (degrees) for the filter, at n times 10 ms.
  private func motion(_ index: Int64, azimuth: Double, hasHeading: Bool) -> DeviceMotion {
    let time = SensorInstant(nanoseconds: index * 10_000_000)
    let solution = DeviceMotion.Solution(
      attitude: Rotation(aboutZ: -Angle(degrees: azimuth).radians), angularVelocity: .zero, hasHeading: hasHeading,
      inclinationStandardDeviation: 0.01, headingStandardDeviation: 0.05)
    return DeviceMotion(
      time: time,
      accelerometer: AccelerometerSample(time: time, specificForce: Vector3(x: 0, y: 0, z: standardGravity)),
      sixAxis: solution, nineAxis: solution,
      field: .init(magneticField: Vector3(x: 0, y: 20e-6, z: -40e-6), accuracy: 2), isAtRest: true)
  }

  /// The rows of a device whose heading is known from sample `known` on; its azimuth then is `azimuth`, before 77°.
  private func rows(known: Int64, azimuth: Double, count: Int64 = 300) -> [MotionRow] {
    var framing = MotionFraming(.xMagneticNorth)
    return (0..<count).compactMap {
      framing.update(motion($0, azimuth: $0 < known ? 77 : azimuth, hasHeading: $0 >= known)).row
    }
  }

  private func heading(_ row: MotionRow) -> Double { row.heading?.bearingDegrees ?? -1 }

  @Test func beforeTheFirstHeadingYawIsZeroAndTheHeadingIsNotValid() {
    for row in rows(known: 1000, azimuth: 0, count: 50) {
      #expect(abs(row.w) > 1 - 1e-12 && abs(heading(row) - 270) < 1e-9)
      #expect(row.headingAccuracy == nil && row.headingDeviation == nil)
    }
  }

  @Test(arguments: Array(stride(from: 0.0, to: 360, by: 30))) func theFirstHeadingTurnsTheFrameWithinASecond(
    _ azimuth: Double
  ) {
    let rows = rows(known: 100, azimuth: azimuth)
    for (before, after) in zip(rows, rows.dropFirst()) {
      let turned = Angle(degrees: heading(after) - heading(before)).wrapped.degrees
      #expect(abs(turned) < 1.8 + 1e-9)
    }
    for (index, row) in rows.enumerated() where index > 100 {
      let error = abs(Angle(degrees: heading(row) - azimuth).wrapped.degrees)
      // What is left of the turn is part of the stated deviation, and the heading is valid again below 37°.
      let stated = row.headingDeviation?.value(in: .degree) ?? -1
      #expect(error <= stated + 1e-9)
      #expect((row.headingAccuracy == nil) == (stated > Angle(radians: MotionFraming.largestHeadingDeviation).degrees))
      if index > 200 { #expect(error < 1e-9) }
    }
  }

  @Test func aHeadingThatIsKnownAtOnceIsTheFirstRow() {
    #expect(abs(heading(rows(known: 0, azimuth: 123, count: 1)[0]) - 123) < 1e-9)
  }
}

/// What is learned in one run and used in the next.
@Suite struct SensorMemoryTests {
  /// A memory that notes what it was told.
  final class Notebook: SensorMemory {
    let known: LearnedDevice?
    let kept = Lock<[LearnedDevice]>([])
    let recalls = Lock(0)

    init(_ known: LearnedDevice? = nil) { self.known = known }

    func recall() -> LearnedDevice? {
      recalls.withLock { $0 += 1 }
      return known
    }

    func keep(_ learned: LearnedDevice) { kept.withLock { $0.append(learned) } }
  }

  /// A device that lies still, its gyroscope reading 0.01 rad/s about z.
  private static func resting(_ count: Int64) -> RecipeSource {
    RecipeSource(.inertial, count: count) { .inertial($0 * 10, turning: 0.01) }
  }

  private static func run(_ source: RecipeSource, _ memory: (any SensorMemory)?) async -> [DeviceMotion] {
    let hub = MotionHub(source: source, clock: FreeRunningClock(), memory: memory)
    let motions = Lock<[DeviceMotion]>([])
    await withCheckedContinuation { continuation in
      let subscription = hub.subscribe(
        .deviceMotion(usesMagnetometer: false), interval: .zero,
        motion: { motion in motions.withLock { $0.append(motion) } },
        news: { news in
          switch news {
          case .ended, .failed: continuation.resume()
          case .connection, .time: break
          }
        })
      withExtendedLifetime(subscription) {}
    }
    return motions.withLock { $0 }
  }

  @Test func aRunIsKeptAtItsEndAndServesTheNextOne() async throws {
    let notebook = Notebook()
    _ = await Self.run(Self.resting(600), notebook)
    #expect(notebook.recalls.withLock { $0 } == 1)
    let kept = try #require(notebook.kept.withLock { $0.last })
    #expect(abs(kept.sensor.gyroscopeBias.z - 0.01) < 0.001)
    #expect(kept.magnetometer == nil)
    // From the first sample on the known bias is taken away; without a memory it is not known yet.
    let informed = await Self.run(Self.resting(5), Notebook(kept))
    let fresh = await Self.run(Self.resting(5), nil)
    #expect(abs(try #require(informed.first?.sixAxis).angularVelocity.z) < 0.001)
    #expect(abs(try #require(fresh.first?.sixAxis).angularVelocity.z) > 0.009)
  }

  @Test func aMemoryThatKnowsNothingChangesNoBit() async {
    let (first, second) = (await Self.run(Self.resting(300), nil), await Self.run(Self.resting(300), Notebook()))
    #expect(first.count == 300)
    #expect(first.map(\.sixAxis?.attitude) == second.map(\.sixAxis?.attitude))
  }

  @Test func aMemoryOfSomethingElseIsLeftAside() async {
    let filter = OrientationFilter(usesMagnetometer: false)
    var wrong = filter.learned
    wrong[4, 4] = -1
    let motions = await Self.run(Self.resting(50), Notebook(LearnedDevice(sensor: wrong)))
    let fresh = await Self.run(Self.resting(50), nil)
    #expect(motions.map(\.sixAxis?.attitude) == fresh.map(\.sixAxis?.attitude))
  }

  @Test func aLongRunIsKeptNowAndThen() async {
    let notebook = Notebook()
    _ = await Self.run(RecipeSource(.inertial, count: 3700) { .inertial($0 * 100) }, notebook)
    // 370 s: after 120, 240 and 360 s, and at the end.
    #expect(notebook.kept.withLock { $0.count } == 4)
  }

  @Test func aRunWithoutTheMagnetometerKeepsItsDelay() async throws {
    let filter = OrientationFilter(usesMagnetometer: true)
    var known = filter.learned
    known.magnetometerDelay = 0.012
    known[12, 12] = 1e-6
    let notebook = Notebook(LearnedDevice(sensor: known))
    _ = await Self.run(Self.resting(100), notebook)
    let kept = try #require(notebook.kept.withLock { $0.last })
    #expect(abs(kept.sensor.magnetometerDelay - 0.012) < 1e-8 && abs(kept.sensor[12, 12] - 1e-6) < 1e-11)
  }

  @Test func theMagnetometersCalibrationIsKeptAndRecalled() throws {
    let info = SensorInfo(
      name: "test", origin: .simulation, pacing: .onDemand,
      channels: [.init(kind: .inertial), .init(kind: .magnetometer)])
    let stored = MagnetometerCalibration(
      hardIron: Vector3(x: 1e-4, y: 0, z: 0), fieldStrength: 45e-6, hardIronDeviation: 1e-6, accuracy: .medium)
    var estimator = DeviceMotionEstimator(info: info, calibration: stored)
    estimator.solutions = .nineAxis
    #expect(estimator.learned == nil)
    for step in Int64(0)..<5 { _ = estimator.update(.inertial(step * 10)) }
    let state = estimator.update(.magnetometer(45))
    #expect(state == nil)
    #expect(try #require(estimator.learned).magnetometer == stored)
    #expect(estimator.calibration == stored)
    // The field that is handed out is the corrected one.
    let motion = estimator.update(.inertial(50))
    let field = try #require(motion?.field).magneticField
    let expected = stored.field(of: Vector3(x: 0, y: 2e-5, z: -4e-5))
    #expect(field == expected)
    #expect(abs(expected.x + 1e-4) < 1e-12 && abs(expected.z + 4e-5) < 1e-12)
  }
}
