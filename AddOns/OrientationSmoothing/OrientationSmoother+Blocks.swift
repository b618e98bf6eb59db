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

    init(_ filter: inout OrientationFilter) {
      (bias, matrix, delay) = (
        filter.state.gyroscopeBias, filter.state.gyroscopeMatrix, filter.state.magnetometerDelay
      )
      for i in 0..<(filter.usesMagnetometer ? 13 : 12) {
        variances[i] = Double(filter.state.covariance.element(ErrorIndex.bias + i, ErrorIndex.bias + i))
      }
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
    var delay = 0.0
    var attitudeVariance: Double
    /// ∫ f dt in the world, m/s; nil without readings.
    var velocity: Vector3<EastNorthUp>?
    var velocityNoise = 1.0, velocityDrift: Double
    /// Up in the device, where the velocity says nothing of the bias about it.
    var steadyUp: Vector3<Device>?
    var restRate: Vector3<Device>?
    var restRateVariance = 1.0, accelerometerDeviation = 0.0
    var hasHeading = false
    /// As the filter states them, rad².
    var variance = (inclination: 0.0, heading: 0.0)
    /// Mean field in the world and its slope against the delay, T and T/s, and the mean rotation; nil without readings.
    var field: (mean: Vector3<EastNorthUp>, slope: Vector3<EastNorthUp>, rotation: Matrix3)?
    /// Of the calibration at the block's end.
    var hardIronDeviation = Double.infinity
    var calibrationChange: Vector3<Device> = .zero

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
      delay = Double(filter.state.record.delay)
      attitudeVariance = Double(filter.state.record.attitudeVariance)
      velocityDrift = Double(filter.state.record.velocityDrift)
      velocityNoise = Double(filter.state.record.velocityNoise)
      if sums.velocityDuration > 0 { velocity = Vector3(RealVector<EastNorthUp>(sums.velocity)) }
      if filter.state.record.isSteady { steadyUp = end.inverse * Vector3(x: 0, y: 0, z: 1) }
      if filter.state.record.isAtRest { restRate = Vector3(filter.state.record.restRate) }
      restRateVariance = Double(filter.state.record.restRateVariance)
      accelerometerDeviation = filter.state.record.accelerometerDeviation
      hasHeading = filter.state.record.hasHeading
      variance = (
        Double(filter.state.record.inclinationVariance), Double(filter.state.record.headingVariance)
      )
      if sums.fieldCount > 0 {
        let share = 1 / Double(sums.fieldCount)
        let (x, y, z) = (sums.fieldRotation.x, sums.fieldRotation.y, sums.fieldRotation.z)
        field = (
          Vector3(RealVector<EastNorthUp>(sums.field)) * share,
          Vector3(RealVector<EastNorthUp>(sums.fieldSlope)) * share,
          Matrix3(
            Double(x.x), Double(y.x), Double(z.x), Double(x.y), Double(y.y), Double(z.y), Double(x.z), Double(y.z),
            Double(z.z)) * share
        )
      }
      hardIronDeviation = Double(filter.state.readingDeviation)
      calibrationChange = Vector3(filter.state.calibrationChange)
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

    /// `estimate` without what must not be learned from the tilt.
    func guarded(_ estimate: Vector3<Device>) -> Vector3<Device> {
      guard let steadyUp else { return estimate }
      return estimate - steadyUp * (estimate - bias).dot(steadyUp)
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
  /// The calibrations of the magnetometer that hold in a window, block by block.
  ///
  /// A calibration is best at its end, when it has seen most; and it held before it was found. So each block has the
  /// latest one until the calibration was lost, and the blocks before the first have that.
  struct Calibrations: Sendable {
    /// Hard iron that a calibration leaves in the readings, T, and its 1σ, T: infinite where no calibration is near.
    struct Known: Sendable {
      var change: Vector3<Device> = .zero
      var deviation = Double.infinity
    }

    /// Of each block.
    var known: [Known]
    /// One over the strength of the field, 1/T, and its parts, relative.
    private(set) var scale = 0.0, north = 0.0, down = 0.0

    /// Whether the field has a direction.
    var hasField: Bool { scale > 0 }

    /// `scale`: that of the windows before, whose knowledge is relative to it.
    init(_ blocks: [Block], scale earlier: Double?) {
      known = blocks.map { Known(change: $0.calibrationChange, deviation: $0.hardIronDeviation) }
      var latest = Known()
      var wasKnown = false
      for i in blocks.indices.reversed() {
        let isKnown = blocks[i].hardIronDeviation < .infinity
        if isKnown, !wasKnown { latest = known[i] }
        wasKnown = isKnown
        known[i] = latest
      }
      var (sum, count) = ((horizontal: 0.0, vertical: 0.0), 0.0)
      for (block, known) in zip(blocks, known) where known.deviation < .infinity {
        guard let field = block.field else { continue }
        // The inclination is enough for strength and dip.
        let mean =
          field.mean + field.rotation * Vector3<EastNorthUp>(known.change - block.calibrationChange)
        sum.horizontal += Scalar.hypot(mean.x, mean.y)
        sum.vertical += mean.z
        count += 1
      }
      let strength = Scalar.hypot(sum.horizontal, sum.vertical)
      guard count > 0, strength > 1e-6 * count, sum.horizontal > 0.03 * strength else { return }
      scale = earlier ?? count / strength
      (north, down) = (sum.horizontal * scale / count, -sum.vertical * scale / count)
    }

    /// Whether another calibration holds in a block than in the one before.
    func isChanged(_ block: Int) -> Bool { block > 0 && known[block].change != known[block - 1].change }

    /// Of the hard iron that `calibration` leaves, relative to the field.
    func hardIronVariance(_ calibration: Known, parameters: OrientationFilter.Parameters) -> Double {
      let deviation = max(
        parameters.hardIronDeviation, calibration.deviation < .infinity ? calibration.deviation * scale : 0)
      return deviation * deviation
    }
  }
}
