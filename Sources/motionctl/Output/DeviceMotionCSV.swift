// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@_spi(MotionTools) import CoreMotion

/// `/motion/device` as CSV (`formats.md` 6.3): Core Motion's units and signs, shortest digits that read back, absent values as
/// empty cells.
enum DeviceMotionCSV {
  static let header: StaticString =
    "timestamp,attitude_x,attitude_y,attitude_z,attitude_w,rotationRate_x,rotationRate_y,rotationRate_z,gravity_x,gravity_y,gravity_z,userAcceleration_x,userAcceleration_y,userAcceleration_z,magneticField_x,magneticField_y,magneticField_z,magneticField_accuracy,heading,headingAccuracy,sensorLocation,attitudeReferenceFrame\n"

  static func appendHeader(to buffer: inout TextBuffer) { buffer.append(header) }

  static func append(_ row: DeviceMotionRow, to buffer: inout TextBuffer) {
    buffer.append(row.timestamp)
    append(row.attitude.x, row.attitude.y, row.attitude.z, to: &buffer)
    append(row.attitude.w, to: &buffer)
    append(row.rotationRate.x, row.rotationRate.y, row.rotationRate.z, to: &buffer)
    append(row.gravity.x, row.gravity.y, row.gravity.z, to: &buffer)
    append(row.userAcceleration.x, row.userAcceleration.y, row.userAcceleration.z, to: &buffer)
    if let field = row.knownField {
      append(field.field.x, field.field.y, field.field.z, to: &buffer)
      buffer.append(",")
      buffer.append(Int(field.accuracy.rawValue))
    } else {
      buffer.append(",,,,")
    }
    buffer.append(",")
    if let heading = row.knownHeading { buffer.append(heading) }
    buffer.append(",")
    if let accuracy = row.knownHeadingAccuracy { buffer.append(accuracy) }
    buffer.append(",")
    buffer.append(row.sensorLocation.rawValue)
    buffer.append(",")
    if let frame = row.frame { buffer.append(Int(frame.rawValue)) }
    buffer.append("\n")
  }

  private static func append(_ x: Double, _ y: Double, _ z: Double, to buffer: inout TextBuffer) {
    append(x, to: &buffer)
    append(y, to: &buffer)
    append(z, to: &buffer)
  }

  private static func append(_ value: Double, to buffer: inout TextBuffer) {
    buffer.append(",")
    if value.isFinite { buffer.append(value) }
  }
}

/// Core Motion marks what it does not know by −1; files leave it out (`formats.md` 1, rule 3).
extension DeviceMotionRow {
  var knownField: CMCalibratedMagneticField? { magneticField.accuracy == .uncalibrated ? nil : magneticField }
  /// Degrees.
  var knownHeading: Double? { heading >= 0 ? heading : nil }
  /// Degrees.
  var knownHeadingAccuracy: Double? { headingAccuracy >= 0 ? headingAccuracy : nil }
}
