// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion

extension OrientationSmoother {
  /// The errors of the sensors that a filter starts with, each with its variance.
  struct SensorErrors: Sendable {
    var bias: Vector3<Device>
    var matrix: Matrix3
    var delay: Double
    /// Bias 3, matrix 9, delay 1.
    var variances = InlineArray<13, Double>(repeating: 0)

    init(_ learned: LearnedSensor) {
      (bias, matrix, delay) = (learned.gyroscopeBias, learned.gyroscopeMatrix, learned.magnetometerDelay)
      for i in 0..<13 { variances[i] = learned[i, i] }
    }
  }

  /// A reading of the gyroscope, and where the filter's attitude was.
  struct Sample: Sendable {
    var time: Int64
    var attitude: Rotation<Device, EastNorthUp>
    var rate: Vector3<Device>
    var interval: Float
  }

  /// One block of the filter, in double precision: from a node of the chain to the next.
  struct Block: Sendable {
    /// The time of its start, ns, and its length, s.
    var time: Int64
    var duration: Double
    /// Those that came while it was open.
    var samples: [Sample]
    var start: Rotation<Device, EastNorthUp>
    var end: Rotation<Device, EastNorthUp>
    /// A pause: nothing is known of the turn but the two attitudes.
    var isBreak = false
    /// dθ/dbias and dθ/dmatrix, three rows of twelve.
    var sensitivity = InlineArray<36, Real>(repeating: 0)
    var bias: Vector3<Device> = .zero
    var matrix = Matrix3.zero
    var attitudeVariance: Double
    /// ∫ f dt in the world, m/s; nil without readings.
    var velocity: Vector3<EastNorthUp>?
    var velocityNoise = 1.0, velocityDrift: Double
    var restRate: Vector3<Device>?
    var restRateVariance = 1.0, offsetVariance = 0.0
    /// How the filter's world turns to north, rad; nil where it was not known.
    var turnToNorth: Double?
    /// As the filter states them, rad².
    var variance = (inclination: 0.0, heading: 0.0)
    /// Means of the field, T, and of the rate, rad/s, in the world, and of the rotation; nil without readings.
    var field: (mean: Vector3<EastNorthUp>, rate: Vector3<EastNorthUp>, rotation: Matrix3)?
    /// The filter's: T, T² and T²/s.
    var hardIron: Vector3<Device> = .zero
    var hardIronPrior = 0.0, hardIronDrift = 0.0

    init(_ filter: inout OrientationFilter, previous: Block?, samples: [Sample]) {
      self.samples = samples
      let sums = filter.state.record.sums
      duration = Double(sums.duration)
      // fits: a block lasts at most the longest gap that the filter bridges, seconds
      time = (filter.state.gyroscopeTime ?? 0).clamped(minus: Int64((duration * 1e9).rounded()))
      if let previous, !previous.isBreak { time = previous.endTime }
      start = filter.state.record.start.rotation()
      end = filter.state.record.end.rotation()
      sensitivity = sums.sensitivity
      bias = Vector3(filter.state.record.bias)
      matrix = Matrix3(filter.state.record.matrix)
      attitudeVariance = Double(filter.state.record.attitudeVariance)
      let missing = max(0, duration - Double(sums.velocityDuration) - 0.02)
      velocityDrift = OrientationSmoother.velocityDriftVariance * duration + 9 * missing * missing
      velocityNoise = Double(filter.state.record.velocityDensity) / max(duration, 1e-3)
      if sums.velocityDuration > 0 { velocity = Vector3(RealVector<EastNorthUp>(sums.velocity)) }
      if filter.state.record.isAtRest { restRate = Vector3(filter.state.record.restRate) }
      restRateVariance = Double(filter.state.record.restRateVariance)
      offsetVariance = Double(filter.state.record.offsetVariance)
      if filter.state.record.hasHeading { turnToNorth = Double(filter.state.record.turnToNorth) }
      variance = (
        Double(filter.state.record.inclinationVariance),
        Double(
          turnToNorth == nil ? filter.state.record.azimuthVariance : filter.state.record.headingVariance)
      )
      hardIron = Vector3(filter.state.record.hardIron)
      (hardIronPrior, hardIronDrift) = (
        Double(filter.state.record.hardIronPrior), Double(filter.state.record.hardIronDrift)
      )
      if sums.fieldCount > 0 {
        let share = 1 / Double(sums.fieldCount)
        let (x, y, z) = (sums.fieldRotation.x, sums.fieldRotation.y, sums.fieldRotation.z)
        field = (
          Vector3(RealVector<EastNorthUp>(sums.field)) * share,
          Vector3(RealVector<EastNorthUp>(sums.fieldRate)) * share,
          Matrix3(
            Double(x.x), Double(y.x), Double(z.x), Double(x.y), Double(y.y), Double(z.y), Double(x.z), Double(y.z),
            Double(z.z)) * share
        )
      }
    }

