// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

/// One measurement of a bud: its attitude, as its own filter has it, its turning and its acceleration.
///
/// | offset | type | meaning | unit of one count |
/// |---|---|---|---|
/// | 0 | u8 | report id, 1 | |
/// | 1 | u64 | time since long ago | 1 ns |
/// | 9 | u8 | 3 = a record of motion | |
/// | 12 | u64 | time of the sensor's clock | 1 µs |
/// | 20 | 3 × i16 | x, y, z of the attitude, bud → world, z up, w ≥ 0 | 1/32768 |
/// | 26 | 3 × i16 | angular velocity, bud axes, right-handed | 1/512 rad/s |
/// | 38 | 3 × i16 | user acceleration, bud axes, Core Motion's sign | 1/1024 g |
/// | 44 | 3 × i16 | smoothed acceleration with the sign of gravity; half a second late | about 1/1024 g |
/// | 54 | u32 | steps of the fusion, 5.023 ms each | |
///
/// The table was put together from public captures of two models; gravity from the quaternion agrees with the words at
/// 44 within 0.7° in them.
package struct MotionReport: Sendable, Hashable {
  /// µs of the sensor's clock.
  package var sensorTime: UInt64
  /// Bud → world; w ≥ 0.
  package var attitude: Rotation<Chip, NorthWestUp>
  /// rad/s.
  package var angularVelocity: Vector3<Chip>
  /// g, Core Motion's sign.
  package var userAcceleration: Vector3<Chip>
  /// About g, downwards; late by about 0.6 s. A check of plausibility only.
  package var smoothedGravity: Vector3<Chip>
  /// Steps of the fusion; nil where the report ends before.
  package var counter: UInt32?

  /// Length of the quaternion's vector part, squared, beyond which it is none.
  static let largestSquare = 1.01

  /// The report in the bytes; nil when they are no motion: another record, too short, or no unit quaternion.
  package init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 50 else { return nil }
    var reader = PacketBytes(bytes)
    guard reader.number(UInt8.self) == 1, reader.number(UInt64.self) != nil, reader.number(UInt8.self) == 3
    else { return nil }
    reader.skip(2)
    guard let sensorTime = reader.number(UInt64.self), let q = Self.words(&reader), let rate = Self.words(&reader)
    else { return nil }
    reader.skip(6)
    guard let acceleration = Self.words(&reader), let gravity = Self.words(&reader) else { return nil }
    let vector = q / 32768
    let square = vector.dot(vector)
    guard square <= Self.largestSquare else { return nil }
    // Rounding may have made the vector part longer than one.
    let w = max(0, 1 - square).squareRoot()
    attitude = Rotation(nearUnitW: w, x: vector.x, y: vector.y, z: vector.z)
    self.sensorTime = sensorTime
    angularVelocity = rate / 512
    userAcceleration = acceleration / 1024
    smoothedGravity = gravity / 1024
    reader.skip(4)
    counter = reader.number(UInt32.self)
  }

  private static func words(_ reader: inout PacketBytes) -> Vector3<Chip>? {
    guard let x = reader.number(Int16.self), let y = reader.number(Int16.self), let z = reader.number(Int16.self)
    else { return nil }
    return Vector3(x: Double(x), y: Double(y), z: Double(z))
  }

  /// The direction of gravity from the attitude, bud axes, length 1.
  package var gravity: Vector3<Chip> { attitude.inverse * Vector3<NorthWestUp>(x: 0, y: 0, z: -1) }

  /// Whether the smoothed acceleration has the length of gravity, within 30 %.
  package var hasPlausibleGravity: Bool { abs(smoothedGravity.length - 1) <= 0.3 }
}
