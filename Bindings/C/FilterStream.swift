// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import OrientationSmoothing

/// A filter with the calibration of its magnetometer, fed with rows: what an `ocm_filter` points to.
struct FilterStream {
  private(set) var parameters: ocm_parameters
  private let knowledge: LearnedDevice?
  private(set) var filter: OrientationFilter
  private(set) var counts = ocm_counts()
  /// Of the latest error; −1 when there is none.
  private(set) var errorRow: Int64 = -1
  private var latestTime: Int64?
  /// The gyroscope's and the accelerometer's readings of the latest row.
  private var latestReadings = (Vector3<Device>.missing, Vector3<Device>.missing)
  /// The latest specific force, NaN in a row without one.
  private var force = Vector3<Device>.missing
  /// Of the gyroscope's bias, (rad/s)² and rad/s, as last written.
  private var biasVariance = Vector3<Device>.zero, biasDeviation = Vector3<Device>.zero
  /// Tesla per unit of the magnetometer; 0 until the first reading shows it.
  private(set) var unit = 1.0

  init(_ parameters: ocm_parameters, _ learned: ocm_learned?) throws(Failure) {
    let knowledge = try learned.map { learned throws(Failure) in try LearnedDevice(learned) }
    self.parameters = parameters
    self.knowledge = knowledge
    filter = OrientationFilter(
      parameters: try parameters.filter, usesMagnetometer: parameters.uses_magnetometer != 0,
      learned: knowledge?.sensor, calibration: knowledge?.magnetometer)
    unit = parameters.magnetometer_unit
  }

  mutating func reset(blockDuration: Double = OrientationFilter.Parameters().blockDuration) {
    var settings = filter.parameters
    settings.blockDuration = blockDuration
    filter = OrientationFilter(
      parameters: settings, usesMagnetometer: filter.usesMagnetometer, learned: knowledge?.sensor,
      calibration: knowledge?.magnetometer)
    counts = ocm_counts()
    (errorRow, latestTime, unit) = (-1, nil, parameters.magnetometer_unit)
    force = .missing
  }

  mutating func learned() throws(Failure) -> ocm_learned {
    guard let sensor = filter.learned(after: knowledge?.sensor) else { throw .learned }
    let isCalibrated = parameters.magnetometer_is_calibrated != 0
    return ocm_learned(sensor, isCalibrated ? .none : filter.magnetometerCalibration)
  }

  // MARK: Rows

  mutating func update(_ count: Int, _ rows: RowReader, _ output: ocm_output) throws(Failure) {
    try check(count, rows)
    process(0..<count, rows, output)
  }

  /// Not inlined into its callers: it holds the whole filter.
  @inline(never)
  private mutating func process(_ range: Range<Int>, _ rows: RowReader, _ output: ocm_output) {
    for row in range { process(row, rows, output) }
  }

  @inline(__always)
  private mutating func process(_ row: Int, _ rows: RowReader, _ output: ocm_output) {
    let order = Int(parameters.order)
    counts.rows += 1
    let time = rows.time(row)
    // Rows that arrive together may share a stamp; a row that repeats the one before says nothing.
    let readings = (rows.gyroscope[row], rows.accelerometer[row])
    if let latestTime, time < latestTime || (time == latestTime && readings == latestReadings) {
      counts.late += 1
      return write(row, output)
    }
    (latestTime, latestReadings) = (time, readings)
    let rate = readings.0.isWithin(Self.largestRate) ? readings.0 : nil
    if rate == nil, parameters.accelerometer_is_slower == 0 || !readings.0.isMissing { counts.gyroscope += 1 }
    let force = force(readings.1)
    let field = filter.usesMagnetometer ? self.field(rows, row) : nil
    self.force = force ?? .missing
    if order == OCM_AGM {
      if let force { filter.update(specificForce: force, atNanoseconds: time) }
      if let rate { filter.update(angularVelocity: rate, atNanoseconds: time) }
      write(row, output)
      if let field { filter.update(magneticField: field, atNanoseconds: time) }
      return
    }
    if order == OCM_MGA, let field { filter.update(magneticField: field, atNanoseconds: time) }
    if let rate { filter.update(angularVelocity: rate, atNanoseconds: time) }
    if let force { filter.update(specificForce: force, atNanoseconds: time) }
    if order == OCM_GAM, let field { filter.update(magneticField: field, atNanoseconds: time) }
    write(row, output)
  }