    /// A pause after `block`, until the block that follows says when it ended.
    init(breakAfter block: Block, samples: [Sample]) {
      self = block
      self.samples = samples
      (time, duration, isBreak) = (block.endTime, 0, true)
      (start, end) = (block.end, block.end)
      sensitivity = InlineArray(repeating: 0)
      // Of a turn and a velocity that may be any.
      (attitudeVariance, velocityDrift) = (3, 100)
      (velocity, restRate, field) = (nil, nil, nil)
    }

    // fits: as above
    var endTime: Int64 { time.clamped(plus: Int64((duration * 1e9).rounded())) }

    /// The turn of the block's end, in the world of its start, where the errors of the sensors are others than were
    /// assumed.
    func turn(bias newBias: Vector3<Device>, matrix newMatrix: Matrix3) -> Vector3<EastNorthUp> {
      let (b, m) = (newBias - bias, newMatrix - matrix)
      let errors: InlineArray<12, Double> = [
        b.x, b.y, b.z, m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33,
      ]
      var turn = InlineArray<3, Double>(repeating: 0)
      let sensitivity = sensitivity.span
      for i in 0..<3 {
        for j in 0..<12 { turn[i] += Double(sensitivity[12 * i + j]) * errors[j] }
      }
      return Vector3(x: turn[0], y: turn[1], z: turn[2])
    }
  }

  /// The history that fits best so far.
  struct Estimate: Sendable {
    /// Unknowns of a node: turn 3 and velocity 2, and those that drift: bias 3, and with a magnetometer hard iron 3 and
    /// field 2.
    let width: Int
    /// Turn and velocity.
    static let local = 5
    var attitudes: [Rotation<Device, EastNorthUp>]
    /// `width` numbers for each node; the first three are not used.
    var values: [Double]
    /// The gyroscope's matrix, and with a magnetometer its delay.
    var constant: [Double]
    var variances: [(inclination: Double, heading: Double)] = []
    var hasHeading: Bool

    var matrix: Matrix3 {
      let m = constant
      return Matrix3(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8])
    }

    func errors(_ node: Int) -> (bias: Vector3<Device>, hardIron: Vector3<Device>) {
      let x = node * width
      return (
        Vector3(x: values[x + 5], y: values[x + 6], z: values[x + 7]),
        width > 8 ? Vector3(x: values[x + 8], y: values[x + 9], z: values[x + 10]) : .zero
      )
    }

    /// North and down, relative.
    func field(_ node: Int) -> (north: Double, down: Double) {
      (values[(node + 1) * width - 2], values[(node + 1) * width - 1])
    }

    /// The solver's first column of ``constant``.
    var constantColumn: Int { Self.local + width }
  }
}

extension OrientationSmoother {
  /// The turns about the vertical that lead the filter's world to north, block by block, and the field there.
  ///
  /// The filter's azimuth goes on without steps until a pause; the latest turn before it has seen most, and holds for all
  /// blocks since the pause before.
  struct North: Sendable {
    private(set) var turns: [Double]
    /// Parts of the field, relative to the unit: north and down.
    private(set) var north = 0.0, down = 0.0

    /// Nil where the field never had a direction.
    init?(_ blocks: [Block], unit: Double) {
      guard var latest = blocks.lazy.reversed().compactMap({ $0.turnToNorth }).first else { return nil }
      turns = Array(repeating: latest, count: blocks.count)
      var isFound = false
      var (sum, count) = ((horizontal: 0.0, vertical: 0.0), 0.0)
      for i in blocks.indices.reversed() {
        if blocks[i].isBreak { isFound = false }
        if !isFound, let turn = blocks[i].turnToNorth { (latest, isFound) = (turn, true) }
        turns[i] = latest
        guard let field = blocks[i].field else { continue }
        // The inclination is enough for strength and dip.
        let mean = field.mean - field.rotation * Vector3<EastNorthUp>(blocks[i].hardIron)
        sum.horizontal += Scalar.hypot(mean.x, mean.y)
        sum.vertical += mean.z
        count += 1
      }
      guard count > 0 else { return nil }
      (north, down) = (sum.horizontal / (unit * count), -sum.vertical / (unit * count))
    }
  }
}
