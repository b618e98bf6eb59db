// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import MotionServices

/// What the viewer's page receives: records of fixed size, little endian, one after the other.
///
/// A message of a live source is a header and the samples since the message before; a recording's track is records
/// without a header. The first byte says what a record is and so how long it is. `Page/records.js` reads them.
///
/// | record | bytes | layout |
/// |---|---|---|
/// | header | 8 | `00`, version 1, two zeros, UInt32 number of the message |
/// | motion | 64 | `01`, place, flags, Int8 accuracy of the field (−1…2), UInt16 heading and UInt16 inclination deviation (0.01°), Float64 seconds, Float32 quaternion w x y z, Float32 rotation rate x y z (rad/s), Float32 user acceleration x y z (g), Int16 field x y z (0.1 µT), UInt16 heading (0.01°) |
/// | sensor | 24 | `02`, place, quantity, zero, Float64 seconds, Float32 x y z, or the value and two zeros |
///
/// Place: the view (0 or 1) in the low four bits, above them 0 device, 1 left, 2 right of a pair of headphones. 65535 =
/// not known. Gravity follows from the quaternion. Seconds count from the start of the source, signs and units are Core
/// Motion's.
enum ViewRecord {
  static let headerSize = 8
  static let motionSize = 64

  /// Bits of a motion's flags; the reference frame is in bits 4 and 5.
  struct Flags: OptionSet {
    let rawValue: UInt8
    static let isAtRest = Flags(rawValue: 1)
    static let hasField = Flags(rawValue: 2)
    /// The heading is known well enough to be relied on.
    static let isHeadingValid = Flags(rawValue: 4)
    /// The attitude that a phone had computed and recorded: the ghost.
    static let isGhost = Flags(rawValue: 128)
  }

  /// What one sensor measures, in Core Motion's unit.
  enum Quantity: UInt8 {
    /// g
    case accelerometer
    /// rad/s
    case gyroscope
    /// µT, the device's own field included
    case magnetometer
    /// kPa
    case airPressure, waterPressure
  }

  static func appendHeader(number: UInt32, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: [0, 1, 0, 0])
    bytes.append(littleEndian: number)
  }

  static func append(
    _ row: MotionRow, view: Int, seconds: Double, isGhost: Bool = false, to bytes: inout [UInt8]
  ) {
    var flags = Flags(rawValue: row.reference.rawValue << 4)
    if isGhost { flags.insert(.isGhost) }
    if row.isAtRest == true { flags.insert(.isAtRest) }
    if row.field != nil { flags.insert(.hasField) }
    if row.headingAccuracy.map({ $0.reading >= 0 }) ?? false { flags.insert(.isHeadingValid) }
    bytes.append(contentsOf: [
      1, place(view, row.location), flags.rawValue, UInt8(bitPattern: row.field?.accuracy ?? -1),
    ])
    bytes.append(littleEndian: hundredths(row.headingDeviation?.value(in: .degree)))
    bytes.append(littleEndian: hundredths(row.inclinationDeviation?.value(in: .degree)))
    bytes.append(littleEndian: seconds.bitPattern)
    bytes.append(littleEndian: Float(row.w).bitPattern)
    append(row.vector, to: &bytes)
    append(row.angularVelocity, to: &bytes)
    append(row.linearAccelerationInGravities, to: &bytes)
    let field = row.field?.microteslas ?? .zero
    for value in [field.x, field.y, field.z] {
      bytes.append(littleEndian: Int16(clamping: max(-32_767, min(32_767, (value * 10).rounded()))))
    }
    bytes.append(littleEndian: hundredths(row.heading?.bearingDegrees))
  }

  static func append(
    _ quantity: Quantity, _ value: Vector3<Device>, view: Int, seconds: Double, to bytes: inout [UInt8]
  ) {
    bytes.append(contentsOf: [2, place(view), quantity.rawValue, 0])
    bytes.append(littleEndian: seconds.bitPattern)
    append(value, to: &bytes)
  }

  /// The record of a sensor's own sample in Core Motion's unit; nothing for one that no strip shows.
  static func append(_ sample: SensorSample, view: Int, seconds: Double, to bytes: inout [UInt8]) {
    let (quantity, value): (Quantity, Vector3<Device>)
    switch sample {
    case .accelerometer(let sample):
      (quantity, value) = (.accelerometer, sample.specificForce * (1 / AccelerationUnit.reversedGravity.scale))
    case .gyroscope(let sample): (quantity, value) = (.gyroscope, sample.angularVelocity)
    case .magnetometer(let sample):
      (quantity, value) = (.magnetometer, sample.magneticField * (1 / MagneticFieldUnit.microtesla.scale))
    case .pressure(let sample):
      quantity = sample.medium == .water ? .waterPressure : .airPressure
      value = Vector3(x: sample.pressure / 1000, y: 0, z: 0)
    case .inertial, .motion, .temperature: return
    }
    append(quantity, value, view: view, seconds: seconds, to: &bytes)
  }

  private static func place(_ view: Int, _ location: MotionRow.Location = .device) -> UInt8 {
    UInt8(truncatingIfNeeded: view & 15) | location.rawValue << 4
  }

  /// An angle in hundredths of a degree; 65535 when it is not known.
  private static func hundredths(_ degrees: Double?) -> UInt16 {
    guard let degrees, degrees.isFinite, (0...655).contains(degrees) else { return .max }
    return UInt16(clamping: degrees * 100)
  }

  private static func append(_ vector: Vector3<Device>, to bytes: inout [UInt8]) {
    for value in [vector.x, vector.y, vector.z] { bytes.append(littleEndian: Float(value).bitPattern) }
  }
}
