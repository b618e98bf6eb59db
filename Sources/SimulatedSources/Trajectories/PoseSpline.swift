// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// A device that is led smoothly through a list of poses, at rest before the first and after the last.
///
/// ```swift
/// PoseSpline([
///   .init(time: 1, attitude: .identity),
///   .init(time: 2, attitude: upright),
///   .init(time: 4, attitude: upright),      // given twice in a row: held still
/// ])
/// ```
///
/// Between two poses runs a quintic Bézier curve in cumulative form, for rotations a product of exponentials of fixed rotation
/// vectors times cumulative Bernstein polynomials (Kim, Kim & Shin, "A General Construction Scheme for Unit Quaternion Curves
/// with Simple High Order Derivatives", SIGGRAPH 1995), for positions the sum. The first two and last two vectors of each
/// piece are equal, so angular acceleration and acceleration vanish at every pose and both are continuous everywhere. The
/// speed at a pose is the mean of the speeds before and after it, weighted as in a parabola through three points; it is zero at
/// the ends and where a pose stands twice in a row.
public struct PoseSpline: Trajectory, Hashable {
  /// Where the device is at one time.
  public struct Pose: Hashable, Sendable {
    /// Seconds, 0 or later.
    public var time: Double
    /// Device → earth.
    public var attitude: Rotation<Device, EastNorthUp>
    /// Metres from the beginning of the trajectory: east, north, up.
    public var position: Vector3<EastNorthUp>

    /// A pose; at the origin when no position is given.
    public init(time: Double, attitude: Rotation<Device, EastNorthUp>, position: Vector3<EastNorthUp> = .zero) {
      self.time = time
      self.attitude = attitude
      self.position = position
    }
  }

  /// The poses by time. Of several at one time the first counts; poses whose time is not finite are left out.
  public let poses: [Pose]
  private let pieces: [Piece]

  /// A curve through the given poses, in any order; no pose at all is rest at the origin, face up.
  public init(_ poses: [Pose]) {
    var ordered: [Pose] = []
    // `sorted` is stable in the standard library, so the first of several at one time stays first.
    let byTime = poses.filter { $0.time.isFinite }.sorted { $0.time < $1.time }
    for pose in byTime where ordered.last?.time != pose.time { ordered.append(pose) }
    if ordered.isEmpty { ordered = [Pose(time: 0, attitude: .identity)] }
    self.poses = ordered
    pieces = Self.pieces(through: ordered)
  }

  /// The device on the piece between the two poses around `seconds`.
  public func state(at seconds: Double) -> TrajectoryState {
    let t = max(0, seconds)
    guard var current = pieces.first else {
      return TrajectoryState(attitude: poses[0].attitude, position: poses[0].position)
    }
    for piece in pieces where piece.start <= t { current = piece }
    return current.state(at: t)
  }
}
