// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What a message is about: "/sensor/gyroscope", or "/left_wrist/sensor/gyroscope" where a recording has several
/// devices.
///
/// Two families hold measurements. `/sensor/…` is SI with the reaction's sign, stamped in integer nanoseconds: what a
/// driver delivered. `/motion/…` is an object as an app sees it, in Core Motion's units and signs: numbers that came so
/// stay as they are, because converting g to m/s² and back changes the last bit of one in seven.
package struct Topic: Sendable, Hashable {
  /// What is measured; the raw value is the topic's name without a device.
  package enum Kind: String, CaseIterable, Sendable, Hashable {
    case accelerometer = "/sensor/accelerometer"
    case gyroscope = "/sensor/gyroscope"
    case magnetometer = "/sensor/magnetometer"
    case pressure = "/sensor/pressure"
    case waterPressure = "/sensor/water_pressure"
    case temperature = "/sensor/temperature"

    case motionAccelerometer = "/motion/accelerometer"
    case motionGyro = "/motion/gyro"
    case motionMagnetometer = "/motion/magnetometer"
    case deviceMotion = "/motion/device"
    case headphoneMotion = "/motion/headphone"

    case connection = "/event/connection"
    case error = "/event/error"
    case gap = "/event/gap"
  }

  /// What is measured.
  package var kind: Kind
  /// Which device of several, `[a-z0-9_]+`; empty = the only one.
  package var device: String

  /// A topic of the only device, or of one of several.
  package init(_ kind: Kind, device: String = "") {
    self.kind = kind
    self.device = device
  }

  /// From a name as it stands in a recording; nil when no topic of ours has it.
  package init?(name: String) {
    if let kind = Kind(rawValue: name) {
      self.init(kind)
      return
    }
    // Before anything is copied: a line can name a new device, as long as it is.
    guard name.utf8.count <= 2 * InputLimits.nameBytes, name.utf8.first == UInt8(ascii: "/"),
      let second = name.dropFirst().firstIndex(of: "/"),
      let kind = Kind(rawValue: String(name[second...]))
    else { return nil }
    let device = String(name[..<second].dropFirst())
    guard Self.isDevice(device) else { return nil }
    self.init(kind, device: device)
  }

  /// "/sensor/gyroscope".
  package var name: String { device.isEmpty ? kind.rawValue : "/\(device)\(kind.rawValue)" }

  /// Whether a text can name a device in a topic: `[a-z0-9_]+`, at most 1,024 of them. Names are kept.
  package static func isDevice(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= InputLimits.nameBytes
      && text.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
      }
  }
}
