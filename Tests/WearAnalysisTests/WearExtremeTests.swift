// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ActivityEstimation
import MotionMath
import Testing

@testable import WearAnalysis

/// Times at both ends of the clock and forces that are no numbers: days come out, or the sample is counted as rejected.
@Suite struct WearExtremeTests {
  private static let times: [Int64] = [
    .min, .min + 1, -1 << 62, -3_155_760_000_000_000_001, -86_400_000_000_000, -1, 0, 1, 86_399_999_999_999,
    1_700_000_000_000_000_000, 3_155_760_000_000_000_000, 1 << 62, .max - 1, .max,
  ]
  private static let numbers: [Double] = [
    .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -1e308, 9.3e18, 0, -0.0, .leastNonzeroMagnitude, 9.8,
  ]

  @Test(arguments: times, times) func anyTimeAndAnyForceAreTaken(first: Int64, second: Int64) {
    for offset in [0, 50_400_000_000_000, Int64.min, .max] {
      var parameters = WearDays.Parameters()
      parameters.localOffset = offset
      var days = WearDays(parameters: parameters)
      var calibrator = SphereCalibrator()
      for (index, x) in Self.numbers.enumerated() {
        for start in [first, second] {
          let time = start &+ Int64(index) &* 20_000_000
          let force = SIMD3(x, 0, Self.numbers[(index + 9) % 10])
          days.update(force, at: time)
          calibrator.update(force, at: time)
        }
        days.add(
          StepEpoch(
            startNanoseconds: first, endNanoseconds: second, steps: index % 2 == 0 ? 4 : .max, distance: x,
            activeTime: x))
      }
      for day in days.finish() { #expect(day.start <= day.end && day.samples >= 0) }
    }
  }
}
