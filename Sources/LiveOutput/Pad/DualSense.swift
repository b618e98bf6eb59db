// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath
package import MotionSensing

/// The axes of a game controller, as SDL and Sony have them: x to the right, y out of the face with the buttons, z
/// towards the player (SDL_sensor.h; AX-7).
package enum Controller: Frame {}

/// How a device is held that stands for a controller: which of its axes become the controller's.
///
/// ``Device`` is x right, y to the top edge, z out of the screen. Each map is a rotation, so it holds for angular
/// velocity and specific force alike.
///
/// | hold | x, right | y, up | z, to the player |
/// |---|---|---|---|
/// | flat: the screen is up, the top edge away from the player | x | z | −y |
/// | upright: the screen to the player, the top edge up | x | y | z |
/// | landscape: the screen to the player, the top edge to the left | −y | x | z |
package enum PadHold: String, Sendable, CaseIterable {
  case flat, upright, landscape

  /// A vector in the controller's axes.
  package func callAsFunction(_ v: Vector3<Device>) -> Vector3<Controller> {
    switch self {
    case .flat: Vector3(x: v.x, y: v.z, z: -v.y)
    case .upright: Vector3(x: v.x, y: v.y, z: v.z)
    case .landscape: Vector3(x: -v.y, y: v.x, z: v.z)
    }
  }
}

/// From motion to the input reports of a DualSense.
///
/// A report holds angular velocity in sixteenths of a degree a second (to ±2047.9°/s), specific force in 8192ths of g
/// (to ±4 g), both along ``Controller``, and the time of the measurement in thirds of a microsecond, modulo 32 bits.
/// Our calibration report says the same (``DualSense``), so that a reader is right with it and without.
///
/// A sixteenth of a degree a second is coarse: always rounded the same way, a slow turn would be off by a degree after
/// half a minute. What rounding leaves of one report is added to the next, so the sum of the reports is that of the
/// rates, and an angle that is integrated from them is never off by more than one count for one sample.
package struct DualSenseEncoder: Sendable {
  /// Counts per degree a second, and per g.
  static let rateResolution = 16.0, forceResolution = 8192.0
  /// The bytes of an input report of Bluetooth; the state begins at the third.
  static let reportBytes = 78, stateOffset = 2

  /// Reports of which a value was beyond the range and was cut.
  package private(set) var clipped = 0
  private var sequence: UInt8 = 0
  /// Counts of angular velocity that the last report has left over.
  private var rest = Vector3<Controller>.zero

  package init() {}

  /// The report of one measurement.
  ///
  /// - Parameters:
  ///   - angularVelocity: rad/s, right-handed, finite.
  ///   - specificForce: m/s²; at rest with the face up (0, +9.81, 0).
  package mutating func report(
    angularVelocity: Vector3<Controller>, specificForce: Vector3<Controller>, time: SensorInstant
  ) -> [UInt8] {
    var report = [UInt8](repeating: 0, count: Self.reportBytes)
    report[0] = DualSense.inputReport
    report[1] = sequence << 4 | 1
    // Sticks in their middle; no direction of the cross; no finger on the touchpad; the battery is full.
    for index in 0..<4 { report[Self.stateOffset + index] = 128 }
    report[Self.stateOffset + 6] = sequence
    report[Self.stateOffset + 7] = 8
    (report[Self.stateOffset + 32], report[Self.stateOffset + 36]) = (0x80, 0x80)
    report[Self.stateOffset + 52] = 0x2A
    sequence &+= 1
    let wanted = angularVelocity * (Angle(radians: 1).degrees * Self.rateResolution) + rest
    let rate = counts(of: wanted)
    let force = counts(of: specificForce * (Self.forceResolution / standardGravity))
    // Of a value that was cut nothing is carried on: it would come out when the turn is long over.
    rest = wanted - Vector3(x: Double(rate.values.x), y: Double(rate.values.y), z: Double(rate.values.z))
    if rate.isCut { rest = .zero }
    if rate.isCut || force.isCut { clipped += 1 }
    for (index, value) in [rate.values, force.values].enumerated() {
      for axis in 0..<3 { report.put(value[axis], at: Self.stateOffset + 15 + 6 * index + 2 * axis) }
    }
    report.put(UInt32(truncatingIfNeeded: time.nanoseconds &* 3 / 1000), at: Self.stateOffset + 27)
    report.seal(0xA1)
    return report
  }

  private func counts(of vector: Vector3<Controller>) -> (values: SIMD3<Int16>, isCut: Bool) {
    let rounded = SIMD3(vector.x, vector.y, vector.z).rounded(.toNearestOrEven)
    let range = Double(Int16.max)
    let cut = rounded.clamped(lowerBound: SIMD3(repeating: -range), upperBound: SIMD3(repeating: range))
    let values = SIMD3<Int16>(Int16(clamping: cut.x), Int16(clamping: cut.y), Int16(clamping: cut.z))
    return (values, cut != rounded)
  }
}

