// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// What a recording says of itself beside its samples: where they came from, whose clock stamped them, and what had been done
/// to them.
///
/// Serial numbers and addresses are no part of a recording, which may be given away: writers leave out `info.identity`, and
/// ``publicSource`` is the source without addresses.
public struct RecordingDescription: Sendable, Hashable {
  /// Whose clock the time stamps belong to.
  public enum Clock: String, Sendable, Hashable {
    /// CLOCK_MONOTONIC: since boot, time asleep not counted.
    case monotonic
    /// CLOCK_BOOTTIME: since boot, time asleep counted.
    case boottime
    /// Since 1970-01-01 00:00 UTC.
    case epoch
    /// The device's own.
    case device
    /// Nothing is known of it.
    case none
  }

  /// The sensors; a reader finds their ranges and the device class here.
  public var info: SensorInfo
  /// Which device of several this is, `[a-z0-9_]+`; it becomes the first part of each topic. Empty, the default: the only one.
  public var device = ""
  /// The URI of the source: "iio:imu0", "replay:walk.csv". Empty, the default: not known.
  public var source = ""
  /// Default: none.
  public var clock = Clock.none
  /// Unix time less the recording's time; nil, the default: not known.
  public var wallOffset: SensorDuration?
  /// The format that the samples were read from, by name; nil, the default: they came from the source itself.
  public var sourceFormat: String?
  /// The device's model, as people call it.
  public var deviceModel: String?
  /// The operating system that recorded, with its version.
  public var operatingSystem: String?
  /// The program that recorded, with its version.
  public var application: String?
  /// m/s² per g that the source divided by, where it is not 9.80665.
  public var gravityConstant: Double?
  /// The sign family of the source's accelerometer before conversion: "apple" (−1 g on z, face up at rest), "reaction" (+1 g), "sdl".
  public var sign: String?
  /// True: a simulator made it up. Default: whether ``info`` says so.
  public var isSimulated: Bool
  /// The calibration in force while it was recorded, as a JSON text: the samples are as they came, before it.
  public var calibration: [UInt8]?

  /// A description of a source's recording; set what else is known.
  public init(info: SensorInfo) {
    self.info = info
    isSimulated = info.origin == .simulation
  }

  /// ``source`` with every Bluetooth or network address (six pairs of hexadecimal digits between colons, dashes or
  /// underscores) blanked out.
  public var publicSource: String {
    var text = Array(source.utf8)
    var index = 0
    while index + 17 <= text.count {
      if Self.isAddress(text[index..<index + 17]) {
        for position in index..<index + 17 where position % 3 != (index + 2) % 3 { text[position] = UInt8(ascii: "x") }
        index += 17
      } else {
        index += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func isAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.enumerated().allSatisfy { position, byte in
      if position % 3 == 2 { return [UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(byte) }
      return (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }
  }
}
