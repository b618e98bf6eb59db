// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath
package import MotionSensing

/// A property of `/motion/device` and `/motion/headphone`, in Core Motion's name, unit and sign
/// (Documentation/Formats.md).
///
/// ``all`` is the one table of the columns of a ``MotionRow``: messages and their schemas, lines of CSV and NDJSON and
/// tidy tables follow from it, and a message is read in its order.
struct MotionProperty: Sendable {
  /// Reads one number of a row. None has a context, so that calling it costs no more than a line that is written out.
  typealias Leaf = @Sendable (MotionRow) -> TopicValue

  let field: TopicField
  /// The values of the field, as many as it has leaves.
  let leaves: [Leaf]

  private init(_ field: TopicField, _ leaves: Leaf...) { (self.field, self.leaves) = (field, leaves) }

  private static let quaternion = TopicField.vector("unit quaternion, device to reference") + [TopicField("w")]
  private static let calibratedField =
    TopicField.vector("microtesla") + [TopicField("accuracy", .integer, "-1 uncalibrated, 0 low, 1, 2 high")]
  /// The name of the property that a handler of Core Motion does not receive.
  private static let frameName = "attitudeReferenceFrame"

  static let all = [
    MotionProperty(TopicForm.seconds, { .number($0.time.seconds) }),
    MotionProperty(
      TopicField("attitude", .object(quaternion)), { .number($0.vector.x) }, { .number($0.vector.y) },
      { .number($0.vector.z) },
      { .number($0.w) }),
    MotionProperty(
      TopicField("rotationRate", TopicForm.rates), { .number($0.angularVelocity.x) }, { .number($0.angularVelocity.y) },
      { .number($0.angularVelocity.z) }),
    MotionProperty(
      TopicField("gravity", TopicForm.gravities), { .number($0.gravityInGravities.x) },
      { .number($0.gravityInGravities.y) },
      { .number($0.gravityInGravities.z) }),
    MotionProperty(
      TopicField("userAcceleration", TopicForm.gravities), { .number($0.linearAccelerationInGravities.x) },
      { .number($0.linearAccelerationInGravities.y) }, { .number($0.linearAccelerationInGravities.z) }),
    MotionProperty(
      .optional("magneticField", .object(calibratedField)), { .optional($0.field?.microteslas.x) },
      { .optional($0.field?.microteslas.y) }, { .optional($0.field?.microteslas.z) },
      { $0.field.map { .integer(Int64($0.accuracy)) } ?? .absent }),
    MotionProperty(.optional("heading", .number, "degrees, 0 to 360"), { .optional($0.heading?.bearingDegrees) }),
    MotionProperty(.optional("headingAccuracy", .number, "degrees"), { .optional($0.headingAccuracy?.degrees) }),
    MotionProperty(
      .optional("sensorLocation", .integer, "0 default, 1 left headphone, 2 right headphone"),
      { .integer(Int64($0.location.rawValue)) }),
    MotionProperty(
      .optional(frameName, .integer, "raw value of CMAttitudeReferenceFrame: 1, 2, 4, 8"),
      { .integer(1 << Int64($0.reference.rawValue)) }),
    MotionProperty(
      .optional("inclinationDeviation", .number, "degrees, one standard deviation"),
      { .optional($0.inclinationDeviation?.degrees) }),
    MotionProperty(
      .optional("headingDeviation", .number, "degrees, one standard deviation"),
      { .optional($0.headingDeviation?.degrees) }),
  ]

  static let fields = all.map(\.field)
  /// Of all properties, one after the other.
  static let leaves = all.flatMap(\.leaves)
  /// Which leaf is the frame.
  fileprivate static let frame = all.prefix { $0.field.name != frameName }.reduce(0) { $0 + $1.field.leafCount }
}

extension AngleReading {
  fileprivate var degrees: Double { value(in: .degree) }
}

extension JSONText {
  /// The names of the columns of ``append(csv:hidesFrame:)``, with the end of the line.
  package static let motionHeader = TidyColumn.all(of: MotionProperty.fields).map(\.name).joined(separator: ",") + "\n"

  /// The row as a line of a table; what is absent is an empty cell. `hidesFrame` leaves the reference frame out.
  package mutating func append(csv row: MotionRow, hidesFrame: Bool = false) {
    for (index, leaf) in MotionProperty.leaves.enumerated() {
      if index > 0 { append(byte: UInt8(ascii: ",")) }
      if hidesFrame, index == MotionProperty.frame { continue }
      append(cell: leaf(row))
    }
    append("\n")
  }

  /// The row as an object, beginning with its `topic`; what is absent has no key. `hidesFrame` leaves the reference
  /// frame out.
  package mutating func append(_ row: MotionRow, topic: StaticString, hidesFrame: Bool = false) {
    var values = MotionProperty.leaves.map { $0(row) }
    if hidesFrame { values[MotionProperty.frame] = .absent }
    append("{\"topic\":\"")
    append(topic)
    append("\",")
    var next = 0
    append(members: MotionProperty.fields, values, &next)
  }
}

/// The numbers in Core Motion's units and signs, for files and programs. Those that came so pass unchanged: their
/// factor is 1.
extension MotionRow {
  /// g; face up (0, 0, −1).
  package var gravityInGravities: Vector3<Device> { gravity * gravities }
  /// g, without gravity.
  package var linearAccelerationInGravities: Vector3<Device> { linearAcceleration * gravities }

  private var gravities: Double { accelerationUnit.scale / AccelerationUnit.reversedGravity.scale }

  /// The same without a magnetic field that is not calibrated.
  package var withoutUncalibratedField: MotionRow {
    guard let field, field.accuracy < 0 else { return self }
    var row = self
    row.field = nil
    return row
  }

  /// Roll, pitch and yaw in radians, as CMAttitude has them (Documentation/Formats.md 2.3).
  package var angles: YawPitchRoll { YawPitchRoll(w: w, x: vector.x, y: vector.y, z: vector.z) }
}

extension MotionRow.CalibratedField {
  /// µT, device axes.
  package var microteslas: Vector3<Device> { reading * (unit == .microtesla ? 1 : unit.scale * 1e6) }
}
