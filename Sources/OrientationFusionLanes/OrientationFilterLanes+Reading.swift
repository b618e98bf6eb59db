// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath
import OrientationFusion

#if SINGLE_PRECISION
import OrientationFusionFloat
#endif

/// What the filter of one stream says: the properties of the same names of ``OrientationFusion/OrientationFilter``.
public struct LaneReading: Sendable {
  /// Device → world; nil before the first usable specific force.
  public let attitude: Rotation<Device, EastNorthUp>?
  /// rad/s about the device's axes, without bias.
  public let angularVelocity: MotionMath.Vector3<Device>
  /// True while the device lies still.
  public let isAtRest: Bool
  /// True when a magnetometer has fixed the azimuth.
  public let hasHeading: Bool
  /// One standard deviation of the tilt, rad.
  public let inclinationStandardDeviation: Double
  /// One standard deviation of the heading, rad.
  public let headingStandardDeviation: Double
}

extension OrientationFilterLanes {
  /// What the filter of a stream, 0…``count`` − 1, says now. A stream that waits is corrected first, with all that wait.
  public mutating func reading(lane: Int) -> LaneReading {
    if waiting.contains(LaneSet(lane: lane)) { closeBlocks() }
    show(lane)
    return LaneReading(
      attitude: singles[lane].attitude, angularVelocity: singles[lane].angularVelocity,
      isAtRest: singles[lane].isAtRest, hasHeading: singles[lane].hasHeading,
      inclinationStandardDeviation: singles[lane].inclinationStandardDeviation,
      headingStandardDeviation: singles[lane].headingStandardDeviation)
  }

  /// The rate of ``reading(lane:)`` alone, rad/s.
  public mutating func angularVelocity(lane: Int) -> MotionMath.Vector3<Device> {
    if waiting.contains(LaneSet(lane: lane)) { closeBlocks() }
    guard aboard.contains(LaneSet(lane: lane)) else { return singles[lane].angularVelocity }
    let rate = filter.state.pose.rate
    return MotionMath.Vector3(x: Double(rate.x[lane]), y: Double(rate.y[lane]), z: Double(rate.z[lane]))
  }

  /// Lets the stream's own filter say what the lane knows.
  private mutating func show(_ lane: Int) {
    guard aboard.contains(LaneSet(lane: lane)) else { return }
    let q = filter.state.pose.quaternion
    singles[lane].show(
      quaternion: (q.w[lane], q.x[lane], q.y[lane], q.z[lane]), rate: Self.single(filter.state.pose.rate, lane),
      latestCorrection: Self.single(filter.state.pose.latestCorrection, lane),
      blockTime: filter.state.pose.blockTime[lane], inclinationVariance: filter.state.inclinationVariance[lane],
      headingVariance: filter.state.headingVariance[lane], isAtRest: filter.state.rest.isAtRest[lane])
  }

  private static func single(_ v: LaneTriple, _ lane: Int) -> SIMD4<LaneNumber> {
    SIMD4(v.x[lane], v.y[lane], v.z[lane], 0)
  }
}