/// What a DualSense says of itself over Bluetooth, as the kernel's hid-playstation and SDL ask for it.
///
/// Bluetooth and not USB: SDL 2.26, Debian 12's, passes over a virtual HID device that claims USB and has no USB
/// device above it. Reports of Bluetooth end with a checksum over a byte that stands for their kind and all before it.
/// Layout: Linux drivers/hid/hid-playstation.c, from which the guest's virtual controller has it, too.
package enum DualSense {
  static let vendor: UInt32 = 0x054C, product: UInt32 = 0x0CE6
  static let inputReport: UInt8 = 0x31
  private static let calibrationReport: UInt8 = 0x05, pairingReport: UInt8 = 0x09, firmwareReport: UInt8 = 0x20

  /// A gamepad with vendor's bytes: 77 in and out, and the feature reports that are asked for.
  static let descriptor: [UInt8] =
    [0x05, 0x01, 0x09, 0x05, 0xA1, 0x01, 0x06, 0x00, 0xFF, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08]
    + [0x85, inputReport, 0x09, 0x31, 0x95, 77, 0x81, 0x02, 0x09, 0x32, 0x95, 77, 0x91, 0x02]
    + [0x85, calibrationReport, 0x09, 0x33, 0x95, 40, 0xB1, 0x02]
    + [0x85, pairingReport, 0x09, 0x34, 0x95, 19, 0xB1, 0x02]
    + [0x85, firmwareReport, 0x09, 0x35, 0x95, 63, 0xB1, 0x02, 0xC0]

  /// The answers to requests for feature reports, by number.
  ///
  /// - Parameter address: six bytes, as written; two controllers with one address are one to the kernel, which refuses
  ///   the second.
  static func features(address: [UInt8]) -> [UInt8: [UInt8]] {
    var calibration = [UInt8](repeating: 0, count: 41)
    // No bias. Counts at +540 and −540 degrees a second, the two speeds, and counts at +1 g and −1 g.
    let turn = Int16(540 * DualSenseEncoder.rateResolution), force = Int16(DualSenseEncoder.forceResolution)
    for axis in 0..<3 {
      calibration.put(turn, at: 7 + 4 * axis)
      calibration.put(-turn, at: 9 + 4 * axis)
      calibration.put(force, at: 23 + 4 * axis)
      calibration.put(-force, at: 25 + 4 * axis)
    }
    calibration.put(Int16(540), at: 19)
    calibration.put(Int16(540), at: 21)
    var pairing = [UInt8](repeating: 0, count: 20)
    for (index, byte) in address.prefix(6).reversed().enumerated() { pairing[1 + index] = byte }
    var firmware = [UInt8](repeating: 0, count: 64)
    (firmware[24], firmware[28]) = (1, 1)
    firmware.put(UInt16(0x0221), at: 44)
    return [calibrationReport: calibration, pairingReport: pairing, firmwareReport: firmware].reduce(into: [:]) {
      var report = $1.value
      report[0] = $1.key
      report.seal(0xA3)
      $0[$1.key] = report
    }
  }
}

extension [UInt8] {
  /// Writes a number, its lowest byte first.
  mutating func put(_ value: some FixedWidthInteger, at offset: Int) {
    for index in 0..<value.bitWidth / 8 { self[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }

  /// Puts the checksum into the last four bytes; `kind`: what stands for a kind of report before it.
  fileprivate mutating func seal(_ kind: UInt8) {
    put(crc32([kind] + dropLast(4)), at: count - 4)
  }
}
