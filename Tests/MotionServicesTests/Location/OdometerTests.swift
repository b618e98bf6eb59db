// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing
import Testing

@testable import MotionServices

/// The way between fixes.
@Suite struct OdometerTests {
  /// A receiver that moves north at `speed`, uphill by `slope`, one fix a second; it starts at 48° north.
  private func fixes(
    _ count: Int, speed: Double, slope: Double = 0, statesSpeed: Bool = true, noise: Double = 0, height: Double? = 500
  ) -> [PositionFix] {
    (0..<count).map { index in
      let way = speed * Double(index)
      let wrong = noise * (index.isMultiple(of: 2) ? 1 : -1)
      return PositionFix(
        time: SensorInstant(nanoseconds: 1_700_000_000_000_000_000 + Int64(index) * 1_000_000_000),
        latitude: 48 * .pi / 180 + (way + wrong) / 6_371_008.8, longitude: 0.2, height: height.map { $0 + way * slope },
        speed: statesSpeed ? speed : nil, horizontalDeviation: 3, verticalDeviation: 4)
    }
  }

  private func pieces(_ fixes: [PositionFix]) -> [Odometer.Piece] {
    var odometer = Odometer()
    return fixes.compactMap { odometer.update($0) }
  }

  @Test func distanceIsTheIntegralOfTheSpeed() {
    for statesSpeed in [true, false] {
      let pieces = pieces(fixes(101, speed: 1.4, statesSpeed: statesSpeed))
      #expect(pieces.count == 100 && abs(pieces.reduce(0) { $0 + $1.distance } - 140) < 1e-3)
      #expect(pieces.allSatisfy { ($0.speed != nil) == statesSpeed && $0.distanceDeviation > 0 })
    }
  }

  /// Positions that scatter by 3 m are no way where the receiver says that it rests.
  @Test func scatterAtRestIsNoWay() {
    #expect(pieces(fixes(60, speed: 0.05, noise: 3)).allSatisfy { $0.distance == 0 })
  }

  @Test func aGapIsItsChord() {
    var all = fixes(100, speed: 10)
    all.removeSubrange(20..<80)
    let pieces = pieces(all)
    #expect(abs(pieces.reduce(0) { $0 + $1.distance } - 990) < 1e-2)
    #expect(pieces[19].distanceDeviation == hypot(3.0, 3))
  }

  @Test func slopeIsThatOfTheLastTwentyMetres() throws {
    let up = pieces(fixes(60, speed: 1.4, slope: 0.1))
    #expect(up[0].slope == nil)
    let last = try #require(up.last)
    #expect(abs((last.slope ?? 0) - atan(0.1)) < 1e-9 && abs((last.climb ?? 0) - 0.14) < 1e-9)
    let down = try #require(pieces(fixes(60, speed: 1.4, slope: -0.1)).last)
    #expect(abs((down.slope ?? 0) + atan(0.1)) < 1e-9 && abs((down.steepestSlope ?? 0) - atan(0.1)) < 1e-9)
    #expect(pieces(fixes(60, speed: 1.4, height: nil)).allSatisfy { $0.slope == nil && $0.climb == nil })
  }

  @Test func aFixThatIsNotLaterIsIgnored() {
    let all = fixes(3, speed: 1)
    #expect(pieces([all[1], all[0], all[1]]).isEmpty)
  }
}