  // MARK: A whole recording

  /// Begins again, processes all rows, and writes over each of them what those after it say, too.
  mutating func smooth(_ count: Int, _ rows: RowReader, _ output: ocm_output) throws(Failure) {
    reset(blockDuration: OrientationSmoother.blockDuration)
    try check(count, rows)
    var smoother = OrientationSmoother(following: &filter)
    var next = 0
    for row in 0..<count {
      process(row..<row + 1, rows, output)
      smoother.follow(&filter)
      while let orientation = smoother.next() { next = write(orientation, from: next, rows, count, output) }
    }
    smoother.finish(&filter)
    while let orientation = smoother.next() { next = write(orientation, from: next, rows, count, output) }
  }

  /// Writes an orientation into the row of its time and those after it that have none; returns the row behind its own.
  private func write(
    _ orientation: OrientationSmoother.Orientation, from first: Int, _ rows: RowReader, _ count: Int,
    _ output: ocm_output
  ) -> Int {
    var row = first
    while row < count, rows.time(row) < orientation.time { row += 1 }
    guard row < count, rows.time(row) == orientation.time else { return row }
    let next = row + 1
    // A row that was left out, by its rate or its time, has the orientation of the one before.
    var latest = orientation.time
    repeat {
      latest = max(latest, rows.time(row))
      let q = orientation.attitude
      output.quaternion.write(row, q.w, q.x, q.y, q.z)
      let down = q.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: 1) * -standardGravity
      output.gravity.write(row, down)
      if output.user_acceleration.data != nil {
        let force = rows.accelerometer[row]
        output.user_acceleration.write(row, force.isWithin(Self.largestForce) ? force + down : .missing)
      }
      output.rate.write(row, orientation.angularVelocity)
      output.heading_sd.write(row, min(.pi, orientation.headingStandardDeviation))
      output.inclination_sd.write(row, min(.pi, orientation.inclinationStandardDeviation))
      output.heading_known.write(row, orientation.hasHeading)
      row += 1
    } while row < count && (!rows.gyroscope[row].isWithin(Self.largestRate) || rows.time(row) <= latest)
    return next
  }

  // Far beyond real sensors, far below the overflow of a square: the filter's own limits.
  private static var largestRate: Double { 1e3 }
  private static var largestForce: Double { 1e4 }
  private static var largestField: Double { 1 }

  /// Finds what is wrong before anything has changed.
  mutating func check(_ count: Int, _ rows: RowReader) throws(Failure) {
    errorRow = -1
    guard count > 0 else { return }
    guard rows.hasTime, rows.gyroscope.exists, rows.accelerometer.exists else { throw .null }
    guard rows.areTypesKnown else { throw .size }
    guard parameters.skips_missing != 1 else { return }
    let largestField = unit > 0 ? Self.largestField / unit : Double.greatestFiniteMagnitude
    let isFieldUsed = filter.usesMagnetometer && rows.magnetometer.exists
    if rows.isSorted(count, after: latestTime), rows.gyroscope.areWithin(Self.largestRate, count),
      rows.accelerometer.areWithin(Self.largestForce, count),
      !isFieldUsed || rows.magnetometer.areWithin(largestField, count)
    {
      return
    }
    // Where is it, or is it only a reading that is not there?
    var (latest, before) = (latestTime, latestReadings)
    let isApart = parameters.accelerometer_is_slower != 0
    let mayMiss = isApart || parameters.skips_missing != 0
    for row in 0..<count {
      errorRow = Int64(row)
      let time = rows.time(row)
      let (rate, force) = (rows.gyroscope[row], rows.accelerometer[row])
      let isSaidTwice = time == latest && (isApart || (mayMiss && before == (rate, force)))
      if let latest, time <= latest, !isSaidTwice { throw .time }
      (latest, before) = (time, (rate, force))
      guard rate.isWithin(Self.largestRate) || (rate.isMissing && mayMiss) else { throw .gyroscope }
      guard force.isWithin(Self.largestForce) || (force.isMissing && mayMiss) else { throw .accelerometer }
      guard isFieldUsed else { continue }
      let field = rows.magnetometer[row]
      guard field.isMissing || field.isWithin(largestField) else { throw .magnetometer }
    }
    errorRow = -1
  }

  @inline(__always)
  private mutating func force(_ reading: Vector3<Device>) -> Vector3<Device>? {
    if reading.isWithin(Self.largestForce) {
      return parameters.zeros_are_missing != 0 && reading == .zero ? nil : reading
    }
    if parameters.accelerometer_is_slower == 0 || !reading.isMissing { counts.accelerometer += 1 }
    return nil
  }

  @inline(__always)
  private mutating func field(_ rows: RowReader, _ row: Int) -> Vector3<Device>? {
    guard rows.magnetometer.exists else { return nil }
    let reading = rows.magnetometer[row]
    guard !reading.isMissing, reading != .zero || parameters.zeros_are_missing == 0 else { return nil }
    if unit == 0 { unit = Self.unit(reading) }
    let field = reading * unit
    if field.isWithin(Self.largestField) { return field }
    counts.magnetometer += 1
    return nil
  }

  /// The power of two that brings a reading nearest to the earth's field; 0 where that cannot be.
  private static func unit(_ reading: Vector3<Device>) -> Double {
    let ratio = 5e-5 / reading.length
    return ratio > 1e-300 && ratio < 1e300 ? Double(sign: .plus, exponent: ratio.exponent, significand: 1) : 0
  }

  // MARK: Output

  /// The state as a row of output. All is read before the first is written: a write might be to anywhere, and what comes
  /// after it would be read and worked out again.
  @inline(__always)
  mutating func write(_ row: Int, _ output: ocm_output) {
    let attitude = filter.attitude
    let q = attitude ?? .identity
    let rate = filter.angularVelocity
    let bias = filter.gyroscopeBias
    if output.bias_sd.data != nil { updateBiasDeviation() }
    let (biasDeviation, force) = (biasDeviation, force)
    let needsHeading = output.heading_sd.data != nil
    let headingDeviation =
      !needsHeading ? 0 : filter.usesMagnetometer ? filter.headingStandardDeviation : filter.azimuthStandardDeviation
    let inclinationDeviation = output.inclination_sd.data != nil ? filter.inclinationStandardDeviation : 0
    let (isAtRest, hasHeading, isDisturbed) = (filter.isAtRest, filter.hasHeading, filter.isFieldDisturbed)
    if attitude == nil {
      output.quaternion.write(row, .nan, .nan, .nan, .nan)
      output.gravity.write(row, .missing)
      output.user_acceleration.write(row, .missing)
    } else {
      output.quaternion.write(row, q.w, q.x, q.y, q.z)
      if output.gravity.data != nil || output.user_acceleration.data != nil {
        // The third row of the rotation matrix; 0 + x is never −0.
        let up = Vector3<Device>(
          x: 0 + 2 * (q.x * q.z - q.w * q.y), y: 0 + 2 * (q.y * q.z + q.w * q.x), z: 1 - 2 * (q.x * q.x + q.y * q.y))
        let down = up * -standardGravity
        output.gravity.write(row, down)
        output.user_acceleration.write(row, force.isMissing ? .missing : force + down)
      }
    }
    output.rate.write(row, rate)
    output.bias.write(row, bias)
    output.bias_sd.write(row, biasDeviation)
    output.heading_sd.write(row, min(.pi, headingDeviation))
    output.inclination_sd.write(row, min(.pi, inclinationDeviation))
    output.rest.write(row, isAtRest)
    output.heading_known.write(row, hasHeading)
    output.disturbed.write(row, isDisturbed)
  }

  /// The roots change with a correction only.
  @inline(__always)
  private mutating func updateBiasDeviation() {
    let variance = filter.gyroscopeBiasVariance
    guard variance != biasVariance else { return }
    biasVariance = variance
    biasDeviation = Vector3(
      x: variance.x.squareRoot(), y: variance.y.squareRoot(), z: variance.z.squareRoot())
  }
}
