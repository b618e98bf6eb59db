// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import SimulatedSources

/// What three sensors read during a motion, and the truth: readings that a test can change before a filter sees them.
///
/// ``SimulatedMotion`` drives a filter as time passes; a log is the same laid out as a table, so that two filters can
/// see the same readings once plain and once turned, thinned out, disturbed or cut.
struct SensorLog {
  struct Row {
    /// Nanoseconds.
    var time: Int64
    /// rad/s, m/s², T.
    var angularVelocity, specificForce, magneticField: Vector3<Device>
    /// Nil where it is not known or does not count.
    var truth: Rotation<Device, EastNorthUp>?
  }

  var rows: [Row] = []
  var parameters = OrientationFilter.Parameters.phone

  /// The seconds from the first row to this one.
  func seconds(_ row: Row) -> Double { Double(row.time - (rows.first?.time ?? row.time)) * 1e-9 }

  init(_ motion: SimulatedMotion, seconds: Double, seed: UInt64 = 1) {
    var motion = motion
    var random = Lehmer(seed: seed)
    for _ in 0..<Int((seconds * motion.sampleRate).rounded()) {
      let (time, body) = (motion.time, motion.attitude.inverse)
      rows.append(
        Row(
          time: motion.nanoseconds(time),
          angularVelocity: motion.distort(motion.rate(time) + motion.bias) + random.vector(motion.noise.gyroscope),
          specificForce: body * (motion.acceleration(time) + SimulatedMotion.gravity)
            + random.vector(motion.noise.accelerometer),
          magneticField: body * motion.field(time) + motion.hardIron + random.vector(motion.noise.magnetometer),
          truth: motion.attitude))
      motion.advance(1 / motion.sampleRate)
    }
  }

  /// A trajectory of the simulator, with the noise of ``SimulatedMotion`` and its field, after some seconds of rest.
  init(_ trajectory: some Trajectory, rest: Double = 0, seconds: Double, rate: Double = 100, seed: UInt64 = 1) {
    let (world, noise) = (SimulatedMotion(), SimulatedMotion().noise)
    var random = Lehmer(seed: seed)
    for number in 0..<Int((seconds * rate).rounded()) {
      let time = Double(number) / rate
      let state =
        time < rest
        ? TrajectoryState(attitude: trajectory.state(at: 0).attitude) : trajectory.state(at: time - rest)
      let body = state.attitude.inverse
      rows.append(
        Row(
          time: world.nanoseconds(time), angularVelocity: state.angularVelocity + random.vector(noise.gyroscope),
          specificForce: body * (state.acceleration + SimulatedMotion.gravity) + random.vector(noise.accelerometer),
          magneticField: body * world.field(time) + random.vector(noise.magnetometer), truth: state.attitude))
    }
  }

  /// Every n-th row of a trial of the BROAD benchmark; the sensor stamps the end of the interval over which it
  /// averages.
  init(_ trial: Recordings.BroadTrial, every divider: Int) {
    for row in stride(from: 0, to: trial.count, by: divider) {
      rows.append(
        Row(
          time: Int64(row) * 3_500_000, angularVelocity: trial.vector(row, 0), specificForce: trial.vector(row, 3),
          magneticField: trial.vector(row, 6) * 1e-6, truth: trial.reference(row)))
    }
    parameters.gyroscopeDelay = Recordings.BroadTrial.sampleInterval / 2
  }

  // MARK: Running a filter

  /// Feeds all rows; `every` sees the filter after each.
  func run(_ filter: inout OrientationFilter, every: (OrientationFilter, Row) -> Void = { _, _ in }) {
    for row in rows {
      filter.update(angularVelocity: row.angularVelocity, atNanoseconds: row.time)
      filter.update(specificForce: row.specificForce, atNanoseconds: row.time)
      if filter.usesMagnetometer {
        filter.update(magneticField: row.magneticField, hardIronDeviation: 0, atNanoseconds: row.time)
      }
      every(filter, row)
    }
  }

  /// The attitude of a new filter after each row.
  func attitudes(usesMagnetometer: Bool) -> [Rotation<Device, EastNorthUp>?] {
    var filter = OrientationFilter(parameters: parameters, usesMagnetometer: usesMagnetometer)
    var result: [Rotation<Device, EastNorthUp>?] = []
    run(&filter) { filter, _ in result.append(filter.attitude) }
    return result
  }

  /// RMS in degrees, and the largest total error.
  struct Errors {
    var total = 0.0, inclination = 0.0, largest = 0.0
  }

  /// The errors of a new filter from `start` s after the first row, where the truth is known.
  func errors(usesMagnetometer: Bool, from start: Double = 0) -> Errors {
    var filter = OrientationFilter(parameters: parameters, usesMagnetometer: usesMagnetometer)
    var (sum, count) = (Errors(), 0.0)
    run(&filter) { filter, row in
      guard seconds(row) >= start, let truth = row.truth else { return }
      // Where there is no attitude yet, the error is the largest there is.
      let error = (filter.attitude ?? truth * .turnedOver) * truth.inverse
      let total = 2 * Scalar.acos(abs(error.w))
      let inclination = 2 * Scalar.acos(Scalar.hypot(error.w, error.z))
      sum.total += total * total
      sum.inclination += inclination * inclination
      sum.largest = max(sum.largest, Angle(radians: total).degrees)
      count += 1
    }
    func root(_ x: Double) -> Double { Angle(radians: (x / count).squareRoot()).degrees }
    return Errors(total: root(sum.total), inclination: root(sum.inclination), largest: sum.largest)
  }
}

extension Rotation where From == Device, To == Device {
  fileprivate static var turnedOver: Self { Self(rotationVector: Vector3<Device>(x: .pi, y: 0, z: 0)) }
}
