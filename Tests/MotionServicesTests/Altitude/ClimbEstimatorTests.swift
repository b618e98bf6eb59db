// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionServices
import Testing

/// What counts as a climb, a descent and a floor.
@Suite struct ClimbEstimatorTests {
  private func climb(_ heights: [Double]) -> ClimbEstimator {
    var estimator = ClimbEstimator()
    for height in heights { estimator.update(height) }
    return estimator
  }

  @Test func upAndDownAreAddedApart() {
    let way = climb((0...90).map { Double($0) / 10 } + (20...90).reversed().map { Double($0) / 10 })
    #expect(abs(way.ascent - 9) < 1e-9 && abs(way.descent - 7) < 1e-9 && way.floors == 3)
  }

  @Test func wanderingByLessThanAMetreIsNoClimb() {
    let way = climb((0..<1000).map { Double($0 % 2) * 0.9 })
    #expect(way.ascent == 0 && way.descent == 0 && way.floors == 0)
  }

  @Test(arguments: [(2.4, 0), (2.66, 1), (3.0, 1), (5.4, 1), (5.6, 2)])
  func aFloorIsThreeMetresOrALittleLess(height: Double, floors: Int) {
    #expect(climb([0, height / 2, height]).floors == floors)
  }

  @Test func floorsOfSeparateClimbsAddUpAndDescentsTakeNoneAway() {
    let way = climb([0, 3, 0, 3, 0, 3, 0])
    #expect(way.floors == 3 && way.ascent == 9 && way.descent == 9)
    #expect(climb([10, 0]).floors == 0)
  }

  @Test func numbersThatAreNoneAreLeftOut() {
    #expect(climb([0, .nan, 3, .infinity]).ascent == 3)
  }
}
