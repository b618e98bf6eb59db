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
/// | vector | 24 | `02`, place, quantity, zero, Float64 seconds, Float32 x y z |
/// | scalar | 20 | `03`, place, quantity, zero, Float64 seconds, Float64 value |
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

  /// A vector of one sensor, in Core Motion's unit.
  enum VectorQuantity: UInt8, CaseIterable {
    /// g
    case accelerometer
    /// rad/s
    case gyroscope
    /// µT, the device's own field included
    case magnetometer
  }

  /// A number of one sensor or service.
  enum ScalarQuantity: UInt8 {
    /// kPa
    case airPressure
    /// kPa
    case waterPressure
    /// °C
    case temperature
  }

  static func appendHeader(number: UInt32, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: [0, 1, 0, 0])
    append(number, to: &bytes)
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
    append(hundredths(row.headingDeviation?.value(in: .degree)), to: &bytes)
    append(hundredths(row.inclinationDeviation?.value(in: .degree)), to: &bytes)
    append(seconds.bitPattern, to: &bytes)
    append(Float(row.w).bitPattern, to: &bytes)
    append(row.vector, to: &bytes)
    append(row.angularVelocity, to: &bytes)
    append(row.linearAccelerationInGravities, to: &bytes)
    let field = row.field?.microteslas ?? .zero
    for value in [field.x, field.y, field.z] {
      append(UInt16(bitPattern: Int16(clamping: max(-32_767, min(32_767, (value * 10).rounded())))), to: &bytes)
    }
    append(hundredths(row.heading?.bearingDegrees), to: &bytes)
  }

  static func append(
    _ quantity: VectorQuantity, _ value: Vector3<Device>, view: Int, seconds: Double, to bytes: inout [UInt8]
  ) {
    bytes.append(contentsOf: [2, place(view), quantity.rawValue, 0])
    append(seconds.bitPattern, to: &bytes)
    append(value, to: &bytes)
  }

  static func append(
    _ quantity: ScalarQuantity, _ value: Double, view: Int, seconds: Double, to bytes: inout [UInt8]
  ) {
    bytes.append(contentsOf: [3, place(view), quantity.rawValue, 0])
    append(seconds.bitPattern, to: &bytes)
    append(value.bitPattern, to: &bytes)
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
    append(Float(vector.x).bitPattern, to: &bytes)
    append(Float(vector.y).bitPattern, to: &bytes)
    append(Float(vector.z).bitPattern, to: &bytes)
  }

  private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    bytes.append(littleEndian: value)
  }
}

extension ViewRecord {
  /// The record of a sensor's own sample in Core Motion's unit; false for what is none.
  static func append(_ sample: SensorSample, view: Int, seconds: Double, to bytes: inout [UInt8]) -> Bool {
    switch sample {
    case .accelerometer(let sample):
      let value = sample.specificForce * (1 / AccelerationUnit.reversedGravity.scale)
      append(.accelerometer, value, view: view, seconds: seconds, to: &bytes)
    case .gyroscope(let sample):
      append(.gyroscope, sample.angularVelocity, view: view, seconds: seconds, to: &bytes)
    case .magnetometer(let sample):
      let value = sample.magneticField * (1 / MagneticFieldUnit.microtesla.scale)
      append(.magnetometer, value, view: view, seconds: seconds, to: &bytes)
    case .pressure(let sample):
      let quantity: ScalarQuantity = sample.medium == .water ? .waterPressure : .airPressure
      append(quantity, sample.pressure / 1000, view: view, seconds: seconds, to: &bytes)
    case .temperature(let sample):
      append(.temperature, sample.temperature, view: view, seconds: seconds, to: &bytes)
    case .inertial, .motion: return false
    }
    return true
  }
}
