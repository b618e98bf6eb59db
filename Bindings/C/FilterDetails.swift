// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion

/// What a stream follows beside its filter: the gyroscope's turn alone, and whether the field agrees with the known one.
struct FilterDetails {
  /// The product of the turns of all rows.
  var turn = Rotation<Device, EastNorthUp>.identity
  /// The known field as it was set, until the first heading: in units of the readings, and rad.
  fileprivate var reference: (strength: Double, dip: Double)?
  /// True once the field has agreed with the known one for long enough, and when that was set.
  var isFieldConfirmed = false
  /// The mean field over some hundredths of a second, T; the latest interval, s, and the share of a reading then.
  fileprivate var field = Field(horizontal: 0, down: 0)
  fileprivate var fieldInterval = 0.0, share = 1.0
  /// Seconds for which it has agreed.
  fileprivate var agreementTime = 0.0
  fileprivate var time: Int64?, fieldTime: Int64?
  /// The latest specific force, m/s².
  fileprivate var force: Vector3<Device>?

  /// The field agrees where its strength differs by less than a tenth and its dip by less than 10°; it is trusted after so
  /// many seconds, and for the first time after so many.
  ///
  /// Source of the limits: the detection of disturbances of VQF (Laidig and Seel, Information Fusion 91, 2023, table 3).
  static var trustTime: Double { 0.5 }
  fileprivate static var confirmationTime: Double { 5 }
  /// The time constant of the field's mean, s.
  fileprivate static var smoothing: Double { 0.05 }
  /// Between the readings that it takes, ns: more of them would say no more.
  fileprivate static var leastInterval: Int64 { 9_000_000 }

  /// The horizontal and the downward part of a field.
  fileprivate struct Field {
    var horizontal, down: Double
    var strength: Double { (horizontal * horizontal + down * down).squareRoot() }
    var dip: Double { Scalar.atan2(down, horizontal) }

    /// `scale`: that of `known` over its own.
    func agrees(with known: Self, scale: Double) -> Bool {
      let (horizontal, down) = (horizontal * scale, down * scale)
      let own = horizontal * horizontal + down * down
      let other = known.horizontal * known.horizontal + known.down * known.down
      let cosine = horizontal * known.horizontal + down * known.down
      let sine = down * known.horizontal - horizontal * known.down
      // The square of the sine of 10°.
      return own > 0.81 * other && own < 1.21 * other && cosine > 0 && sine * sine < 0.030153689607045807 * own * other
    }
  }
}

extension FilterStream {
  mutating func follow(_ row: Int, _ rows: RowReader) {
    guard let latestTime else { return }
    // At most a second: how the device turned in a longer gap is not known.
    let interval = details.time.map { min(1, 1e-9 * Double(latestTime &- $0)) } ?? rows.steadyInterval
    details.time = latestTime
    if interval > 0 { details.turn = details.turn * Rotation(rotationVector: filter.angularVelocity * interval) }
    let force = rows.accelerometer[row]
    if force.isWithin(Self.largestForce), force != .zero { details.force = force }
    if filter.usesMagnetometer, rows.magnetometer.exists { follow(field: rows.magnetometer[row], latestTime) }
  }

  private mutating func follow(field reading: Vector3<Device>, _ time: Int64) {
    if filter.hasHeading, let reference = details.reference {
      details.reference = nil
      setKnownField(reference.strength, reference.dip)
    }
    if let latest = details.fieldTime, time &- latest < FilterDetails.leastInterval { return }
    let interval = details.fieldTime.map { 1e-9 * Double(time &- $0) } ?? 0
    let field = reading * unit
    guard field.isWithin(Self.largestField), reading != .zero,
      let (horizontal, down) = filter.parts(of: field)
    else { return }
    if interval != details.fieldInterval {
      (details.fieldInterval, details.share) = (interval, interval / (interval + FilterDetails.smoothing))
    }
    details.fieldTime = time
    details.field.horizontal += (horizontal - details.field.horizontal) * details.share
    details.field.down += (down - details.field.down) * details.share
    var agrees = false
    if let (north, down, scale) = filter.knownField(), !filter.isFieldDisturbed {
      agrees = details.field.agrees(with: FilterDetails.Field(horizontal: north, down: down), scale: scale)
    }
    details.agreementTime = agrees ? details.agreementTime + min(1, interval) : 0
    if details.agreementTime >= FilterDetails.confirmationTime { details.isFieldConfirmed = true }
  }

  /// In units of the readings, and rad.
  mutating func setKnownField(_ strength: Double, _ dip: Double) {
    details.isFieldConfirmed = true
    guard filter.hasHeading else { return details.reference = (strength, dip) }
    filter.setKnownField(north: strength * unit * Scalar.cos(dip), down: strength * unit * Scalar.sin(dip))
  }

