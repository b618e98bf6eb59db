// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HeadphoneSources
import MotionMath
import MotionSensing
import Testing

/// Bytes from text: `04 00 04 00`.
func hex(_ text: String) -> [UInt8] { text.split(whereSeparator: \.isWhitespace).compactMap { UInt8($0, radix: 16) } }

/// Captures outside the repository: `$OPENCOREMOTION_DATA`, else `shared/data` beside the checkout.
enum AirPodsCaptures {
  static let folder = SharedData.path("headphones/greenpods")
  static var exist: Bool { FileManager.default.fileExists(atPath: folder) }

  /// The lines of a capture, without comments and labels.
  static func lines(_ name: String) throws -> [[UInt8]] {
    let text = try String(contentsOfFile: "\(folder)/\(name).txt", encoding: .utf8)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let words = line.split(separator: " ")
      return hex(words.drop { UInt8($0, radix: 16) == nil || $0.count != 2 }.joined(separator: " "))
    }
  }

  static func reports(_ name: String) throws -> [MotionReport] {
    try lines(name).map { try #require(MotionReport($0[...])) }
  }
}

/// The numbers of HP-5's test packet, of the capture with sequence 126.
let sequence126 = hex(
  """
  04 00 04 00 17 00 00 00 10 00 44 00 08 7E 10 03 3A 3E 08 10 1A 3A 01 A0 49 73 6E 66 3C 00 00 03 04 43 4A 26 E4 86 00 00 00 00 0C 91
  62 EF 6E DB 03 00 0C 00 0B 00 1B 83 03 F7 4D F9 F4 FF 0E 00 06 00 98 FD 6D 02 2E 02 FE FE 78 39 71 03 00 00
  """)

/// The packets of one read.
func packets(_ bytes: [UInt8]) -> [AirPodsPacket] {
  var reader = PacketBytes(bytes[...])
  var found: [AirPodsPacket] = []
  while let packet = AirPodsPacket.next(&reader) { found.append(packet) }
  return found
}

/// The only packet of a read, as a sensor message.
func sensorMessage(_ bytes: [UInt8]) -> SensorMessage? {
  let found = packets(bytes)
  guard found.count == 1, case .sensor(let message) = found[0] else { return nil }
  return message
}

/// Core Motion's angles in degrees.
func angles<F: Frame>(_ q: Rotation<F, NorthWestUp>) -> (pitch: Double, roll: Double, yaw: Double) {
  let degrees = 180 / Double.pi
  return (
    Scalar.asin(2 * (q.w * q.x + q.y * q.z)) * degrees,
    Scalar.atan2(2 * (q.w * q.y - q.x * q.z), 1 - 2 * (q.x * q.x + q.y * q.y)) * degrees,
    Scalar.atan2(2 * (q.w * q.z - q.x * q.y), 1 - 2 * (q.x * q.x + q.z * q.z)) * degrees
  )
}

func isClose<F: Frame>(_ v: Vector3<F>, _ x: Double, _ y: Double, _ z: Double, _ tolerance: Double = 2e-5) -> Bool {
  v.isApproximatelyEqual(to: Vector3(x: x, y: y, z: z), tolerance: tolerance)
}
