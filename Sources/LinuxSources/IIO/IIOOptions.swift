// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// How an ``IIOSource`` reads.
package struct IIOOptions: DeviceSettings {
  /// How samples are read from the kernel.
  package enum Reading: String, Sendable, Hashable, CaseIterable {
    /// The buffer if this program may use it, else polling. The default.
    case automatic
    /// The buffer, or an error that says what is missing.
    case buffered
    /// The attributes, even if there is a buffer.
    case polled
  }

  /// Hz, 0.1…10000; nil, the default = what the subscribers want.
  package var rate: Double?
  /// Records before the kernel wakes the reader, 1…16384; nil, the default = 1, or a batch for subscribers to batches.
  package var watermark: Int?
  /// True: the pressure sensor is in water. Default: false, unless a label of the device says “water”.
  package var isInWater: Bool?
  /// What the numbers of a channel are multiplied by, where the driver computes another model of the chip. Default: 1.
  var scales: [IIOQuantity: Double] = [:]
  /// Default: automatic.
  package var reading = Reading.automatic
  /// Where the devices are. Default: the system's own folders.
  package var root = SystemRoot()

  /// The defaults.
  package init() {}

  /// Those of a URI such as `iio:?rate=200`: `rate`, `watermark`, `water` (`yes`, `no`), `scale` (a channel and a
  /// factor, `pressure:20`), `reading` (`automatic`, `buffered`, `polled`), as the properties have them, and `root`, a
  /// folder that stands for `/`.
  package static let table = SourceOptions<IIOOptions>(
    "a sensor of this computer",
    [
      .number("rate", "Hz", in: 0.1...10_000, default: "what the program requests") { $0.rate = $1 },
      .integer("watermark", "records", in: 1...16_384, default: "by latency") { $0.watermark = $1 },
      .yesOrNo("water", default: "by the device's label") { $0.isInWater = $1 },
      .value("scale", "a channel of the kernel and a factor, such as pressure:20", parse: scale) {
        $0.scales[$1.channel] = $1.factor
      },
      .choice("reading", Reading.self, default: "automatic") { $0.reading = $1 },
      .root { $0.root = $1 },
    ])

  private static func scale(_ text: String) -> (channel: IIOQuantity, factor: Double)? {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let channel = IIOQuantity(rawValue: "in_" + parts[0]), let factor = Double(parts[1]),
      factor > 0, factor.isFinite
    else { return nil }
    return (channel, factor)
  }
}