  mutating func write(_ row: Int, _ table: ocm_details) {
    let q = details.turn
    table.gyroscope_quaternion.write(row, q.w, q.x, q.y, q.z)
    if table.bias_covariance.data != nil || table.bias_deviation.data != nil {
      let (diagonal, others) = filter.gyroscopeBiasCovariance()
      table.bias_covariance.write(row, diagonal.x, others.z, others.y, others.z)
      table.bias_covariance.write(row, from: 4, Vector3(x: diagonal.y, y: others.x, z: others.y))
      table.bias_covariance.write(row, from: 6, Vector3(x: others.y, y: others.x, z: diagonal.z))
      // No eigenvalue is larger than the largest sum of a row (Gershgorin).
      let (x, y, z) = (abs(others.x), abs(others.y), abs(others.z))
      let largest = max(diagonal.x + y + z, diagonal.y + x + z, diagonal.z + x + y)
      table.bias_deviation.write(row, largest.squareRoot())
    }
    if table.rest_deviations.data != nil || table.rest_means.data != nil || table.rest_time.data != nil {
      let stillness = filter.stillness()
      let force = details.force.map { ($0 - stillness.meanForce).length } ?? 0
      table.rest_deviations.write(row, stillness.rateDeviation.length, force)
      table.rest_means.write(row, stillness.meanRate)
      table.rest_means.write(row, from: 3, stillness.meanForce)
      table.rest_time.write(row, stillness.time)
    }
    if table.known_field.data != nil {
      var known = details.reference ?? (0, 0)
      if let (north, down, scale) = filter.knownField(), details.reference == nil {
        let field = FilterDetails.Field(horizontal: north, down: down)
        known = (field.strength / (scale * unit), field.dip)
      }
      table.known_field.write(row, known.strength, known.dip)
    }
    if table.field.data != nil {
      let field = details.field
      table.field.write(row, field.strength > 0 ? field.strength / unit : 0, field.dip)
    }
    table.agreement_time.write(row, details.agreementTime)
    table.field_trusted.write(
      row, details.isFieldConfirmed && details.agreementTime >= FilterDetails.trustTime && filter.hasHeading)
  }
}

// MARK: What ocm.h declares

extension ocm_details: SizedStructure {
  static var firstSize: Int { 240 }
}

@c(ocm_update_details)
public func updateDetails(
  _ filter: OpaquePointer?, _ count: Int64, _ input: Borrowed<ocm_input>?, _ output: Borrowed<ocm_output>?,
  _ details: Borrowed<ocm_details>?
) -> Int32 {
  code { () throws(Failure) in
    let stream = try stream(filter)
    guard let input, let details = try details.value() else { throw .null }
    try stream.pointee.update(rows(count), RowReader(input.pointee), output?.pointee ?? ocm_output(), details)
  }
}

@c(ocm_get_details)
public func getDetails(_ filter: OpaquePointer?, _ details: Borrowed<ocm_details>?) -> Int32 {
  code { () throws(Failure) in
    let stream = try stream(filter)
    guard let details = try details.value() else { throw .null }
    stream.pointee.write(0, details)
  }
}

@c(ocm_set_parameters)
public func setParameters(_ filter: OpaquePointer?, _ parameters: Borrowed<ocm_parameters>?) -> Int32 {
  code { () throws(Failure) in
    let stream = try stream(filter)
    guard let parameters = try parameters.value() else { throw .null }
    try stream.pointee.set(parameters)
  }
}

@c(ocm_set_bias)
public func setBias(_ filter: OpaquePointer?, _ bias: Borrowed<Double>?, _ deviation: Double) -> Int32 {
  code { () throws(Failure) in
    let stream = try stream(filter)
    guard let bias else { throw .null }
    // False for NaN, too.
    guard deviation <= 1e3,
      stream.pointee.filter.setGyroscopeBias(
        Vector3(x: bias[0], y: bias[1], z: bias[2]), deviation: deviation < 0 ? nil : deviation)
    else { throw .parameter }
  }
}

@c(ocm_set_field)
public func setField(_ filter: OpaquePointer?, _ strength: Double, _ dip: Double) -> Int32 {
  code { () throws(Failure) in
    let stream = try stream(filter)
    // Straight down there is no north.
    guard stream.pointee.filter.usesMagnetometer, strength > 0, strength < 1e12, abs(dip) < 1.57
    else { throw .parameter }
    stream.pointee.setKnownField(strength, dip)
  }
}

@c(ocm_copy)
public func copy(_ filter: OpaquePointer?, _ copy: Lent<OpaquePointer?>?) -> Int32 {
  make(copy) { () throws(Failure) in try stream(filter).pointee }
}
