// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import OrientationFusion
import Testing

@testable import MotionServices

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
    var wrong = OrientationFilter(usesMagnetometer: false).learned
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
    var known = OrientationFilter(usesMagnetometer: true).learned
    known.magnetometerDelay = 0.012
    known[12, 12] = 1e-6
    let notebook = Notebook(LearnedDevice(sensor: known))
    _ = await Self.run(Self.resting(100), notebook)
    let kept = try #require(notebook.kept.withLock { $0.last })
    #expect(kept.sensor.magnetometerDelay == 0.012)
    #expect(kept.sensor[12, 12] == 1e-6)
  }

  @Test func theMagnetometersCalibrationIsKeptAndRecalled() throws {
    let info = SensorInfo(
      name: "test", origin: .simulation, pacing: .onDemand,
      channels: [.init(kind: .inertial), .init(kind: .magnetometer)])
    let stored = MagnetometerCalibration(
      hardIron: Vector3(x: 1e-4, y: 0, z: 0), fieldStrength: 45e-6, hardIronDeviation: 1e-6, accuracy: .medium,
      softIron: Matrix3(diagonal: 1.25, 1, 0.8), softIronDeviation: 0.005)
    var estimator = DeviceMotionEstimator(info: info, calibrator: MagnetometerCalibrator(calibration: stored))
    estimator.solutions = .nineAxis
    #expect(estimator.learned == nil)
    for step in Int64(0)..<5 { _ = estimator.update(.inertial(step * 10)) }
    let state = estimator.update(.magnetometer(45))
    #expect(state == nil)
    #expect(try #require(estimator.learned).magnetometer == stored)
    #expect(estimator.calibrator.calibration.accuracy == .low)
    // The field that is handed out is the corrected one: soft iron · (reading − hard iron).
    let motion = estimator.update(.inertial(50))
    let field = try #require(motion?.field).magneticField
    let expected = stored.field(of: Vector3(x: 0, y: 2e-5, z: -4e-5))
    #expect(field == expected)
    #expect(abs(expected.x + 1.25e-4) < 1e-12 && abs(expected.z + 3.2e-5) < 1e-12)
  }
}
