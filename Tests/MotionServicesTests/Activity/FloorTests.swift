// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import MotionServices

/// Floors count on foot only.
@Suite struct FloorTests {
  private func floors(_ height: @escaping (Double) -> Double, cadence: @escaping (Double) -> Double?) -> (Int, Int) {
    let told = Told(Person(cadence: cadence, height: height).samples(0..<120).samples)
    return told.epochs.reduce((0, 0)) { ($0.0 + ($1.floorsAscended ?? 0), $0.1 + ($1.floorsDescended ?? 0)) }
  }

  private func clamped(_ value: Double, _ range: ClosedRange<Double>) -> Double {
    min(range.upperBound, max(range.lowerBound, value))
  }

  @Test func stairsOnFootAreFloors() {
    let up = floors({ clamped(($0 - 30) * 0.3, 0...9.2) }, cadence: { 10..<110 ~= $0 ? 1.8 : nil })
    #expect(up == (3, 0))
    let down = floors({ -clamped(($0 - 30) * 0.3, 0...6.2) }, cadence: { 10..<110 ~= $0 ? 1.8 : nil })
    #expect(down == (0, 2))
  }

  @Test func aLiftGivesNone() {
    // Walks in, stands while the lift goes up 15 m, walks out.
    let lift = floors(
      { clamped(($0 - 50) * 1.5, 0...15) }, cadence: { 10..<45 ~= $0 || 70..<110 ~= $0 ? 1.8 : nil })
    #expect(lift == (0, 0))
  }

  @Test func levelGroundGivesNone() {
    #expect(floors({ 0.2 * Scalar.sin($0) }, cadence: { 10..<110 ~= $0 ? 1.8 : nil }) == (0, 0))
  }
}
