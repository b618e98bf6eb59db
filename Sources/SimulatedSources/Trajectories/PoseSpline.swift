// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// A device that moves smoothly through a list of poses, at rest before the first and after the last.
///
/// ```swift
/// PoseSpline([
///   .init(time: 1, attitude: .identity),
///   .init(time: 2, attitude: upright),
///   .init(time: 4, attitude: upright),      // given twice in a row: held still
/// ])
/// ```
///
/// Between two poses the motion is a quintic Bézier curve in cumulative form: for rotations a product of exponentials
/// of fixed rotation vectors times cumulative Bernstein polynomials (Kim, Kim & Shin, "A General Construction Scheme
/// for Unit Quaternion Curves with Simple High Order Derivatives", SIGGRAPH 1995), for positions the sum. The first two
/// and last two vectors of each piece are equal, so angular acceleration and acceleration vanish at every pose and both
/// are continuous everywhere. The speed at a pose is the mean of the speeds before and after it, weighted as in a
/// parabola through three points; it is zero at the ends and where a pose is given twice in a row.
public struct PoseSpline: Trajectory, Hashable {
  /// The pose of the device at one time.
  public struct Pose: Hashable, Sendable {
    /// Seconds, 0 or later.
    public var time: Double
    /// Device → earth.
    public var attitude: Rotation<Device, EastNorthUp>
    /// Metres from the start of the trajectory: east, north, up.
    public var position: Vector3<EastNorthUp>

    /// A pose; at the origin when no position is given.
    public init(time: Double, attitude: Rotation<Device, EastNorthUp>, position: Vector3<EastNorthUp> = .zero) {
      self.time = time
      self.attitude = attitude
      self.position = position
    }
  }

  /// The poses by time. Of several at one time the first is used; poses whose time is not finite are dropped.
  public let poses: [Pose]
  private let pieces: [Piece]

  /// A curve through the given poses, in any order; without poses the device rests at the origin, face up.
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

extension PoseSpline {
  /// The five control vectors of one piece: the first two are equal, and so are the last two.
  struct Controls<F: Frame>: Hashable, Sendable {
    var first, middle, last: Vector3<F>
  }

  /// The curve between two neighbouring poses.
  struct Piece: Hashable, Sendable {
    /// Seconds.
    var start, duration: Double
    /// Device → earth, and metres, at the start.
    var attitude: Rotation<Device, EastNorthUp>
    var position: Vector3<EastNorthUp>
    /// Rotation vectors in radians, applied one after the other.
    var turns: Controls<Device>
    /// Metres, added up.
    var moves: Controls<EastNorthUp>

    func state(at seconds: Double) -> TrajectoryState {
      let basis = CumulativeBasis(Self.fraction(of: seconds - start, in: duration))
      var rotation = TurningRotation(attitude)
      rotation.turn(by: basis.b1, about: turns.first)
      rotation.turn(by: basis.b2, about: turns.first)
      rotation.turn(by: basis.b3, about: turns.middle)
      rotation.turn(by: basis.b4, about: turns.last)
      rotation.turn(by: basis.b5, about: turns.last)
      func sum(_ order: (Jet) -> Double) -> Vector3<EastNorthUp> {
        moves.first * order(basis.b1 + basis.b2) + moves.middle * order(basis.b3)
          + moves.last * order(basis.b4 + basis.b5)
      }
      return TrajectoryState(
        attitude: rotation.attitude, angularVelocity: rotation.angularVelocity, position: position + sum { $0.value },
        velocity: sum { $0.first }, acceleration: sum { $0.second })
    }

    /// How much of the piece is over, 0…1, with its derivatives; outside it stands still.
    private static func fraction(of elapsed: Double, in duration: Double) -> Jet {
      if elapsed < 0 { return Jet(0) }
      if elapsed > duration { return Jet(1) }
      return Jet(value: elapsed / duration, first: 1 / duration, second: 0)
    }
  }

  /// The cumulative Bernstein polynomials of degree five: bₖ rises from 0 to 1, the later the greater k.
  private struct CumulativeBasis {
    let b1, b2, b3, b4, b5: Jet

    init(_ u: Jet) {
      let v = Jet(1) - u
      let (u2, v2) = (u * u, v * v)
      b5 = u2 * u2 * u
      b4 = b5 + u2 * u2 * v * 5
      b3 = b4 + u2 * u * v2 * 10
      b2 = b3 + u2 * v2 * v * 10
      b1 = b2 + u * v2 * v2 * 5
    }
  }
}

extension PoseSpline {
  /// The pieces between poses that are in order and at distinct times.
  static func pieces(through poses: [Pose]) -> [Piece] {
    let steps = zip(poses, poses.dropFirst()).map { from, to in
      Step(
        duration: to.time - from.time, turn: (from.attitude.inverse * to.attitude).rotationVector,
        move: to.position - from.position)
    }
    return steps.indices.map { number in
      let step = steps[number]
      let before = number > 0 ? steps[number - 1] : nil
      let after = number + 1 < steps.count ? steps[number + 1] : nil
      let from = poses[number]
      let fifth = step.duration / 5
      // A body-fixed vector has the same components before and after a turn about itself, so the rates on both sides of
      // a pose are in the same axes.
      let turnRates = (meanRate(before, step, \.turn) * fifth, meanRate(step, after, \.turn) * fifth)
      let moveRates = (meanRate(before, step, \.move) * fifth, meanRate(step, after, \.move) * fifth)
      let relative = from.attitude.inverse * poses[number + 1].attitude
      let middle =
        Rotation<Device, Device>(rotationVector: turnRates.0 * -2) * relative
        * Rotation<Device, Device>(rotationVector: turnRates.1 * -2)
      return Piece(
        start: from.time, duration: step.duration, attitude: from.attitude, position: from.position,
        turns: Controls(first: turnRates.0, middle: middle.rotationVector, last: turnRates.1),
        moves: Controls(first: moveRates.0, middle: step.move - (moveRates.0 + moveRates.1) * 2, last: moveRates.1))
    }
  }

  /// The way from one pose to the next.
  private struct Step {
    var duration: Double
    var turn: Vector3<Device>
    var move: Vector3<EastNorthUp>
  }

  /// The rate at the pose between two steps: the slope there of the parabola through the three poses; zero at the ends
  /// and where one of the steps stands still.
  private static func meanRate<F>(
    _ before: Step?, _ after: Step?, _ change: KeyPath<Step, Vector3<F>>
  ) -> Vector3<F> {
    guard let before, let after else { return .zero }
    let (a, b) = (before[keyPath: change], after[keyPath: change])
    guard a.length > 1e-12, b.length > 1e-12 else { return .zero }
    return (a * (after.duration / before.duration) + b * (before.duration / after.duration))
      / (before.duration + after.duration)
  }
}
