// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion

extension BroadTrial {
  /// One row of the sensors, in the filter's units.
  struct Reading {
    fileprivate(set) var time: Int64
    fileprivate var angularVelocity: Vector3<Device>
    fileprivate var specificForce: Vector3<Device>
    fileprivate var magneticField: Vector3<Device>
  }

  func measure(usesMagnetometer: Bool) throws -> TrialResult {
    let rows = try read()
    let readings = Self.readings(of: rows)
    let start = OrientationFilter(
      parameters: Self.parameters(rate: rows.rate), usesMagnetometer: usesMagnetometer)
    var filter = start
    let errors = Self.errors(of: &filter, readings, rows)
    let nanoseconds = try ProcessorTime.nanoseconds(expecting: filter.attitude) {
      var filter = start
      for reading in readings { Self.update(&filter, reading) }
      return filter.attitude
    }
    let figures = Self.figures(errors, usesMagnetometer: usesMagnetometer)
    return TrialResult(
      layout: .broad, name: name, figures: figures,
      values: [figures.total, figures.heading, figures.inclination], updates: rows.count, nanoseconds: nanoseconds,
      chart: .orientationErrors(
        errors, times: readings.map { Double($0.time) * 1e-9 }, title: name,
        subtitle: "error against optical truth · " + (usesMagnetometer ? "9D" : "6D"),
        figures: figures,
        statistic: "RMS"))
  }

  static func readings(of rows: Rows) -> [Reading] {
    (0..<rows.count).map { row in
      Reading(
        time: rows.nanoseconds(row), angularVelocity: rows.vector(row, 0), specificForce: rows.vector(row, 3),
        magneticField: rows.vector(row, 6) * 1e-6)
    }
  }

  /// Runs the filter over the trial; one error per row, nil where none counts.
  static func errors(
    of filter: inout OrientationFilter, _ readings: [Reading], _ rows: Rows
  ) -> [OrientationError?] {
    var errors: [OrientationError?] = []
    errors.reserveCapacity(rows.count)
    for (row, reading) in readings.enumerated() {
      update(&filter, reading)
      guard rows.moves(row), let reference = rows.reference(row), let attitude = filter.attitude else {
        errors.append(nil)
        continue
      }
      errors.append(OrientationError(estimate: attitude, reference: reference))
    }
    return errors
  }

  /// RMS in degrees.
  static func figures(_ errors: [OrientationError?], usesMagnetometer: Bool) -> OrientationFigures {
    let counted = errors.compactMap(\.self)
    func degrees(_ path: KeyPath<OrientationError, Double>) -> Double? {
      Statistic.rootMeanSquare(counted.map { Angle(radians: $0[keyPath: path]).degrees })
    }
    return OrientationFigures(
      total: usesMagnetometer ? degrees(\.total) : nil, heading: usesMagnetometer ? degrees(\.heading) : nil,
      inclination: degrees(\.inclination))
  }

  /// The default parameters, and the delay of a chip that stamps the end of the interval over which it averages. (A filter
  /// that takes each rate for the interval before its stamp, as the others do, assumes the same.)
  static func parameters(rate: Double) -> OrientationFilter.Parameters {
    var parameters = OrientationFilter.Parameters.phone
    parameters.gyroscopeDelay = 0.5 / rate
    return parameters
  }

  /// One update: gyroscope, accelerometer and, where the filter uses it, magnetometer. BROAD's is calibrated.
  @inline(__always)
  private static func update(_ filter: inout OrientationFilter, _ reading: Reading) {
    filter.update(angularVelocity: reading.angularVelocity, atNanoseconds: reading.time)
    filter.update(specificForce: reading.specificForce, atNanoseconds: reading.time)
    if filter.usesMagnetometer {
      filter.update(magneticField: reading.magneticField, hardIronDeviation: 0, atNanoseconds: reading.time)
    }
  }
}
