// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

@testable import MotionAnalysis

/// Strokes whose truth is known, with the errors of a watch's sensors.
@Suite struct SimulatedSwingTests {
  /// Ten seeds of ten strokes.
  @Test func timeToContactIsRightWithinTenMillisecondsInNinetyFivePercent() async throws {
    let errors = try await withThrowingTaskGroup(of: [Double].self) { group in
      for seed in UInt64(1)...10 {
        group.addTask {
          let swings = try SwingStreams(seconds: 10 * Strokes.period, options: ["seed": "\(seed)"]).swings()
          let strokes = Strokes(seed: seed)
          #expect(swings.count == 10, "seed \(seed)")
          return swings.enumerated().map { number, swing in
            let truth = strokes.truth(ofStroke: number)
            #expect((0...0.008).contains(swing.impact.seconds - truth.contact), "seed \(seed), stroke \(number)")
            guard let time = swing.timeToContact else { return .infinity }
            return time.seconds - truth.timeToContact
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let sizes = errors.map(abs).sorted()
    try #require(sizes.count == 100)
    #expect(sizes[94] <= 0.010, "the 95th of 100 errors is \(sizes[94]) s, the largest \(sizes[99]) s")
    print(
      "100 simulated swings: median error \(sizes[50] * 1e3) ms, 95th \(sizes[94] * 1e3) ms, largest \(sizes[99] * 1e3) ms"
    )
  }

  @Test func batchBordersDoNotMatter() throws {
    let streams = try SwingStreams(seconds: 12, options: ["seed": "4"])
    let expected = streams.swings()
    #expect(expected.count == 3 && expected.allSatisfy { $0.phases?.backswing != nil })
    for length in [0.01, 0.3, 1, 1.4] {
      for motionFirst in [false, true] {
        #expect(streams.swings(inBatchesOf: length, motionFirst: motionFirst) == expected, "\(length) s")
      }
    }
    // A border on the impact itself.
    let impact = try #require(expected.first).impact.seconds
    #expect(streams.swings(inBatchesOf: impact, motionFirst: false) == expected)
  }

  @Test func theAccelerometerOfTheSameSwingsAloneGivesTheirImpacts() throws {
    let streams = try SwingStreams(seconds: 8)
    var alone = streams
    alone.motion = []
    #expect(alone.swings().map(\.impact) == streams.swings().map(\.impact))
    #expect(alone.swings().allSatisfy { $0.stroke == .unknown(.noDeviceMotion) })
  }

  @Test func fusedMotionOfARecordingServesAsWell() throws {
    let streams = try SwingStreams(seconds: 4)
    var detector = SwingDetector()
    var swings: [Swing] = []
    for sample in streams.accelerometer { swings += detector.update(sample) }
    for motion in streams.motion {
      let solution = try #require(motion.sixAxis)
      // As Core Motion writes it: gravity in g, pointing down.
      swings += detector.update(
        MotionRow(
          time: motion.time, w: 1, vector: .zero, reference: .xArbitrary, angularVelocity: solution.angularVelocity,
          gravity: -solution.up, linearAcceleration: .zero, accelerationUnit: .reversedGravity))
    }
    swings += detector.finish()
    let expected = try #require(streams.swings().first?.timeToContact)
    #expect(abs((swings.first?.timeToContact ?? .zero).seconds - expected.seconds) < 1e-6)
  }

  @Test(arguments: ["walk", "shake", "handheld", "stairs"]) func everydayMotionHasNoImpacts(scenario: String) throws {
    let source = try SimulatedSource(scenario: scenario, options: ["errors": "watch", "rate": "800"])
    let samples = Lock<[AccelerometerSample]>([])
    let session = SensorSession(
      clock: FreeRunningClock(), request: SensorRequest(kinds: .accelerometer, interval: .zero)
    ) { sample, _ throws(SourceStopped) in
      if sample.time.seconds >= 8 { throw SourceStopped() }
      switch sample {
      case .inertial(let sample): samples.withLock { $0.append(sample.accelerometer) }
      case .accelerometer(let sample): samples.withLock { $0.append(sample) }
      default: break
      }
    }
    // It ends by the sink's own stop.
    try? source.run(session)
    var streams = SwingStreams()
    streams.accelerometer = samples.withLock { $0 }
    #expect(streams.accelerometer.count == 6400)
    #expect(streams.swings().isEmpty)
  }
}
