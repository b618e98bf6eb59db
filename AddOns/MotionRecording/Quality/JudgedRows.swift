// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import SensorPlausibility

/// The beginning of a recording as rows, one for each reading of the gyroscope: the accelerometer between its readings, the
/// magnetometer's in the nearest row.
struct JudgedRows: SensorRows {
  private(set) var forces: [AccelerometerSample] = []
  private(set) var rates: [GyroscopeSample] = []
  private(set) var fields: [MagnetometerSample] = []
  private var times: [Int64] = []
  private var rowForces: [Vector3<Device>] = []
  private var rowFields: [Vector3<Device>] = []

  var count: Int { times.count }
  var hasRate: Bool { !rates.isEmpty }
  var hasField: Bool { !fields.isEmpty }
  func time(_ row: Int) -> Int64 { times[row] }
  func rate(_ row: Int) -> Vector3<Device> { rates[row].angularVelocity }
  func force(_ row: Int) -> Vector3<Device> { rowForces[row] }
  func field(_ row: Int) -> Vector3<Device> { rowFields[row] }

  /// Reads no more than is judged; damage is for the reader to report.
  init(_ plan: RecordingPlan) {
    let context = ReadingContext.probing
    let kinds: SensorKinds = [.accelerometer, .gyroscope, .magnetometer, .inertial]
    let streams = plan.streams.filter { stream in
      stream.channels.contains { !$0.kind.isDisjoint(with: kinds) }
    }
    var merger = SampleMerger(streams.compactMap { try? $0.open(context) })
    var begin: SensorInstant?
    while rates.count < Plausibility.mostRows, forces.count < Plausibility.mostRows,
      let sample = try? merger.next()
    {
      let start = begin ?? sample.time
      begin = start
      guard sample.time - start <= SensorDuration(nanoseconds: Plausibility.longest) else { break }
      switch sample {
      case .accelerometer(let sample): forces.append(sample)
      case .gyroscope(let sample): rates.append(sample)
      case .inertial(let sample):
        forces.append(sample.accelerometer)
        rates.append(sample.gyroscope)
      case .magnetometer(let sample): fields.append(sample)
      default: break
      }
    }
    makeRows()
  }

  /// Readings in s and SI units.
  init(
    forces: [(time: Double, vector: Vector3<Device>)],
    rates: [(time: Double, vector: Vector3<Device>)]
  ) {
    func instant(_ seconds: Double) -> SensorInstant {
      SensorInstant(nanoseconds: Int64((min(max(seconds, -9e9), 9e9) * 1e9).rounded()))
    }
    self.forces = forces.map {
      AccelerometerSample(time: instant($0.time), specificForce: $0.vector)
    }
    self.rates = rates.map { GyroscopeSample(time: instant($0.time), angularVelocity: $0.vector) }
    makeRows()
  }

  private mutating func makeRows() {
    guard hasRate else {
      (times, rowForces) = (forces.map(\.time.nanoseconds), forces.map(\.specificForce))
      rowFields = Array(repeating: Self.none, count: times.count)
      place(fields.map { ($0.time.nanoseconds, $0.magneticField) }, in: &rowFields)
      return
    }
    times = rates.map(\.time.nanoseconds)
    rowFields = Array(repeating: Self.none, count: times.count)
    place(fields.map { ($0.time.nanoseconds, $0.magneticField) }, in: &rowFields)
    guard let first = forces.first else {
      rowForces = Array(repeating: Self.none, count: times.count)
      return
    }
    let intervals = zip(forces.dropFirst(), forces).map { ($0.time - $1.time).nanoseconds }.sorted()
    let longest = intervals.isEmpty ? 0 : 2.5 * Double(intervals[intervals.count / 2])
    var after = 0
    var latest = first
    for time in times {
      while after < forces.count, forces[after].time.nanoseconds < time {
        latest = forces[after]
        after += 1
      }
      guard after < forces.count else {
        rowForces.append(Self.none)
        continue
      }
      let next = forces[after]
      let (from, to) = (
        Double(time.clamped(minus: latest.time.nanoseconds)), (next.time - latest.time).nanoseconds
      )
      if next.time.nanoseconds == time {
        rowForces.append(next.specificForce)
      } else if after > 0, to > 0, Double(to) <= longest {
        rowForces.append(
          latest.specificForce + (next.specificForce - latest.specificForce) * (from / Double(to)))
      } else {
        rowForces.append(Self.none)
      }
    }
  }

  /// Readings of a slower sensor into the rows that are nearest.
  private func place(
    _ readings: [(time: Int64, vector: Vector3<Device>)], in rows: inout [Vector3<Device>]
  ) {
    var row = 0
    for (time, vector) in readings where !rows.isEmpty {
      while row + 1 < times.count, times[row + 1] <= time { row += 1 }
      let isNextNearer =
        row + 1 < times.count
        && times[row + 1].clamped(minus: time) <= time.clamped(minus: times[row])
      rows[row + (isNextNearer ? 1 : 0)] = vector
    }
  }

  private static var none: Vector3<Device> { Vector3(x: .nan, y: .nan, z: .nan) }
}
