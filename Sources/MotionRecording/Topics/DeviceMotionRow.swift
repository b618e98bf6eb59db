// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath
package import MotionSensing

/// The numbers of `/motion/device` and `/motion/headphone`: in Core Motion's units and signs, as files and text outputs hold
/// them (Documentation/Formats.md).
///
/// The one way from a ``MotionRow`` to text: JSON, CSV and tables are written from it.
package struct DeviceMotionRow: Sendable {
  /// A magnetic field without the device's own.
  package struct Field: Sendable {
    /// µT, device axes.
    package var vector: Vector3<Device>
    /// −1 uncalibrated, 0 low, 1 medium, 2 high.
    package var accuracy: Int

    /// A field and its accuracy.
    package init(vector: Vector3<Device>, accuracy: Int) { (self.vector, self.accuracy) = (vector, accuracy) }
  }

  /// Seconds on the source's clock.
  package var timestamp: Double
  /// Quaternion of device → frame: w, and x, y, z.
  package var w: Double
  package var vector: Vector3<Device>
  /// rad/s, device axes, bias removed.
  package var rotationRate: Vector3<Device>
  /// g, device axes; face up (0, 0, −1).
  package var gravity: Vector3<Device>
  /// g, device axes.
  package var userAcceleration: Vector3<Device>
  /// Nil = none.
  package var magneticField: Field?
  /// Degrees, 0…360 clockwise from the frame's north; nil = none.
  package var heading: Double?
  /// Degrees; nil = the heading is not valid.
  package var headingAccuracy: Double?
  /// Degrees, one standard deviation; nil = not known.
  package var inclinationDeviation: Double?
  /// Degrees, one standard deviation, of the heading or of the yaw since the start; nil = not known.
  package var headingDeviation: Double?
  /// Where the sensor sits.
  package var location: MotionRow.Location
  /// The frame that the attitude leads to; nil = not known.
  package var reference: MotionRow.Reference?

  /// A row of a service that has no more than these.
  package init(
    timestamp: Double, w: Double, vector: Vector3<Device>, rotationRate: Vector3<Device>, gravity: Vector3<Device>,
    userAcceleration: Vector3<Device>, location: MotionRow.Location, reference: MotionRow.Reference?
  ) {
    (self.timestamp, self.w, self.vector) = (timestamp, w, vector)
    (self.rotationRate, self.gravity, self.userAcceleration) = (rotationRate, gravity, userAcceleration)
    (self.location, self.reference) = (location, reference)
  }

  /// Numbers that came in Core Motion's units pass unchanged: their factor is 1. `hidesUncalibrated` leaves out a magnetic field
  /// that is not calibrated.
  package init(_ sample: MotionRow, hidesUncalibrated: Bool = false) {
    let gravities = sample.accelerationUnit.scale / AccelerationUnit.reversedGravity.scale
    self.init(
      timestamp: sample.time.seconds, w: sample.w, vector: sample.vector, rotationRate: sample.angularVelocity,
      gravity: sample.gravity * gravities, userAcceleration: sample.linearAcceleration * gravities,
      location: sample.location, reference: sample.reference)
    if let field = sample.field, field.accuracy >= 0 || !hidesUncalibrated {
      let scale = field.unit == .microtesla ? 1 : field.unit.scale * 1e6
      magneticField = Field(vector: field.reading * scale, accuracy: Int(field.accuracy))
    }
    heading = sample.heading?.bearingDegrees
    headingAccuracy = sample.headingAccuracy?.value(in: .degree)
    inclinationDeviation = sample.inclinationDeviation?.value(in: .degree)
    headingDeviation = sample.headingDeviation?.value(in: .degree)
  }

  /// Rad, −π…π, as Core Motion's attitude has them.
  package var roll: Double {
    let (x, y, z) = (vector.x, vector.y, vector.z)
    return Scalar.atan2(2 * (w * y - x * z), 1 - 2 * (x * x + y * y))
  }
  /// Rad, −π/2…π/2.
  package var pitch: Double { Scalar.asin(2 * (w * vector.x + vector.y * vector.z)) }
  /// Rad, −π…π.
  package var yaw: Double {
    let (x, y, z) = (vector.x, vector.y, vector.z)
    return Scalar.atan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z))
  }

  /// The names of the columns of ``JSONText/append(csv:)``, with the end of the line.
  package static let csvHeader =
    TidyColumn.all(of: Topic.Kind.deviceMotion.fields).map(\.name).joined(separator: ",") + "\n"
}

extension JSONText {
  /// The row as an object, its keys in the order of ``Topic/Kind/fields``; what is absent has no key. `topic` is the first key.
  package mutating func append(_ row: DeviceMotionRow, topic: StaticString? = nil) {
    append("{")
    if let topic {
      append("\"topic\":\"")
      append(topic)
      append("\",")
    }
    append("\"timestamp\":")
    append(row.timestamp)
    append(",\"attitude\":{")
    append(members: row.vector)
    append(",\"w\":")
    append(row.w)
    append("},\"rotationRate\":")
    append(object: row.rotationRate)
    append(",\"gravity\":")
    append(object: row.gravity)
    append(",\"userAcceleration\":")
    append(object: row.userAcceleration)
    if let field = row.magneticField {
      append(",\"magneticField\":{")
      append(members: field.vector)
      append(",\"accuracy\":")
      append(field.accuracy)
      append("}")
    }
    if let heading = row.heading {
      append(",\"heading\":")
      append(heading)
    }
    if let accuracy = row.headingAccuracy {
      append(",\"headingAccuracy\":")
      append(accuracy)
    }
    append(",\"sensorLocation\":")
    append(row.location.rawValue)
    if let reference = row.reference {
      append(",\"attitudeReferenceFrame\":")
      append(UInt8(1) << reference.rawValue)
    }
    if let deviation = row.inclinationDeviation {
      append(",\"inclinationDeviation\":")
      append(deviation)
    }
    if let deviation = row.headingDeviation {
      append(",\"headingDeviation\":")
      append(deviation)
    }
    append("}")
  }

  /// The row as a line of a table; what is absent is an empty cell.
  package mutating func append(csv row: DeviceMotionRow) {
    append(row.timestamp)
    append(cells: row.vector)
    append(",")
    append(cell: row.w)
    append(cells: row.rotationRate)
    append(cells: row.gravity)
    append(cells: row.userAcceleration)
    if let field = row.magneticField {
      append(cells: field.vector)
      append(",")
      append(field.accuracy)
    } else {
      append(",,,,")
    }
    append(",")
    append(cell: row.heading ?? .nan)
    append(",")
    append(cell: row.headingAccuracy ?? .nan)
    append(",")
    append(row.location.rawValue)
    append(",")
    if let reference = row.reference { append(UInt8(1) << reference.rawValue) }
    append(",")
    append(cell: row.inclinationDeviation ?? .nan)
    append(",")
    append(cell: row.headingDeviation ?? .nan)
    append("\n")
  }

  package mutating func append(object vector: Vector3<Device>) {
    append("{")
    append(members: vector)
    append("}")
  }

  private mutating func append(members vector: Vector3<Device>) {
    append("\"x\":")
    append(vector.x)
    append(",\"y\":")
    append(vector.y)
    append(",\"z\":")
    append(vector.z)
  }
}
